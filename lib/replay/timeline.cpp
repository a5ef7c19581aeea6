// Tables and timelines. See timeline.h.
#include "replay/timeline.h"

#include <algorithm>
#include <tuple>

#include "replay/node_paths.h"
#include "text/json.h"

namespace espalier::replay {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Ending::count)> kEndings = {
    "SUCCESS", "FAILURE", "SKIPPED", "IDLE", "RUNNING"};

enum Column : std::size_t {
  kNode,
  kTicked,
  kSuccess,
  kFailure,
  kSkipped,
  kHalted,
  kRunning,
  kBetween,
  kShare,
  kColumnCount
};
constexpr std::array<std::string_view, kColumnCount> kTitles = {
    "node", "ticked", "success", "failure", "skipped", "halted", "running s", "between s", "share"};

using Cells = std::array<std::string, kColumnCount>;
using Table = std::vector<std::vector<std::string>>;

// "0.040": milliseconds are enough.
std::string seconds(std::uint64_t time_us) {
  const std::string thousandths = std::to_string(time_us % 1'000'000 / 1000);
  return std::to_string(time_us / 1'000'000) + '.' + std::string(3 - thousandths.size(), '0') + thousandths;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return std::to_string(whole == 0 ? 0 : (part * 100 + whole / 2) / whole) + " %";
}

// The share is of updates, where these are known, otherwise of time.
Cells cells_of(const TimelineRow& row, const Timeline& of) {
  const auto count = [&](Ending ending) { return std::to_string(row.endings[static_cast<std::size_t>(ending)]); };
  Cells cells;
  cells[kNode] = std::string(2 * row.depth, ' ') + row.name;
  cells[kTicked] = std::to_string(row.ticked_count);
  cells[kSuccess] = count(Ending::success);
  cells[kFailure] = count(Ending::failure);
  cells[kSkipped] = count(Ending::skipped);
  cells[kHalted] = count(Ending::halted);
  cells[kRunning] = seconds(row.active_us);
  cells[kBetween] = row.between_count == 0 ? "-" : seconds(row.between_us / row.between_count + 500);
  cells[kShare] = of.knows_updates ? percent(row.ticked_count, of.rows[row.title].ticked_count)
                                   : percent(row.active_us, of.whole_us);
  return cells;
}

// Columns that some runs have nothing for.
struct Columns {
  explicit Columns(const Timeline& timeline) { add(timeline); }
  void add(const Timeline& timeline) {
    has[kTicked] |= timeline.knows_updates;
    for (const TimelineRow& row : timeline.rows)
      has[kSkipped] |= row.endings[static_cast<std::size_t>(Ending::skipped)] != 0;
  }
  std::array<bool, kColumnCount> has = {true, false, true, true, false, true, true, true, true};

  // `difference`: stands behind the time.
  [[nodiscard]] std::vector<std::string> of(const Cells& cells, const std::string* difference = nullptr) const {
    std::vector<std::string> chosen;
    for (std::size_t i = 0; i < kColumnCount; ++i) {
      if (has[i]) chosen.push_back(cells[i]);
      if (i == kRunning && difference != nullptr) chosen.push_back(*difference);
    }
    return chosen;
  }
};

Cells titles() {
  Cells cells;
  std::copy(kTitles.begin(), kTitles.end(), cells.begin());
  return cells;
}

// The first column is text, the others are numbers.
std::string text_of(const Table& table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const auto& row : table) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - row[i].size(), ' ');
      text += i != 0 ? "  " + blanks + row[i] : row.size() == 1 ? row[i] : row[i] + blanks;
    }
    text += '\n';
  }
  return text;
}

// Of several trees the names are told too.
bool has_several_trees(const Timeline& timeline) {
  return std::count_if(timeline.rows.begin(), timeline.rows.end(),
                       [](const TimelineRow& row) { return row.is_title; }) > 1;
}

}  // namespace

std::uint32_t Timeline::row_at(TimelineRow row) {
  const auto [known, is_new] = by_part_.try_emplace({row.parent, row.part}, static_cast<std::uint32_t>(rows.size()));
  if (is_new) rows.push_back(std::move(row));
  return known->second;
}

