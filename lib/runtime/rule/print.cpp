// Agents of trees of rules, as text. See core/print.h.
#include "core/print.h"
#include "format/node.h"
#include "format/opcodes/rule.h"
#include "rule/tree.h"

namespace espalier {
namespace {

constexpr std::size_t kInstance = 0;  // PrintPlace::context: the use of the unit that contains the rule

RuleAgent agent_of(const RuleTree& tree, const Printing& printing) { return {tree, const_cast<void*>(printing.block)}; }

Rule rule_at(const RuleTree& tree, const PrintPlace& place) {
  return tree.at(tree.instance(place.context[kInstance]), place.node);
}

void write_agent(const Printing& printing) {
  const RuleTree tree(printing.view);
  const RuleAgent agent = agent_of(tree, printing);
  printing.out << ", last update ";
  if (agent.last_status() == Result::stopped) {
    printing.out << "none";
  } else {
    printing.result(agent.last_status());
  }
  if (agent.has(layout::kHasRunAway)) {
    printing.out << ", stopped by the run limit";
  } else if (agent.has(layout::kRuleStopped)) {
    printing.out << ", stopped";
  }
  printing.out << "\n  current rule: ";
  const std::uint32_t current = agent.current();
  if (current == kNoRule) {
    printing.out << "none\n";
    return;
  }
  const std::string_view id = rule_id(printing.view, current);
  if (id.empty()) {
    printing.out << "number " << std::uint64_t{current};
  } else {
    printing.out.name(id);
  }
  printing.out << (agent.is_running() ? ", running\n" : agent.has(layout::kFirstRun) ? ", not run yet\n" : "\n");
}

// The current rule and those around it are active. The root of a unit is no rule.
void look_at(const Printing& printing, PrintPlace* place) {
  place->is_hidden = is_root(place->node);
  if (place->is_hidden || !place->is_active) return;
  const RuleTree tree(printing.view);
  const std::uint32_t number = rule_at(tree, *place).number;
  Rule active;
  active.number = agent_of(tree, printing).current();
  if (active.number != kNoRule) active = tree.rule(active.number);
  while (active.number != kNoRule && active.number != number) active = tree.parent(active);
  place->is_active = active.number != kNoRule;
}

const std::uint32_t* enter_subtree(const Printing& printing, const PrintPlace& place, PrintPlace* inside) {
  if (opcode_of(place.node) != opcode::rule_subtree) return nullptr;
  const RuleTree tree(printing.view);
  inside->context[kInstance] = tree.instance_below(rule_at(tree, place));
  return tree.root_of(inside->context[kInstance]);
}

void write_name(const Printing& printing, const PrintPlace& place) {
  const RuleTree tree(printing.view);
  printing.name(printing.name_of(place.node));
  printing.behavior(place.node);
  const std::string_view id = rule_id(printing.view, rule_at(tree, place).number);
  if (!id.empty()) (printing.out << ", id ").name(id);
}

void write_state(const Printing& printing, const PrintPlace& place) {
  const RuleTree tree(printing.view);
  const Rule rule = rule_at(tree, place);
  const RuleAgent agent = agent_of(tree, printing);
  if (agent.current() != rule.number) return;
  printing.out << (agent.is_running() ? ", current, running" : ", current");
  if (agent.is_running()) {
    printing.active_for(times_of_current(printing.view, const_cast<void*>(printing.block), rule.behavior()));
  }
}

bool stored_result(const Tree& view, const void* block, std::uint32_t node_word, Result* result) {
  const RuleTree tree(view);
  const RuleAgent agent(tree, const_cast<void*>(block));
  if (!agent.is_running() || tree.word_of(tree.rule(agent.current())) != node_word) return false;
  *result = Result::running;
  return true;
}

}  // namespace

const PrintRow kRulePrint = {write_agent, look_at, enter_subtree, write_name, write_state, stored_result};

}  // namespace espalier
