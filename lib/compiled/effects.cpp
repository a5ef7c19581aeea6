// What changes do. See effects.h.
#include "compiled/effects.h"

#include <algorithm>
#include <optional>
#include <set>

#include "replay/names.h"

namespace espalier::compiled {
namespace {

using explore::Change;
using explore::Compared;
using explore::Difference;
using explore::TreeDiff;

constexpr std::size_t kMostAlone = 40;
constexpr std::size_t kMostTries = 24;  // of pairs of changes: both versions are read for each

// The shortest difference, those of the tree that has the changed element first.
std::optional<Difference> shortest(const Change& change, std::span<const TreeDiff> diffs) {
  const Difference* best = nullptr;
  bool is_best_own = false;
  for (const TreeDiff& diff : diffs) {
    if (diff.differences.empty()) continue;
    const bool is_own =
        replay::split_tree_name(diff.tree).name == change.tree || replay::last_part(diff.tree) == change.tree;
    const Difference& first = diff.differences.front();
    const bool is_better = best == nullptr || (is_own && !is_best_own) ||
                           (is_own == is_best_own && first.trace.steps.size() < best->trace.steps.size());
    if (!is_better) continue;
    best = &first;
    is_best_own = is_own;
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

void take_effect(Change& change, std::span<const TreeDiff> diffs) {
  const auto has = [&](Compared result) {
    return std::any_of(diffs.begin(), diffs.end(), [&](const TreeDiff& diff) { return diff.result == result; });
  };
  change.shown = shortest(change, diffs);
  if (change.shown) change.shown->place = change.place;
  if (change.shown) change.shown->is_place_of_old = change.is_place_of_old;
  // Trees that are new are added to the old version in any case.
  change.effect = change.shown               ? Change::Effect::some
                  : has(Compared::undecided) ? Change::Effect::undecided
                  : has(Compared::removed)   ? Change::Effect::unknown
                                             : Change::Effect::none;
}

// What can be read only with others of the same tree, such as a root in place of another one.
void join_unread(const TextChanges& changes, const std::set<std::size_t>& idle, const CompareWith& compare,
                 std::vector<Change>& all) {
  const auto is_unread = [&](std::size_t i) { return all[i].effect == Change::Effect::unknown; };
  for (std::size_t first = 0; first < all.size(); ++first) {
    if (!is_unread(first)) continue;
    std::set<std::size_t> joined = {first};
    for (std::size_t i = first + 1; i < all.size(); ++i) {
      if (is_unread(i) && (all[i].tree == all[first].tree || all[i].tree.empty() || all[first].tree.empty()))
        joined.insert(i);
    }
    if (joined.size() < 2) continue;
    std::set<std::size_t> made = idle;
    made.insert(joined.begin(), joined.end());
    auto together = compare({}, changes.with(joined), all.size());
    if (!together) together = compare({}, changes.with(made), all.size());
    if (together) take_effect(all[first], *together);
    if (is_unread(first)) continue;
    for (const std::size_t i : joined) {
      if (i == first) continue;
      all[i].effect = all[first].effect;
      all[i].made_with = all[first].element;
    }
  }
}

// What is put around others, or was, with what is added and removed among these.
void join_inside(const TextChanges& changes, const CompareWith& compare, std::size_t around, std::vector<Change>& all) {
  const std::set<std::size_t> inside = changes.inside(around);
  if (inside.empty()) return;
  std::set<std::size_t> made = inside;
  made.insert(around);
  if (const auto together = compare({}, changes.with(made), all.size())) take_effect(all[around], *together);
  if (all[around].effect == Change::Effect::unknown) return;
  for (const std::size_t i : inside) {
    all[i].effect = all[around].effect;
    all[i].shown = std::nullopt;
    all[i].made_with = all[around].element;
  }
}

// What can be read only after others: after one that is near in its tree, or after all others.
void find_after_others(const TextChanges& changes, const CompareWith& compare, std::size_t change,
                       std::size_t& tries_left, std::vector<Change>& all) {
  constexpr std::size_t kMostTried = 6;
  std::vector<std::size_t> near;
  std::set<std::size_t> others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == change) continue;
    others.insert(i);
    if (all[i].tree == all[change].tree && all[i].effect != Change::Effect::unknown) near.push_back(i);
  }
  const auto distance = [&](std::size_t i) { return i < change ? change - i : i - change; };
  std::stable_sort(near.begin(), near.end(), [&](auto a, auto b) { return distance(a) < distance(b); });
  near.resize(std::min(near.size(), kMostTried));
  const auto try_after = [&](std::set<std::size_t> made, const std::string& name) {
    const Files before = changes.with(made);
    made.insert(change);
    const auto together = compare(before, changes.with(made), all.size());
    if (together) take_effect(all[change], *together);
    if (all[change].effect != Change::Effect::unknown) all[change].made_after = name;
    return all[change].effect != Change::Effect::unknown;
  };
  for (const std::size_t i : near) {
    if (tries_left == 0) return;
    --tries_left;
    if (try_after({i}, all[i].element)) return;
  }
  if (others.size() > 1) try_after(others, {});
}

}  // namespace

std::vector<Change> with_effects(const TextChanges& changes, std::span<const TreeDiff> diffs,
                                 const CompareWith& compare) {
  std::vector<Change> all = changes.all();
  const bool are_same =
      std::all_of(diffs.begin(), diffs.end(), [](const TreeDiff& diff) { return diff.result == Compared::same; });
  const bool are_alone = all.size() > 1 && all.size() <= kMostAlone && !are_same;
  std::set<std::size_t> idle;  // without effect by themselves
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (are_same && !diffs.empty()) {
      all[i].effect = Change::Effect::none;
    } else if (all.size() == 1) {
      take_effect(all[i], diffs);
    } else if (are_alone) {
      if (const auto alone = compare({}, changes.with({i}), all.size())) take_effect(all[i], *alone);
      if (all[i].effect == Change::Effect::none) idle.insert(i);
    }
  }
  // What cannot be read alone may need others, such as a variable that is new.
  std::set<std::size_t> more = idle;
  for (std::size_t i = 0; i < all.size() && are_alone && !idle.empty(); ++i) {
    if (all[i].effect != Change::Effect::unknown) continue;
    std::set<std::size_t> made = more;
    made.insert(i);
    if (const auto together = compare({}, changes.with(made), all.size())) take_effect(all[i], *together);
    if (all[i].effect == Change::Effect::none) more.insert(i);
  }
  for (std::size_t i = 0; i < all.size() && are_alone; ++i) {
    if (all[i].effect == Change::Effect::unknown) join_inside(changes, compare, i, all);
  }
  if (are_alone) join_unread(changes, more, compare, all);
  std::size_t tries_left = kMostTries;
  for (std::size_t i = 0; i < all.size() && are_alone; ++i) {
    if (all[i].effect == Change::Effect::unknown) find_after_others(changes, compare, i, tries_left, all);
  }
  return all;
}

}  // namespace espalier::compiled