std::uint32_t Timeline::add_tree(const Tree& tree, std::map<std::uint32_t, std::uint32_t>& rows_of_words) {
  const NodePaths paths(tree);
  const std::vector<PlacedNode>& nodes = paths.nodes();
  struct Waiting {
    std::uint32_t node;
    std::uint32_t parent;  // its row
    std::size_t depth;
  };
  std::vector<std::vector<std::uint32_t>> children(nodes.size());
  const std::string name(tree_name(tree));
  const std::uint32_t title = row_at({.part = name, .name = name, .is_title = true});
  std::vector<Waiting> waiting;  // the next one last
  for (auto i = static_cast<std::uint32_t>(nodes.size()); i-- > 0;) {
    if (nodes[i].parent == PlacedNode::kRoot) {
      waiting.push_back({i, title, 0});
    } else {
      children[nodes[i].parent].push_back(i);
    }
  }
  while (!waiting.empty()) {
    const auto [number, parent, depth] = waiting.back();
    waiting.pop_back();
    const PlacedNode& node = nodes[number];
    const bool has_id = !node.id.empty();
    const std::string_view own = !node.name.empty() ? node.name : has_id ? node.id : node.kind;
    const std::string part = std::string(has_id ? node.id : node.kind) + '[' +
                             std::to_string(has_id ? node.id_number : node.kind_number) + ']';
    const std::uint32_t row = row_at({.parent = parent,
                                      .part = part,
                                      .name = std::string(own),
                                      .depth = depth,
                                      .is_leaf = children[number].empty(),
                                      .title = title});
    rows_of_words.try_emplace(node.word, row);
    for (const std::uint32_t child : children[number]) waiting.push_back({child, row, depth + 1});
  }
  return title;
}

void Timeline::add(const NodeRun& run) {
  TimelineRow& row = rows[run.row];
  ++row.endings[static_cast<std::size_t>(run.ending)];
  row.active_us += run.end_us - run.begin_us;
  const auto [last, is_first] = last_begins_.try_emplace({run.agent, run.row}, run.begin_us);
  if (!is_first) {
    row.between_us += run.begin_us - last->second;
    ++row.between_count;
    last->second = run.begin_us;
  }
  whole_us = std::max(whole_us, run.end_us);
  if (keeps_runs) runs_.push_back(run);
}

std::vector<NodeRun> Timeline::runs() const {
  std::vector<NodeRun> sorted = runs_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const NodeRun& a, const NodeRun& b) {
    return std::tuple(a.begin_us, b.end_us, a.row) < std::tuple(b.begin_us, a.end_us, b.row);
  });
  return sorted;
}

std::vector<std::string> profile_lines(const Timeline& timeline, std::uint32_t row) {
  const Columns columns(timeline);
  const Cells cells = cells_of(timeline.rows[row], timeline);
  std::vector<std::string> lines = {std::string(kTitles[kShare]) + ' ' + cells[kShare]};
  for (std::size_t i = kNode + 1; i < kShare; ++i) {
    if (columns.has[i]) lines.push_back(std::string(kTitles[i]) + ' ' + cells[i]);
  }
  return lines;
}

