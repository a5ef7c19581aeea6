// See verify_node.h.
#include "asset/verify_node.h"

namespace espalier {
namespace {

// How many children a node may have, and of which kind.
struct ChildrenRule {
  std::uint32_t least;
  std::uint32_t most;
  Opcode only;  // the opcode that occurs only below such nodes; `count`: any other
};

constexpr ChildrenRule rule_of(Children children) {
  switch (children) {
    case Children::none:
      return {0, 0, Opcode::count};
    case Children::one:
      return {1, 1, Opcode::count};
    case Children::many:
      return {0, layout::kMaxNodes, Opcode::count};
    case Children::some:
      return {1, layout::kMaxNodes, Opcode::count};
    case Children::few:
      return {1, layout::kMaxShuffled, Opcode::count};
    case Children::states:
      return {1, layout::kMaxStates, Opcode::select_state};
    case Children::event_states:
      return {1, layout::kMaxEventStates, Opcode::tick_state};
    case Children::cases:
      return {1, layout::kMaxEventStates, Opcode::tick_case};
    case Children::branches:
      return {1, layout::kMaxBranches, Opcode::tick_branch};
    case Children::roles:
      return {1, layout::kMaxRoles, Opcode::store_role};
    case Children::work:
      return {1, 2, Opcode::count};
  }
  return {};
}

constexpr bool stands_below_one_kind(Opcode opcode) {
  return opcode == Opcode::select_state || opcode == Opcode::tick_state || opcode == Opcode::tick_case ||
         opcode == Opcode::tick_branch || opcode == Opcode::store_role;
}

const char* check_flags(const std::uint32_t* node) {
  const FlagsKind kind = info_of(node).flags;
  const std::uint32_t flags = flags_of(node);
  if ((flags & ~flags_mask(kind)) != 0) return "a node's flags are wrong";
  const bool has_result = kind == FlagsKind::result || kind == FlagsKind::time || kind == FlagsKind::queue;
  if (has_result && (flags & kResultMask) > static_cast<std::uint32_t>(Result::success)) {
    return "there is no such result";
  }
  if (kind == FlagsKind::queue && flags >> kReceiversShift > static_cast<std::uint32_t>(Receivers::others)) {
    return "there are no such receivers";
  }
  return nullptr;
}

// The extents of the children fill the rest of the node.
const char* check_children(const std::uint32_t* node) {
  const Children children = info_of(node).children;
  const std::uint32_t extent = extent_of(node);
  const ChildrenRule rule = rule_of(children);
  std::uint32_t count = 0;
  for (std::uint32_t at = own_words(node); at < extent; ++count) {
    const std::uint32_t* child = node + at;
    if (count == rule.most) return "a node has not as many children as it must";
    if (extent - at < kNodeHeaderWords || extent_of(child) < kNodeHeaderWords || extent_of(child) > extent - at) {
      return "a node's extent is not that of its children";
    }
    if (!is_opcode(opcode_number(child))) return "there is no such opcode";
    const Opcode opcode = opcode_of(child);
    if (rule.only == Opcode::count ? stands_below_one_kind(opcode) : opcode != rule.only) {
      return "a node stands below one that cannot have it";
    }
    if (opcode_info(opcode).flags == FlagsKind::number && flags_of(child) != count) {
      return "a node's number is not its place";
    }
    if (children == Children::work && count == 0 && extent_of(child) != extent - at &&
        opcode != Opcode::store_condition) {
      return "a node has not as many children as it must";
    }
    at += extent_of(child);
  }
  return count >= rule.least ? nullptr : "a node has not as many children as it must";
}

}  // namespace

const char* check_node(const std::uint32_t* node, std::uint32_t words_left, EngineId engine_id) {
  if (words_left < kNodeHeaderWords) return "a node is cut off";
  if (!is_opcode(opcode_number(node))) return "there is no such opcode";
  if (info_of(node).engine != engine_id) return "a node is of another engine than its unit";
  if (extent_of(node) < own_words(node) || extent_of(node) > words_left)
    return "a node's extent is not that of its children";
  if (const char* reason = check_flags(node)) return reason;
  return check_children(node);
}

const char* check_root(const std::uint32_t* node) {
  if (opcode_of(node) == Opcode::decide_share) return "a unit stands for another one";
  return stands_below_one_kind(opcode_of(node)) ? "a node stands below one that cannot have it" : nullptr;
}

}  // namespace espalier
