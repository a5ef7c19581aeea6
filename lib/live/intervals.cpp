// Profiles and timelines. See intervals.h.
#include "live/intervals.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "replay/node_paths.h"
#include "text/json.h"

namespace espalier::live {
namespace {

constexpr std::uint64_t kOwnHalt_us = 1000;  // from when a node halts itself until it is done

std::uint32_t node_of(const LoggedTree& tree, const Log& log, const Change& change) {
  if (change.uid != 0) return std::min<std::uint32_t>(change.uid - 1u, static_cast<std::uint32_t>(tree.nodes().size()));
  std::uint32_t node = 0;
  while (node < tree.nodes().size() && !tree.is_of(change, log, node)) ++node;
  return node;
}

std::string padded(std::string text, std::size_t width, bool is_number) {
  const std::string blanks(text.size() < width ? width - text.size() : 0, ' ');
  return is_number ? blanks + text : text + blanks;
}

// "0.040": milliseconds are enough.
std::string seconds(std::uint64_t time_us) {
  const std::string thousandths = std::to_string(time_us % 1'000'000 / 1000);
  return std::to_string(time_us / 1'000'000) + '.' + std::string(3 - thousandths.size(), '0') + thousandths;
}

std::size_t depth_of(const LoggedTree& tree, std::uint32_t number) {
  std::size_t depth = 0;
  for (std::uint32_t above = 0; above < number; ++above)
    if (above + nodes_within(tree.view().nodes + tree.nodes()[above].word) > number) ++depth;
  return depth;
}

}  // namespace

std::vector<Interval> intervals_of(const LoggedTree& tree, const Log& log) {
  std::vector<Interval> intervals;
  std::vector<std::optional<std::size_t>> running(tree.nodes().size());
  std::vector<std::optional<std::size_t>> lasts(tree.nodes().size());
  std::uint64_t now_us = 0;
  for (const Change& change : log.changes) {
    now_us = std::max(now_us,
                      static_cast<std::uint64_t>(std::max<std::int64_t>(0, change.at_us - log.changes.front().at_us)));
    const std::uint32_t node = node_of(tree, log, change);
    if (node == tree.nodes().size()) continue;
    if (running[node]) {
      intervals[*running[node]].end_us = now_us;
      intervals[*running[node]].end = change.status;
      running[node].reset();
      continue;
    }
    if (change.status == Status::idle) continue;
    Interval* const last = lasts[node] ? &intervals[*lasts[node]] : nullptr;
    if (tree.nodes()[node].halts_itself && last != nullptr && last->end == Status::idle &&
        change.status != Status::running && now_us - last->end_us < kOwnHalt_us) {
      last->end = change.status;
      continue;
    }
    lasts[node] = intervals.size();
    if (change.status == Status::running) running[node] = intervals.size();
    intervals.push_back({node, now_us, now_us, change.status});
  }
  for (const std::optional<std::size_t>& each : running) {
    if (each) intervals[*each].end_us = now_us;
  }
  std::stable_sort(intervals.begin(), intervals.end(),
                   [](const Interval& a, const Interval& b) { return a.begin_us < b.begin_us; });
  return intervals;
}

// ---- Profiles

namespace {

constexpr std::size_t kColumnCount = 6;
using Row = std::array<std::string, kColumnCount>;
constexpr std::array<const char*, kColumnCount> kTitles = {"node",   "success",   "failure",
                                                           "halted", "running s", "share"};

// What a node did in all.
struct Sum {
  std::string name = {};  // with blanks before it, by its depth
  std::array<std::uint64_t, kStatusCount> ends = {};
  std::uint64_t time_us = 0;

  bool is_active() const { return ends != decltype(ends){}; }
};

// By node; `whole_us` gets the time of the whole log.
std::vector<Sum> sums_of(const LoggedTree& tree, const Log& log, std::uint64_t* whole_us) {
  std::vector<Sum> sums(tree.nodes().size());
  *whole_us = 0;
  for (const Interval& interval : intervals_of(tree, log)) {
    Sum& sum = sums[interval.node];
    ++sum.ends[static_cast<unsigned>(interval.end)];
    sum.time_us += interval.end_us - interval.begin_us;
    *whole_us = std::max(*whole_us, interval.end_us);
  }
  for (std::uint32_t i = 0; i < sums.size(); ++i)
    sums[i].name = std::string(2 * depth_of(tree, i), ' ') + std::string(tree.nodes()[i].name);
  return sums;
}

Row row_of(const Sum& sum, std::uint64_t whole_us) {
  const auto count = [&](Status status) { return std::to_string(sum.ends[static_cast<unsigned>(status)]); };
  return {sum.name,
          count(Status::success),
          count(Status::failure),
          count(Status::idle),
          seconds(sum.time_us),
          std::to_string(whole_us == 0 ? 0 : (sum.time_us * 100 + whole_us / 2) / whole_us) + " %"};
}

template <std::size_t kCount>
std::string table_of(const std::vector<std::array<std::string, kCount>>& rows) {
  std::array<std::size_t, kCount> widths = {};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::string table;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) table += (i == 0 ? "" : "  ") + padded(row[i], widths[i], i != 0);
    table += '\n';
  }
  return table;
}

