// What a page of two versions has: pairs of trees and of nodes, and what both do in each trace. See versions_page.h.
#include "report/pictures/versions_page.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <utility>

#include "replay/replay.h"
#include "report/json_text.h"
#include "report/pictures/node_pairs.h"
#include "report/pictures/replay_page.h"
#include "report/story.h"
#include "text/visible.h"

namespace espalier::report {
namespace {

using replay::EventKind;

constexpr std::size_t kMostPlays = 200;
constexpr std::uint64_t kMostUpdates = 100'000;  // of one trace

struct TreePair {
  std::optional<std::uint32_t> before = {};  // index in its version
  std::optional<std::uint32_t> after = {};
  std::string name = {};
  NodePairs nodes = {};
};

// ---- What a version does in a trace

struct PlayedStep {
  Json events = Json::array();  // agent, node and NodeResult, in turn
  Json branch = Json::array();  // at its end: the nodes that run, of the agent that was updated last
  std::string told = {};        // lines of the story
};

class Play {
 public:
  Play(const VersionTrees& version, std::uint32_t tree) : version_(version), tree_(tree) {
    options_.view = ViewMode::never;
    runs_.resize(version.trees[tree].nodes.size());
    observer_.begin = [this](const replay::Beginning& beginning) {
      story_ = std::make_unique<Story>(beginning, "", options_, text_);
    };
    observer_.event = [this](const replay::Event& event) { take(event); };
    observer_.watches = true;
    observer_.gets_nodes = true;
  }

  // Runs the lines of a trace as far as it can. The number of lines that it ran.
  std::size_t run(std::span<const std::string> lines, std::size_t first_step) {
    replay::ReplayOptions options;
    options.checks_expectations = false;
    options.max_updates = kMostUpdates;
    text::Sources sources;
    replay::SteppedReplay replay(version_.asset, options, sources, observer_);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i >= first_step) steps_.emplace_back();
      if (!replay.run(lines[i], {"trace", i + 1})) return i;
      if (!story_) continue;
      story_->flush();
      if (i >= first_step) steps_.back().told = text_.str();
      text_.str({});
    }
    return lines.size();
  }

  Json json() const {
    Json list = Json::array();
    for (const PlayedStep& step : steps_) {
      Json json = Json::object();
      if (!step.events.empty()) json["events"] = step.events;
      if (!step.branch.empty()) json["branch"] = step.branch;
      std::istringstream told(step.told);
      for (std::string line; std::getline(told, line);) {
        if (!line.empty()) json["told"].push_back(text::visible(line));
      }
      list.push_back(std::move(json));
    }
    return list;
  }

 private:
  void take(const replay::Event& event) {
    if (event.kind >= EventKind::begin_node && event.kind <= EventKind::interrupt_node) return take_node(event);
    story_->event(event);
    if (event.kind != EventKind::end || steps_.empty()) return;
    steps_.back().branch = running_branch(version_.trees, tree_, *event.state);
  }

  // Of a node that is drawn at several places, those below a node that runs.
  void take_node(const replay::Event& event) {
    if (event.node.asset != &version_.asset || steps_.empty()) return;
    const std::vector<PictureNode>& nodes = version_.trees[tree_].nodes;
    std::vector<std::uint32_t> all;
    std::vector<std::uint32_t> below;
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].word != event.node.word) continue;
      all.push_back(i);
      if (nodes[i].parent == kNoParent || runs_[nodes[i].parent]) below.push_back(i);
    }
    const auto result = event.kind == EventKind::begin_node       ? NodeResult::running
                        : event.kind == EventKind::interrupt_node ? NodeResult::halted
                        : event.value == "success"                ? NodeResult::success
                        : event.value == "skipped"                ? NodeResult::skipped
                                                                  : NodeResult::failure;
    for (const std::uint32_t node : below.empty() ? all : below) {
      runs_[node] = result == NodeResult::running;
      steps_.back().events.push_back(event.agent);
      steps_.back().events.push_back(node);
      steps_.back().events.push_back(static_cast<int>(result));
    }
  }

  const VersionTrees& version_;
  const std::uint32_t tree_;
  StoryOptions options_;
  std::ostringstream text_;
  std::unique_ptr<Story> story_;
  replay::Observer observer_;
  std::vector<bool> runs_;  // by node
  std::vector<PlayedStep> steps_;
};

// Lines about names that a version lacks are left out for it.
Json play_of(const VersionTrees& version, std::uint32_t tree, const explore::Trace& trace) {
  std::vector<std::string> lines = file_lines(trace, tree_name({&version.asset, tree}));
  const std::size_t first_step = lines.size() - trace.steps.size();
  while (true) {
    Play play(version, tree);
    const std::size_t count = play.run(lines, first_step);
    if (count < first_step) return {};
    if (count == lines.size()) return play.json();
    lines[count] = "";
  }
}

// ---- Pairs

std::vector<TreePair> pair_trees(const VersionTrees& before, const VersionTrees& after,
                                 const std::map<std::string, std::string>& renamed) {
  std::vector<TreePair> pairs;
  std::vector<bool> is_paired(before.trees.size());
  const bool are_single = before.trees.size() == 1 && after.trees.size() == 1;
  const auto new_name = [&](const PictureTree& tree) {
    const auto other = renamed.find(tree.name);
    return other == renamed.end() ? tree.name : other->second;
  };
  for (std::uint32_t i = 0; i < after.trees.size(); ++i) {
    TreePair& pair = pairs.emplace_back(TreePair{.after = i, .name = after.trees[i].name});
    for (std::uint32_t k = 0; k < before.trees.size() && !pair.before; ++k) {
      if (is_paired[k] || !(are_single || new_name(before.trees[k]) == pair.name)) continue;
      is_paired[k] = true;
      pair.before = k;
    }
  }
  for (std::uint32_t k = 0; k < before.trees.size(); ++k) {
    if (!is_paired[k]) pairs.push_back({.before = k, .name = before.trees[k].name});
  }
  return pairs;
}

