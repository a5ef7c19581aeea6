// What a live page shows. See live_page.h.
#include "report/pictures/live_page.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <sstream>
#include <utility>

#include "text/json.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

constexpr std::string_view kRowKeys[] = {"time", "agent", "text", "step", "first"};
constexpr std::string_view kLitKeys[] = {"step", "agent", "set"};
constexpr std::string_view kNodeKeys[] = {"step", "time", "agent", "place", "result"};
constexpr std::string_view kChangeKeys[] = {"step", "time", "agent", "variable", "value", "cause"};

// What is kept of a run: later lines are left out, and the page says so.
constexpr std::size_t kMostPicturedRows = 1'000'000;
constexpr std::size_t kMostTextBytes = std::size_t{1} << 28;  // of words and sets, about
constexpr std::size_t kBytesOfWord = 256;

// The number that a query gives a key; 0: it has none.
std::size_t number_in(std::string_view query, std::string_view key) {
  for (std::size_t at = query.find(key); at != std::string_view::npos; at = query.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    if ((at != 0 && query[at - 1] != '&') || end >= query.size() || query[end] != '=') continue;
    std::size_t number = 0;
    std::from_chars(query.data() + end + 1, query.data() + query.size(), number);
    return number;
  }
  return 0;
}

std::string tail_of(const std::vector<std::string>& texts, std::size_t first, bool are_json) {
  std::string json = "[";
  for (std::size_t i = first; i < texts.size(); ++i)
    json += (i == first ? "" : ",") + (are_json ? texts[i] : text::json_string(texts[i]));
  return json + ']';
}

}  // namespace

std::uint32_t LivePage::add_agent() {
  agents_.emplace_back();
  return static_cast<std::uint32_t>(agents_.size() - 1);
}

void LivePage::set_trees(std::uint32_t agent, std::vector<PictureTree> trees, std::size_t main,
                         std::vector<PictureSource> sources) {
  Agent& own = agents_[agent];
  own.tree = trees_.size() + main;
  own.set = UINT32_MAX;
  own.entries.clear();
  trees_.insert(trees_.end(), std::make_move_iterator(trees.begin()), std::make_move_iterator(trees.end()));
  for (PictureSource& source : sources) {
    const auto is_it = [&](const PictureSource& other) { return other.path == source.path; };
    std::erase_if(sources_, is_it);
    sources_.push_back(std::move(source));
  }
  ++tree_changes_;
}

bool LivePage::is_full() const {
  return rows_.size() >= kMostPicturedRows || changes_.size() >= kMostPicturedRows ||
         nodes_.size() >= kMostPicturedRows || (words_.size() + sets_.size()) * kBytesOfWord >= kMostTextBytes;
}

std::uint64_t LivePage::word(const std::string& text) {
  const auto [place, is_new] = word_numbers_.emplace(text, words_.size());
  if (is_new) words_.push_back(text);
  return place->second;
}

// The drawn nodes of the running branch, parents first.
std::uint32_t LivePage::set_of(const Agent& agent, std::span<const std::uint32_t> running) {
  const std::vector<PictureNode>& nodes = trees_[agent.tree].nodes;
  std::vector<bool> is_lit(nodes.size());
  std::string json;
  for (std::size_t i = nodes.size(); i-- > 0;) {
    is_lit[i] = is_lit[i] || std::find(running.begin(), running.end(), nodes[i].word) != running.end();
    if (!is_lit[i]) continue;
    if (nodes[i].parent != kNoParent) is_lit[nodes[i].parent] = true;
    json.insert(0, ',' + std::to_string(i));
  }
  json = "[[" + std::to_string(agent.tree) + json + "]]";
  const auto [place, is_new] = set_numbers_.emplace(json, static_cast<std::uint32_t>(sets_.size()));
  if (is_new) sets_.push_back(json);
  return place->second;
}

