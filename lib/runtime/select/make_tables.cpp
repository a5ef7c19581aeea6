// Making tables (tables.h). The same code runs twice: once without memory, to count what is needed, and once to fill
// it. It needs a fixed amount of stack: groups that lead to one another are at most kMaxNesting deep.
#include "core/check.h"
#include "select/rule_scan.h"
#include "select/tables_walk.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMaxNesting = 20;
constexpr std::uint32_t kMaxColumns = 256;  // of one group
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 24;  // of CubeList: about a second

// What is made; without memory only the numbers change.
struct Made {
  template <typename Record>
  struct Array {
    Record* records = nullptr;
    std::uint32_t count = 0;

    std::uint32_t add(const Record& record) {
      if (records != nullptr) records[count] = record;
      return count++;
    }
    // In `memory`, which is advanced. All of them begin at a multiple of 8.
    void place(unsigned char*& memory, std::uint32_t needed) {
      records = reinterpret_cast<Record*>(memory);
      memory += size_bytes(needed);
    }
    static std::uint64_t size_bytes(std::uint32_t needed) {
      return (std::uint64_t{needed} * sizeof(Record) + 7) / 8 * 8;
    }
  };

  Array<TableGroup> groups;
  Array<std::uint32_t> columns;  // their bytes
  Array<std::uint32_t> targets;
  Array<TableMachine> machines;
  Array<TableState> states;
  Array<TableCheck> checks;
  std::uint64_t* words = nullptr;

  std::uint64_t words_bytes() const { return std::uint64_t{columns.count} * kColumnWords * sizeof(std::uint64_t); }
  std::uint64_t size_bytes() const {
    return sizeof(DecisionTables) + groups.size_bytes(groups.count) + columns.size_bytes(columns.count) +
           targets.size_bytes(targets.count) + machines.size_bytes(machines.count) + states.size_bytes(states.count) +
           checks.size_bytes(checks.count) + words_bytes();
  }
};

// Where a group continues when none of its rules selects a leaf.
struct Continuation {
  const TableGroup* group = nullptr;
  std::uint64_t rules = 0;
};

class TableMaker {
 public:
  explicit TableMaker(const PreparedTree& tree) : tree_(tree), is_filling_(false) {}
  TableMaker(const PreparedTree& tree, const Made& counted, unsigned char* memory) : tree_(tree), is_filling_(true) {
    made_.groups.place(memory, counted.groups.count);
    made_.columns.place(memory, counted.columns.count);
    made_.targets.place(memory, counted.targets.count);
    made_.machines.place(memory, counted.machines.count);
    made_.states.place(memory, counted.states.count);
    made_.checks.place(memory, counted.checks.count);
    made_.words = reinterpret_cast<std::uint64_t*>(memory);
  }

  // False: the tree is nested too deeply, its tables are too large, or making them takes too long.
  bool make() {
    add_siblings({tree_.first_word(), tree_.end_word(), 0, 0}, {});
    while (nesting_ > 0 && !is_refused_) continue_last();
    return !is_refused_ && !budget_.is_spent();
  }
  const Made& made() const { return made_; }

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
  std::uint32_t add_siblings(const Frame& siblings, const Continuation& after) {
    const RuleScan::Replaced replaced = choose(siblings);
    const std::uint32_t first = open_group();
    Pending pending;
    pending.rules = RuleScan(tree_, siblings, replaced, &budget_);
    pending.target = made_.targets.count;
    pending.group = first;
    for (RuleScan rules = pending.rules; rules.next();) {
      // Other nodes get their target when what is below them is made.
      const bool is_leaf = opcode_of(rules.node()) == Opcode::select_leaf;
      const std::uint32_t leaf =
          is_leaf ? rules.frame().leaf_base + operand<OperandKind::leaf, Opcode::select_leaf>(rules.node()) : 0;
      add_rule(rules.cubes(), rules.is_checked() ? rules.condition() : 0, target_of(TargetKind::leaf, leaf));
    }
    close_group(after);
    push(pending);
    return first;
  }

