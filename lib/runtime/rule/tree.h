// Access to a tree of rules: its units in the places where they are used, and its rules by number. See
// format/records.h.
#pragma once
#include "asset/view.h"
#include "core/bytes.h"
#include "core/frame.h"
#include "core/times.h"
#include "format/node.h"
#include "format/opcodes/rule.h"

namespace espalier {

inline const layout::RuleTree& rule_tree_record(const Tree& tree) {
  return records<layout::RuleTree>(*tree.asset, layout::SectionId::rule_trees)[tree_record(tree).record];
}

inline bool is_rule_tree(const Tree& tree) { return engine_id_of(tree) == EngineId::rule; }

// A rule at one place of the tree. `number` is kNoRule if there is none.
struct Rule {
  std::uint32_t number = kNoRule;
  const layout::UnitInstance* instance = nullptr;
  const std::uint32_t* node = nullptr;

  Opcode opcode() const { return opcode_of(node); }
  bool has(std::uint32_t flag) const { return has_flag(node, flag); }
  std::uint32_t behavior() const { return operand<OperandKind::behavior, opcode::rule_action>(node); }
};

class RuleTree {
 public:
  explicit RuleTree(const Tree& tree)
      : asset(*tree.asset),
        record(rule_tree_record(tree)),
        nodes(nodes_of(asset)),
        instances_(array<layout::UnitInstance>(asset, layout::SectionId::unit_instances) + record.first_instance) {}

  // The rule with a number less than record.rule_count.
  Rule rule(std::uint32_t number) const {
    const layout::UnitInstance* instance = instance_of(number);
    const layout::Unit& unit = unit_record(asset, instance->unit);
    return {number, instance, numbered_node(asset, unit, number - instance->first_rule + 1)};
  }

  Rule parent(const Rule& rule) const {
    const std::uint32_t* parent = parent_of(rule.node);
    if (!is_root(parent)) return at(*rule.instance, parent);
    return rule.instance->parent == layout::kNone ? Rule{} : this->rule(rule.instance->parent);
  }

  Rule first_child(const Rule& list) const {
    const layout::UnitInstance* instance = list.instance;
    const std::uint32_t* around = list.node;
    if (list.opcode() == opcode::rule_subtree) {
      const std::uint32_t below = instance_below(list);
      instance = instances_ + below;
      around = root_of(below);
    }
    return has_children(around) ? at(*instance, espalier::first_child(around)) : Rule{};
  }

  // The next rule with the same parent.
  Rule next(const Rule& rule) const {
    const std::uint32_t* next = end_of(rule.node);
    return next != end_of(parent_of(rule.node)) ? at(*rule.instance, next) : Rule{};
  }

  const layout::Query* query(const Rule& rule) const {
    if (rule.opcode() == opcode::rule_subtree) return nullptr;
    const std::uint32_t query = operand<OperandKind::query, EngineId::rule>(rule.node);
    if (query == 0) return nullptr;
    return &records<layout::Query>(asset, layout::SectionId::queries)[query - 1];
  }

  // The instances of the tree by number, from 0: its own unit.
  const layout::UnitInstance& instance(std::uint32_t number) const { return instances_[number]; }
  // The first node of its unit, the rule_file, which is not a rule.
  const std::uint32_t* root_of(std::uint32_t instance) const { return unit_root(asset, instances_[instance].unit); }
  // The instance that is the content of a rule_subtree.
  std::uint32_t instance_below(const Rule& subtree) const {
    return subtree.instance->first_below + operand<OperandKind::reference, opcode::rule_subtree>(subtree.node) -
           unit_record(asset, subtree.instance->unit).first_reference;
  }
  // The rule of a node of an instance; the node is not the first of its unit.
  Rule at(const layout::UnitInstance& instance, const std::uint32_t* node) const {
    return {instance.first_rule + node_number(node) - 1, &instance, node};
  }

  std::uint32_t word_of(const Rule& rule) const { return static_cast<std::uint32_t>(rule.node - nodes); }

  const Asset& asset;
  const layout::RuleTree& record;
  const std::uint32_t* const nodes;

