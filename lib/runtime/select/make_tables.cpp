// Making tables (tables.h). The same code runs twice: once without memory, to count what is needed, and once to fill
// it. It needs a fixed amount of stack: groups that lead to one another are at most kMaxNesting deep.
#include "core/check.h"
#include "format/node.h"
#include "format/opcodes/select.h"
#include "select/group_writer.h"
#include "select/rule_scan.h"
#include "select/tables_walk.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMaxNesting = 20;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 24;  // of CubeList: about a second

class TableMaker {
 public:
  explicit TableMaker(const PreparedTree& tree) : tree_(tree), is_filling_(false) {}
  TableMaker(const PreparedTree& tree, const MadeTables& counted, unsigned char* memory)
      : tree_(tree), is_filling_(true) {
    made_.groups.place(memory, counted.groups.count);
    made_.columns.place(memory, counted.columns.count);
    made_.targets.place(memory, counted.targets.count);
    made_.machines.place(memory, counted.machines.count);
    made_.states.place(memory, counted.states.count);
    made_.checks.place(memory, counted.checks.count);
    memory += (MadeTables::kAlignment - reinterpret_cast<std::uintptr_t>(memory) % MadeTables::kAlignment) %
              MadeTables::kAlignment;
    made_.words.place(memory, counted.words.count);
  }

  // False: the tree is nested too deeply, its tables are too large, or making them takes too long.
  bool make() {
    add_siblings({tree_.first_word(), tree_.end_word(), 0, 0}, {});
    while (nesting_ > 0 && !is_refused_) continue_last();
    return !is_refused_ && !budget_.is_spent();
  }
  const MadeTables& made() const { return made_; }

 private:
  // Groups or states that are made, and below whose rules more are to be made.
  struct Pending {
    RuleScan rules;            // of groups
    std::uint32_t target = 0;  // the first one of the next rule
    std::uint32_t group = 0;   // that contains it
    bool is_machine = false;
    Frame states;             // of a machine: `first_word` is the next state
    std::uint32_t state = 0;  // its index among all states
    Continuation after;       // of a machine
  };

  void continue_last() {
    Pending& last = pending_[nesting_ - 1];
    const bool goes_on = last.is_machine ? last.states.first_word != last.states.end_word : last.rules.next();
    if (!goes_on) {
      --nesting_;
    } else if (last.is_machine) {
      add_state(last);
    } else {
      add_below(last);
    }
  }

  void push(const Pending& pending) {
    is_refused_ = is_refused_ || nesting_ == kMaxNesting || made_.size_bytes() > kMaxBytes || budget_.is_spent();
    if (!is_refused_) pending_[nesting_++] = pending;
  }

  // ---- Groups

  // Makes groups of the rules of siblings. Returns the first group.
  std::uint32_t add_siblings(const Frame& around, const Continuation& after) {
    const Frame siblings = innermost(around);
    const RuleScan::Replaced replaced = choose(siblings);
    const std::uint32_t first = groups_.open(survey(siblings, replaced, {}));
    add_rules(siblings, replaced, after);
    return first;
  }

  // What is below the only sibling, as long as there is one that is always entered.
  Frame innermost(Frame siblings) const {
    while (siblings.first_word != siblings.end_word) {
      const std::uint32_t* node = tree_.nodes()[siblings.first_word];
      const bool is_entered = opcode_of(node) == opcode::select_priority || opcode_of(node) == opcode::select_share;
      const bool is_only = siblings.first_word + extent_of(node) == siblings.end_word;
      if (!is_entered || !is_only || operand<OperandKind::condition, EngineId::select>(node) != 0) break;
      siblings = below(tree_.asset(), siblings, node);
    }
    return siblings;
  }

  // Adds the rules of siblings to the last group, which they complete.
  void add_rules(const Frame& siblings, const RuleScan::Replaced& replaced, const Continuation& after) {
    Pending pending;
    pending.rules = RuleScan(tree_, siblings, replaced, &budget_);
    pending.target = made_.targets.count;
    pending.group = made_.groups.count - 1;
    for (RuleScan rules = pending.rules; rules.next();) {
      // Other nodes get their target when what is below them is made.
      const bool is_leaf = opcode_of(rules.node()) == opcode::select_leaf;
      const std::uint32_t leaf = is_leaf ? rules.frame().leaf_base + leaf_of(rules.node()) : 0;
      add_rule(rules.cubes(), rules.is_checked() ? rules.condition() : 0, target_of(TargetKind::leaf, leaf));
    }
    groups_.close(after);
    push(pending);
  }

