// Which items of trees can be reached, and few traces that reach them. See explore.h.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <sstream>
#include <utility>

#include "explore/allowance.h"
#include "explore/explore.h"
#include "explore/find.h"
#include "explore/measure.h"
#include "explore/ruled_out.h"
#include "explore/select/selecting.h"
#include "explore/tracker.h"
#include "replay/names.h"
#include "runtime/asset/view.h"
#include "text/json.h"

namespace espalier::explore {
namespace {

// Which items of a tree traces reach, by replaying them.
class Replays {
 public:
  Replays(const Asset& asset, const std::string& tree, std::size_t item_count, const HostFacts& host)
      : asset_(asset), item_count_(item_count), measure_(asset, {tree}, host) {}

  std::vector<bool> items_of(const Trace& trace) {
    std::vector<bool> items(item_count_, false);
    measure_.reached = [&](std::size_t, std::size_t item) { items[item] = true; };
    std::istringstream lines(text_of(trace));
    text::Sources sources;
    static_cast<void>(replay::replay(asset_, lines, "", {}, sources, measure_.observe({})));
    return items;
  }

 private:
  const Asset& asset_;
  const std::size_t item_count_;
  Measure measure_;
};

// Chooses few traces that together reach all that is reached: each time the one that reaches most of what is left. What
// a trace does not show when it is replayed is not said to be reached.
void choose_traces(const Asset& asset, TreeCover& tree, const std::vector<std::optional<Trace>>& traces,
                   const HostFacts& host, const Budget& budget, Cover& cover) {
  const std::size_t count = tree.items.size();
  std::vector<std::vector<bool>> reached(count);
  std::vector<bool> is_left(count, false);
  Replays replays(asset, tree.tree, count, host);
  for (std::size_t i = 0; i < count; ++i) {
    if (!traces[i]) continue;
    reached[i] = replays.items_of(*traces[i]);
    tree.used_count += budget.states_for_replays(text_of(*traces[i]).size(), 1);
    is_left[i] = reached[i][i];
    if (is_left[i]) continue;
    tree.items[i].reached = Reached::undecided;
    tree.items[i].steps = 0;
    tree.is_complete = false;
  }
  for (;;) {
    std::size_t best = count;
    std::size_t best_gain = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_left[i]) continue;
      std::size_t gain = 0;
      for (std::size_t k = 0; k < count; ++k) gain += is_left[k] && reached[i][k] ? 1 : 0;
      const bool is_better =
          gain > best_gain || (gain == best_gain && traces[i]->steps.size() < traces[best]->steps.size());
      if (!is_better) continue;
      best = i;
      best_gain = gain;
    }
    if (best == count) return;
    for (std::size_t k = 0; k < count; ++k) {
      if (!is_left[k] || !reached[best][k]) continue;
      is_left[k] = false;
      tree.items[k].trace = cover.traces.size();
    }
    cover.traces.push_back({{}, *traces[best]});
  }
}

void cover_by_formulas(const World& world, const Options& options, TreeCover& result,
                       std::vector<std::optional<Trace>>& traces) {
  SelectingCover found = cover_selecting(world, options);
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
  const Observer observer{.tracker = &tracker};
  const auto is_wanted = [](const Item& item) { return item.is_possible && item.may_begin; };
  const auto wanted = std::count_if(result.items.begin(), result.items.end(), is_wanted);
  const Findings found = find_all(world, observer, static_cast<std::uint64_t>(wanted), options.budget, true);
  result.state_count = found.state_count;
  result.used_count = found.paid_count;
  result.is_complete = found.is_complete;
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    Item& item = result.items[i];
    const auto mark = found.marks.find(i);
    const bool is_known = found.is_complete || !item.may_begin;
    item.reached = mark != found.marks.end() ? Reached::yes : is_known ? Reached::no : Reached::undecided;
    if (item.reached != Reached::yes) continue;
    item.steps = mark->second.steps;
    item.is_shortest = mark->second.is_shortest;
    traces[i] = mark->second.trace;
  }
  // That much more is within what a budget may be exceeded by.
  constexpr std::uint64_t kParts = 8;
  if (!found.is_complete && world.agent_count() == 1)
    rule_out(world.sides().front().tree, tracker, options, Allowance(options.budget).part(kParts), result.items);
}

// What the other method has decided.
void fill_in(TreeCover& result, std::vector<std::optional<Trace>>& traces, const TreeCover& other,
             std::vector<std::optional<Trace>>& other_traces) {
  result.state_count = std::max(result.state_count, other.state_count);
  result.used_count += other.used_count;
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    if (result.items[i].reached != Reached::undecided) continue;
    result.items[i].reached = other.items[i].reached;
    result.items[i].steps = other.items[i].steps;
    result.items[i].is_shortest = other.items[i].is_shortest;
    traces[i] = std::move(other_traces[i]);
  }
  result.is_complete = result.is_complete || other.is_complete ||
                       std::none_of(result.items.begin(), result.items.end(), [](const Item& item) {
                         return item.is_possible && item.reached == Reached::undecided;
                       });
}

