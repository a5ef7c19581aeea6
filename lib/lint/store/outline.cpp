// The possible results of nodes that store their results. See outline.h.
#include "lint/store/outline.h"

#include <algorithm>

#include "lint/flow.h"
#include "runtime/format/opcodes/store.h"
#include "text/names.h"

namespace espalier::lint {

using namespace ir;

namespace {

constexpr Result kResults[] = {Result::running, Result::failure, Result::success};

constexpr Fate fate_in(Results result) { return result == kSucceeds ? Fate::succeeds : Fate::fails; }

}  // namespace

StoreOutline::StoreOutline(const ir::Tree& of_tree)
    : tree(of_tree),
      places(of_tree.root()),
      results(places.size()),
      fates(places.size()),
      is_reached(places.size()),
      root_gives(places.size()) {
  std::vector<Results> given;
  for (auto place = static_cast<PlaceIndex>(places.size()); place-- > 0;) {
    given.clear();
    for (const PlaceIndex child : places[place].children) given.push_back(results[child]);
    results[place] = of_node(place, given, true);
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
  const std::string& own = behavior != nullptr                     ? behavior->name.string()
                           : shown.opcode == opcode::store_barrier ? barrier(place)
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
  if (opcode(place) == opcode::store_invert) return children(place)[0];
  if (!is_row(opcode(place)) || fate != (opcode(place) == opcode::store_sequence ? Fate::fails : Fate::succeeds)) {
    return kNoPlace;
  }
  return *std::find_if(children(place).begin(), children(place).end(),
                       [&](PlaceIndex child) { return fates[child] == fate; });
}

// ---- Results ------------------------------------------------------------------------------------

Results StoreOutline::of_node(PlaceIndex place, std::span<const Results> children, bool can_close) const {
  const ir::Node& own = node(place);
  FlowNode flow{.opcode = own.opcode, .flags = own.flags, .can_close = can_close};
  const FlowShape shape = flow_of(own.opcode, own.flags).shape;
  if (shape == FlowShape::host) flow.own = own.as<ir::Behavior>().results;
  if (shape == FlowShape::loop) {
    flow.is_endless = own.as<ir::Limit>().maximum == 0;
    flow.has_one_round = own.as<ir::Limit>().maximum == 1;
  }
  if (own.opcode == opcode::store_barrier) {
    PlaceIndex group = places[place].parent;
    while (group != kNoPlace && opcode(group) != opcode::store_group) group = places[group].parent;
    flow.own = if_so(group == kNoPlace || !is_alone(group), kRuns);
  }
  // It fails for an agent if it is already bound or the agent fits none of its roles.
  if (own.opcode == opcode::store_group) flow.own = if_so(!is_alone(place), kAnyResult);
  return results_of(flow, children);
}

Fate StoreOutline::fate_of(PlaceIndex place) const {
  const std::span<const PlaceIndex> children = places[place].children;
  const auto all = [&](Fate fate) {
    return std::all_of(children.begin(), children.end(), [&](PlaceIndex child) { return fates[child] == fate; });
  };
  const auto any = [&](Fate fate) {
    return std::any_of(children.begin(), children.end(), [&](PlaceIndex child) { return fates[child] == fate; });
  };
  const ir::Node& own = node(place);
  const Flow& flow = flow_of(own.opcode, own.flags);
  switch (flow.shape) {
    case FlowShape::row: {
      const Fate next = fate_in(lint::goes_on_after(flow));
      const Fate end = next == Fate::succeeds ? Fate::fails : Fate::succeeds;
      return any(end) ? end : all(next) ? next : Fate::unknown;
    }
    case FlowShape::parallel:
      return own.flags == 0 && all(Fate::succeeds) ? Fate::succeeds : Fate::unknown;
    case FlowShape::loop:
      return own.as<ir::Limit>().maximum == 0 && own.flags == 0 ? Fate::never : Fate::unknown;
    case FlowShape::wrapper: {
      if (!changes_results(flow)) return Fate::unknown;
      const Fate success = fate_in(result_after(flow, Result::success));
      const Fate failure = fate_in(result_after(flow, Result::failure));
      if (success == failure) return success;
      return any(Fate::succeeds) ? success : any(Fate::fails) ? failure : Fate::unknown;
    }
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
  const std::span<const PlaceIndex> children = places[place].children;
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
  const std::span<const PlaceIndex> children = places[place].children;
  MixCounts counts;
  for (const PlaceIndex child : children) counts.add(results[child]);
  const Flow& flow = flow_of(opcode(place));
  for (const PlaceIndex child : children) {
    counts.remove(results[child]);
    for (const Result result : kResults) {
      counts.add(bit(result));
      const Results own = parallel_results(flow, node(place).flags, counts);
      counts.remove(bit(result));
      const Results kept = result == Result::running ? static_cast<Results>(own & kRuns) : own;
      root_gives[child][static_cast<std::size_t>(result)] = at_root(place, kept);
    }
    counts.add(results[child]);
  }
}

void StoreOutline::look_up(PlaceIndex place) {
  if (is_row(opcode(place))) return look_up_row(place);
  if (opcode(place) == opcode::store_parallel) return look_up_parallel(place);
  for (const PlaceIndex child : places[place].children) {
    for (const Result result : kResults) {
      const Results given = bit(result);
      const Results own = of_node(place, {&given, 1}, false);
      root_gives[child][static_cast<std::size_t>(result)] = at_root(place, own);
    }
  }
}

}  // namespace espalier::lint
