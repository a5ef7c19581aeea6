// A tree as a list. See tick_outline.h.
#include "lint/tick_outline.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::lint {

TickOutline::TickOutline(const ir::Tree& of_tree, const Facts& of_facts)
    : tree(of_tree), facts(of_facts), places(lay_out(of_tree.root)) {
  find_outcomes(Hosts::choose);
  find_outcomes(Hosts::run);
  find_idle();
}

std::vector<Outcome> TickOutline::of_children(PlaceIndex place, Hosts hosts) const {
  std::vector<Outcome> result;
  for (const PlaceIndex child : places[place].children) result.push_back(outcome(child, hosts));
  return result;
}

void TickOutline::find_outcomes(Hosts hosts) {
  const ResultRules rules{tree, facts, hosts};
  std::vector<Outcome>& found = hosts == Hosts::choose ? outcomes : own_outcomes;
  found.resize(places.size());
  for (std::size_t i = places.size(); i-- > 0;) {
    const auto place = static_cast<PlaceIndex>(i);
    found[i] = rules.outcome(node(place), of_children(place, hosts));
  }
}

void TickOutline::find_idle() {
  const ResultRules rules{tree, facts};
  auto mark = [&](PlaceIndex place) {
    for (PlaceIndex i = place; i < places[place].end; ++i) places[i].is_idle = true;
  };
  for (PlaceIndex i = 0; i < places.size(); ++i) {
    const std::vector<PlaceIndex>& children = places[i].children;
    if (children.empty() || places[i].is_idle) continue;
    std::vector<bool> is_ticked(children.size(), rules.opening(node(i)).can_hold);
    if (opcode(i) == Opcode::tick_priority) is_ticked = choice_of(tree, node(i)).can_be_first;
    if (opcode(i) == Opcode::tick_machine) is_ticked = reached_states(node(i));
    if (opcode(i) == Opcode::tick_sequence || opcode(i) == Opcode::tick_selector) {
      const Results next = opcode(i) == Opcode::tick_sequence ? kSucceeds : kFails;
      for (std::size_t child = 1; child < children.size(); ++child) {
        is_ticked[child] = is_ticked[child - 1] && outcomes[children[child - 1]].can(next);
      }
    }
    for (std::size_t child = 0; child < children.size(); ++child) {
      if (!is_ticked[child]) mark(children[child]);
    }
  }
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
  return ResultRules{tree, facts, hosts}.after(node(parent), of_children(parent, hosts), places[place].number, result);
}

std::vector<Step> TickOutline::way(PlaceIndex place, Result result, Hosts hosts) const {
  std::vector<Step> steps = {{place, result}};
  for (bool is_found = true; is_found;) {
    is_found = false;
    const Step last = steps.back();
    std::vector<PlaceIndex> children = places[last.place].children;
    // If the last child decides the end, only that child is relevant.
    const bool by_last =
        opcode(last.place) == (last.result == Result::success ? Opcode::tick_sequence : Opcode::tick_selector);
    if (by_last) children = {children.back()};
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