bool is_shown(const DiffReport& report, const TreePair& pair) {
  const auto tree = std::find_if(report.trees.begin(), report.trees.end(),
                                 [&](const explore::TreeDiff& each) { return text::visible(each.tree) == pair.name; });
  const bool is_other = tree != report.trees.end() && tree->result != explore::Compared::same;
  return is_other || (pair.before && pair.after && tree != report.trees.end() && !pair.nodes.are_same());
}

std::string change_letters(const std::vector<NodeChange>& changes) {
  std::string text;
  for (const NodeChange change : changes) text += static_cast<char>(change);
  return text;
}

// The nodes that are read from a place.
Json changed_nodes(const PictureTree& tree, const explore::SourcePlace& place) {
  Json nodes = Json::array();
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const PictureNode& node = tree.nodes[i];
    if (node.line == place.line && node.column == place.column && node.file == text::visible(place.file))
      nodes.push_back(i);
  }
  return nodes;
}

// Files that both versions have under one name, with other lines, get the name of their version.
void name_versions_of_files(std::vector<PictureTree>& trees, VersionTrees& before, VersionTrees& after) {
  for (PictureSource& old : before.sources) {
    const auto other = std::find_if(after.sources.begin(), after.sources.end(),
                                    [&](const PictureSource& source) { return source.path == old.path; });
    if (other == after.sources.end() || other->lines == old.lines) continue;
    const std::string path = old.path;
    const auto rename = [&](std::size_t first_tree, PictureSource& source, std::string_view version) {
      source.path += version;
      for (std::size_t i = first_tree; i < trees.size(); i += 2) {
        for (PictureNode& node : trees[i].nodes) {
          if (node.file == path) node.file = source.path;
        }
      }
    };
    rename(0, old, " (old)");
    rename(1, *other, " (new)");
  }
}

constexpr std::string_view kChangeMarks[] = {"changed", "changed", "added", "added", "removed", "removed", "moved"};

}  // namespace

void write_versions_page(const DiffReport& report, VersionTrees before, VersionTrees after,
                         const std::map<std::string, std::string>& renamed, std::ostream& out) {
  std::vector<TreePair> pairs = pair_trees(before, after, renamed);
  const PictureTree none;
  const auto tree_of = [&](const VersionTrees& version, const std::optional<std::uint32_t>& index) -> const auto& {
    return index ? version.trees[*index] : none;
  };
  for (TreePair& pair : pairs) pair.nodes = pair_nodes(tree_of(before, pair.before), tree_of(after, pair.after));
  std::erase_if(pairs, [&](const TreePair& pair) { return !is_shown(report, pair); });
  std::vector<PictureTree> trees;
  Json pairs_json = Json::array();
  for (const TreePair& pair : pairs) {
    trees.push_back(tree_of(before, pair.before));
    trees.push_back(tree_of(after, pair.after));
    pairs_json.push_back({{"name", pair.name},
                          {"old", change_letters(pair.nodes.old_changes)},
                          {"new", change_letters(pair.nodes.new_changes)},
                          {"partners", Json::array()}});
    for (const std::uint32_t partner : pair.nodes.new_of_old)
      pairs_json.back()["partners"].push_back(partner == kNoParent ? -1 : static_cast<int>(partner));
  }
  Json plays = Json::array();
  const auto pair_called = [&](const std::string& name) {
    return std::find_if(pairs.begin(), pairs.end(), [&](const TreePair& pair) {
      return pair.name == text::visible(name) && pair.before && pair.after;
    });
  };
  for (const explore::Difference* difference : played_differences(report)) {
    Json& play = plays.emplace_back(Json::object());
    const auto pair = pair_called(difference->trace.tree);
    if (pair == pairs.end() || plays.size() > kMostPlays) continue;
    play["pair"] = pair - pairs.begin();
    for (const std::string& step : difference->trace.steps) play["steps"].push_back(text::visible(step_words(step)));
    play["old"] = play_of(before, *pair->before, difference->trace);
    play["new"] = play_of(after, *pair->after, difference->trace);
    if (difference->before) play["was"] = text::visible(*difference->before);
    if (difference->after) play["is"] = text::visible(*difference->after);
  }
  Json changes = Json::array();
  for (const explore::Change& change : report.changes) {
    Json json = {{"mark", kChangeMarks[static_cast<std::size_t>(change.kind)]}, {"nodes", Json::array()}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool is_old = change.is_place_of_old;
      const Json nodes = changed_nodes(trees[2 * i + (is_old ? 0 : 1)], change.place);
      if (!nodes.empty()) json["nodes"].push_back({{"pair", i}, {is_old ? "old" : "new", nodes}});
    }
    changes.push_back(std::move(json));
  }
  name_versions_of_files(trees, before, after);
  std::vector<PictureSource> sources = std::move(before.sources);
  sources.insert(sources.end(), after.sources.begin(), after.sources.end());
  const Json versions = {{"pairs", pairs_json}, {"plays", plays}, {"changes", changes}};
  write_page("Behaviour changes", '{' + trees_json(trees, sources) + ",\"versions\":" + json_line(versions) + '}', out,
             false, "<section id=\"text\" aria-label=\"Changes\">\n" + diff_html(report) + "</section>\n");
}

}  // namespace espalier::report
