// See verify_node.h.
#include "asset/verify_node.h"

#include "asset/verify.h"
#include "format/node.h"
#include "format/opcode.h"

namespace espalier {
namespace {

// How many children a node may have, and of which kind.
struct ChildrenRule {
  std::uint32_t least;
  std::uint32_t most;
  Opcode only;  // the opcode that occurs only below such nodes; kNoOpcode: any other
};

constexpr ChildrenRule rule_of(Children children) {
  switch (children) {
    case Children::none:
      return {0, 0, kNoOpcode};
    case Children::one:
      return {1, 1, kNoOpcode};
    case Children::many:
      return {0, layout::kMaxNodes, kNoOpcode};
    case Children::some:
      return {1, layout::kMaxNodes, kNoOpcode};
    case Children::few:
      return {1, layout::kMaxShuffled, kNoOpcode};
    case Children::states:
      return {1, layout::kMaxStates, opcode::select_state};
    case Children::event_states:
      return {1, layout::kMaxEventStates, opcode::tick_state};
    case Children::cases:
      return {1, layout::kMaxEventStates, opcode::tick_case};
    case Children::branches:
      return {1, layout::kMaxBranches, opcode::tick_branch};
    case Children::roles:
      return {1, layout::kMaxRoles, opcode::store_role};
    case Children::work:
      return {1, 2, kNoOpcode};
  }
  return {};
}

constexpr bool stands_below_one_kind(Opcode opcode) {
  return opcode == opcode::select_state || opcode == opcode::tick_state || opcode == opcode::tick_case ||
         opcode == opcode::tick_branch || opcode == opcode::store_role;
}

// What is checked of a node by its opcode, as small as a walk over all nodes needs it.
struct NodeRule {              // 8 bytes
  std::uint8_t engine = 0xFF;  // EngineId; 0xFF: there is no such opcode
  std::uint8_t own_words = 0;
  std::uint8_t extent_word = 0;  // 0: it has no children
  std::uint8_t flags_mask = 0;
  std::uint8_t has_result : 1;      // in its flags
  std::uint8_t has_receivers : 1;   // the same
  std::uint8_t has_number : 1;      // its flags are its number among its siblings
  std::uint8_t has_one_parent : 1;  // of one kind
  std::uint8_t is_work : 1;         // see Children
  std::uint8_t least_children : 1;
  Opcode only_child = kNoOpcode;
  std::uint16_t most_children = 0;

  constexpr NodeRule()
      : has_result(0), has_receivers(0), has_number(0), has_one_parent(0), is_work(0), least_children(0) {}
};

struct NodeRules {
  NodeRule of[kOpcodeCount + 1];  // the last one: of unknown opcodes
  constexpr NodeRules() {
    for (std::size_t i = 0; i < kOpcodeCount; ++i) {
      const OpcodeInfo& info = kOpcodes.rows[i];
      const ChildrenRule children = rule_of(info.children);
      NodeRule& rule = of[i];
      rule.engine = static_cast<std::uint8_t>(info.engine);
      rule.own_words = static_cast<std::uint8_t>(detail::words_of_row(info));
      rule.extent_word = static_cast<std::uint8_t>(detail::extent_word_of_row(info));
      rule.flags_mask = static_cast<std::uint8_t>(flags_mask(info.flags));
      const auto bit = [](bool is_set) { return static_cast<std::uint8_t>(is_set ? 1 : 0); };
      const bool has_receivers = info.flags == FlagsKind::queue;
      rule.has_receivers = bit(has_receivers) & 1;
      rule.has_result = bit(has_receivers || info.flags == FlagsKind::result || info.flags == FlagsKind::time) & 1;
      rule.has_number = bit(info.flags == FlagsKind::number) & 1;
      rule.has_one_parent = bit(stands_below_one_kind(static_cast<Opcode>(i))) & 1;
      rule.is_work = bit(info.children == Children::work) & 1;
      rule.only_child = children.only;
      rule.least_children = children.least & 1;
      rule.most_children = static_cast<std::uint16_t>(children.most);
    }
  }
};
constexpr NodeRules kRules;

const NodeRule& rule_of(const std::uint32_t* node) {
  const std::uint32_t opcode = opcode_number(node);
  return kRules.of[opcode < kOpcodeCount ? opcode : kOpcodeCount];
}

std::uint32_t extent_by(const NodeRule& rule, const std::uint32_t* node) {
  return rule.extent_word != 0 ? node[rule.extent_word] : rule.own_words;
}

const char* check_header_by(const NodeRule& rule, const std::uint32_t* node, std::uint32_t words_left,
                            std::uint32_t engine) {
  if (rule.engine != engine) {
    return rule.engine == 0xFF ? "unknown opcode" : "a node has another engine than its unit";
  }
  if (words_left < rule.own_words) return "a node is truncated";
  const std::uint32_t extent = extent_by(rule, node);
  if (extent < rule.own_words || extent > words_left) return "a node's extent does not match its children";
  const std::uint32_t flags = flags_of(node);
  if ((flags & ~std::uint32_t{rule.flags_mask}) != 0) return "a node's flags are wrong";
  if (rule.has_result == 0) return nullptr;
  if ((flags & kResultMask) > static_cast<std::uint32_t>(Result::success)) return "unknown result";
  const bool has_receivers =
      rule.has_receivers == 0 || flags >> kReceiversShift <= static_cast<std::uint32_t>(Receivers::others);
  return has_receivers ? nullptr : "unknown receivers";
}

}  // namespace

const char* check_header(const std::uint32_t* node, std::uint32_t words_left, EngineId engine_id) {
  if (words_left == 0) return "a node is truncated";
  return check_header_by(rule_of(node), node, words_left, static_cast<std::uint32_t>(engine_id));
}

const char* check_children(const std::uint32_t* node) {
  const NodeRule& rule = rule_of(node);
  const std::uint32_t* const end = node + extent_by(rule, node);
  std::uint32_t count = 0;
  for (const std::uint32_t* child = node + rule.own_words; child != end; ++count) {
    if (count == rule.most_children) return "a node has the wrong number of children";
    const NodeRule& own = rule_of(child);
    const auto words_left = static_cast<std::uint32_t>(end - child);
    if (const char* reason = check_header_by(own, child, words_left, rule.engine)) return reason;
    if (rule.only_child == kNoOpcode ? own.has_one_parent != 0 : opcode_of(child) != rule.only_child) {
      return "a node is not allowed below its parent";
    }
    if (own.has_number != 0 && flags_of(child) != count) return "a node's number is not its position";
    const std::uint32_t extent = extent_by(own, child);
    if (rule.is_work != 0 && count == 0 && extent != words_left && opcode_of(child) != opcode::store_condition) {
      return "a node has the wrong number of children";
    }
    child += extent;
  }
  return count >= rule.least_children ? nullptr : "a node has the wrong number of children";
}

const char* check_root(const std::uint32_t* node) {
  if (opcode_of(node) == opcode::decide_share) return "a unit is only a reference to another unit";
  return rule_of(node).has_one_parent != 0 ? "a node is not allowed below its parent" : nullptr;
}

EngineId Verifier::engine_of_unit(std::uint32_t unit) const {
  const std::uint32_t* root =
      array<std::uint32_t>(asset_, layout::SectionId::nodes) + unit_record(asset_, unit).first_word;
  return is_opcode(opcode_number(root)) ? info_of(root).engine : EngineId::select;
}

}  // namespace espalier
