// The possible results of nodes that store their results. See store_outline.h.
#include "lint/store_outline.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::lint {
namespace {

constexpr Result kResults[] = {Result::running, Result::failure, Result::success};

Results without(Results results, Results some) { return static_cast<Results>(results & ~some); }

Results inverted(Results results) {
  return static_cast<Results>((results & kRuns) | (can(results, kFails) ? kSucceeds : 0u) |
                              (can(results, kSucceeds) ? kFails : 0u));
}

// ---- Parallels ----------------------------------------------------------------------------------

// How many children of a parallel can give each set of results.
using Counts = std::array<std::uint32_t, ir::kAnyResult + 1>;

// The result of a parallel whose children have these results, each at least once.
Results of_stored(std::uint8_t flags, Results stored) {
  const bool fails = (flags & kFailsWithAll) != 0 ? stored == kFails : can(stored, kFails);
  const bool succeeds = (flags & kSucceedsWithAny) != 0 ? can(stored, kSucceeds) : stored == kSucceeds;
  if (fails) return kFails;
  if (succeeds) return kSucceeds;
  return can(stored, kRuns) ? kRuns : kFails;
}

// Children with the same possible results: three of them allow as many combinations as any larger number.
Results of_parallel(std::uint8_t flags, const Counts& counts) {
  constexpr std::uint32_t kEnough = 3;
  unsigned stored = 1;  // a bit for each set of results that the children so far may have
  for (unsigned given = 1; given <= ir::kAnyResult; ++given) {
    for (std::uint32_t i = 0; i < std::min(counts[given], kEnough); ++i) {
      unsigned next = 0;
      for (unsigned set = 0; set <= ir::kAnyResult; ++set) {
        if ((stored >> set & 1) == 0) continue;
        for (const Result result : kResults) {
          if ((given & bit(result)) != 0) next |= 1u << (set | bit(result));
        }
      }
      stored = next;
    }
  }
  unsigned results = 0;
  for (unsigned set = 1; set <= ir::kAnyResult; ++set) {
    if ((stored >> set & 1) != 0) results |= of_stored(flags, static_cast<Results>(set));
  }
  return static_cast<Results>(results);
}

}  // namespace

StoreOutline::StoreOutline(const ir::Tree& of_tree)
    : tree(of_tree),
      places(lay_out(of_tree.root)),
      results(places.size()),
      fates(places.size()),
      is_reached(places.size()),
      root_gives(places.size()) {
  for (auto place = static_cast<PlaceIndex>(places.size()); place-- > 0;) {
    results[place] = of_node(place);
    fates[place] = fate_of(place);
  }
  is_reached[0] = true;
  for (const Result result : kResults) root_gives[0][static_cast<std::size_t>(result)] = bit(result);
  for (PlaceIndex place = 0; place < places.size(); ++place) {
    find_reached(place);
    look_up(place);
  }
}

std::string StoreOutline::name(PlaceIndex place) const {
  const ir::Node& shown = node(place);
  const ir::Behavior* const behavior = shown.as_if<ir::Behavior>();
  const std::string& own = behavior != nullptr                     ? behavior->name
                           : shown.opcode == Opcode::store_barrier ? barrier(place)
                                                                   : shown.label;
  return text::quote(shown.name) + (own.empty() ? std::string() : ' ' + text::quote(own));
}

Results StoreOutline::at_root(PlaceIndex place, Results given) const {
  unsigned found = 0;
  for (const Result result : kResults) {
    if (can(given, bit(result))) found |= root_gives[place][static_cast<std::size_t>(result)];
  }
  return static_cast<Results>(found);
}

std::string StoreOutline::why_not(PlaceIndex place, Results next) const {
  if (results[place] == kRuns) return "never completes";
  if (fates[place] == Fate::succeeds) return "always succeeds";
  if (fates[place] == Fate::fails) return "always fails";
  return next == kSucceeds ? "never succeeds" : "never fails";
}

// The single child that decides the fate of a place.
PlaceIndex StoreOutline::decides(PlaceIndex place, Results /*next*/) const {
  const Fate fate = fates[place];
  if (fate == Fate::unknown) return kNoPlace;
  if (opcode(place) == Opcode::store_invert) return children(place)[0];
  if (!is_row(opcode(place)) || fate != (opcode(place) == Opcode::store_sequence ? Fate::fails : Fate::succeeds)) {
    return kNoPlace;
  }
  return *std::find_if(children(place).begin(), children(place).end(),
                       [&](PlaceIndex child) { return fates[child] == fate; });
}

// ---- Results ------------------------------------------------------------------------------------

Results StoreOutline::of_leaf(PlaceIndex place) const {
  switch (opcode(place)) {
    case Opcode::store_condition:
      return kDone;
    case Opcode::store_action:
      return node(place).as<ir::Behavior>().results;
    case Opcode::store_barrier: {
      PlaceIndex group = places[place].parent;
      while (group != kNoPlace && opcode(group) != Opcode::store_group) group = places[group].parent;
      return group != kNoPlace && is_alone(group) ? kSucceeds : static_cast<Results>(kSucceeds | kRuns);
    }
    default:  // store_child
      return ir::kAnyResult;
  }
}

