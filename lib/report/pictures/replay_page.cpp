// Records what a page shows of a replay. See replay_page.h.
#include "report/pictures/replay_page.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <sstream>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "report/json_text.h"
#include "report/store_nodes.h"
#include "report/store_words.h"
#include "report/story.h"
#include "text/json.h"
#include "text/visible.h"

namespace espalier::report {
// Parts of ReplayPage::Recording.
namespace recorded {

// A list of numbers as JSON. Columns of numbers keep a page of a million lines small.
class Column {
 public:
  void add(std::uint64_t number) {
    char digits[24] = {};
    if (!text_.empty()) text_ += ',';
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  std::string json() const { return '[' + text_ + ']'; }

 private:
  std::string text_;
};

// Each text once.
class Texts {
 public:
  std::size_t index_of(const std::string& text) {
    const auto [place, is_new] = indexes_.emplace(text, indexes_.size());
    if (is_new) json_ += (json_.empty() ? "" : ",") + text::json_string(text);
    return place->second;
  }
  std::string json() const { return '[' + json_ + ']'; }

 private:
  std::unordered_map<std::string, std::size_t> indexes_;
  std::string json_;
};

}  // namespace recorded

// Where an agent is: by tree, the first words of its nodes. (Of a tree that selects: its leaf, whose place is not told
// by it.) Trees in slots follow the agent's own, inner ones last.
struct ActivePart {
  std::uint32_t tree;
  std::vector<std::uint32_t> words;
  bool operator==(const ActivePart& other) const = default;
  bool operator<(const ActivePart& other) const { return std::tie(tree, words) < std::tie(other.tree, other.words); }
};
using ActiveParts = std::vector<ActivePart>;

namespace {

using recorded::Column;
using recorded::Texts;
using replay::EventKind;

// Nodes that are drawn, but that an engine may pass through without being there.
constexpr std::array<std::string_view, 6> kPassages = {"share", "file", "log", "branch", "case", "state"};

bool is_passage(const PictureNode& node) {
  return std::find(kPassages.begin(), kPassages.end(), node.kind) != kPassages.end();
}

ActiveParts store_parts(const AgentView& agent) {
  ActiveParts parts = {{agent.tree.index, {}}};
  visit_nodes(agent.tree, agent.block, [&](const StoreInstance& instance, const std::uint32_t* node, std::size_t) {
    if (instance.stored(node) != Stored::running) return;
    auto part =
        std::find_if(parts.begin(), parts.end(), [&](const ActivePart& one) { return one.tree == instance.tree(); });
    if (part == parts.end()) part = parts.insert(part, {instance.tree(), {}});
    part->words.push_back(word_of(*agent.tree.asset, node));
  });
  return parts;
}

ActiveParts active_parts(const AgentView& agent) {
  std::vector<std::uint32_t> words;
  switch (replay::engine_of_tree(agent.tree)) {
    case EngineId::select:
      words.push_back(current_leaf(agent.tree, agent.block));
      break;
    case EngineId::rule:
      for (std::uint32_t rule = current_rule(agent.tree, agent.block); rule != kNoRule;) {
        words.push_back(rule_node(agent.tree, rule));
        rule = rule_parent(agent.tree, rule);
      }
      break;
    case EngineId::decide:
      for (const ActiveDecider& decider : replay::active_path(agent)) words.push_back(decider.node_word);
      break;
    case EngineId::tick:
    case EngineId::poll:
      words = replay::active_nodes(agent.tree, agent.block);
      break;
    case EngineId::store:
      return store_parts(agent);
  }
  return {{agent.tree.index, std::move(words)}};
}

std::vector<std::uint32_t> with_parents(const PictureTree& tree, std::vector<bool> lit) {
  std::vector<std::uint32_t> nodes;
  for (std::size_t i = tree.nodes.size(); i-- > 0;) {
    if (!lit[i]) continue;
    nodes.push_back(static_cast<std::uint32_t>(i));
    if (tree.nodes[i].parent != kNoParent) lit[tree.nodes[i].parent] = true;
  }
  std::reverse(nodes.begin(), nodes.end());
  return nodes;
}

// The drawn nodes of the running branch, parents first.
std::vector<std::uint32_t> lit_nodes(const PictureTree& tree, EngineId engine, std::vector<std::uint32_t> words) {
  std::sort(words.begin(), words.end());
  std::vector<bool> lit(tree.nodes.size());
  if (engine == EngineId::select) {
    std::uint32_t leaf = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      if (tree.nodes[i].kind == "leaf") lit[i] = leaf++ == words.front();
    }
    return with_parents(tree, std::move(lit));
  }
  // A shared node is lit only below a place where the agent is.
  std::vector<bool> is_open(tree.nodes.size());
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const PictureNode& node = tree.nodes[i];
    const bool can_be = node.parent == kNoParent || is_open[node.parent];
    lit[i] = can_be && std::binary_search(words.begin(), words.end(), node.word);
    is_open[i] = lit[i] || (can_be && is_passage(node));
  }
  return with_parents(tree, std::move(lit));
}

}  // namespace

