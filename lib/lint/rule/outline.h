// What runs of rules can answer, computed from the leaves up, and which rules are faulty. Rules above and after a
// faulty rule are analysed as if it were repaired, so one cause is one finding.
#pragma once
#include <string>
#include <vector>

#include "lint/places.h"

namespace espalier::lint {

enum class RuleFault : std::uint8_t {
  none,
  never_ends,    // it runs forever
  is_empty,      // a list without rules
  runs_away,     // a list that restarts forever within one update
  may_run_away,  // the same, but a failure can end it in the update that begins it
  blocks,        // the rules after it are never run, and none of them can be jumped to
};

// What one rule can answer.
struct RuleAnswers {
  Results real = 0;    // if it is reached from above, with its children as they are
  Results mended = 0;  // the same if faulty rules could answer anything
  Results ever = 0;    // the same after jumps too
  RuleFault fault = RuleFault::none;
  bool has_failures = false;          // ever, before not failing turns failures into successes
  bool can_be_jumped_to = false;      // it or a rule below it has an id
  PlaceIndex unreachable = kNoPlace;  // of a list: the first of its rules that is never run because of those before it
};

struct RuleOutline {
  const ir::Tree& tree;
  // Idle: reached neither from the rules before nor by a jump. The first place is the rule_file.
  Places places;
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
  // The answer of a rule in this list after which the next one runs. With the other answer the list ends or restarts.
  Result goes_on(PlaceIndex place) const;
  bool loops(PlaceIndex place) const { return is_list(place) && has(place, kBeginsAnew); }
  // The possible answers of a leaf, which depend on nothing else.
  Results of_leaf(PlaceIndex leaf) const { return ended(leaf, own_of_leaf(leaf)); }
  // See facts.h.
  Results gives(PlaceIndex place) const { return answers[place].real; }
  Results goes_on_after(PlaceIndex place) const { return is_list(place) ? bit(goes_on(place)) : Results{0}; }
  std::span<const PlaceIndex> children(PlaceIndex place) const { return places[place].children; }
  PlaceIndex decides(PlaceIndex place, Results next) const;
  std::string why_not(PlaceIndex place, Results next) const;
  text::Span span(PlaceIndex place) const { return node(place).span; }
  // Its 'element', followed by the "name" of an action, else by the "id" if it has one.
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
