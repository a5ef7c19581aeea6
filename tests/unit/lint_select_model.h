// Agents of selection trees a second time, by plain recursion over the tree and over all its states one by one. Shares
// no code with lib/lint and lib/logic.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "payloads.h"
#include "runtime/format/opcodes/select.h"
#include "runtime_condition_model.h"

namespace espalier::test {

struct SelectAgent {
  std::vector<bool> variables;
  std::map<const ir::Node*, std::uint32_t> stored;  // of each machine
  const ir::Node* leaf = nullptr;                   // selected last
  bool is_pending = true;                           // the next tick evaluates
  bool operator==(const SelectAgent&) const = default;
  // Not by <=>: libc++ before 17 has none for vectors.
  bool operator<(const SelectAgent& other) const {
    return std::tie(variables, stored, leaf, is_pending) <
           std::tie(other.variables, other.stored, other.leaf, other.is_pending);
  }
};

// What happens in one evaluation.
struct Evaluation {
  std::map<const ir::Node*, bool> conditions;                           // that are read: their value
  std::map<std::pair<const ir::Node*, std::size_t>, bool> transitions;  // of states, likewise
  std::map<const ir::Node*, std::uint32_t> ends;                        // of machines
  std::set<const ir::Node*> loops;                                      // machines that met a state again
  const ir::Node* selected = nullptr;
};

class SelectExplorer {
 public:
  explicit SelectExplorer(const ir::Tree& tree) : tree_(tree) { number(tree.root()); }

  const std::vector<const ir::Node*>& nodes() const { return nodes_; }  // in file order, states included
  const std::vector<const ir::Node*>& machines() const { return machines_; }
  const std::vector<const ir::Node*>& leaves() const { return leaves_; }
  // Used in place of the value of a term: tells whether another tree would do the same.
  using Replace = std::function<bool(const ir::Condition& condition, const std::vector<bool>& variables)>;
  Replace holds_instead;

  SelectAgent start() const {
    SelectAgent agent;
    for (const ir::Variable& variable : tree_.variables) agent.variables.push_back(variable.initial);
    for (const ir::Node* machine : machines_) agent.stored[machine] = 0;
    return agent;
  }

  // Every state: the values of the variables, the stored states and the leaf are any.
  void for_each_state(const std::function<void(const SelectAgent&)>& visit) const {
    SelectAgent agent = start();
    std::vector<const ir::Node*> leaves = leaves_;
    leaves.push_back(nullptr);
    for (std::uint64_t values = 0; values < std::uint64_t{1} << tree_.variables.size(); ++values) {
      for (std::size_t i = 0; i < tree_.variables.size(); ++i) agent.variables[i] = (values >> i & 1) != 0;
      for (const ir::Node* leaf : leaves) {
        agent.leaf = leaf;
        for_each_stored(agent, 0, visit);
      }
    }
  }

  Evaluation evaluate(SelectAgent& agent) const {
    Evaluation result;
    result.selected = evaluate(tree_.root(), agent, agent.leaf, result);
    return result;
  }

  void tick(SelectAgent& agent) const {
    if (!agent.is_pending) return;
    agent.leaf = evaluate(agent).selected;
    agent.is_pending = agent.leaf == nullptr;
  }

  void signal(SelectAgent& agent, std::uint32_t signal) const {
    for (const ir::Assignment& assignment : tree_.signals[signal].assignments) {
      set(agent, assignment.variable, test::holds(tree_.conditions[assignment.condition], agent.variables));
    }
  }

  void set(SelectAgent& agent, std::uint32_t variable, bool value) const {
    if (agent.variables[variable] == value) return;
    agent.variables[variable] = value;
    agent.is_pending = true;
  }

