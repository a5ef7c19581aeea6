// The private members of espalier_prepared by their names: what updates of one tree need, looked up once.
#pragma once
#include "core/check.h"
#include "format/node.h"
#include "select/select.h"

namespace espalier {

// Updates one agent by walking the nodes: internal_evaluate of a tree without tables.
espalier_result evaluate_by_nodes(const Prepared* prepared, void* block, const Host* host);

class PreparedTree {
 public:
  PreparedTree() = default;  // of no tree
  explicit PreparedTree(const Prepared& prepared) : prepared_(&prepared) {}

  static Prepared prepare(const Tree& tree) {
    const Asset& asset = *tree.asset;
    const layout::Tree& record = tree_record(tree);
    const layout::Part* parts = parts_of(asset, record);
    const layout::Part& leaf = part_of<EngineId::select, PartKind::leaf>(parts);
    const std::uint32_t changed_bit = part_of<EngineId::select, PartKind::status>(parts).offset_bits;
    const layout::Unit& unit = unit_record(asset, record.unit);
    Prepared made;
    made.tree = tree;
    made.internal[kNodes] = section_of(asset, layout::SectionId::nodes).records;
    made.internal[kConditions] = section_of(asset, layout::SectionId::conditions).records;
    made.internal[kTests] = section_of(asset, layout::SectionId::tests).records;
    made.internal_numbers[kLeafOffset] = offset_bytes(leaf);
    // One comparison tests both if the changed bit directly follows the leaf in its two bytes. A build with
    // ESPALIER_CHECK calls evaluate() for each update, which tests what it is given.
    const bool is_one = !kChecks && leaf.bits == 15 && changed_bit == leaf.offset_bits + 15;
    made.internal_numbers[kQuietBelow] = is_one ? record.leaf_count : 0;
    made.internal_numbers[kChangedBit] = changed_bit;
    made.internal_numbers[kNoLeafStored] = (1u << leaf.bits) - 1;
    made.internal_numbers[kLeafCount] = record.leaf_count;
    made.internal_numbers[kStates] = offset_bytes(part_of<EngineId::select, PartKind::states>(parts));
    made.internal_numbers[kFirstWord] = unit.first_word;
    made.internal_numbers[kEndWord] = unit.first_word + unit.word_count;
    made.internal_evaluate = evaluate_by_nodes;
    return made;
  }
  static void use_tables(Prepared& prepared, const void* tables, decltype(Prepared::internal_evaluate) evaluate) {
    prepared.internal[kTables] = tables;
    prepared.internal_evaluate = evaluate;
  }

  const Tree& tree() const { return prepared_->tree; }
  const Asset& asset() const { return *prepared_->tree.asset; }
  NodeWords nodes() const { return NodeWords(pointer<std::uint32_t>(kNodes)); }
  const layout::Condition* conditions() const { return pointer<layout::Condition>(kConditions); }
  const layout::Test* tests() const { return pointer<layout::Test>(kTests); }
  const void* tables() const { return prepared_->internal[kTables]; }
  SelectBlock block() const {
    return {number(kChangedBit), number(kLeafOffset), number(kNoLeafStored), number(kLeafCount)};
  }
  // Is is_quiet() all that there is to test before an evaluation?
  bool tells_quiet() const { return number(kQuietBelow) != 0; }
  // Is it certain that an update does nothing?
  bool is_quiet(const unsigned char* agent) const {
    return espalier_internal_leaf(prepared_, agent) < number(kQuietBelow);
  }
  // If it tells_quiet(): the agent has this leaf, or kNoLeaf, and has not changed since.
  void store_quiet(unsigned char* agent, std::uint32_t leaf) const {
    const auto stored = static_cast<std::uint16_t>(leaf & number(kNoLeafStored));
    std::memcpy(agent + number(kLeafOffset), &stored, sizeof stored);
  }
  std::uint32_t states_offset() const { return number(kStates); }
  std::uint32_t first_word() const { return number(kFirstWord); }
  std::uint32_t end_word() const { return number(kEndWord); }

 private:
  enum Pointer : std::uint8_t { kNodes, kConditions, kTests, kTables };
  // The inline functions of selecting.h read the first two.
  enum Number : std::uint8_t {
    kLeafOffset,
    kQuietBelow,
    kChangedBit,
    kNoLeafStored,
    kLeafCount,
    kStates,
    kFirstWord,
    kEndWord
  };
  static_assert(kTables < sizeof(Prepared::internal) / sizeof(void*));
  static_assert(kEndWord < sizeof(Prepared::internal_numbers) / sizeof(std::uint32_t));

  template <typename Record>
  const Record* pointer(Pointer which) const {
    return static_cast<const Record*>(prepared_->internal[which]);
  }
  std::uint32_t number(Number which) const { return prepared_->internal_numbers[which]; }

  const Prepared* prepared_ = nullptr;
};

// The tests of an update's arguments.
inline Check check_update(const PreparedTree& tree, const void* block, const Host* host) {
  return Check("espalier_update_prepared").agent(tree.tree(), block).host(host);
}

// The agent, whose leaf was `old_leaf` as it is stored, now has another one, or kNoLeaf: calls the behaviours of both.
void switch_leaf(const PreparedTree& tree, unsigned char* agent, std::uint32_t old_leaf, std::uint32_t leaf,
                 const Host& host);

// The end of an evaluation.
inline Result take_leaf(const PreparedTree& tree, const SelectBlock& own, unsigned char* agent, std::uint32_t old_leaf,
                        std::uint32_t leaf, const Host& host) {
  const std::uint32_t stored = leaf == kNoLeaf ? own.none : leaf;
  if (stored != old_leaf) {
    if (calls_nothing(tree.asset(), host)) {
      own.set_leaf(agent, stored);
    } else {
      switch_leaf(tree, agent, old_leaf, stored, host);
    }
  }
  return leaf == kNoLeaf ? Result::failure : Result::running;
}

}  // namespace espalier
