// Translating a tree for crowds (column_code.h). As for tables, the same code runs twice: to count, and to fill.
#include <initializer_list>

#include "asset/condition_tests.h"
#include "core/check.h"
#include "core/frame.h"
#include "format/node.h"
#include "format/opcodes/select.h"
#include "select/column_code.h"
#include "select/cubes.h"
#include "select/rule_scan.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMaxCodeWords = 1u << 22;
constexpr std::uint64_t kMaxCodeSteps = 1u << 22;  // of CubeList

std::uint32_t bits_for(std::uint32_t largest) {
  std::uint32_t bits = 0;
  for (; largest != 0; largest >>= 1) ++bits;
  return bits;
}

class ColumnMaker {
 public:
  explicit ColumnMaker(const PreparedTree& tree, std::uint32_t first_state_plane, ColumnMachine* machines = nullptr,
                       std::uint32_t* words = nullptr)
      : tree_(tree), state_plane_(first_state_plane), machines_(machines), words_(words) {}

  // False: the tree is too large, or nested too deeply.
  bool make() {
    push({{tree_.first_word(), tree_.end_word(), 0, 0}, ColumnOp::end, 0, 0});
    while (level_count_ > 0 && !is_refused_) {
      Level& level = levels_[level_count_ - 1];
      if (level.siblings.first_word == level.siblings.end_word) {
        close(level);
      } else if (level.op == ColumnOp::machine) {
        open_state(level);
      } else {
        open(level);
      }
    }
    return !is_refused_;
  }

  std::uint32_t word_count() const { return word_count_; }
  std::uint32_t machine_count() const { return machine_count_; }
  std::uint32_t plane_count() const { return state_plane_; }
  std::uint32_t work_planes() const { return kStateSlot + max_state_slots_; }

 private:
  // Nodes side by side, inside what began with `op`, whose own words begin at `own`.
  struct Level {
    Frame siblings;  // `first_word`: the next one
    ColumnOp op;
    std::uint32_t own;
    std::uint32_t first_leaf;
    std::uint32_t slots_before = 0;  // of a machine
    std::uint32_t slot = 0;          // of a machine's next state
  };

  // The variables that must be true and false.
  struct Literals {
    const CubeList::Term* begin = nullptr;
    const CubeList::Term* end = nullptr;
  };

  void push(const Level& level) {
    is_refused_ = is_refused_ || level_count_ == kMaxLevels || word_count_ > kMaxCodeWords || steps_ > kMaxCodeSteps;
    if (!is_refused_) levels_[level_count_++] = level;
  }

  void open(Level& level) {
    const std::uint32_t* node = tree_.nodes()[level.siblings.first_word];
    const Frame frame = level.siblings;
    level.siblings.first_word += extent_of(node);
    const std::uint32_t condition = operand<OperandKind::condition, EngineId::select>(node);
    if (opcode_of(node) == opcode::select_leaf) {
      add(ColumnOp::leaf, condition, {((leaf_ ^ (leaf_ + 1)) & ~1u) | (leaf_ & 1)});
      ++leaf_;
      return;
    }
    const std::uint32_t own = add(ColumnOp::enter, condition, {0, 0});
    put_aside();
    if (opcode_of(node) == opcode::select_machine) {
      push({{}, ColumnOp::enter, own, leaf_});
      open_machine(node, frame);
    } else {
      push({below(tree_.asset(), frame, node), ColumnOp::enter, own, leaf_});
    }
  }

  void close(const Level& level) {
    --level_count_;
    switch (level.op) {
      case ColumnOp::enter:
        add(ColumnOp::leave, 0, {});
        --aside_count_;
        set_end(level.own, level.first_leaf);
        break;
      case ColumnOp::settled:
        set_end(level.own, level.first_leaf);
        break;
      case ColumnOp::machine:
        add(ColumnOp::leave, 0, {});
        --aside_count_;
        state_slots_ = level.slots_before;
        break;
      default:
        add(ColumnOp::end, 0, {leaf_ & 1});
        break;
    }
  }

  // ---- Machines

