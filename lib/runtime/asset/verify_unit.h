// Reads the nodes of a unit and checks them against their rows in opcodes.def, as is the same for all engines. Hooks
// check what differs between engines.
#pragma once
#include "asset/verify.h"
#include "format/node.h"

namespace espalier {

// Reads one unit, front to back, in one pass. The reader is allocated on the stack, so it keeps only one word for each
// node that contains the current one.
class UnitReader {
 public:
  UnitReader(Verifier& verifier, std::uint32_t unit);

  // Returns null if the unit is valid, else the reason, with the invalid word in word(). For each node, hooks.open() is
  // called after the node itself was checked and before its children are read, and hooks.close() after all its
  // descendants were read. Both take this reader, and return null or what is wrong with the node.
  template <typename Hooks>
  const char* read(Hooks& hooks) {
    for (;;) {
      if (const char* reason = open_node()) return reason;
      if (const char* reason = hooks.open(*this)) return reason;
      if (node_count > max_nodes_) return "a unit has too many nodes";
      if (has_children(node_)) {
        go_down();
        continue;
      }
      for (;;) {
        if (const char* reason = hooks.close(*this)) return reason;
        if (parent_ == nullptr) return check_sums();
        if (next_ != end_of(parent_)) break;
        go_up();
      }
    }
  }

  std::uint32_t word() const { return static_cast<std::uint32_t>(node_ - nodes_); }

  // ---- For hooks

  // The node that is opened or closed, and its parent; null if it is the unit's root.
  const std::uint32_t* node() const { return node_; }
  const std::uint32_t* parent() const { return parent_; }
  Opcode opcode() const { return opcode_of(node_); }
  std::uint32_t unit_index() const { return unit_index_; }

  // May the unit use this one? A used unit must come before its users, and have the same engine and trees.
  const char* check_used_unit(std::uint32_t used) const;
  // A condition operand, in any position.
  const char* check_condition(std::uint32_t condition);

  // A word that is kept while the descendants of the current node are read, and taken back when the node is closed. In
  // engines whose nodes refer to their parents, at most kMaxKept are kept at once.
  static constexpr std::uint32_t kMaxKept = layout::kMaxDepth;
  void keep(std::uint32_t value) { kept_[kept_count_++] = value; }
  std::uint32_t give_back() { return kept_[--kept_count_]; }
  std::uint32_t kept_count() const { return kept_count_; }

  const Asset& asset;
  const layout::Unit& unit;

  // The counts so far; at the end they are compared with the unit's record. Nodes and variables are counted by the
  // reader, the others by hooks.
  std::uint32_t node_count = 0;
  std::uint32_t leaf_count = 0;
  std::uint32_t state_bytes = 0;
  std::uint32_t region_count = 0;
  std::uint32_t variable_count = 0;

 private:
  const char* open_node();
  const char* open_root() const;
  const char* check_number() const;
  const char* check_operand(std::uint32_t column, std::uint32_t value);
  const char* take_records(std::uint32_t column);
  const char* check_tree(std::uint32_t tree) const;
  const char* check_sums() const;
  void go_down();
  void go_up();
  bool knows_parent() const { return engine_id_ != EngineId::select; }
  std::uint32_t max_nodes() const;
  std::uint32_t max_depth() const;

  Verifier& verifier_;
  const std::uint32_t unit_index_;
  const EngineId engine_id_;
  const std::uint32_t* const nodes_;
  const std::uint32_t max_depth_;
  const std::uint32_t max_nodes_;
  const std::uint32_t* next_;  // the node that is read next
  const std::uint32_t* node_;
  const std::uint32_t* parent_ = nullptr;
  std::uint32_t depth_ = 0;  // number of nodes that contain the next node
  std::uint32_t kept_count_ = 0;
  std::uint32_t kept_[kMaxKept];
};

// The common part of Engine::check_unit.
template <typename Hooks>
const char* read_unit(Verifier& verifier, std::uint32_t unit, Hooks hooks, std::uint32_t* word) {
  UnitReader reader(verifier, unit);
  const char* reason = reader.read(hooks);
  *word = reader.word();
  return reason;
}

}  // namespace espalier
