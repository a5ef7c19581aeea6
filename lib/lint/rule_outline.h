// What runs of rules can answer, worked out from the leaves up, and which rules are at fault: what is found of the
// rules above and behind them counts these as mended, so that one cause is one finding.
#pragma once
#include <string>
#include <vector>

#include "lint/places.h"

namespace espalier::lint {

enum class RuleFault : std::uint8_t {
  none,
  never_ends,    // it runs for ever
  is_empty,      // a list without rules
  runs_away,     // a list that begins anew for ever, all in one update
  may_run_away,  // one that only a failure ends, in the update that begins it
  blocks,        // the rules behind it are never run, and none of them can be jumped to
};

// What one rule can answer.
struct RuleAnswers {
  Results real = 0;    // when it is reached from above, with the rules below it as they are
  Results mended = 0;  // the same when rules at fault could answer anything
  Results ever = 0;    // the same after jumps too
  RuleFault fault = RuleFault::none;
  bool has_failures = false;          // ever, before its not failing makes successes of them
  bool can_be_jumped_to = false;      // it or a rule below it has an id
  PlaceIndex unreachable = kNoPlace;  // of a list: the first of its rules that those before it never let be run
};

struct RuleOutline {
  const ir::Tree& tree;
  std::vector<Place> places;  // idle: neither rules before it nor a jump lead there. The first one is the rule_file's
  std::vector<RuleAnswers> answers;  // of each place

  explicit RuleOutline(const ir::Tree& tree);
  const ir::Node& node(PlaceIndex place) const { return *places[place].node; }
  Opcode opcode(PlaceIndex place) const { return node(place).opcode; }
  const std::string& id(PlaceIndex place) const { return node(place).label; }
  bool has(PlaceIndex place, std::uint32_t flag) const { return (node(place).flags & flag) != 0; }
  bool asks(PlaceIndex place) const {
    const ir::Rule* const rule = node(place).as_if<ir::Rule>();
    return rule != nullptr && !rule->conditions.empty();
  }
  bool is_list(PlaceIndex place) const;
  bool does_not_fail(PlaceIndex place) const;
  // Of a list: with which answer of one of its rules the next one has its turn. It ends, or begins anew, with the
  // other.
  Result goes_on(PlaceIndex place) const;
  bool loops(PlaceIndex place) const { return is_list(place) && has(place, kBeginsAnew); }
  // What a leaf answers, which depends on nothing.
  Results of_leaf(PlaceIndex leaf) const { return ended(leaf, own_of_leaf(leaf)); }
  // Behind its 'element': the "name" of an action, else the "id", if there is one.
  std::string name(PlaceIndex place) const;

 private:
  enum class As : std::uint8_t { real, mended, ever };
  Results of_child(PlaceIndex child, As as) const;
  Results one_round(PlaceIndex list, As as) const;
  Results own_of_leaf(PlaceIndex leaf) const;
  Results ended(PlaceIndex place, Results round) const;
  void find_unreachable(PlaceIndex list);
  void look_at_list(PlaceIndex list);
  void look_at_leaf(PlaceIndex leaf);
  void find_idle();
};

}  // namespace espalier::lint