  // Replaces as much as fits one group that has some rules already, level by level.
  RuleScan::Replaced choose(const Frame& siblings, std::uint32_t before = 0) {
    RuleScan::Replaced replaced;
    const auto fits = [&](const RuleScan::Replaced& more) {
      return before + rules_of(siblings, more) <= kRulesOfGroup;
    };
    if (!fits(replaced)) return replaced;
    while (replaced.levels + 1 < RuleScan::kMaxLevels && fits({replaced.levels + 1, 0})) ++replaced.levels;
    for (std::uint32_t step = kRulesOfGroup; step > 0; step /= 2) {
      if (fits({replaced.levels, replaced.more + step})) replaced.more += step;
    }
    return replaced;
  }
  // The number of rules, or more than a group can have.
  std::uint32_t rules_of(const Frame& siblings, const RuleScan::Replaced& replaced) {
    std::uint32_t count = 0;
    RuleScan rules(tree_, siblings, replaced, &budget_);
    while (count <= kRulesOfGroup && rules.next()) count += rules.cube_count();
    return count;
  }

  RuleSurvey survey(const Frame& siblings, const RuleScan::Replaced& replaced, RuleSurvey before) {
    RuleScan rules(tree_, siblings, replaced, &budget_);
    while (before.rule_count <= kRulesOfGroup && rules.next()) before.add(rules.cubes(), rules.cube_count());
    return before;
  }

  // `condition`: to be tested when the rule is chosen; 0: none.
  void add_rule(const CubeList& cubes, std::uint32_t condition, std::uint32_t target) {
    if (condition != 0) target = target_of(TargetKind::check, made_.checks.add({condition, target}));
    groups_.add(cubes, target);
  }

  // ---- What rules lead to

  void add_below(Pending& last) {
    const RuleScan& rules = last.rules;
    const std::uint32_t first_target = last.target;
    last.target += rules.cube_count();
    if (opcode_of(rules.node()) == opcode::select_leaf) return;
    const Continuation after = is_filling_ ? behind(last) : Continuation();
    const std::uint32_t* node = rules.node();
    const Frame frame = rules.frame();
    const std::uint32_t count = rules.cube_count();  // `last` moves no more, but may be covered by what is pushed
    const std::uint32_t target =
        opcode_of(node) == opcode::select_machine
            ? target_of(TargetKind::machine, add_machine(node, frame, after))
            : target_of(TargetKind::group, add_siblings(below(tree_.asset(), frame, node), after));
    for (std::uint32_t i = 0; is_filling_ && i < count; ++i) {
      std::uint32_t& each = made_.targets.records[first_target + i];
      (kind_of(each) == TargetKind::check ? made_.checks.records[index_of(each)].target : each) = target;
    }
  }

  // The rules after the one that leads below.
  Continuation behind(Pending& last) const {
    const std::uint32_t* target = made_.targets.records + last.target - 1;
    const TableGroup* group = made_.groups.records + last.group;
    const auto rule = [&] { return static_cast<std::uint32_t>(target - group->targets); };
    while (rule() >= kRulesOfGroup || !group->rules.has(rule())) ++group;
    last.group = static_cast<std::uint32_t>(group - made_.groups.records);
    RuleSet rules = group->rules;
    rules &= ~RuleSet::before(rule() + 1);
    return rules.is_empty() ? Continuation{group->next, group->next_rules} : Continuation{group, rules};
  }

  std::uint32_t add_machine(const std::uint32_t* node, const Frame& frame, const Continuation& after) {
    Pending pending;
    pending.is_machine = true;
    pending.states = below(tree_.asset(), frame, node);
    pending.state = made_.states.count;
    pending.after = after;
    const std::uint32_t count = child_count(node);
    const std::uint32_t machine =
        made_.machines.add({frame.leaf_base + operand<OperandKind::leaf, opcode::select_machine>(node),
                            operand<OperandKind::leaf_count, opcode::select_machine>(node),
                            tree_.states_offset() + frame.state_base + state_offset_of(node), pending.state, count});
    for (std::uint32_t i = 0; i < count; ++i) made_.states.add({});
    push(pending);
    return machine;
  }

