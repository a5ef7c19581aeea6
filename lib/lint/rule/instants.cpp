// Which rules can end in the update that starts them. See instants.h.
#include "lint/rule/instants.h"

#include <utility>

#include "lint/rule/conditions.h"
#include "runtime/format/opcodes/rule.h"

namespace espalier::lint {
namespace {

using logic::Diagrams;
using logic::Function;

constexpr std::size_t kBudget = 100'000;
constexpr PlaceIndex kFirstRule = 1;  // after the rule_file

// For which answers of the conditions a rule can end at once.
struct Instant {
  Function success;
  Function failure;
};

class Instants {
 public:
  Instants(const RuleOutline& outline, ActionsAt actions) : outline_(outline), actions_(actions) {
    instants_.resize(outline.places.size(), {none_, none_});
  }

  std::vector<bool> loops_that_can_restart() {
    std::vector<bool> can_restart(outline_.places.size());
    for (auto place = static_cast<PlaceIndex>(outline_.places.size()); place-- > kFirstRule;) {
      if (outline_.places[place].is_idle) continue;
      const Instant round = outline_.is_list(place) ? list_of(place) : leaf_of(place);
      if (outline_.loops(place) && outline_.answers[place].fault == RuleFault::none) {
        can_restart[place] = diagrams_.is_satisfiable(round.success) == logic::Answer::yes;
      }
      instants_[place] = ended(place, round);
    }
    return can_restart;
  }

 private:
  Instant ended(PlaceIndex place, Instant round) {
    if (outline_.answers[place].fault != RuleFault::none) return {none_, none_};
    if (outline_.loops(place)) round.success = none_;
    if (!outline_.does_not_fail(place)) return round;
    return {diagrams_.disjunction(round.success, round.failure), none_};
  }

  Instant leaf_of(PlaceIndex leaf) {
    const Function holds = conditions_.of(leaf);
    const auto can_give = [&](Result result) {
      if (outline_.opcode(leaf) == opcode::rule_result) {
        return (outline_.node(leaf).flags & kResultMask) == static_cast<unsigned>(result);
      }
      if (outline_.opcode(leaf) != opcode::rule_action) return false;
      const Results results = outline_.node(leaf).as<ir::Rule>().results;
      return can(results, bit(result)) && (actions_ == ActionsAt::best || !can(results, kRuns));
    };
    const Function failure = can_give(Result::failure) ? diagrams_.constant(true) : diagrams_.negation(holds);
    return {can_give(Result::success) ? holds : none_, failure};
  }

  Instant list_of(PlaceIndex list) {
    const std::span<const PlaceIndex> children = outline_.places[list].children;
    if (children.empty()) return {none_, diagrams_.constant(true)};
    const bool is_choice = outline_.goes_on(list) == Result::failure;
    Function reached = conditions_.of(list);
    Instant round{none_, diagrams_.negation(reached)};
    for (const PlaceIndex child : children) {
      const auto [success, failure] = instants_[child];
      Function& ended = is_choice ? round.success : round.failure;
      ended = diagrams_.disjunction(ended, diagrams_.conjunction(reached, is_choice ? success : failure));
      reached = diagrams_.conjunction(reached, is_choice ? failure : success);
    }
    Function& done = is_choice ? round.failure : round.success;
    done = diagrams_.disjunction(done, reached);
    return round;
  }

  const RuleOutline& outline_;
  ActionsAt actions_;
  Diagrams diagrams_{kBudget};
  // Does a condition answer the same in all rules, whatever their parameters? Supposed so for what is to be proved.
  RuleConditions conditions_{outline_, actions_ == ActionsAt::best ? Reads::parameters : Reads::nothing, diagrams_};
  const Function none_ = diagrams_.constant(false);
  std::vector<Instant> instants_;
};

}  // namespace

std::vector<bool> loops_that_can_restart(const RuleOutline& outline, ActionsAt actions) {
  return Instants(outline, actions).loops_that_can_restart();
}

}  // namespace espalier::lint
