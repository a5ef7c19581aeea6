// Trees made by hand: nodes that can still change, and payloads.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "ir/draft.h"
#include "ir/tree.h"
#include "runtime/format/kinds.h"

namespace espalier::test {

// The members are those of ir::Node.
struct Draft {
  Opcode opcode = kNoOpcode;
  std::uint8_t flags = 0;
  bool is_doubtful = false;
  text::Span span;
  std::string name;
  std::string label;
  ir::Payload payload;
  std::vector<Draft> children;

  template <typename Kind>
  const Kind& as() const {
    return std::get<Kind>(payload);
  }
  template <typename Kind>
  Kind& as() {
    return std::get<Kind>(payload);
  }
  template <typename Kind>
  const Kind* as_if() const {
    return std::get_if<Kind>(&payload);
  }
};

inline ir::Draft& draft_of(const Draft& node, ir::Drafts& drafts) {
  ir::Draft& made = drafts.make(node.opcode, node.name, node.span);
  made.flags = node.flags;
  made.is_doubtful = node.is_doubtful;
  made.set_label(node.label);
  std::visit(
      [&](const auto& own) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(own)>, std::monostate>) made.set(own);
      },
      node.payload);
  for (const Draft& child : node.children) made.add(draft_of(child, drafts));
  return made;
}

// Becomes a tree where one is wanted.
struct DraftTree : ir::TreeHead {
  Draft root;
  std::vector<Draft> shared;  // deciders

  operator ir::Tree() const {
    ir::Drafts drafts;
    const ir::Draft& made = draft_of(root, drafts);
    std::vector<ir::Draft*> made_shared;
    for (const Draft& each : shared) made_shared.push_back(&draft_of(each, drafts));
    return {*this, drafts.lay_out(made, made_shared)};
  }
};

// Becomes a project where one is wanted. The members are those of ir::Project.
struct DraftProject {
  std::vector<DraftTree> trees;
  std::vector<ir::Slot> slots = {};
  std::vector<std::string> events = {};
  std::vector<ir::Prelude> preludes = {};
  std::map<std::string, ir::HostBehavior, std::less<>> behaviors = {};
  std::vector<ir::PollEnum> enums = {};
  bool lacks_trees = false;

  operator ir::Project() const {
    return {{trees.begin(), trees.end()}, slots, events, preludes, behaviors, enums, lacks_trees, {}};
  }
};

// An empty payload of the kind that nodes of this opcode have.
ir::Payload empty_payload(Opcode opcode);

// The members of a node that depend on its opcode.
struct Operands {
  ir::Payload payload = {};  // if not set: the empty payload of the opcode
  std::uint32_t flags = 0;
  std::string label = {};
};

inline Operands with_flags(std::uint32_t flags) { return {{}, flags, {}}; }

inline Draft node_of(Opcode opcode, std::string name, Operands operands = {}, std::vector<Draft> children = {}) {
  Draft node;
  node.opcode = opcode;
  node.flags = static_cast<std::uint8_t>(operands.flags);
  node.name = std::move(name);
  node.label = std::move(operands.label);
  const bool is_given = operands.payload.index() != 0;
  node.payload = is_given ? std::move(operands.payload) : empty_payload(opcode);
  node.children = std::move(children);
  return node;
}

inline void set_condition(Draft& node, std::optional<ir::ConditionIndex> condition) {
  if (auto* leaf = std::get_if<ir::Leaf>(&node.payload)) {
    leaf->condition = condition;
  } else {
    node.as<ir::Guard>().condition = condition;
  }
}

inline void set_behavior(Draft& node, std::string name) { node.as<ir::Behavior>().name = std::move(name); }

}  // namespace espalier::test