  void add_state(Pending& machine) {
    const std::uint32_t* node = tree_.nodes()[machine.states.first_word];
    const Frame inside = innermost(below(tree_.asset(), machine.states, node));
    machine.states.first_word += extent_of(node);
    const Continuation after = machine.after;
    RuleSurvey transitions;
    each_transition(node, [&](const CubeList& cubes, std::uint32_t count, std::uint32_t, std::uint32_t) {
      transitions.add(cubes, count);
    });
    const RuleScan::Replaced replaced = choose(inside, transitions.rule_count);
    TableState state{};
    state.group = groups_.open(survey(inside, replaced, transitions));
    each_transition(node, [&](const CubeList& cubes, std::uint32_t, std::uint32_t condition, std::uint32_t target) {
      add_rule(cubes, condition, target_of(TargetKind::state, target));
    });
    state.node_group = made_.groups.count - 1;
    state.node_rule = groups_.rule_count();
    if (is_filling_) made_.states.records[machine.state] = state;
    ++machine.state;
    add_rules(inside, replaced, after);  // may cover `machine`
  }

  // Calls `use` with the cubes of each transition, their number, a condition as of add_rule(), and the state.
  template <typename Use>
  void each_transition(const std::uint32_t* state, Use use) {
    const layout::Transition* transitions = array<layout::Transition>(tree_.asset(), layout::SectionId::transitions) +
                                            operand<OperandKind::transition, opcode::select_state>(state);
    const std::uint32_t count = operand<OperandKind::transition_count, opcode::select_state>(state);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t condition = transitions[i].condition;
      const std::uint32_t cubes = CubeList(tree_, &condition, 1).count(budget_.taken);
      const bool is_checked = cubes == CubeList::kTooMany;
      use(CubeList(tree_, &condition, is_checked ? 0u : 1u), is_checked ? 1 : cubes, is_checked ? condition : 0,
          transitions[i].state);
    }
  }

  const PreparedTree tree_;
  const bool is_filling_;
  bool is_refused_ = false;
  RuleScan::Budget budget_{kMaxSteps};
  MadeTables made_;
  GroupWriter groups_{made_};
  std::uint32_t nesting_ = 0;
  Pending pending_[kMaxNesting];
};

// A maker takes half of ESPALIER_MAX_STACK_BYTES, so each of these functions has one, and neither calls the other.
#ifdef __GNUC__
[[gnu::noinline]]
#endif
bool count(const Prepared& prepared, MadeTables* counted) {
  TableMaker maker{PreparedTree(prepared)};
  if (!maker.make() || maker.made().size_bytes() > kMaxBytes) return false;
  *counted = maker.made();
  return true;
}

#ifdef __GNUC__
[[gnu::noinline]]
#endif
void fill(const Prepared& prepared, const MadeTables& counted, void* memory) {
  TableMaker maker(PreparedTree(prepared), counted, static_cast<unsigned char*>(memory) + sizeof(DecisionTables));
  maker.make();
  const MadeTables& made = maker.made();
  *static_cast<DecisionTables*>(memory) = {made.groups.records, made.machines.records, made.states.records,
                                           made.checks.records, made.machines.count == 0 && made.checks.count == 0};
}

}  // namespace
}  // namespace espalier

using namespace espalier;

size_t espalier_tables_bytes(espalier_tree tree) {
  if (!Check(__func__).tree(tree) || engine_id_of(tree) != EngineId::select) return 0;
  MadeTables counted;
  return count(PreparedTree::prepare(tree), &counted) ? static_cast<size_t>(counted.size_bytes()) : 0;
}

void espalier_make_tables(espalier_prepared* prepared, void* memory) {
  if (!Check(__func__).given(prepared, "the prepared tree is null").memory(memory)) return;
  if (!Check(__func__).tree_of(prepared->tree, EngineId::select)) return;
  MadeTables counted;
  if (!count(*prepared, &counted)) return;
  fill(*prepared, counted, memory);
  use_tables(*prepared, *static_cast<const DecisionTables*>(memory), true);
}
