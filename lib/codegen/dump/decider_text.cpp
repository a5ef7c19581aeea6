// Deciders in words. See decider_text.h.
#include "codegen/dump/decider_text.h"

#include <iterator>

#include "codegen/dump/node_text.h"
#include "runtime/decide/tree.h"

namespace espalier::codegen {
namespace {

using layout::SectionId;

std::string id(std::uint32_t number, std::string_view name) { return std::to_string(number) + " " + quoted_text(name); }

std::string asked_row(const Tree& tree, const layout::Decider& decider) {
  const layout::Precondition* precondition = precondition_of(*tree.asset, decider);
  if (precondition == nullptr) return {};
  std::string row = "? precondition=" + std::to_string(decider.precondition - 1);
  for (const WantedField& field : kWantedFields) {
    const layout::MaskTest& test = precondition->*field.test;
    if (test.mask != 0) row += " " + std::string(field.name) + "=" + quoted_text(wanted_text(tree, field, test));
  }
  return row;
}

std::string behavior_row(const Tree& tree, const layout::Decider& decider) {
  const std::uint32_t behavior = decider.behavior - 1;
  std::string row = "- behavior=" + id(behavior, behavior_name(*tree.asset, behavior)) +
                    " memory=" + std::to_string(decider.memory_bytes);
  if (decider.behavior_flags != 0) row += " flags=" + quoted_text(behavior_flags_text(tree, decider.behavior_flags));
  return row;
}

std::string sums_row(const NodeView& node, const layout::Decider& decider) {
  const bool has_state = node.opcode == Opcode::decide_sequential || node.opcode == Opcode::decide_shuffle;
  return "= children " + std::to_string(decider.child_count) +
         (has_state ? ", state " + std::to_string(decider.state) : "") + ", levels " +
         std::to_string(decider.level_count) + ", path " + std::to_string(decider.path_bytes) + ", answer " +
         std::to_string(decider.answer_bytes) + ", scratch " + std::to_string(decider.scratch_bytes) + ", asked " +
         std::to_string(decider.asked_count);
}

}  // namespace

const layout::Decider* decider_of(const Asset& asset, const NodeView& node) {
  const std::uint32_t* decider = operand(node, OperandKind::decider);
  return decider == nullptr ? nullptr : &array<layout::Decider>(asset, SectionId::deciders)[*decider];
}

std::string wanted_text(const Tree& tree, const WantedField& field, const layout::MaskTest& test) {
  std::string text;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if ((test.mask >> i & 1) == 0) continue;
    if (!text.empty()) text += ' ';
    if ((test.value >> i & 1) == 0) text += '!';
    text += field.asks_flags ? variable_name(tree, i) : stimulus_name(tree, i);
  }
  return text;
}

const layout::Precondition* precondition_of(const Asset& asset, const layout::Decider& decider) {
  if (decider.precondition == 0) return nullptr;
  return &array<layout::Precondition>(asset, SectionId::preconditions)[decider.precondition - 1];
}

std::string behavior_flags_text(const Tree& tree, std::uint32_t flags) {
  std::string text;
  for (std::uint32_t i = 0; i < 32; ++i) {
    if ((flags >> i & 1) == 0) continue;
    if (!text.empty()) text += ' ';
    text += behavior_flag_name(tree, i);
  }
  return text;
}

std::vector<std::string> decider_rows(const Tree& tree, const NodeView& node, const layout::Decider& decider) {
  std::vector<std::string> rows;
  if (decider.every_us != 0) {
    rows.push_back("? every=" + seconds_text(decider.every_us) + " timer=" + std::to_string(decider.timer));
  }
  if (std::string row = asked_row(tree, decider); !row.empty()) rows.push_back(std::move(row));
  if (decider.decide != 0) {
    const std::uint32_t decide = decider.decide - 1;
    rows.push_back("? decide=" + id(decide, host_condition_name(*tree.asset, decide)));
  }
  if (decider.block_bytes != 0) rows.push_back("- block=" + std::to_string(decider.block_bytes));
  if (decider.behavior != 0) rows.push_back(behavior_row(tree, decider));
  rows.push_back(sums_row(node, decider));
  return rows;
}

}  // namespace espalier::codegen
