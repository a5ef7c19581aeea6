// How two versions of trees differ in what a host sees. See explore.h.
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "codegen/dump/listing.h"
#include "codegen/meaning.h"
#include "explore/allowance.h"
#include "explore/engine.h"
#include "explore/explore.h"
#include "explore/find.h"
#include "explore/given.h"
#include "explore/pictures.h"
#include "explore/select/selecting.h"
#include "explore/told_apart.h"
#include "replay/names.h"
#include "runtime/asset/view.h"

namespace espalier::explore {
namespace {

// Have two leaves of a tree that selects one behaviour? Going from one to the other begins it again.
bool shares_behaviors(const Tree& tree) {
  if (engine_id_of(tree) != EngineId::select) return false;
  std::set<std::uint32_t> behaviors;
  const std::uint32_t count = leaf_count(tree);
  for (std::uint32_t leaf = 0; leaf < count; ++leaf) behaviors.insert(leaf_behavior(tree, leaf));
  return behaviors.size() < count;
}

// Does anything else than what is compared tell that the versions do not do the same?
bool find_by_search(const World& world, const Budget& budget, TreeDiff& result) {
  Pictures pictures(world);
  Observer observer;
  observer.sees_turns = true;
  observer.is_shown = true;
  observer.ignores_writes = world.agent_count() == 1;
  observer.heard = [&](const Run&, std::size_t side, const Hearing& hearing) { return pictures.number(side, hearing); };
  observer.after = [&](Run& run, const Step& step, unsigned char* state) { return pictures.compare(run, step, state); };
  // That versions differ is what matters most, and there may be very many ways in which they do.
  constexpr std::uint64_t kPart = 128;
  constexpr std::uint64_t kLeast = 2'000;
  Budget own = budget;
  constexpr std::uint32_t kChoices = 1'024;
  own.choices = std::min(own.choices, kChoices);
  if (own.states > kLeast) own.states_then = std::max(kLeast, own.states / kPart);
  Findings found = find_all(world, observer, 0, own);
  result.state_count = found.state_count;
  result.used_count = found.paid_count;
  result.is_complete = found.is_complete;
  std::vector<std::pair<std::uint64_t, Findings::Mark*>> marks;
  for (auto& [mark, how] : found.marks) marks.emplace_back(mark, &how);
  std::sort(marks.begin(), marks.end(), [](const auto& a, const auto& b) {
    return std::pair(a.second->steps, a.second->order) < std::pair(b.second->steps, b.second->order);
  });
  for (const auto& [mark, how] : marks) {
    Difference difference;
    difference.before = pictures.at(mark).before;
    difference.after = pictures.at(mark).after;
    difference.trace = how->trace;
    how->show();
    difference.place = pictures.told_place().place;
    difference.is_place_of_old = pictures.told_place().is_of_old;
    result.differences.push_back(std::move(difference));
  }
  return pictures.asks_unlike();
}

// Is a script at the same place of both versions another one? To a search it is a question to the program, of which
// replays may show what it does.
bool has_changed_script(const World& world) {
  std::map<std::uint32_t, std::string> texts;  // of the old version, by name
  for (const Side& side : world.sides()) {
    for (const auto& [word, name] : side.script_names) {
      std::string text = script_at(*side.tree.asset, word);
      if (&side == &world.sides().front()) {
        texts[name] = std::move(text);
      } else if (const auto old = texts.find(name); old != texts.end() && old->second != text) {
        return true;
      }
    }
  }
  return false;
}

// What no search has come to may be shown by a trace that reaches it in one of the versions; what is not searched for,
// by random ones.
void find_by_replays(const Tree& before, const Tree& after, const Options& options, TreeDiff& result) {
  constexpr std::uint64_t kParts = 2;  // of the budget, for each version
  Options own = options;
  own.budget.states = std::max<std::uint64_t>(1, own.budget.states / kParts);
  own.budget.milliseconds = (own.budget.milliseconds + kParts - 1) / kParts;
  if (!options.hints)
    result.replayed =
        result.is_complete ? random_candidates(after, own) : candidates(before, after, own, &result.used_count);
  for (const Trace& hint : options.hints.value_or(std::vector<Trace>())) {
    if (hint.tree == tree_name(after)) result.replayed.push_back(hint);
  }
  std::optional<Difference> found = told_apart(before, after, options, result.replayed, own.budget, &result.used_count);
  const auto is_known = [&](const Difference& each) {
    return each.before == found->before && each.after == found->after;
  };
  // What scripts do says more than that they are others.
  if (found && std::none_of(result.differences.begin(), result.differences.end(), is_known))
    result.differences.insert(result.differences.begin(), std::move(*found));
}

TreeDiff diff_trees(const Tree& before, const Tree& after, const Options& options) {
  TreeDiff result{.tree = std::string(tree_name(after)), .file = std::string(replay::file_of(after))};
  const std::uint32_t agent_count = std::max(agents_to_explore(before), agents_to_explore(after));
  const World world({{before, agent_count, &options.host.old_results}, {after, agent_count, &options.host.results}},
                    options.signal_only, Pictures::kOwnBytes,
                    {.host = options.host, .sees_inputs = true, .renamed_trees = &options.renamed_trees});
  result.limit = world.limit();
  const bool runs_scripts = has_changed_script(world);
  bool has_more = shares_behaviors(before) || shares_behaviors(after);
  const EngineRow& engine = *world.sides().front().engine;
  const bool is_one_engine = world.sides().back().engine == &engine;
  const bool has_formulas = is_one_engine && engine.uses_formulas != nullptr;
  Allowance left(options.budget);
  Options own = options;
  const auto begin = std::chrono::steady_clock::now();
  const auto find_by_formulas = [&] {
    SelectingDiff found = diff_selecting(world, own);
    result.differences = std::move(found.differences);
    result.state_count = std::max(result.state_count, found.state_count);
    result.is_complete = found.is_complete;
  };
  if (has_formulas && (engine.uses_formulas(before, options.method) || engine.uses_formulas(after, options.method))) {
    find_by_formulas();
  } else {
    if (find_by_search(world, left.part(2), result)) has_more = true;
    left.use(result.used_count, begin);
    own.budget = left.part();
    if (!result.is_complete && has_formulas && options.method == Method::by_size) find_by_formulas();
  }
  if (runs_scripts || (result.differences.empty() && (result.is_complete ? has_more : !has_formulas)))
    find_by_replays(before, after, own, result);
  if (is_one_engine && engine.find_conditions != nullptr) {
    engine.find_conditions(world, options, result.differences);
  }
  if (!result.is_complete && options.budget.is_interrupted()) result.limit = kInterrupted;
  result.result = !result.differences.empty() ? Compared::different
                  : result.is_complete        ? Compared::same
                                              : Compared::undecided;
  return result;
}

// The tree of this name; or the one of the file that it names, which in this version needs not be told from others.
bool find_tree_named(const Asset& asset, std::string_view name, Tree* tree) {
  if (find_tree(asset, name, tree) == Status::ok) return true;
  const replay::FileAndName wanted = replay::split_tree_name(name);
  if (wanted.file.empty()) return false;
  const std::vector<Tree> called = replay::trees_called(asset, name);
  if (called.size() != 1 || tree_name(called.front()) != wanted.name) return false;
  *tree = called.front();
  return true;
}

// The names of the trees of two versions: of a tree that has its file in its name in only one of them, that one.
std::set<std::string> names_in(const Asset& before, const Asset& after) {
  std::set<std::string> names;
  for (const auto& [own, other] : {std::pair(&before, &after), std::pair(&after, &before)}) {
    std::set<std::string_view> known;
    for (const std::string_view name : replay::tree_names(*other)) {
      Tree tree;
      if (!replay::split_tree_name(name).file.empty() && find_tree_named(*own, name, &tree) && tree_name(tree) != name)
        known.insert(tree_name(tree));
    }
    for (const std::string_view name : replay::tree_names(*own)) {
      if (known.count(name) == 0) names.insert(std::string(name));
    }
  }
  return names;
}

// The name in the new version of a tree of the old one.
std::string name_after(std::string_view name, const Options& options) {
  const auto renamed = options.renamed_trees.find(std::string(name));
  return renamed == options.renamed_trees.end() ? std::string(name) : renamed->second;
}

// Is it known that both do the same?
bool are_known_equal(const Tree& before, const Tree& after, const Options& options) {
  const std::string name(tree_name(after));
  return options.equal_trees.contains(name) && name_after(tree_name(before), options) == name;
}

struct Pair {
  std::string name;
  Tree before, after;
  bool was = false, is = false;
};

// Of all trees, or those of this name.
std::vector<Pair> pairs_of(const Asset& before, const Asset& after, const std::string& tree, const Options& options) {
  std::vector<Pair> pairs;
  for (const std::string& name : names_in(before, after)) {
    if (!tree.empty() && name != tree && name_after(name, options) != tree) continue;
    Pair pair{name, {}, {}};
    pair.was = find_tree_named(before, name, &pair.before);
    pair.is = find_tree_named(after, name, &pair.after);
    pairs.push_back(std::move(pair));
  }
  for (const auto& [old_name, new_name] : options.renamed_trees) {
    const auto named = [&](const std::string& name) {
      return std::find_if(pairs.begin(), pairs.end(), [&](const Pair& pair) { return pair.name == name; });
    };
    const auto old = named(old_name);
    const auto now = named(new_name);
    if (old == pairs.end() || now == pairs.end() || old->is || now->was) continue;
    now->before = old->before;
    now->was = true;
    pairs.erase(old);
  }
  return pairs;
}

// `part_count`: of parts that are left of the budget of all trees.
TreeDiff diff_paired(const Tree& before, const Tree& after, bool are_equal, const Options& options,
                     std::uint64_t part_count, Allowance& left, const std::function<void(const TreeDiff& tree)>& done) {
  TreeDiff result{.tree = std::string(tree_name(after)), .file = std::string(replay::file_of(after))};
  if (are_equal || are_known_equal(before, after, options)) return result;
  if (options.budget.is_interrupted()) {
    result.result = Compared::undecided;
    result.is_complete = false;
    result.limit = kInterrupted;
    return result;
  }
  const auto begin = std::chrono::steady_clock::now();
  Options own = options;
  own.budget = least(options.budget, left.part(part_count));
  result = diff_trees(before, after, own);
  left.use(result.used_count, begin);
  done(result);
  return result;
}

}  // namespace

std::vector<TreeDiff> diff(const Asset& before, const Asset& after, const std::string& tree, const Options& options,
                           const std::function<void(const TreeDiff& tree, std::size_t count)>& done) {
  std::vector<TreeDiff> diffs;
  const Options& own = options;
  Allowance left(own.total);
  const bool have_trees = tree_count(before) != 0 && tree_count(after) != 0;
  const bool are_equal = have_trees && codegen::meaning_of(before) == codegen::meaning_of(after);
  std::uint64_t part_count = 1;
  std::size_t explored_count = 1;
  const auto tell = [&](const TreeDiff& diff) {
    if (done) done(diff, explored_count);
  };
  if (options.pairs_only_trees && tree_count(before) == 1 && tree_count(after) == 1) {
    return {diff_paired(espalier::tree(before, 0), espalier::tree(after, 0), are_equal, own, 1, left, tell)};
  }
  const std::vector<Pair> pairs = pairs_of(before, after, tree, own);
  explored_count = static_cast<std::size_t>(std::count_if(pairs.begin(), pairs.end(), [&](const Pair& pair) {
    return pair.was && pair.is && !are_equal && !are_known_equal(pair.before, pair.after, own);
  }));
  part_count = std::max<std::uint64_t>(1, explored_count);
  for (const Pair& pair : pairs) {
    if (pair.was && pair.is) {
      diffs.push_back(diff_paired(pair.before, pair.after, are_equal, own, part_count, left, tell));
      if (part_count > 1 && diffs.back().used_count != 0) --part_count;
    } else {
      diffs.push_back({.tree = pair.name,
                       .file = std::string(replay::file_of(pair.was ? pair.before : pair.after)),
                       .result = pair.was ? Compared::removed : Compared::added});
    }
  }
  return diffs;
}

}  // namespace espalier::explore