void LivePage::note(std::uint32_t agent, std::uint64_t time_us, std::uint32_t word, NodeResult result) {
  const Agent& own = agents_[agent];
  if (is_full() || own.tree >= trees_.size()) return;
  const std::vector<PictureNode>& nodes = trees_[own.tree].nodes;
  const auto node =
      std::find_if(nodes.begin(), nodes.end(), [&](const PictureNode& each) { return each.word == word; });
  if (node == nodes.end()) return;
  const std::string json = '[' + std::to_string(own.tree) + ',' + std::to_string(node - nodes.begin()) + ']';
  const auto [place, is_new] = place_numbers_.emplace(json, places_.size());
  if (is_new) places_.push_back(json);
  const std::uint64_t row[] = {step_ + 1, time_us, agent, place->second, static_cast<std::uint64_t>(result)};
  for (std::size_t i = 0; i < std::size(row); ++i) nodes_.of[i].push_back(row[i]);
}

void LivePage::tell(std::uint32_t agent, std::uint64_t time_us, const std::string& text,
                    std::span<const std::uint32_t> running) {
  const bool was_full = is_full();
  if (was_full && std::exchange(has_told_full_, true)) return;
  Agent& own = agents_[agent];
  ++step_;
  const std::string said = was_full ? "(what comes next is not kept)" : text;
  const std::uint64_t row[] = {time_us, agent, word(text::visible(said)), step_, 1};
  for (std::size_t i = 0; i < std::size(row); ++i) rows_.of[i].push_back(row[i]);
  if (was_full || own.tree >= trees_.size()) return;
  const std::uint32_t set = set_of(own, running);
  if (set == own.set) return;
  own.set = set;
  const std::uint64_t lit[] = {step_, agent, set};
  for (std::size_t i = 0; i < std::size(lit); ++i) lit_.of[i].push_back(lit[i]);
}

void LivePage::set_entry(std::uint32_t agent, std::uint64_t time_us, const std::string& entry,
                         const std::string& value) {
  Agent& own = agents_[agent];
  const auto [place, is_new] = own.entries.try_emplace(entry, value);
  if (is_full() || (!is_new && place->second == value)) return;
  place->second = value;
  const std::uint64_t change[] = {
      step_, time_us, agent, word(text::visible(entry)), word(text::visible(value)), word("as the program told")};
  for (std::size_t i = 0; i < std::size(change); ++i) changes_.of[i].push_back(change[i]);
}

template <std::size_t count>
void LivePage::append(std::string& json, std::string_view name, const std::string_view (&keys)[count],
                      const Columns<count>& columns, std::size_t first) {
  json.append(",\"").append(name).append("\":{");
  for (std::size_t i = 0; i < count; ++i) {
    json.append(i == 0 ? "\"" : ",\"").append(keys[i]).append("\":[");
    for (std::size_t row = first; row < columns.size(); ++row)
      json.append(row == first ? "" : ",").append(std::to_string(columns.of[i][row]));
    json += ']';
  }
  json += '}';
}

std::string LivePage::news(std::string_view query) const {
  std::string agents;
  for (const Agent& agent : agents_) agents += (agents.empty() ? "" : ",") + std::to_string(agent.tree);
  std::string json = "{\"treeChanges\":" + std::to_string(tree_changes_) + ",\"agents\":[" + agents +
                     "],\"words\":" + tail_of(words_, number_in(query, "words"), false);
  append(json, "rows", kRowKeys, rows_, number_in(query, "rows"));
  append(json, "lit", kLitKeys, lit_, number_in(query, "lit"));
  append(json, "changes", kChangeKeys, changes_, number_in(query, "changes"));
  append(json, "nodes", kNodeKeys, nodes_, number_in(query, "nodes"));
  json += ",\"places\":" + tail_of(places_, number_in(query, "places"), true);
  return json + ",\"sets\":" + tail_of(sets_, number_in(query, "sets"), true) + '}';
}

std::string LivePage::html() const {
  std::ostringstream page;
  write_page(title_, '{' + trees_json(trees_, sources_) + ",\"isLive\":true,\"replay\":" + news({}) + '}', page, true);
  return page.str();
}

}  // namespace espalier::report
