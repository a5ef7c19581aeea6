// The smallest asset that has every kind of record of trees that tick: see runtime_assets.h.
#include <cstring>
#include <string>
#include <utility>

#include "runtime/format/opcode_words.h"
#include "runtime_assets.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace espalier::test {
namespace {

class Maker {
 public:
  explicit Maker(std::string name) {
    tree.name = std::move(name);
    tree.details.emplace_back();
    tree.variables = {{"v0", false, {}}, {"v1", true, {}}, {"v2", false, {}}};
  }

  ir::Node node(Opcode opcode, ir::Details details, std::vector<ir::Node> children = {}) {
    ir::Node made;
    made.opcode = opcode;
    made.name = opcode_name(opcode);
    made.children = std::move(children);
    if (opcode == Opcode::tick_action) made.behavior = "Act";
    if (opcode == Opcode::tick_wrapper) made.behavior = "Wrap";
    made.details = static_cast<ir::DetailsIndex>(tree.details.size());
    tree.details.push_back(std::move(details));
    return made;
  }
  ir::Node node(Opcode opcode, std::vector<ir::Node> children) { return node(opcode, {}, std::move(children)); }
  ir::Node result(Result result) {
    ir::Details details;
    details.flags = static_cast<std::uint8_t>(result);
    return node(Opcode::tick_result, details);
  }
  ir::Node when(ir::Node made, std::uint32_t variable) {
    tree.conditions.push_back({{{ir::TermKind::variable, variable}}, {}});
    made.condition = static_cast<ir::ConditionIndex>(tree.conditions.size() - 1);
    return made;
  }

  ir::Tree tree;
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

ir::Details with_flags(std::uint32_t flags) {
  ir::Details details;
  details.flags = static_cast<std::uint8_t>(flags);
  return details;
}

ir::Details with_script(std::size_t count) {
  ir::Details details;
  for (std::size_t i = 0; i < count; ++i) details.scripts[i] = i == 0 ? "return x" : "x = 1";
  return details;
}

// A row of all leaves, each after the one before.
std::vector<ir::Node> all_leaves(Maker& make) {
  ir::Details message;
  message.texts[0] = "hello";
  ir::Details wait = with_flags(2);
  wait.numbers[0] = 100;
  wait.numbers[1] = 50;
  ir::Details time = with_flags(2 | 8);
  time.timestamp = 1;
  time.numbers[0] = 100;
  ir::Details action;
  for (int i = 0; i < 8; ++i) action.parameters.push_back(parameter(static_cast<ParameterType>(i)));
  std::vector<ir::Node> leaves;
  leaves.push_back(make.node(Opcode::tick_message, message));
  leaves.push_back(make.node(Opcode::tick_wait, wait));
  leaves.push_back(make.node(Opcode::tick_wait_event, with_flags(2)));
  leaves.push_back(make.when(make.node(Opcode::tick_condition, with_flags(2)), 2));
  leaves.push_back(make.node(Opcode::tick_time, time));
  leaves.push_back(make.node(Opcode::tick_send, with_flags(2)));
  leaves.push_back(make.node(Opcode::tick_queue, with_flags(2 | 4)));
  leaves.push_back(make.node(Opcode::tick_script, with_script(1)));
  leaves.push_back(make.node(Opcode::tick_action, action));
  leaves.push_back(make.result(Result::running));
  return leaves;
}

// The child within one of each node that has exactly one.
ir::Node in_decorators(Maker& make, ir::Node inner) {
  ir::Details loop;
  loop.count = 2;
  ir::Details chance;
  chance.numbers[0] = std::uint64_t{7} << 50;
  ir::Details time = with_flags(4 | 8);
  time.timestamp = 0;
  time.numbers[0] = 1000;
  ir::Details place;
  place.count = 3;
  place.texts[0] = "Scope";
  ir::Details wrapper;
  wrapper.parameters.push_back(parameter(ParameterType::boolean));
  ir::Details log;
  log.texts[0] = log.texts[1] = log.texts[2] = "hello";
  const auto put = [&](Opcode opcode, const ir::Details& details) { inner = make.node(opcode, details, {inner}); };
  put(Opcode::tick_loop, loop);
  put(Opcode::tick_chance_gate, chance);
  put(Opcode::tick_time_gate, time);
  put(Opcode::tick_limit, place);
  put(Opcode::tick_scope, place);
  put(Opcode::tick_script_gate, with_script(1));
  put(Opcode::tick_script_wrapper, with_script(2));
  put(Opcode::tick_wrapper, wrapper);
  put(Opcode::tick_log, log);
  put(Opcode::tick_suppress, {});
  inner = make.when(make.node(Opcode::tick_gate, {}, {inner}), 1);
  return inner;
}

ir::Node machine(Maker& make, ir::Node first, ir::Node second) {
  ir::Details state;
  state.texts[0] = "A";
  state.transitions = {{1, 1, {}}, {0, 0, {}}};
  ir::Node a = make.node(Opcode::tick_state, state, {std::move(first)});
  state.texts[0] = "B";
  state.transitions = {{1, 0, {}}};
  ir::Node b = make.node(Opcode::tick_state, state, {std::move(second)});
  return make.node(Opcode::tick_machine, {std::move(a), std::move(b)});
}

ir::Tree ticking_tree_of_everything() {
  Maker make("T");
  ir::Tree& tree = make.tree;
  tree.conditions.push_back({{{ir::TermKind::variable, 1}, {ir::TermKind::negation, 0}}, {}});
  tree.signals = {{"s0", {{0, 0, {}}, {2, 0, {}}}, {}}, {"s1", {}, {}}};
  tree.timestamps = {{"t0", 0, 1, {}}, {"t1", 1, std::nullopt, {}}};
  ir::Node row = in_decorators(make, make.node(Opcode::tick_sequence, all_leaves(make)));
  ir::Node choice = make.node(
      Opcode::tick_priority,
      {make.when(make.node(Opcode::tick_case, {make.node(Opcode::tick_action, ir::Details{})}), 0),
       make.node(Opcode::tick_case,
                 {make.node(Opcode::tick_selector, {make.result(Result::failure), make.result(Result::running)})})});
  ir::Node states = machine(make, std::move(choice), make.node(Opcode::tick_action, ir::Details{}));
  tree.root = make.node(Opcode::tick_parallel, with_flags(2),
                        {make.node(Opcode::tick_branch, {std::move(row)}),
                         make.node(Opcode::tick_branch, {make.node(Opcode::tick_action, ir::Details{})}),
                         make.node(Opcode::tick_branch, {std::move(states)})});
  return std::move(make.tree);
}

// Another version of it, which stays stopped.
ir::Tree shorter_ticking_tree() {
  Maker make("U");
  make.tree.stays_stopped = true;
  make.tree.signals = {{"s1", {}, {}}, {"s0", {}, {}}};
  make.tree.timestamps = {{"t1", 1, std::nullopt, {}}};
  ir::Node action = in_decorators(make, make.node(Opcode::tick_action, ir::Details{}));
  ir::Node states = machine(make, make.result(Result::running), make.node(Opcode::tick_action, ir::Details{}));
  make.tree.root = make.node(
      Opcode::tick_parallel, with_flags(1),
      {make.node(Opcode::tick_branch, {std::move(action)}), make.node(Opcode::tick_branch, {std::move(states)})});
  return std::move(make.tree);
}

}  // namespace

Bytes small_ticking_asset(bool strip) {
  ir::Project project;
  project.trees.push_back(ticking_tree_of_everything());
  project.trees.push_back(shorter_ticking_tree());
  return compiled_bytes(project, strip);
}

}  // namespace espalier::test
