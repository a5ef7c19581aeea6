// A tree as a list. See outline.h.
#include "lint/tick/outline.h"

#include <algorithm>

#include "runtime/format/opcodes/tick.h"
#include "text/names.h"

namespace espalier::lint {

TickOutline::TickOutline(const ir::Tree& of_tree, const Facts& of_facts)
    : tree(of_tree),
      facts(of_facts),
      places(of_tree.root()),
      states(std::make_unique<TickStates>(of_tree, of_facts)),
      known(find_tick_facts(places, facts, Hosts::choose, Detail::full, *states)),
      own_outcomes(find_tick_facts(places, facts, Hosts::run, Detail::full, *states).outcomes) {
  if (states->diagrams.is_exhausted()) {
    states = std::make_unique<TickStates>(tree, facts);
    known = find_tick_facts(places, facts, Hosts::choose, Detail::coarse, *states);
    own_outcomes = find_tick_facts(places, facts, Hosts::run, Detail::coarse, *states).outcomes;
  }
  for (PlaceIndex i = 0; i < places.size(); ++i) places[i].is_idle = !states->may_be(known.places[i].begun);
}

std::vector<Outcome> TickOutline::of_children(PlaceIndex place, Hosts hosts) const {
  std::vector<Outcome> result;
  for (const PlaceIndex child : places[place].children) result.push_back(outcome(child, hosts));
  return result;
}

PlaceIndex TickOutline::shown(PlaceIndex place) const {
  while (node(place).name.empty() && !places[place].children.empty()) ++place;
  return place;
}

std::string TickOutline::name(PlaceIndex place) const { return text::quote(node(shown(place)).name); }

PlaceIndex TickOutline::above(PlaceIndex place, Opcode wanted) const {
  do {
    place = places[place].parent;
  } while (place != kNoPlace && opcode(place) != wanted);
  return place;
}

PlaceIndex TickOutline::common(PlaceIndex a, PlaceIndex b) const {
  while (!is_below(b, a)) a = places[a].parent;
  return a;
}

Results TickOutline::after(PlaceIndex place, Result result, Hosts hosts) const {
  const PlaceIndex parent = places[place].parent;
  return results_after(node(parent), of_children(parent, hosts), places[place].number, result);
}

std::vector<Step> TickOutline::way(PlaceIndex place, Result result, Hosts hosts) const {
  std::vector<Step> steps = {{place, result}};
  for (bool is_found = true; is_found;) {
    is_found = false;
    const Step last = steps.back();
    std::span<const PlaceIndex> children = places[last.place].children;
    // If the last child decides the end, only that child is relevant.
    const bool by_last =
        opcode(last.place) == (last.result == Result::success ? opcode::tick_sequence : opcode::tick_selector);
    if (by_last) children = children.last(1);
    for (const Result given : {last.result, Result::failure, Result::success}) {
      for (const PlaceIndex child : children) {
        if (is_found || places[child].is_idle || !outcome(child, hosts).can(bit(given))) continue;
        if ((after(child, given, hosts) & bit(last.result)) == 0) continue;
        steps.push_back({child, given});
        is_found = true;
      }
    }
  }
  return steps;
}

}  // namespace espalier::lint