  void open_machine(const std::uint32_t* node, const Frame& frame) {
    const std::uint32_t state_count = child_count(node);
    const std::uint32_t plane_count = bits_for(state_count - 1);
    const std::uint32_t first_plane = state_plane_;
    const std::uint32_t slot = kStateSlot + state_slots_;
    const std::uint32_t leaf_count = operand<OperandKind::leaf_count, opcode::select_machine>(node);
    const Frame states = below(tree_.asset(), frame, node);
    const Level level = {states, ColumnOp::machine, 0, leaf_, state_slots_, slot};
    if (machines_ != nullptr) {
      machines_[machine_count_] = {tree_.states_offset() + frame.state_base + state_offset_of(node), first_plane,
                                   plane_count, state_count};
    }
    ++machine_count_;
    state_plane_ += plane_count;
    state_slots_ += state_count * kStateSets;
    if (state_slots_ > max_state_slots_) max_state_slots_ = state_slots_;
    const std::uint32_t place = first_plane * kPlaneBytes;
    add(ColumnOp::machine, 0, {slot, place, plane_count, state_count, leaf_, leaf_ + leaf_count});
    put_aside();
    const std::uint32_t first_state = word_count_;
    std::uint32_t state_slot = slot;
    for (std::uint32_t word = states.first_word; word != states.end_word; state_slot += kStateSets) {
      add_transitions(tree_.nodes()[word], slot, state_slot);
      word += extent_of(tree_.nodes()[word]);
    }
    add(ColumnOp::repeat, 0, {slot, state_count, first_state});
    add(ColumnOp::keep, 0, {slot, place, plane_count, state_count});
    push(level);
  }

  void add_transitions(const std::uint32_t* state, std::uint32_t machine_slot, std::uint32_t slot) {
    const layout::Transition* transitions = array<layout::Transition>(tree_.asset(), layout::SectionId::transitions) +
                                            operand<OperandKind::transition, opcode::select_state>(state);
    const std::uint32_t count = operand<OperandKind::transition_count, opcode::select_state>(state);
    const std::uint32_t own = add(ColumnOp::state, 0, {slot, 0});
    for (std::uint32_t i = 0; i < count; ++i) {
      add(ColumnOp::transition, transitions[i].condition, {machine_slot + transitions[i].state * kStateSets});
    }
    add(ColumnOp::settle, 0, {slot});
    if (words_ != nullptr) words_[own + 1] = word_count_;
  }

  void open_state(Level& machine) {
    const std::uint32_t* node = tree_.nodes()[machine.siblings.first_word];
    const Frame inside = below(tree_.asset(), machine.siblings, node);
    machine.siblings.first_word += extent_of(node);
    const std::uint32_t own = add(ColumnOp::settled, 0, {machine.slot, 0, 0}) + 1;
    machine.slot += kStateSets;
    push({inside, ColumnOp::settled, own, leaf_});
  }

  // ---- Words

  // Returns where its own words are. `condition`: an operand.
  std::uint32_t add(ColumnOp op, std::uint32_t condition, std::initializer_list<std::uint32_t> own) {
    CubeList holds(tree_, &condition, 1);
    CubeList fails(tree_, &condition, 1, false);
    const std::uint32_t holding = condition == 0 ? 1 : holds.count(steps_);
    const std::uint32_t failing = condition == 0 || holding == 1 ? 0 : fails.count(steps_);
    if (holding == 0) return add(op, ColumnSense::not_all, Literals(), own);
    if (holding == 1 && holds.next()) return add(op, ColumnSense::all, Literals{holds.begin(), holds.end()}, own);
    if (failing == 1 && fails.next()) return add(op, ColumnSense::not_all, Literals{fails.begin(), fails.end()}, own);
    add_tests(condition);
    return add(op, ColumnSense::tested, Literals(), own);
  }

  // The steps of holds(), see core/condition.h: a result that is put aside is in the slot before the next one's.
  void add_tests(std::uint32_t condition) {
    const ConditionTests tests(tree_.conditions(), tree_.tests(), condition);
    std::uint32_t slot = kTestSlot;
    for (std::uint32_t i = 0; i < tests.count(); ++i) {
      const layout::Test& test = tests[i];
      const auto op = static_cast<layout::CombineOp>(test.combine);
      if (static_cast<layout::TestOp>(test.test) == layout::TestOp::combine) {
        --slot;
        add(ColumnOp::test, ColumnSense::tested, Literals(), {test.combine, slot, slot + 1});
      } else if (op == layout::CombineOp::aside) {
        ++slot;
        add_test(test, layout::CombineOp::set, slot);
      } else {
        add_test(test, op, slot);
      }
    }
  }
  void add_test(const layout::Test& test, layout::CombineOp op, std::uint32_t slot) {
    CubeList::Term terms[32];
    CubeList::Term* end = terms;
    for (std::uint32_t bit = 0; bit < 32; ++bit) {
      if ((test.mask >> bit & 1) != 0) *end++ = {test.word * 32u + bit, (test.value >> bit & 1) != 0, false};
    }
    const bool is_all = static_cast<layout::TestOp>(test.test) == layout::TestOp::all;
    add(ColumnOp::test, is_all ? ColumnSense::all : ColumnSense::not_all, Literals{terms, end},
        {static_cast<std::uint32_t>(op), slot, slot});
  }