  // Replaces as much as fits one group, level by level.
  RuleScan::Replaced choose(const Frame& siblings) {
    RuleScan::Replaced replaced;
    if (!fits(siblings, replaced)) return replaced;
    while (replaced.levels + 1 < RuleScan::kMaxLevels && fits(siblings, {replaced.levels + 1, 0})) ++replaced.levels;
    for (std::uint32_t step = kRulesOfGroup; step > 0; step /= 2) {
      if (fits(siblings, {replaced.levels, replaced.more + step})) replaced.more += step;
    }
    return replaced;
  }
  bool fits(const Frame& siblings, const RuleScan::Replaced& replaced) {
    std::uint32_t count = 0;
    RuleScan rules(tree_, siblings, replaced, &budget_);
    while (count <= kRulesOfGroup && rules.next()) count += rules.cube_count();
    return count <= kRulesOfGroup;
  }

  std::uint32_t open_group() {
    rule_count_ = 0;
    column_count_ = 0;
    if (!is_filling_) return made_.groups.add({});
    return made_.groups.add({0, made_.columns.records + made_.columns.count,
                             made_.words + std::size_t{kColumnWords} * made_.columns.count,
                             made_.targets.records + made_.targets.count, nullptr, 0, 0, 0});
  }
  void close_group(const Continuation& after) {
    if (!is_filling_) return;
    TableGroup& group = made_.groups.records[made_.groups.count - 1];
    group.rules = rule_count_ == kRulesOfGroup ? ~std::uint64_t{0} : (std::uint64_t{1} << rule_count_) - 1;
    group.next = after.group;
    group.next_rules = after.rules;
    group.column_count = column_count_;
  }

  // `condition`: to be tested when the rule is chosen; 0: none.
  void add_rule(CubeList cubes, std::uint32_t condition, std::uint32_t target) {
    if (condition != 0) target = target_of(TargetKind::check, made_.checks.add({condition, target}));
    while (cubes.next()) {
      if (rule_count_ == kRulesOfGroup || column_count_ + CubeList::kMaxTerms > kMaxColumns) {
        close_group(is_filling_ ? Continuation{made_.groups.records + made_.groups.count, ~std::uint64_t{0}}
                                : Continuation());
        open_group();
      }
      made_.targets.add(target);
      for (const CubeList::Term& term : cubes) require(term.variable, term.value);
      ++rule_count_;
    }
  }

  // The last rule holds only with this value of a variable.
  void require(std::uint32_t variable, bool value) {
    const std::uint32_t column = column_of(variable / 8);
    if (!is_filling_) return;
    std::uint64_t* const words = made_.words + std::size_t{kColumnWords} * column;
    for (std::uint32_t byte = 0; byte < kColumnWords; ++byte) {
      if (((byte >> variable % 8 & 1) != 0) != value) words[byte] &= ~(std::uint64_t{1} << rule_count_);
    }
  }
  // The group's column of a byte, which is added if there is none.
  std::uint32_t column_of(std::uint32_t byte) {
    const std::uint32_t first = made_.columns.count - column_count_;
    for (std::uint32_t i = 0; i < column_count_; ++i) {
      if (columns_[i] == byte) return first + i;
    }
    columns_[column_count_++] = byte;
    const std::uint32_t column = made_.columns.add(byte);
    if (is_filling_)
      std::memset(made_.words + std::size_t{kColumnWords} * column, 0xFF, kColumnWords * sizeof(std::uint64_t));
    return column;
  }

  // ---- What rules lead to

  void add_below(Pending& last) {
    const RuleScan& rules = last.rules;
    const std::uint32_t first_target = last.target;
    last.target += rules.cube_count();
    if (opcode_of(rules.node()) == Opcode::select_leaf) return;
    const Continuation after = is_filling_ ? behind(last) : Continuation();
    const std::uint32_t* node = rules.node();
    const Frame frame = rules.frame();
    const std::uint32_t count = rules.cube_count();  // `last` moves no more, but may be covered by what is pushed
    const std::uint32_t target =
        opcode_of(node) == Opcode::select_machine
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
    const auto has_target = [&] {
      return target - group->targets < kRulesOfGroup && (group->rules >> (target - group->targets) & 1) != 0;
    };
    while (!has_target()) ++group;
    last.group = static_cast<std::uint32_t>(group - made_.groups.records);
    const std::uint64_t rules = group->rules & ~std::uint64_t{1} << (target - group->targets);
    return rules != 0 ? Continuation{group, rules} : Continuation{group->next, group->next_rules};
  }

