// Nodes, conditions and signals of an asset as a tree. See lift.h.
#include "explore/select/lift.h"

#include <map>
#include <utility>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "ir/draft.h"
#include "runtime/asset/condition_tests.h"
#include "runtime/asset/view.h"
#include "runtime/format/opcodes/select.h"

namespace espalier::explore {
namespace {

using ir::TermKind;
using layout::CombineOp;
using layout::TestOp;

// The terms of one condition, whose tests are combined as core/condition.h does.
class LiftedCondition {
 public:
  LiftedCondition(const Asset& asset, std::uint32_t operand) {
    const ConditionTests tests(asset, operand);
    if (tests.count() == 0) add(TermKind::constant, 1);
    std::uint32_t result = 0;
    std::vector<std::uint32_t> put_aside;
    for (std::uint32_t i = 0; i < tests.count(); ++i) {
      const auto combine = static_cast<CombineOp>(tests[i].combine);
      if (combine == CombineOp::aside) put_aside.push_back(result);
      std::uint32_t value = 0;
      if (static_cast<TestOp>(tests[i].test) == TestOp::combine) {
        value = put_aside.back();
        put_aside.pop_back();
      } else {
        value = add_masked(tests[i]);
      }
      result = combined(combine, result, value);
    }
  }

  std::vector<ir::Term> terms;

 private:
  std::uint32_t add(TermKind kind, std::uint32_t left, std::uint32_t right = 0) {
    terms.push_back({kind, left, right});
    return static_cast<std::uint32_t>(terms.size() - 1);
  }

  // All of these literals, or not all of them, which is any of their opposites.
  std::uint32_t add_masked(const layout::Test& test) {
    const bool is_all = static_cast<TestOp>(test.test) == TestOp::all;
    if (test.mask == 0) return add(TermKind::constant, is_all ? 1 : 0);
    std::uint32_t result = 0;
    bool is_first = true;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      if ((test.mask >> bit & 1) == 0) continue;
      std::uint32_t literal = add(TermKind::variable, test.word * 32u + bit);
      if (((test.value >> bit & 1) != 0) != is_all) literal = add(TermKind::negation, literal);
      result = is_first ? literal : add(is_all ? TermKind::conjunction : TermKind::disjunction, result, literal);
      is_first = false;
    }
    return result;
  }

  std::uint32_t combined(CombineOp combine, std::uint32_t left, std::uint32_t right) {
    switch (combine) {
      case CombineOp::both:
        return add(TermKind::conjunction, left, right);
      case CombineOp::either:
        return add(TermKind::disjunction, left, right);
      case CombineOp::differ:
        return add(TermKind::exclusive, left, right);
      case CombineOp::same:
        return add(TermKind::equal, left, right);
      case CombineOp::set:
      case CombineOp::aside:
        break;
    }
    return right;
  }
};

class Lifting {
 public:
  explicit Lifting(const Tree& tree) : tree_(tree), asset_(*tree.asset) {
    lifted_.name = tree_name(tree);
    add_variables();
    add_signals();
    ir::Draft& root = drafts_.make(opcode::select_priority);
    root.set(ir::Guard{});
    add_unit(root, unit_record(asset_, tree_record(tree).unit));
    lifted_.nodes = drafts_.lay_out(root);
  }

  ir::Tree take() { return std::move(lifted_); }

 private:
  void add_variables() {
    std::vector<std::uint64_t> block(agent_bytes(tree_) / 8 + 1);
    start(tree_, block.data());
    for (std::uint32_t i = 0; i < variable_count(tree_); ++i) {
      lifted_.variables.push_back({std::string(variable_name(tree_, i)), variable(tree_, block.data(), i), {}});
    }
  }

  void add_signals() {
    const auto* signals = array<layout::Signal>(asset_, layout::SectionId::signals);
    const auto* assignments = array<layout::Assignment>(asset_, layout::SectionId::assignments);
    for (std::uint32_t i = 0; i < tree_record(tree_).signal_count; ++i) {
      const layout::Signal& signal = signals[tree_record(tree_).first_signal + i];
      ir::Signal& made = lifted_.signals.emplace_back();
      made.name = name_at(asset_, signal.name);
      for (std::uint32_t k = 0; k < signal.assignment_count; ++k) {
        const layout::Assignment& assignment = assignments[signal.first_assignment + k];
        made.assignments.push_back({assignment.variable, condition(assignment.condition), {}});
      }
    }
  }

  // Of an operand; equal operands are one condition.
  ir::ConditionIndex condition(std::uint32_t operand) {
    const auto [known, is_new] =
        conditions_.try_emplace(operand, static_cast<ir::ConditionIndex>(lifted_.conditions.size()));
    if (is_new) lifted_.conditions.push_back({LiftedCondition(asset_, operand).terms, {}});
    return known->second;
  }

  std::optional<ir::ConditionIndex> guard(const codegen::NodeView& view) {
    const std::uint32_t operand = *codegen::operand(view, OperandKind::condition);
    return operand == 0 ? std::nullopt : std::optional(condition(operand));
  }

  void add_unit(ir::Draft& parent, const layout::Unit& unit) {
    add_nodes(parent, unit.first_word, unit.first_word + unit.word_count);
  }

  void add_nodes(ir::Draft& parent, std::uint32_t word, std::uint32_t end) {
    while (word < end) {
      const codegen::NodeView view = codegen::node_at(asset_, word);
      parent.add(lifted_node(view));
      word += view.extent;
    }
  }

  ir::Draft& lifted_node(const codegen::NodeView& view) {
    const bool is_share = view.opcode == opcode::select_share;
    const Opcode opcode = is_share ? opcode::select_priority : view.opcode;
    ir::Draft& made = drafts_.make(opcode, codegen::node_debug(asset_, view.word).name);
    switch (view.opcode) {
      case opcode::select_leaf: {
        const std::uint32_t behavior = leaf_behavior(tree_, leaf_count_++);
        made.set(ir::Leaf{guard(view), std::string(behavior_name(asset_, behavior))});
        break;
      }
      case opcode::select_state:
        made.set(transitions(view));
        break;
      default:
        made.set(ir::Guard{guard(view)});
        break;
    }
    if (is_share) {
      add_unit(made, unit_record(asset_, *codegen::operand(view, OperandKind::unit)));
    } else {
      add_nodes(made, view.word + view.own_words(), view.word + view.extent);
    }
    return made;
  }

  ir::Transitions transitions(const codegen::NodeView& view) {
    const auto* all = array<layout::Transition>(asset_, layout::SectionId::transitions);
    const std::uint32_t first = *codegen::operand(view, OperandKind::transition);
    ir::Transitions made;
    for (std::uint32_t i = 0; i < *codegen::operand(view, OperandKind::transition_count); ++i) {
      made.transitions.push_back({all[first + i].state, condition(all[first + i].condition), {}});
    }
    return made;
  }

  const Tree& tree_;
  const Asset& asset_;
  ir::Tree lifted_;
  ir::Drafts drafts_;
  std::uint32_t leaf_count_ = 0;
  std::map<std::uint32_t, ir::ConditionIndex> conditions_;  // by operand
};

}  // namespace

ir::Tree lifted(const Tree& tree) { return Lifting(tree).take(); }

}  // namespace espalier::explore
