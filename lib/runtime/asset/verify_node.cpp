// See verify_node.h.
#include "asset/verify_node.h"

namespace espalier {
namespace {

using layout::SectionId;

// How many children a node may have, and of which kind.
struct ChildrenRule {
  std::uint32_t least;
  std::uint32_t most;
  Opcode only;  // the opcode that stands below such nodes and nowhere else; `count`: any other
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
  const FlagsKind kind = opcode_info(opcode_of(node)).flags;
  const std::uint32_t flags = node[0] >> 8 & 0xFF;
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

// The children's extents fill what the node's own words leave.
const char* check_children(const std::uint32_t* node) {
  const Children children = opcode_info(opcode_of(node)).children;
  const ChildrenRule rule = rule_of(children);
  std::uint32_t count = 0;
  for (std::uint32_t at = own_words(node); at < node[1]; ++count) {
    const std::uint32_t* child = node + at;
    if (count == rule.most) return "a node has not as many children as it must";
    if (node[1] - at < kNodeHeaderWords || child[1] < kNodeHeaderWords || child[1] > node[1] - at) {
      return "a node's extent is not that of its children";
    }
    if (!is_opcode(child[0] & 0xFF)) return "there is no such opcode";
    const Opcode opcode = opcode_of(child);
    if (rule.only == Opcode::count ? stands_below_one_kind(opcode) : opcode != rule.only) {
      return "a node stands below one that cannot have it";
    }
    if (opcode_info(opcode).flags == FlagsKind::number && (child[0] >> 8 & 0xFF) != count) {
      return "a node's number is not its place";
    }
    if (children == Children::work && count == 0 && child[1] != node[1] - at && opcode != Opcode::store_condition) {
      return "a node has not as many children as it must";
    }
    at += child[1];
  }
  return count >= rule.least ? nullptr : "a node has not as many children as it must";
}

}  // namespace

const char* check_node(const std::uint32_t* node, std::uint32_t words_left, EngineId engine_id) {
  if (words_left < kNodeHeaderWords) return "a node is cut off";
  if (!is_opcode(node[0] & 0xFF)) return "there is no such opcode";
  if (opcode_info(opcode_of(node)).engine != engine_id) return "a node is of another engine than its unit";
  if (node[1] < own_words(node) || node[1] > words_left) return "a node's extent is not that of its children";
  if (const char* reason = check_flags(node)) return reason;
  return check_children(node);
}

const char* check_root(const std::uint32_t* node) {
  return stands_below_one_kind(opcode_of(node)) ? "a node stands below one that cannot have it" : nullptr;
}

const char* check_operand(const Asset& asset, const std::uint32_t* node, std::uint32_t operand) {
  const std::uint32_t value = node[kNodeHeaderWords + operand];
  const auto below = [value](std::uint32_t count, const char* reason) { return value < count ? nullptr : reason; };
  const auto count_of = [&asset](SectionId id) { return record_count(asset, id); };
  switch (opcode_info(opcode_of(node)).operands[operand]) {
    case OperandKind::parent:     // known by its place
    case OperandKind::parameter:  // with its count
      return nullptr;
    case OperandKind::unused:
      return below(1, "an operand that is not used says something");
    case OperandKind::host_condition:
      return below(count_of(SectionId::host_conditions), "there is no such condition");
    case OperandKind::number:
      return below(count_of(SectionId::numbers), "there is no such number");
    case OperandKind::count:
      return below(0x100, "a count is too large");
    case OperandKind::maximum:
      return below(0x10000, "a maximum is too large");
    case OperandKind::weight:
      return value == 0 ? "there is no such weight" : below(0x10000, "there is no such weight");
    case OperandKind::scope:
      return below(count_of(SectionId::scopes), "there is no such scope");
    case OperandKind::script:
      return below(count_of(SectionId::scripts) + 1, "there is no such script");
    case OperandKind::text:
      return below(count_of(SectionId::names), "there is no such name");
    case OperandKind::behavior:
      return below(count_of(SectionId::behaviors), "there is no such behaviour");
    case OperandKind::slot:
      return below(count_of(SectionId::slots), "there is no such slot");
    case OperandKind::asking:
      return below(count_of(SectionId::askings) + 1, "there is no such asking");
    case OperandKind::parameter_count: {
      const std::uint32_t first = node[kNodeHeaderWords + operand - 1];
      const std::uint32_t total = count_of(SectionId::parameters);
      return first <= total && value <= total - first ? nullptr : "there are no such parameters";
    }
    default:
      return nullptr;
  }
}

const char* check_condition_operand(const Asset& asset, std::uint32_t condition, std::uint32_t* variable_count) {
  if (condition > record_count(asset, SectionId::conditions)) return "there is no such condition";
  if (condition == 0) return nullptr;
  const std::uint32_t count = array<layout::Condition>(asset, SectionId::conditions)[condition - 1].variable_count;
  if (count > *variable_count) *variable_count = count;
  return nullptr;
}

// The node before is its parent when it has children; else the lowest one around that which has not ended yet.
const char* NodePlaces::read(const std::uint32_t* node, std::uint32_t word, std::uint32_t unit_words) {
  if (word == 0) {
    last_ = node;
    if (const char* reason = check_node(node, unit_words, engine_id_)) return reason;
    if (node[1] != unit_words) return "a unit has more than one root";
    if (const char* reason = check_root(node)) return reason;
    return is_root(node) ? nullptr : "a node does not know its parent";
  }
  parent_ = last_;
  last_ = node;
  for (++depth_; end_of(parent_) == node; --depth_) parent_ = parent_of(parent_);
  if (depth_ >= max_depth_) return "nodes are nested too deeply";
  const auto words_left = static_cast<std::uint32_t>(parent_ + parent_[1] - node);
  if (const char* reason = check_node(node, words_left, engine_id_)) return reason;
  return parent_of(node) == parent_ ? nullptr : "a node does not know its parent";
}

}  // namespace espalier
