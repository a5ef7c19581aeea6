// The words of a tree of deciders and its agents, for the functions that write text.
#pragma once
#include "core/writer.h"
#include "decide/tree.h"
#include "format/opcodes/decide.h"

namespace espalier {

// How a group chooses.
struct Policy {
  Opcode opcode;
  const char* words;
};
inline constexpr Policy kPolicies[] = {
    {opcode::decide_prioritized, "prioritizedList"},
    {opcode::decide_sequential, "sequential"},
    {opcode::decide_random, "random"},
    {opcode::decide_shuffle, "shuffle"},
    {opcode::decide_scored, "scored"},
};

// Empty: it is no group.
inline const char* policy_of(const Placed& placed) {
  for (const Policy& policy : kPolicies) {
    if (policy.opcode == placed.opcode()) return policy.words;
  }
  return "";
}

class DeciderWords {
 public:
  DeciderWords(const Tree& view, const DeciderTree& tree, const Writer& writer)
      : view_(view), tree_(tree), out_(writer) {}

  Placed placed_at(std::uint32_t node_word) const { return tree_.placed(tree_.nodes + node_word); }
  void name(const Placed& placed) const {
    const std::string_view name = decider_name(view_, tree_.word_of(placed));
    if (name.empty()) {
      out_ << "#" << std::uint64_t{tree_.number_of(placed.node)};
    } else {
      out_.name(name);
    }
  }
  void name(std::uint32_t node_word) const { name(placed_at(node_word)); }

  // Names of the bits that are set.
  void names(espalier_kind kind, std::uint64_t bits) const {
    if (bits == 0) out_ << " none";
    for (std::uint32_t i = 0; bits != 0; ++i, bits >>= 1) {
      if ((bits & 1) != 0) (out_ << " ").name(espalier_name(view_, kind, i));
    }
  }
  void behavior(const layout::Decider& decider) const {
    out_.name(behavior_name(tree_.asset, decider.behavior - 1));
    if (decider.behavior_flags == 0) return;
    out_ << " [flags:";
    names(ESPALIER_BEHAVIOR_FLAGS, decider.behavior_flags);
    out_ << "]";
  }

 private:
  const Tree& view_;
  const DeciderTree& tree_;
  const Writer& out_;
};

}  // namespace espalier