 private:
  // The last instance that begins at the number or before it. An instance without rules begins where the next one does.
  const layout::UnitInstance* instance_of(std::uint32_t number) const {
    std::uint32_t begin = 0;
    for (std::uint32_t end = record.instance_count; end - begin > 1;) {
      const std::uint32_t middle = begin + (end - begin) / 2;
      (instances_[middle].first_rule <= number ? begin : end) = middle;
    }
    return instances_ + begin;
  }

  const layout::UnitInstance* const instances_;
};

// An agent's block: the current rule, and status bits (format/records.h).
class RuleAgent {
 public:
  RuleAgent(const RuleTree& tree, void* block) : tree_(tree), bytes_(static_cast<unsigned char*>(block)) {}

  // For a block with any content, this is a rule of the tree, if the tree has rules.
  std::uint32_t current() const {
    const std::uint32_t rule = load_u16(bytes_);
    if (rule < tree_.record.rule_count) return rule;
    return tree_.record.rule_count == 0 ? kNoRule : 0;
  }
  // For the number of a rule that is not the first one.
  bool is_current(std::uint32_t rule) const { return load_u16(bytes_) == rule; }
  // Setting the current rule makes its next run a first run.
  void set_current(std::uint32_t rule) const {
    store_u16(bytes_, rule);
    set(layout::kFirstRun, layout::kFirstRun);
  }
  // The same, and it is called.
  void begin_call(std::uint32_t rule) const {
    store_u16(bytes_, rule);
    set(0, layout::kFirstRun | layout::kInCall);
  }

  unsigned status() const { return bytes_[kStatusOffset]; }
  bool has(unsigned bit) const { return (status() & bit) != 0; }
  void set(unsigned mask, unsigned bits) const {
    bytes_[kStatusOffset] = static_cast<unsigned char>((status() & ~mask) | bits);
  }
  Result last_status() const { return static_cast<Result>(status() & layout::kLastStatus); }
  void set_last_status(Result result) const {
    set(layout::kLastStatus, static_cast<unsigned>(result) & layout::kLastStatus);
  }

  // Is the current rule an action that returned running when it was run last?
  bool is_running() const {
    const std::uint32_t rule = current();
    return rule != kNoRule && !has(layout::kFirstRun) && last_status() == Result::running &&
           tree_.rule(rule).opcode() == opcode::rule_action;
  }

  // Follows the current rule; trees of rules have no variables.
  static constexpr std::uint32_t kStatusOffset = 2;

 private:
  const RuleTree& tree_;
  unsigned char* const bytes_;
};

// Calls the functions of a rule's action.
class RuleHost {
 public:
  RuleHost(const Tree& view, const RuleTree& tree, void* block, const Host& host)
      : view_(view), tree_(tree), block_(block), caller_(view, block, host) {}

  // The behaviour of an action, which is the current rule.
  BoundBehavior behavior(const Rule& action, const Times& times) {
    return caller_.behavior(action.behavior(), tree_.word_of(action), times.of({}, clock_us()));
  }
  // Of an action that has no times, after forget_memory() and calls of others; its functions are those in behaviors().
  BoundBehavior plain_behavior(const Behavior& functions, std::uint32_t behavior, std::uint32_t node_word) {
    return caller_.plain_behavior(functions, behavior, node_word);
  }
  void forget_memory() { caller_.forget_memory(); }
  const Behavior* behaviors() const { return caller_.host().behaviors; }
  Times times(const Rule& action) const {
    if (!keeps_times(tree_.asset, action.behavior())) return Times(nullptr);
    return times_of_current(view_, block_, action.behavior());
  }
  std::uint64_t clock_us() const { return caller_.host().clock_us; }
  void interrupt(const Rule& action) { behavior(action, times(action)).interrupt_or_leave(); }
  // The host's answer to a condition; one that is not bound is false.
  bool ask(const Rule& rule, std::uint32_t condition) {
    return caller_.condition(condition, tree_.word_of(rule)).ask();
  }

 private:
  const Tree& view_;
  const RuleTree& tree_;
  void* const block_;
  HostCaller caller_;
};

}  // namespace espalier