  // All states that steps lead to, with the number of steps. `is_writable`: of each variable.
  std::map<SelectAgent, std::size_t> reachable(const std::vector<bool>& is_writable) const {
    std::map<SelectAgent, std::size_t> lengths = {{start(), 0}};
    std::vector<SelectAgent> layer = {start()};
    for (std::size_t length = 1; !layer.empty(); ++length) {
      std::vector<SelectAgent> next;
      const auto add = [&](const SelectAgent& agent) {
        if (lengths.emplace(agent, length).second) next.push_back(agent);
      };
      for (const SelectAgent& agent : layer) {
        for (std::uint32_t i = 0; i < tree_.signals.size(); ++i) {
          SelectAgent after = agent;
          signal(after, i);
          add(after);
        }
        for (std::uint32_t i = 0; i < tree_.variables.size(); ++i) {
          if (!is_writable[i]) continue;
          SelectAgent after = agent;
          set(after, i, !agent.variables[i]);
          add(after);
        }
        SelectAgent after = agent;
        tick(after);
        add(after);
      }
      layer.swap(next);
    }
    return lengths;
  }

 private:
  void number(const ir::Node& node) {
    nodes_.push_back(&node);
    if (node.opcode == opcode::select_machine) machines_.push_back(&node);
    if (node.opcode == opcode::select_leaf) leaves_.push_back(&node);
    for (const ir::Node& child : node.children()) number(child);
  }

  void for_each_stored(SelectAgent& agent, std::size_t machine,
                       const std::function<void(const SelectAgent&)>& visit) const {
    if (machine == machines_.size()) return visit(agent);
    for (std::uint32_t state = 0; state < machines_[machine]->children().size(); ++state) {
      agent.stored[machines_[machine]] = state;
      for_each_stored(agent, machine + 1, visit);
    }
  }

  static bool is_below(const ir::Node* leaf, const ir::Node& node) {
    if (leaf == &node) return true;
    for (const ir::Node& child : node.children()) {
      if (is_below(leaf, child)) return true;
    }
    return false;
  }

  bool holds(ir::ConditionIndex index, const SelectAgent& agent) const {
    const ir::Condition& condition = tree_.conditions[index];
    return holds_instead ? holds_instead(condition, agent.variables) : test::holds(condition, agent.variables);
  }

  const ir::Node* evaluate(const ir::Node& node, SelectAgent& agent, const ir::Node* last, Evaluation& seen) const {
    if (node.opcode == opcode::select_leaf) return &node;
    if (node.opcode == opcode::select_machine) return evaluate_machine(node, agent, last, seen);
    for (const ir::Node& child : node.children()) {
      const auto condition = condition_of(child);
      const bool enters = !condition || holds(*condition, agent);
      seen.conditions[&child] = enters;
      if (!enters) continue;
      if (const ir::Node* selected = evaluate(child, agent, last, seen)) return selected;
    }
    return nullptr;
  }

  const ir::Node* evaluate_machine(const ir::Node& machine, SelectAgent& agent, const ir::Node* last,
                                   Evaluation& seen) const {
    const bool is_active = last != nullptr && is_below(last, machine);
    std::uint32_t& stored = agent.stored[&machine];
    std::set<std::uint32_t> met = {stored};
    std::uint32_t state = is_active ? stored : 0;
    for (bool goes_on = true; goes_on;) {
      const ir::Node& from = machine.children()[state];
      const std::vector<ir::Transition>& transitions = from.as<ir::Transitions>().transitions;
      goes_on = false;
      for (std::size_t i = 0; i < transitions.size() && !goes_on; ++i) {
        goes_on = holds(transitions[i].condition, agent);
        seen.transitions[{&from, i}] = goes_on;
        if (goes_on) state = transitions[i].target;
      }
      if (goes_on && !met.insert(state).second) break;
    }
    stored = state;
    seen.ends[&machine] = state;
    return evaluate(machine.children()[state].children().front(), agent, last, seen);
  }

  const ir::Tree& tree_;
  std::vector<const ir::Node*> nodes_, machines_, leaves_;
};

// At most: those that differ in variables, states of machines, or the selected leaf.
inline std::size_t state_count(const SelectExplorer& explorer, const ir::Tree& tree) {
  std::size_t count = (explorer.leaves().size() + 1) << tree.variables.size();
  for (const ir::Node* machine : explorer.machines()) count *= machine->children().size();
  return count;
}

}  // namespace espalier::test