double share_of(const Timeline& timeline, std::uint32_t number) {
  const TimelineRow& row = timeline.rows[number];
  const std::uint64_t part = timeline.knows_updates ? row.ticked_count : row.active_us;
  const std::uint64_t whole = timeline.knows_updates ? timeline.rows[row.title].ticked_count : timeline.whole_us;
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string profile_text(const Timeline& timeline) {
  const Columns columns(timeline);
  const bool tells_trees = has_several_trees(timeline);
  Table table = {columns.of(titles())};
  for (const TimelineRow& row : timeline.rows) {
    if (row.is_active()) table.push_back(columns.of(cells_of(row, timeline)));
    if (row.is_title && tells_trees) table.push_back({"tree " + row.name});
  }
  return text_of(table);
}

std::string profiles_text(const Timeline& first, const Timeline& second) {
  struct Pair {
    const TimelineRow* first = nullptr;
    const TimelineRow* second = nullptr;
  };
  std::vector<Pair> pairs;
  std::map<std::pair<std::size_t, std::string_view>, std::size_t> by_part;  // with the pair of the parent
  const auto pair_of = [&](const TimelineRow& row, const std::vector<std::size_t>& pair_of_row) -> std::size_t {
    const std::size_t parent = row.parent == TimelineRow::kNoParent ? SIZE_MAX : pair_of_row[row.parent];
    const auto [known, is_new] = by_part.try_emplace({parent, row.part}, pairs.size());
    if (is_new) pairs.emplace_back();
    return known->second;
  };
  std::vector<std::size_t> of_first, of_second;
  for (const TimelineRow& row : first.rows) {
    of_first.push_back(pair_of(row, of_first));
    pairs[of_first.back()].first = &row;
  }
  for (const TimelineRow& row : second.rows) {
    of_second.push_back(pair_of(row, of_second));
    pairs[of_second.back()].second = &row;
  }
  Columns columns(first);
  columns.add(second);
  const std::string title = "difference";
  Table table = {columns.of(titles(), &title)};
  Cells none;
  none.fill("-");
  const bool tells_trees = has_several_trees(first) || has_several_trees(second);
  for (const Pair& pair : pairs) {
    const TimelineRow& any = pair.first != nullptr ? *pair.first : *pair.second;
    if (any.is_title && tells_trees) table.push_back({"tree " + any.name});
    const auto is_active = [](const TimelineRow* row) { return row != nullptr && row->is_active(); };
    if (!is_active(pair.first) && !is_active(pair.second)) continue;
    Cells cells = pair.first != nullptr ? cells_of(*pair.first, first) : none;
    const Cells other = pair.second != nullptr ? cells_of(*pair.second, second) : none;
    if (pair.first == nullptr) cells[kNode] = other[kNode];
    for (std::size_t i = kNode + 1; i < kColumnCount; ++i) {
      if (cells[i] != other[i]) cells[i] += " -> " + other[i];
    }
    std::string difference;
    if (pair.first != nullptr && pair.second != nullptr) {
      const std::uint64_t before_us = pair.first->active_us;
      const std::uint64_t now_us = pair.second->active_us;
      const std::uint64_t by_us = std::max(before_us, now_us) - std::min(before_us, now_us);
      if (by_us / 1000 != 0) difference = (now_us > before_us ? '+' : '-') + seconds(by_us);
    }
    table.push_back(columns.of(cells, &difference));
  }
  return text_of(table);
}

constexpr std::size_t kSliceBytes = 200;  // are enough for most

// Slices of one thread must be within each other: what runs beside something else is on a thread of its own.
std::string chrome_text(const Timeline& timeline) {
  std::map<std::uint32_t, std::vector<std::vector<std::uint64_t>>> threads_of;  // the ends of the slices that are open
  const std::vector<NodeRun> runs = timeline.runs();
  std::string events;
  events.reserve(runs.size() * kSliceBytes);  // there may be hundreds of megabytes: they are not copied to grow
  events = "[";
  for (const NodeRun& run : runs) {
    std::vector<std::vector<std::uint64_t>>& threads = threads_of[run.agent];
    std::size_t thread = 0;
    for (; thread < threads.size(); ++thread) {
      std::vector<std::uint64_t>& open = threads[thread];
      while (!open.empty() && open.back() <= run.begin_us) open.pop_back();
      if (open.empty() || run.end_us <= open.back()) break;
    }
    if (thread == threads.size()) threads.emplace_back();
    threads[thread].push_back(run.end_us);
    const TimelineRow& row = timeline.rows[run.row];
    events += events.size() == 1 ? "\n" : ",\n";
    events += "{\"ph\": \"X\", \"name\": " + text::json_string(row.name) + ", \"cat\": \"" +
              (row.is_leaf ? "leaf" : "node") + "\", \"ts\": " + std::to_string(timeline.begin_us + run.begin_us) +
              ", \"dur\": " + std::to_string(run.end_us - run.begin_us) +
              ", \"pid\": " + std::to_string(run.agent + 1) + ", \"tid\": " + std::to_string(thread + 1) +
              ", \"args\": {\"uid\": " + std::to_string(run.row) + ", \"end\": \"" +
              std::string(kEndings[static_cast<std::size_t>(run.ending)]) + "\"}}";
  }
  events += "\n]\n";
  return events;
}

}  // namespace espalier::replay
