// Which items of trees can be reached, and few traces that reach them. See explore.h.
#include <algorithm>
#include <set>

#include "explore/explore.h"
#include "explore/find.h"
#include "explore/selecting.h"
#include "explore/tracker.h"
#include "runtime/asset/view.h"
#include "text/json.h"

namespace espalier::explore {
namespace {

Moment moment_of(Run& run, std::size_t side, const void* block) {
  return {run.world().sides()[side].tree, block, run.marks(), run.notes()};
}

Observer observer_of(const Tracker& tracker) {
  Observer observer;
  if (tracker.node) {
    observer.node = [&](Run& run, std::size_t side, const NodeStep& step) {
      Moment moment = moment_of(run, side, run.block());
      tracker.node(moment, step);
    };
  }
  if (tracker.decide) {
    observer.decide = [&](Run& run, std::size_t side, const DecideStep& step) {
      Moment moment = moment_of(run, side, run.block());
      tracker.decide(moment, step);
    };
  }
  if (tracker.select) {
    observer.select = [&](Run& run, std::size_t side, const espalier::Step& step) {
      Moment moment = moment_of(run, side, run.block());
      tracker.select(moment, step);
    };
  }
  if (tracker.signal) {
    observer.signal = [&](Run& run, std::size_t side, std::uint32_t signal) {
      Moment moment = moment_of(run, side, run.block());
      tracker.signal(moment, signal);
    };
  }
  if (tracker.updated) {
    observer.updated = [&](Run& run, std::size_t side) {
      Moment moment = moment_of(run, side, run.block());
      tracker.updated(moment);
    };
  }
  return observer;
}

// Chooses few traces that reach all that is reached: the longest ones first, which pass by most of the others' items.
void choose_traces(TreeCover& tree, const std::vector<std::optional<Trace>>& traces, Cover& cover) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    if (traces[i]) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tree.items[a].steps > tree.items[b].steps; });
  std::vector<std::size_t> chosen;  // indices of traces of the cover
  for (const std::size_t i : order) {
    const auto begins = [&](std::size_t index) {
      const Trace& other = cover.traces[index].trace;
      return other.seed == traces[i]->seed && other.steps.size() >= traces[i]->steps.size() &&
             std::equal(traces[i]->steps.begin(), traces[i]->steps.end(), other.steps.begin());
    };
    const auto known = std::find_if(chosen.begin(), chosen.end(), begins);
    if (known != chosen.end()) {
      tree.items[i].trace = *known;
      continue;
    }
    tree.items[i].trace = cover.traces.size();
    chosen.push_back(cover.traces.size());
    cover.traces.push_back({{}, *traces[i]});
  }
}

void cover_by_diagrams(const World& world, const Options& options, TreeCover& result,
                       std::vector<std::optional<Trace>>& traces) {
  SelectingCover found = cover_selecting(world, options.budget);
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    result.items[i].reached = found.reached[i];
    if (found.traces[i]) result.items[i].steps = static_cast<std::uint32_t>(found.traces[i]->steps.size());
  }
  traces = std::move(found.traces);
  result.state_count = found.state_count;
  result.is_complete = found.is_complete;
}

void cover_by_search(const World& world, const Tracker& tracker, const Options& options, TreeCover& result,
                     std::vector<std::optional<Trace>>& traces) {
  const Observer observer = observer_of(tracker);
  const Findings found = find_all(world, observer, result.items.size(), options.budget);
  result.state_count = found.state_count;
  result.is_complete = found.is_complete;
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    Item& item = result.items[i];
    const auto mark = found.marks.find(i);
    item.reached = mark != found.marks.end() ? Reached::yes : found.is_complete ? Reached::no : Reached::undecided;
    if (item.reached != Reached::yes) continue;
    item.steps = mark->second.steps;
    traces[i] = mark->second.trace;
  }
}

TreeCover cover_tree(const Tree& tree, const Options& options, Cover& cover) {
  const Tracker tracker = tracker_of(tree);
  TreeCover result{.tree = std::string(tree_name(tree)), .engine = engine_id_of(tree), .items = tracker.items};
  const World world({{tree, agents_to_explore(tree)}}, options.signal_only);
  std::vector<std::optional<Trace>> traces(result.items.size());
  const EngineRow& engine = *world.sides().front().engine;
  if (engine.uses_diagrams != nullptr && engine.uses_diagrams(tree, options.method)) {
    cover_by_diagrams(world, options, result, traces);
  } else {
    cover_by_search(world, tracker, options, result, traces);
  }
  choose_traces(result, traces, cover);
  return result;
}

}  // namespace

Cover cover(const Asset& asset, const std::string& tree, const Options& options) {
  Cover cover;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree of_asset = espalier::tree(asset, i);
    if (!tree.empty() && tree_name(of_asset) != tree) continue;
    const std::size_t first = cover.traces.size();
    cover.trees.push_back(cover_tree(of_asset, options, cover));
    for (std::size_t k = first; k < cover.traces.size(); ++k) {
      std::string name(tree_name(of_asset));
      std::replace_if(
          name.begin(), name.end(), [](char c) { return c == '/' || c == '\\' || c == ':'; }, '-');
      cover.traces[k].name = name + '-' + std::to_string(k - first + 1) + ".trace.jsonl";
    }
  }
  return cover;
}

std::string text_of(const Trace& trace) {
  std::string text = "{\"trace\": 1, \"tree\": " + text::json_string(trace.tree);
  if (trace.agent_count != 1) text += ", \"agents\": " + std::to_string(trace.agent_count);
  if (trace.seed != 1) text += ", \"seed\": " + std::to_string(trace.seed);
  text += "}\n";
  for (const std::string& step : trace.steps) text += step + '\n';
  return text;
}

}  // namespace espalier::explore
