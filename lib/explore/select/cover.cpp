// The items of a tree that selects, and the shortest traces to them. See selecting.h.
#include "explore/select/selecting.h"
#include "explore/select/system.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::explore {
namespace {

using logic::Formula;

// The states in which an evaluation reaches each item, in the order of track_selecting().
class SelectingItems {
 public:
  explicit SelectingItems(lint::SelectModel& model) : model_(model) {
    for (lint::PlaceIndex i = 0; i < model.places.size(); ++i) {
      const ir::Node& node = *model.places[i].node;
      if (node.opcode == opcode::select_leaf) add(model.taken(i));
      if (node.opcode != opcode::select_state) continue;
      add(model.evaluated(i));
      add_transitions(i);
    }
  }

  std::vector<Formula> functions;

 private:
  void add(Formula evaluates_in) {
    functions.push_back(model_.circuit.conjunction(model_.needs_evaluation(), evaluates_in));
  }

  void add_transitions(lint::PlaceIndex state) {
    const lint::Place& place = model_.places[state];
    const Formula reads = model_.machine(place.parent).reads[place.number];
    Formula left = model_.circuit.conjunction(model_.taken(place.parent), reads);
    for (const ir::Transition& transition : place.node->as<ir::Transitions>().transitions) {
      const Formula holds = model_.condition_function(transition.condition);
      add(model_.circuit.conjunction(left, holds));
      left = model_.circuit.conjunction(left, model_.circuit.negation(holds));
    }
  }

  lint::SelectModel& model_;
};

}  // namespace

bool uses_formulas(const Tree& tree, Method method) {
  constexpr std::uint32_t kMostListed = 12;  // variables
  return method == Method::by_size ? variable_count(tree) > kMostListed : method != Method::list;
}

SelectingCover cover_selecting(const World& world, const Options& options) {
  SelectingSystem system(world, options, {});
  SelectingCover cover;
  cover.is_complete = true;
  for (const Formula item : SelectingItems(system.model(0)).functions) {
    SelectingSystem::Found found = system.trace_to_tick(item);
    const bool is_reached = found.answer == logic::Answer::yes;
    cover.reached.push_back(is_reached                          ? Reached::yes
                            : found.answer == logic::Answer::no ? Reached::no
                                                                : Reached::undecided);
    cover.traces.push_back(is_reached ? std::optional(std::move(found.trace)) : std::nullopt);
    cover.is_complete = cover.is_complete && cover.reached.back() != Reached::undecided;
  }
  cover.state_count = system.state_count();
  return cover;
}

}  // namespace espalier::explore