// For a node with one child, or a group with one role: its results if the child gives one of these.
Results StoreOutline::of_wrapper(PlaceIndex place, Results child) const {
  const Results runs = child & kRuns;
  switch (opcode(place)) {
    case Opcode::store_invert:
      return inverted(child);
    case Opcode::store_succeed:
      return static_cast<Results>(runs | (can(child, kDone) ? kSucceeds : 0u));
    case Opcode::store_fail:
      return static_cast<Results>(runs | (can(child, kDone) ? kFails : 0u));
    case Opcode::store_repeat: {
      if ((node(place).flags & kEachUpdate) != 0) return child;
      const bool ends_with_failure = (node(place).flags & kUntilFailure) != 0 && can(child, kFails);
      const Results counted = ends_with_failure ? without(child, kFails) : child;
      unsigned own = runs | (ends_with_failure ? kFails : 0u);
      if (can(counted, kDone) && node(place).as<ir::Limit>().maximum != 1) own |= kRuns;
      if (can(counted, kDone) && node(place).as<ir::Limit>().maximum != 0) own |= kSucceeds;
      return static_cast<Results>(own);
    }
    default:
      return child;
  }
}

Results StoreOutline::of_node(PlaceIndex place) const {
  const std::vector<PlaceIndex>& children = places[place].children;
  if (children.empty()) return of_leaf(place);
  switch (opcode(place)) {
    case Opcode::store_sequence:
    case Opcode::store_selector: {
      const Results next = goes_on(opcode(place));
      unsigned own = 0;
      for (const PlaceIndex child : children) {
        own |= without(results[child], next);
        if (!can(results[child], next)) return static_cast<Results>(own);
      }
      return static_cast<Results>(own | next);
    }
    case Opcode::store_parallel: {
      Counts counts = {};
      for (const PlaceIndex child : children) ++counts[results[child]];
      return of_parallel(node(place).flags, counts);
    }
    case Opcode::store_group:
      // It fails for an agent if it is already bound or the agent fits none of its roles.
      return is_alone(place) ? static_cast<Results>(results[children[0]] | kFails) : ir::kAnyResult;
    case Opcode::store_gate:
    case Opcode::store_cooldown:
    case Opcode::store_cooldown_all:
      return static_cast<Results>(results[children[0]] | kFails);
    default:
      return of_wrapper(place, results[children.back()]);
  }
}

Fate StoreOutline::fate_of(PlaceIndex place) const {
  const std::vector<PlaceIndex>& children = places[place].children;
  const auto all = [&](Fate fate) {
    return std::all_of(children.begin(), children.end(), [&](PlaceIndex child) { return fates[child] == fate; });
  };
  const auto any = [&](Fate fate) {
    return std::any_of(children.begin(), children.end(), [&](PlaceIndex child) { return fates[child] == fate; });
  };
  const ir::Node& own = node(place);
  switch (opcode(place)) {
    case Opcode::store_succeed:
      return Fate::succeeds;
    case Opcode::store_fail:
      return Fate::fails;
    case Opcode::store_sequence:
      return any(Fate::fails) ? Fate::fails : all(Fate::succeeds) ? Fate::succeeds : Fate::unknown;
    case Opcode::store_selector:
      return any(Fate::succeeds) ? Fate::succeeds : all(Fate::fails) ? Fate::fails : Fate::unknown;
    case Opcode::store_parallel:
      return own.flags == 0 && all(Fate::succeeds) ? Fate::succeeds : Fate::unknown;
    case Opcode::store_invert:
      return any(Fate::succeeds) ? Fate::fails : any(Fate::fails) ? Fate::succeeds : Fate::unknown;
    case Opcode::store_repeat:
      return own.as<ir::Limit>().maximum == 0 && own.flags == 0 ? Fate::never : Fate::unknown;
    default:
      return Fate::unknown;
  }
}

// ---- From above ---------------------------------------------------------------------------------

void StoreOutline::find_reached(PlaceIndex place) {
  bool reaches = is_reached[place];
  for (const PlaceIndex child : places[place].children) {
    is_reached[child] = reaches;
    if (is_row(opcode(place))) reaches = reaches && can(results[child], goes_on(opcode(place)));
  }
}

// After the result with which the row continues, the next children are evaluated in the same update.
void StoreOutline::look_up_row(PlaceIndex place) {
  const Results next = goes_on(opcode(place));
  const std::vector<PlaceIndex>& children = places[place].children;
  Results behind = at_root(place, next);  // of the root, if the row continues past here
  for (std::size_t i = children.size(); i-- > 0;) {
    const PlaceIndex child = children[i];
    root_gives[child] = root_gives[place];
    for (const Result result : kResults) {
      if (bit(result) == next) root_gives[child][static_cast<std::size_t>(result)] = behind;
    }
    behind = at_root(child, results[child]);
  }
}

// A child that runs is reset when the parallel is done.
void StoreOutline::look_up_parallel(PlaceIndex place) {
  Counts counts = {};
  for (const PlaceIndex child : places[place].children) ++counts[results[child]];
  for (const PlaceIndex child : places[place].children) {
    --counts[results[child]];
    for (const Result result : kResults) {
      ++counts[bit(result)];
      const Results own = of_parallel(node(place).flags, counts);
      --counts[bit(result)];
      const Results kept = result == Result::running ? static_cast<Results>(own & kRuns) : own;
      root_gives[child][static_cast<std::size_t>(result)] = at_root(place, kept);
    }
    ++counts[results[child]];
  }
}

void StoreOutline::look_up(PlaceIndex place) {
  if (is_row(opcode(place))) return look_up_row(place);
  if (opcode(place) == Opcode::store_parallel) return look_up_parallel(place);
  const bool waits_for_others = opcode(place) == Opcode::store_group && !is_alone(place);
  for (const PlaceIndex child : places[place].children) {
    for (const Result result : kResults) {
      const Results own = waits_for_others ? ir::kAnyResult : of_wrapper(place, bit(result));
      root_gives[child][static_cast<std::size_t>(result)] = at_root(place, own);
    }
  }
}

}  // namespace espalier::lint