std::vector<std::uint32_t> running_branch(std::span<const PictureTree> trees, std::uint32_t tree,
                                          const replay::AgentView& agent) {
  for (const ActivePart& part : active_parts(agent)) {
    if (part.tree == tree) return lit_nodes(trees[tree], replay::engine_of_tree(agent.tree), part.words);
  }
  return {};
}

class ReplayPage::Recording {
 public:
  Recording(const Asset& asset, const std::string& path, std::span<const PictureTree> trees)
      : asset_(asset), path_(path), trees_(trees) {
    options_.view = ViewMode::never;
    for (std::uint32_t tree = 0; tree < trees.size(); ++tree) {
      const std::vector<PictureNode>& nodes = trees[tree].nodes;
      for (std::uint32_t node = 0; node < nodes.size(); ++node) drawn_[nodes[node].word].push_back({tree, node});
    }
  }

  replay::Observer observer() {
    replay::Observer observer;
    observer.begin = [this](const replay::Beginning& beginning) {
      story_ = std::make_unique<Story>(beginning, path_, options_, text_);
      for (const Tree& tree : beginning.trees) agent_trees_.push_back(tree.index);
    };
    observer.event = [this](const replay::Event& event) { take(event); };
    observer.watches = true;
    observer.gets_nodes = true;
    return observer;
  }

  // A message is a line of the story, at the time when it is told.
  void tell(const std::string& message) {
    take_lines();
    add_lines(message, false);
  }

  std::string json() {
    take_lines();
    std::string agents;
    for (const std::uint32_t tree : agent_trees_) agents += (agents.empty() ? "" : ",") + std::to_string(tree);
    std::string json = "\"replay\":{\"agents\":[" + agents + "],\"words\":" + words_.json();
    append_columns(json, "rows",
                   {{"time", &row_times_},
                    {"agent", &row_agents_},
                    {"text", &row_texts_},
                    {"step", &row_steps_},
                    {"first", &row_firsts_}});
    append_columns(json, "lit", {{"step", &lit_steps_}, {"agent", &lit_agents_}, {"set", &lit_sets_}});
    append_columns(json, "changes",
                   {{"step", &change_steps_},
                    {"time", &change_times_},
                    {"agent", &change_agents_},
                    {"variable", &change_variables_},
                    {"value", &change_values_},
                    {"cause", &change_causes_},
                    {"node", &change_nodes_}});
    append_columns(json, "nodes",
                   {{"step", &node_steps_},
                    {"time", &node_times_},
                    {"agent", &node_agents_},
                    {"place", &node_places_},
                    {"result", &node_results_}});
    json += ",\"places\":" + places_json();
    return json + ",\"sets\":[" + sets_json_ + "]}";
  }

 private:
  static void append_columns(std::string& json, std::string_view name,
                             std::initializer_list<std::pair<std::string_view, const Column*>> columns) {
    json.append(",\"").append(name).append("\":{");
    bool is_first = true;
    for (const auto& [key, column] : columns) {
      json.append(is_first ? "\"" : ",\"").append(key).append("\":").append(column->json());
      is_first = false;
    }
    json += '}';
  }