Row titles() {
  Row row;
  std::copy(kTitles.begin(), kTitles.end(), row.begin());
  return row;
}

}  // namespace

std::string profile_of(const LoggedTree& tree, const Log& log) {
  std::uint64_t whole_us = 0;
  std::vector<Row> rows = {titles()};
  for (const Sum& sum : sums_of(tree, log, &whole_us)) {
    if (sum.is_active()) rows.push_back(row_of(sum, whole_us));
  }
  return table_of(rows);
}

std::string compared_profiles(const Profiled& first, const Profiled& second) {
  struct Pair {
    const Sum* first = nullptr;
    const Sum* second = nullptr;
  };
  std::uint64_t first_us = 0;
  std::uint64_t second_us = 0;
  const std::vector<Sum> firsts = sums_of(first.tree, first.log, &first_us);
  const std::vector<Sum> seconds_of_other = sums_of(second.tree, second.log, &second_us);
  std::vector<Pair> pairs;
  std::map<std::string, std::size_t> by_path;
  const replay::NodePaths paths(first.tree.tree());
  for (std::uint32_t i = 0; i < firsts.size(); ++i) {
    by_path.emplace(paths.path_of(first.tree.nodes()[i].word), pairs.size());
    pairs.push_back({&firsts[i], nullptr});
  }
  const replay::NodePaths other_paths(second.tree.tree());
  for (std::uint32_t i = 0; i < seconds_of_other.size(); ++i) {
    const auto known = by_path.find(other_paths.path_of(second.tree.nodes()[i].word));
    if (known == by_path.end()) {
      pairs.push_back({nullptr, &seconds_of_other[i]});
    } else {
      pairs[known->second].second = &seconds_of_other[i];
    }
  }
  std::vector<std::array<std::string, kColumnCount + 1>> rows;
  const auto add = [&](const Row& row, const std::string& difference) {
    rows.push_back({row[0], row[1], row[2], row[3], row[4], difference, row[5]});
  };
  add(titles(), "difference");
  const Row none = {"", "-", "-", "-", "-", "-"};
  for (const Pair& pair : pairs) {
    const bool is_active =
        (pair.first != nullptr && pair.first->is_active()) || (pair.second != nullptr && pair.second->is_active());
    if (!is_active) continue;
    Row row = pair.first != nullptr ? row_of(*pair.first, first_us) : none;
    const Row other = pair.second != nullptr ? row_of(*pair.second, second_us) : none;
    if (pair.first == nullptr) row[0] = other[0];
    for (std::size_t i = 1; i < kColumnCount; ++i) {
      if (row[i] != other[i]) row[i] += " -> " + other[i];
    }
    std::string difference;
    if (pair.first != nullptr && pair.second != nullptr) {
      const bool is_more = pair.second->time_us >= pair.first->time_us;
      const std::uint64_t by_us = is_more ? pair.second->time_us - pair.first->time_us  //
                                          : pair.first->time_us - pair.second->time_us;
      if (by_us / 1000 != 0) difference = (is_more ? '+' : '-') + seconds(by_us);
    }
    add(row, difference);
  }
  return table_of(rows);
}

// ---- Timelines

// Slices of one thread must be within each other: what runs beside something else is on a thread of its own.
std::string chrome_of(const LoggedTree& tree, const Log& log) {
  std::vector<std::vector<std::uint64_t>> threads;  // the ends of the slices that are open
  std::string events = "[";
  for (const Interval& interval : intervals_of(tree, log)) {
    std::size_t thread = 0;
    for (; thread < threads.size(); ++thread) {
      std::vector<std::uint64_t>& open = threads[thread];
      while (!open.empty() && open.back() <= interval.begin_us) open.pop_back();
      if (open.empty() || interval.end_us <= open.back()) break;
    }
    if (thread == threads.size()) threads.emplace_back();
    threads[thread].push_back(interval.end_us);
    const LoggedNode& node = tree.nodes()[interval.node];
    const auto at_us = static_cast<std::uint64_t>(log.changes.front().at_us) + interval.begin_us;
    events += events.size() == 1 ? "\n" : ",\n";
    events += "{\"ph\": \"X\", \"name\": " + text::json_string(node.name) + ", \"cat\": \"" +
              (node.asks ? "leaf" : "node") + "\", \"ts\": " + std::to_string(at_us) +
              ", \"dur\": " + std::to_string(interval.end_us - interval.begin_us) +
              ", \"pid\": 1, \"tid\": " + std::to_string(thread + 1) +
              ", \"args\": {\"uid\": " + std::to_string(interval.node + 1) + ", \"end\": \"" +
              std::string(name_of(interval.end)) + "\"}}";
  }
  return events + "\n]\n";
}

}  // namespace espalier::live