  std::uint32_t add_machine(const std::uint32_t* node, const Frame& frame, const Continuation& after) {
    Pending pending;
    pending.is_machine = true;
    pending.states = below(tree_.asset(), frame, node);
    pending.state = made_.states.count;
    pending.after = after;
    const std::uint32_t count = child_count(node);
    const std::uint32_t machine =
        made_.machines.add({frame.leaf_base + operand<OperandKind::leaf, Opcode::select_machine>(node),
                            operand<OperandKind::leaf_count, Opcode::select_machine>(node),
                            tree_.states_offset() + frame.state_base + state_offset_of(node), pending.state, count});
    for (std::uint32_t i = 0; i < count; ++i) made_.states.add({kNoGroup, kNoGroup});
    push(pending);
    return machine;
  }

  void add_state(Pending& machine) {
    const std::uint32_t* node = tree_.nodes()[machine.states.first_word];
    const Frame inside = below(tree_.asset(), machine.states, node);
    machine.states.first_word += extent_of(node);
    const std::uint32_t index = machine.state++;
    const std::uint32_t transitions = add_transitions(node);
    const Continuation after = machine.after;
    const std::uint32_t group = add_siblings(inside, after);
    if (is_filling_) made_.states.records[index] = {transitions, group};
  }

  std::uint32_t add_transitions(const std::uint32_t* state) {
    const layout::Transition* transitions = array<layout::Transition>(tree_.asset(), layout::SectionId::transitions) +
                                            operand<OperandKind::transition, Opcode::select_state>(state);
    const std::uint32_t count = operand<OperandKind::transition_count, Opcode::select_state>(state);
    if (count == 0) return kNoGroup;
    const std::uint32_t first = open_group();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t condition = transitions[i].condition;
      const bool is_checked = CubeList(tree_, &condition, 1).count(budget_.taken) == CubeList::kTooMany;
      add_rule({tree_, &condition, is_checked ? 0u : 1u}, is_checked ? condition : 0,
               target_of(TargetKind::leaf, transitions[i].state));
    }
    close_group({});
    return first;
  }

  const PreparedTree tree_;
  const bool is_filling_;
  bool is_refused_ = false;
  RuleScan::Budget budget_{kMaxSteps};
  Made made_;
  std::uint32_t rule_count_ = 0;  // of the last group
  std::uint32_t column_count_ = 0;
  std::uint32_t columns_[kMaxColumns];  // their bytes
  std::uint32_t nesting_ = 0;
  Pending pending_[kMaxNesting];
};

// A maker takes half of ESPALIER_MAX_STACK_BYTES, so each of these functions has one, and neither calls the other.
#ifdef __GNUC__
[[gnu::noinline]]
#endif
bool count(const Prepared& prepared, Made* counted) {
  TableMaker maker{PreparedTree(prepared)};
  if (!maker.make() || maker.made().size_bytes() > kMaxBytes) return false;
  *counted = maker.made();
  return true;
}

#ifdef __GNUC__
[[gnu::noinline]]
#endif
void fill(const Prepared& prepared, const Made& counted, void* memory) {
  TableMaker maker(PreparedTree(prepared), counted, static_cast<unsigned char*>(memory) + sizeof(DecisionTables));
  maker.make();
  const Made& made = maker.made();
  *static_cast<DecisionTables*>(memory) = {made.groups.records, made.machines.records, made.states.records,
                                           made.checks.records};
}

}  // namespace
}  // namespace espalier

using namespace espalier;

size_t espalier_tables_bytes(espalier_tree tree) {
  if (!Check(__func__).tree_of(tree, EngineId::select)) return 0;
  Made counted;
  return count(PreparedTree::prepare(tree), &counted) ? static_cast<size_t>(counted.size_bytes()) : 0;
}

void espalier_make_tables(espalier_prepared* prepared, void* memory) {
  if (!Check(__func__).given(prepared, "the prepared tree is null").memory(memory)) return;
  if (!Check(__func__).tree_of(prepared->tree, EngineId::select)) return;
  Made counted;
  if (!count(*prepared, &counted)) return;
  fill(*prepared, counted, memory);
  PreparedTree::use_tables(*prepared, memory, evaluate_by_tables);
}