  // The drawn nodes that each place stands for: the tree and the node, in turn.
  std::string places_json() const {
    std::string json;
    for (const std::uint32_t word : words_of_places_) {
      Column nodes;
      for (const DrawnNode& drawn : drawn_.at(word)) {
        nodes.add(drawn.tree);
        nodes.add(drawn.node);
      }
      json += (json.empty() ? "" : ",") + nodes.json();
    }
    return '[' + json + ']';
  }

  // What happens between updates has a step of its own.
  void take(const replay::Event& event) {
    if (event.kind == EventKind::begin_node || event.kind == EventKind::complete_node ||
        event.kind == EventKind::interrupt_node)
      return note_node(event);
    has_just_ended_ = false;
    while (agent_trees_.size() <= event.agent)
      agent_trees_.push_back(event.state != nullptr ? event.state->tree.index : 0);
    if (event.kind == EventKind::begin) end_step();
    if (event.kind == EventKind::set) note_change(event);
    if (event.kind == EventKind::signal) {
      cause_ = "by the signal " + text::visible(event.subject);
      cause_agent_ = event.agent;
    }
    story_->event(event);
    if (event.kind != EventKind::end) return;
    note_branch(event);
    end_step();
    has_just_ended_ = true;
  }

  // Columns of numbers that grow have the difference to the one before.
  void note_node(const replay::Event& event) {
    const auto drawn = event.node.asset == &asset_ ? drawn_.find(event.node.word) : drawn_.end();
    if (drawn == drawn_.end()) return;
    const auto [place, is_new] = places_.emplace(event.node.word, words_of_places_.size());
    if (is_new) words_of_places_.push_back(event.node.word);
    const auto result = event.kind == EventKind::begin_node       ? NodeResult::running
                        : event.kind == EventKind::interrupt_node ? NodeResult::halted
                        : event.value == "success"                ? NodeResult::success
                        : event.value == "skipped"                ? NodeResult::skipped
                        : event.value == "running"                ? NodeResult::ran
                                                                  : NodeResult::failure;
    // Some engines tell it after the update.
    const std::uint64_t step = has_just_ended_ ? step_ - 1 : step_;
    node_steps_.add(step - std::exchange(last_node_step_, step));
    node_times_.add(event.time_us - std::exchange(last_node_time_us_, event.time_us));
    node_agents_.add(event.agent);
    node_places_.add(place->second);
    node_results_.add(static_cast<std::uint64_t>(result));
    ++node_count_;
  }

  void end_step() {
    take_lines();
    ++step_;
    cause_.clear();
  }

  void note_change(const replay::Event& event) {
    change_steps_.add(step_);
    change_times_.add(event.time_us);
    change_agents_.add(event.agent);
    change_variables_.add(words_.index_of(text::visible(event.subject)));
    change_values_.add(words_.index_of(text::visible(event.value)));
    const bool has_cause = !cause_.empty() && cause_agent_ == event.agent;
    const bool is_of_node = event.node.asset != nullptr;
    change_nodes_.add(node_count_);
    change_causes_.add(words_.index_of(has_cause    ? cause_
                                       : is_of_node ? "by " + name_of_node(event)
                                                    : "by the program"));
  }

  static std::string name_of_node(const replay::Event& event) {
    return text::visible(codegen::node_debug(*event.node.asset, event.node.word).name);
  }

  void note_branch(const replay::Event& event) {
    const AgentView& agent = *event.state;
    if (agent.tree.asset != &asset_ || agent.tree.index >= trees_.size())
      return;  // reloaded: not the tree that is drawn
    agent_trees_[event.agent] = agent.tree.index;
    ActiveParts parts = active_parts(agent);
    const auto [last, is_first] = last_parts_.try_emplace(event.agent);
    if (!is_first && last->second == parts) return;
    lit_steps_.add(step_);
    lit_agents_.add(event.agent);
    lit_sets_.add(set_of(replay::engine_of_tree(agent.tree), parts));
    last->second = std::move(parts);
  }

  // A set is a list for each tree: its index, and the nodes that are lit.
  std::size_t set_of(EngineId engine, const ActiveParts& parts) {
    const auto [place, is_new] = sets_.emplace(parts, sets_.size());
    if (!is_new) return place->second;
    std::string set;
    for (const ActivePart& part : parts) {
      if (part.tree >= trees_.size()) continue;
      Column numbers;
      numbers.add(part.tree);
      for (const std::uint32_t node : lit_nodes(trees_[part.tree], engine, part.words)) numbers.add(node);
      set += (set.empty() ? "" : ",") + numbers.json();
    }
    sets_json_ += (sets_json_.empty() ? "[" : ",[") + set + ']';
    return place->second;
  }