  std::uint32_t add(ColumnOp op, ColumnSense sense, const Literals& literals,
                    std::initializer_list<std::uint32_t> own) {
    const std::uint32_t place = word_count_;
    ColumnWord word = {op, sense, 0, 0};
    add_word(0);
    for (const bool value : {true, false}) {
      for (const CubeList::Term* term = literals.begin; term != literals.end; ++term) {
        if (term->value != value) continue;
        add_word(term->variable * kPlaneBytes);
        ++(value ? word.set_count : word.unset_count);
      }
    }
    if (words_ != nullptr) std::memcpy(words_ + place, &word, sizeof word);
    const std::uint32_t first_own = word_count_;
    for (const std::uint32_t each : own) add_word(each);
    return first_own;
  }

  void add_word(std::uint32_t word) {
    if (words_ != nullptr) words_[word_count_] = word;
    ++word_count_;
  }

  // What began with these flips and end ends here.
  void set_end(std::uint32_t own, std::uint32_t first_leaf) {
    if (words_ == nullptr) return;
    words_[own] = first_leaf ^ leaf_;
    words_[own + 1] = word_count_;
  }

  void put_aside() { is_refused_ = is_refused_ || ++aside_count_ > kColumnDepth; }

  static constexpr std::uint32_t kMaxLevels = 2 * kColumnDepth;

  const PreparedTree tree_;
  std::uint32_t state_plane_;
  ColumnMachine* machines_;
  std::uint32_t* words_;
  std::uint32_t machine_count_ = 0;
  std::uint32_t word_count_ = 0;
  std::uint64_t steps_ = 0;
  std::uint32_t leaf_ = 0;  // the next one
  std::uint32_t state_slots_ = 0;
  std::uint32_t max_state_slots_ = 0;
  std::uint32_t aside_count_ = 0;
  bool is_refused_ = false;
  std::uint32_t level_count_ = 0;
  Level levels_[kMaxLevels];
};

std::uint32_t first_state_plane(const Tree& tree) {
  return espalier_count(tree, ESPALIER_VARIABLES) + 2 + bits_for(tree_record(tree).leaf_count);
}

std::size_t code_bytes(const ColumnMaker& made) {
  return (sizeof(ColumnCode) + made.machine_count() * sizeof(ColumnMachine) +
          std::size_t{made.word_count()} * sizeof(std::uint32_t) + 7) /
         8 * 8;
}

}  // namespace
}  // namespace espalier

using namespace espalier;

size_t espalier_columns_bytes(espalier_tree tree) {
  if (!Check(__func__).tree(tree) || engine_id_of(tree) != EngineId::select) return 0;
  if (!calls_nothing(*tree.asset, Host())) return 0;
  const Prepared prepared = PreparedTree::prepare(tree);
  ColumnMaker maker(PreparedTree(prepared), first_state_plane(tree));
  return maker.make() ? code_bytes(maker) : 0;
}

void espalier_make_columns(espalier_tree tree, void* memory, espalier_columns* columns) {
  if (!Check(__func__).tree_of(tree, EngineId::select).memory(memory).given(columns, "the columns are null")) return;
  const Prepared prepared = PreparedTree::prepare(tree);
  const std::uint32_t first_state = first_state_plane(tree);
  ColumnMaker counter(PreparedTree(prepared), first_state);
  if (!counter.make()) return;
  auto* code = static_cast<ColumnCode*>(memory);
  auto* machines = reinterpret_cast<ColumnMachine*>(code + 1);
  auto* words = reinterpret_cast<std::uint32_t*>(machines + counter.machine_count());
  ColumnMaker maker(PreparedTree(prepared), first_state, machines, words);
  maker.make();
  *code = {machines, words, maker.machine_count(), 0};
  const std::uint32_t variables = espalier_count(tree, ESPALIER_VARIABLES);
  columns->tree = tree;
  columns->changed_plane = variables;
  columns->switched_plane = variables + 1;
  columns->leaf_plane = variables + 2;
  columns->leaf_planes = first_state - variables - 2;
  columns->block_bytes = maker.plane_count() * kPlaneBytes;
  columns->work_bytes = maker.work_planes() * kPlaneBytes;
  columns->internal = code;
}