// By listing, or by formulas; where the one leaves something undecided, by the other too. What listing is given then is
// enough for what lies near the start.
void cover_by_size(const World& world, const Tracker& tracker, const Options& options, TreeCover& result,
                   std::vector<std::optional<Trace>>& traces) {
  constexpr std::uint64_t kShareOfBudget = 16;
  const Side& side = world.sides().front();
  const bool has_formulas = side.engine->uses_formulas != nullptr;
  const bool uses_formulas = has_formulas && side.engine->uses_formulas(side.tree, options.method);
  TreeCover other = result;
  std::vector<std::optional<Trace>> other_traces(traces.size());
  Allowance left(options.budget);
  Options own = options;
  const auto begin = std::chrono::steady_clock::now();
  if (uses_formulas) {
    cover_by_formulas(world, options, result, traces);
    if (result.is_complete || options.method == Method::solver) return;
    left.use(0, begin);
    own.budget = left.part(kShareOfBudget);
    cover_by_search(world, tracker, own, other, other_traces);
  } else {
    const bool may_have_formulas = has_formulas && options.method != Method::list;
    if (may_have_formulas) own.budget = left.part(2);
    cover_by_search(world, tracker, own, result, traces);
    if (result.is_complete || !may_have_formulas) return;
    left.use(result.used_count, begin);
    own.budget = left.part();
    cover_by_formulas(world, own, other, other_traces);
  }
  fill_in(result, traces, other, other_traces);
}

// The items of a tree, with a trace to each that is reached.
TreeCover explored(const Tree& tree, const Options& options, std::vector<std::optional<Trace>>& traces) {
  const Tracker tracker = tracker_of(tree, options.host);
  TreeCover result{.tree = std::string(tree_name(tree)),
                   .file = std::string(replay::file_of(tree)),
                   .engine = engine_id_of(tree),
                   .items = tracker.items};
  traces.resize(result.items.size());
  if (options.budget.is_interrupted()) {
    result.is_complete = false;
    return result;
  }
  const World world({{tree, agents_to_explore(tree), &options.host.results}}, options.signal_only, 0,
                    {options.host, {}});
  result.limit = world.limit();
  cover_by_size(world, tracker, options, result, traces);
  return result;
}

Cover cover_tree(const Tree& tree, const Options& options) {
  Cover cover;
  std::vector<std::optional<Trace>> traces;
  TreeCover& result = cover.trees.emplace_back(explored(tree, options, traces));
  choose_traces(*tree.asset, result, traces, options.host, options.budget, cover);
  if (options.budget.is_interrupted() && !result.is_complete) result.limit = kInterrupted;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (result.items[i].reached == Reached::yes) result.items[i].shortest = std::move(traces[i]);
  }
  std::erase_if(result.items, [](const Item& item) { return !item.is_possible; });
  const std::string name = replay::plain_tree_name(result.tree);
  for (std::size_t i = 0; i < cover.traces.size(); ++i) {
    cover.traces[i].name = name + '-' + std::to_string(i + 1) + ".trace.jsonl";
  }
  return cover;
}

// Of the milliseconds of a budget. Traces to what was found and replays of them come on top.
constexpr std::uint64_t time_to_explore(std::uint64_t milliseconds) {
  constexpr std::uint64_t kPartForTheRest = 5;
  return milliseconds - milliseconds / kPartForTheRest;
}

// Adds the cover of another tree.
void append(Cover of_tree, Cover& cover) {
  const std::size_t first = cover.traces.size();
  for (Item& item : of_tree.trees.front().items) {
    if (item.trace) *item.trace += first;
  }
  cover.trees.push_back(std::move(of_tree.trees.front()));
  std::move(of_tree.traces.begin(), of_tree.traces.end(), std::back_inserter(cover.traces));
}

}  // namespace

Cover cover(const Asset& asset, const ChosenTrees& trees, const Options& options, const CoverDone& done,
            std::uint64_t kept_parts) {
  Cover cover;
  Allowance left(options.total);
  const std::atomic<bool> always = true;
  bool goes_on = true;
  for (std::uint32_t i = trees.begin; i < std::min(trees.end, tree_count(asset)); ++i) {
    const Tree of_asset = espalier::tree(asset, i);
    if (!trees.name.empty() && tree_name(of_asset) != trees.name) continue;
    const auto begin = std::chrono::steady_clock::now();
    Options own = options;
    own.budget = least(options.budget, left.part());
    Allowance of_one(own.budget);
    if (kept_parts != 0) own.budget = without_part(own.budget, kept_parts);
    own.budget.milliseconds = time_to_explore(own.budget.milliseconds);
    if (!goes_on) own.budget.interruption = &always;
    const bool is_begun = !own.budget.is_interrupted();
    Cover of_tree = cover_tree(of_asset, own);
    of_one.use(of_tree.trees.front().used_count, begin);
    if (is_begun && done) goes_on = done(of_tree, of_one.part());
    left.use(of_tree.trees.front().used_count, begin);
    append(std::move(of_tree), cover);
  }
  return cover;
}

std::vector<Trace> reaching_traces(const Tree& tree, const Options& options, std::uint64_t* used_count) {
  std::vector<std::optional<Trace>> traces;
  *used_count += explored(tree, options, traces).used_count;
  std::vector<Trace> all;
  for (std::optional<Trace>& trace : traces) {
    const auto is_same = [&](const Trace& other) { return other.steps == trace->steps; };
    if (trace && std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(*trace));
  }
  return all;
}

std::string text_of(const Trace& trace) {
  std::string text = "{\"trace\": 1, " + replay::tree_members(trace.tree);
  if (trace.agent_count != 1) text += ", \"agents\": " + std::to_string(trace.agent_count);
  if (trace.seed != 1) text += ", \"seed\": " + std::to_string(trace.seed);
  if (trace.allows_errors) text += ", \"errors\": \"allowed\"";
  if (!trace.events.empty()) text += ", \"events\": " + replay::json_list(trace.events);
  text += "}\n";
  for (const std::string& step : trace.steps) text += step + '\n';
  return text;
}

std::string text_of(const Proof& proof) {
  Trace trace = *proof.trace;
  trace.steps = lines_of(proof);
  return text_of(trace);
}

}  // namespace espalier::explore