  void take_lines() {
    if (story_) story_->flush();
    add_lines(text_.str(), true);
    text_.str({});
  }

  void add_lines(std::string_view text, bool has_times) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      add_line(text.substr(0, end), has_times);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  // "    0.100  agent 1   enters Patrol", or a line that goes on with the one before.
  void add_line(std::string_view line, bool has_times) {
    const std::string_view whole = line;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) return;
    double seconds = 0;
    const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), seconds);
    const auto size = static_cast<std::size_t>(end - line.data());
    const bool is_first = has_times && fault == std::errc() && line.substr(size).starts_with("  ");
    if (is_first) {
      line.remove_prefix(line.find_first_not_of(' ', size));
      row_time_us_ = static_cast<std::uint64_t>(std::llround(seconds * 1e6));
      row_agent_ = take_agent(line);
    }
    row_times_.add(row_time_us_);
    row_agents_.add(row_agent_);
    row_texts_.add(words_.index_of(is_first ? std::string(line) : "    " + std::string(has_times ? line : whole)));
    row_steps_.add(step_);
    row_firsts_.add(is_first ? 1 : 0);
  }

  // Takes "agent 1   " from the beginning of a line.
  std::uint32_t take_agent(std::string_view& line) const {
    constexpr std::string_view kAgent = "agent ";
    std::uint32_t agent = 0;
    if (!line.starts_with(kAgent)) return agent;
    const char* const begin = line.data() + kAgent.size();
    const auto [end, fault] = std::from_chars(begin, line.data() + line.size(), agent);
    if (fault != std::errc() || agent >= agent_trees_.size()) return 0;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    return agent;
  }

  const Asset& asset_;
  const std::string path_;
  std::span<const PictureTree> trees_;
  StoryOptions options_;
  std::ostringstream text_;
  std::unique_ptr<Story> story_;
  std::uint64_t step_ = 0;
  std::uint64_t row_time_us_ = 0;
  std::uint32_t row_agent_ = 0;
  std::string cause_;  // of changes to variables of an agent, in this step
  std::uint32_t cause_agent_ = 0;
  std::vector<std::uint32_t> agent_trees_;
  std::map<std::uint32_t, ActiveParts> last_parts_;  // by agent
  std::map<ActiveParts, std::size_t> sets_;
  std::string sets_json_;
  Texts words_;
  Column row_times_, row_agents_, row_texts_, row_steps_, row_firsts_;
  Column lit_steps_, lit_agents_, lit_sets_;
  Column change_steps_, change_times_, change_agents_, change_variables_, change_values_, change_causes_, change_nodes_;
  // What happens to nodes.
  struct DrawnNode {
    std::uint32_t tree;
    std::uint32_t node;
  };
  std::unordered_map<std::uint32_t, std::vector<DrawnNode>> drawn_;  // by word
  std::unordered_map<std::uint32_t, std::size_t> places_;            // the same
  std::vector<std::uint32_t> words_of_places_;
  bool has_just_ended_ = false;  // an update
  std::uint64_t last_node_step_ = 0;
  std::uint64_t last_node_time_us_ = 0;
  std::uint64_t node_count_ = 0;
  Column node_steps_, node_times_, node_agents_, node_places_, node_results_;
};

ReplayPage::ReplayPage(const Asset& asset, const std::string& path, std::span<const PictureTree> trees)
    : trees_(trees), recording_(std::make_unique<Recording>(asset, path, trees)) {}

ReplayPage::~ReplayPage() = default;

replay::Observer ReplayPage::observer() { return recording_->observer(); }

void ReplayPage::tell(const std::string& message) { recording_->tell(message); }

void ReplayPage::write(std::string_view title, std::span<const PictureSource> sources, std::ostream& out) {
  write_page(title, '{' + trees_json(trees_, sources) + ',' + recording_->json() + '}', out);
}

}  // namespace espalier::report
