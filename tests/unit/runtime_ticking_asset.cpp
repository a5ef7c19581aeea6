// The smallest asset that has every kind of record of trees that tick: see runtime_assets.h.
#include <cstring>
#include <string>
#include <utility>

#include "payloads.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime_assets.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace espalier::test {
namespace {

class Maker {
 public:
  explicit Maker(std::string name) {
    tree.name = std::move(name);
    tree.parts = ir::Ticking();
    tree.variables = {{"v0", false, {}}, {"v1", true, {}}, {"v2", false, {}}};
  }

  static Draft node(Opcode opcode, Operands operands, std::vector<Draft> children = {}) {
    Draft made = node_of(opcode, opcode_name(opcode), std::move(operands), std::move(children));
    if (opcode == opcode::tick_action) {
      set_behavior(made, "Act");
      made.as<ir::Behavior>().memory_bytes = 12;
    }
    if (opcode == opcode::tick_wrapper) set_behavior(made, "Wrap");
    return made;
  }
  static Draft node(Opcode opcode, std::vector<Draft> children) { return node(opcode, {}, std::move(children)); }
  static Draft result(Result result) {
    return node(opcode::tick_result, with_flags(static_cast<std::uint32_t>(result)));
  }
  Draft when(Draft made, std::uint32_t variable) {
    tree.conditions.push_back({{{ir::TermKind::variable, variable}}, {}});
    set_condition(made, static_cast<ir::ConditionIndex>(tree.conditions.size() - 1));
    return made;
  }

  DraftTree tree;
};

ir::Parameter parameter(ParameterType type) {
  ir::Parameter made;
  made.name = "p";
  made.type = type;
  made.text = "word";
  made.whole = 1;
  made.numbers[2] = 0.5;
  return made;
}

// A row of all leaves, each after the one before.
std::vector<Draft> all_leaves(Maker& make) {
  ir::Behavior action;
  for (int i = 0; i < 8; ++i) action.parameters.push_back(parameter(static_cast<ParameterType>(i)));
  std::vector<Draft> leaves;
  leaves.push_back(make.node(opcode::tick_message, {ir::Texts{{"hello"}}}));
  leaves.push_back(make.node(opcode::tick_wait, {ir::Duration{100, 50}, 2}));
  leaves.push_back(make.node(opcode::tick_wait_event, with_flags(2)));
  leaves.push_back(make.when(make.node(opcode::tick_condition, with_flags(2)), 2));
  leaves.push_back(make.node(opcode::tick_time, {ir::TimeTest{1, 100}, 2 | 8}));
  leaves.push_back(make.node(opcode::tick_send, with_flags(2)));
  leaves.push_back(make.node(opcode::tick_queue, with_flags(2 | 4)));
  leaves.push_back(make.node(opcode::tick_script, {ir::Scripts{{"return x"}}}));
  leaves.push_back(make.node(opcode::tick_action, {action}));
  leaves.push_back(make.result(Result::running));
  return leaves;
}

// The child within one of each node that has exactly one.
Draft in_decorators(Maker& make, Draft inner) {
  ir::Behavior wrapper;
  wrapper.parameters.push_back(parameter(ParameterType::boolean));
  const auto put = [&](Opcode opcode, const Operands& operands) { inner = make.node(opcode, operands, {inner}); };
  put(opcode::tick_loop, {ir::Limit{2, {}}});
  put(opcode::tick_chance_guard, {ir::Chance{std::uint64_t{7} << 50}});
  put(opcode::tick_time_guard, {ir::TimeTest{0, 1000}, 4 | 8});
  put(opcode::tick_limit, {ir::Limit{3, {}}});
  put(opcode::tick_scope, {ir::Limit{3, "Scope"}});
  put(opcode::tick_script_guard, {ir::Scripts{{"return x"}}});
  put(opcode::tick_script_wrapper, {ir::Scripts{{"return x", "x = 1"}}});
  put(opcode::tick_wrapper, {wrapper});
  put(opcode::tick_log, {ir::Texts{{"hello", "hello", "hello"}}});
  put(opcode::tick_suppress, {});
  inner = make.when(make.node(opcode::tick_guard, Operands(), {inner}), 1);
  return inner;
}

Draft machine(Maker& make, Draft first, Draft second) {
  Draft a = make.node(opcode::tick_state, {ir::EventTransitions{{{1, 1, {}}, {0, 0, {}}}}, 0, "A"}, {std::move(first)});
  Draft b = make.node(opcode::tick_state, {ir::EventTransitions{{{1, 0, {}}}}, 0, "B"}, {std::move(second)});
  return make.node(opcode::tick_machine, {std::move(a), std::move(b)});
}

DraftTree ticking_tree_of_everything() {
  Maker make("T");
  DraftTree& tree = make.tree;
  tree.conditions.push_back({{{ir::TermKind::variable, 1}, {ir::TermKind::negation, 0}}, {}});
  tree.signals = {{"s0", {{0, 0, {}}, {2, 0, {}}}, {}}, {"s1", {}, {}}};
  tree.as<ir::Ticking>().timestamps = {{"t0", 0, 1, {}}, {"t1", 1, std::nullopt, {}}};
  Draft row = in_decorators(make, make.node(opcode::tick_sequence, all_leaves(make)));
  Draft choice = make.node(
      opcode::tick_priority,
      {make.when(make.node(opcode::tick_case, {make.node(opcode::tick_action, Operands())}), 0),
       make.node(opcode::tick_case,
                 {make.node(opcode::tick_selector, {make.result(Result::failure), make.result(Result::running)})})});
  Draft states = machine(make, std::move(choice), make.node(opcode::tick_action, Operands()));
  tree.root = make.node(opcode::tick_parallel, with_flags(2),
                        {make.node(opcode::tick_branch, {std::move(row)}),
                         make.node(opcode::tick_branch, {make.node(opcode::tick_action, Operands())}),
                         make.node(opcode::tick_branch, {std::move(states)})});
  return std::move(make.tree);
}

// Another version of it, which stays stopped.
DraftTree shorter_ticking_tree() {
  Maker make("U");
  make.tree.as<ir::Ticking>().stays_stopped = true;
  make.tree.signals = {{"s1", {}, {}}, {"s0", {}, {}}};
  make.tree.as<ir::Ticking>().timestamps = {{"t1", 1, std::nullopt, {}}};
  Draft action = in_decorators(make, make.node(opcode::tick_action, Operands()));
  Draft states = machine(make, make.result(Result::running), make.node(opcode::tick_action, Operands()));
  make.tree.root = make.node(
      opcode::tick_parallel, with_flags(1),
      {make.node(opcode::tick_branch, {std::move(action)}), make.node(opcode::tick_branch, {std::move(states)})});
  return std::move(make.tree);
}

}  // namespace

Bytes small_ticking_asset(bool strip) {
  DraftProject project;
  project.trees.push_back(ticking_tree_of_everything());
  project.trees.push_back(shorter_ticking_tree());
  return compiled_bytes(project, strip);
}

}  // namespace espalier::test
