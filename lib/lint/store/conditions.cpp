// Conditions whose answer follows from those asked before them in the same update. See analysis.h.
//
// A condition answers the same as long as nothing has happened: until something else than conditions was evaluated, or
// the update is over.
#include <map>

#include "lint/flow.h"
#include "lint/store/analysis.h"
#include "logic/diagrams.h"
#include "rules/synchronized.h"
#include "runtime/format/opcodes/store.h"
#include "text/names.h"

namespace espalier::lint {
namespace {

using logic::Answer;
using logic::Function;

constexpr std::size_t kConditionSteps = 100'000;

class AskedConditions {
 public:
  explicit AskedConditions(StoreAnalysis& analysis) : analysis_(analysis) {}

  void run() { look(0, diagrams_.constant(true)); }

 private:
  // What is known after a place, by its result; true: nothing is, or it never gives this result.
  struct After {
    Function success;
    Function failure;
  };

  std::span<const PlaceIndex> children(PlaceIndex place) const { return analysis_.outline.children(place); }

  // `known`: the answers with which the place is reached; the depth is limited by the reader.
  After look(PlaceIndex place, Function known) {
    const Opcode opcode = analysis_.outline.opcode(place);
    const Flow& flow = flow_of(opcode, analysis_.outline.node(place).flags);
    if (flow.shape == FlowShape::row) return look_at_row(place, goes_on_after(flow), known);
    if (flow.shape == FlowShape::wrapper && changes_results(flow)) return look_at_wrapper(place, flow, known);
    const Function nothing = diagrams_.constant(true);
    switch (opcode) {
      case opcode::store_condition:
        return ask(place, known);
      case opcode::store_monitor:  // it is asked again later
        return {nothing, nothing};
      case opcode::store_role:
        look(children(place).back(), nothing);  // the first one is asked for other agents too
        return {nothing, nothing};
      default:
        for (const PlaceIndex child : children(place)) look(child, nothing);
        return {nothing, nothing};
    }
  }

  After look_at_wrapper(PlaceIndex place, const Flow& flow, Function known) {
    const After child = look(children(place)[0], known);
    const auto gives = [&](Results wanted) {
      Function some = diagrams_.constant(false);
      if (result_after(flow, Result::success) == wanted) some = diagrams_.disjunction(some, child.success);
      if (result_after(flow, Result::failure) == wanted) some = diagrams_.disjunction(some, child.failure);
      return some;
    };
    return {gives(kSucceeds), gives(kFails)};
  }

  After look_at_row(PlaceIndex row, Results goes_on, Function known) {
    const bool is_sequence = goes_on == kSucceeds;
    Function ended = diagrams_.constant(false);
    for (const PlaceIndex child : children(row)) {
      if (diagrams_.is_satisfiable(known) == Answer::no) break;  // never reached
      const After after = look(child, known);
      ended = diagrams_.disjunction(ended, is_sequence ? after.failure : after.success);
      known = is_sequence ? after.success : after.failure;
    }
    return is_sequence ? After{known, ended} : After{ended, known};
  }

  After ask(PlaceIndex place, Function known) {
    const ir::Behavior& condition = analysis_.outline.node(place).as<ir::Behavior>();
    std::string name = condition.name;
    for (const ir::Parameter& each : condition.parameters) name += '\n' + each.name.string() + '\n' + each.text;
    const auto [entry, is_new] = asked_.try_emplace(name, Asked{static_cast<logic::Variable>(asked_.size()), place});
    if (entry->second.variable >= logic::kMaxVariables) return {diagrams_.constant(true), diagrams_.constant(true)};
    const Function holds = diagrams_.variable(entry->second.variable);
    const After after{diagrams_.conjunction(known, holds), diagrams_.conjunction(known, diagrams_.negation(holds))};
    const bool is_reached = diagrams_.is_satisfiable(known) == Answer::yes && analysis_.outline.is_reached[place];
    if (is_reached && diagrams_.is_satisfiable(after.failure) == Answer::no) report(place, entry->second.last, true);
    if (is_reached && diagrams_.is_satisfiable(after.success) == Answer::no) report(place, entry->second.last, false);
    entry->second.last = place;
    return after;
  }

  void report(PlaceIndex place, PlaceIndex before, bool holds) {
    analysis_
        .report(rules::SYN_repeated_condition, place,
                analysis_.name(place) + " always " + (holds ? "succeeds" : "fails") +
                    " here: it was asked before, and nothing has happened since",
                holds ? "remove it" : "")
        .related.push_back({analysis_.outline.span(before), "it is asked here"});
  }

  struct Asked {
    logic::Variable variable;
    PlaceIndex last;
  };

  StoreAnalysis& analysis_;
  logic::Diagrams diagrams_{kConditionSteps};
  std::map<std::string, Asked> asked_;  // by name and parameters
};

}  // namespace

void analyse_store_conditions(StoreAnalysis& analysis) { AskedConditions(analysis).run(); }

}  // namespace espalier::lint
