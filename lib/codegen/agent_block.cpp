// The agent's block. See agent_block.h.
#include "codegen/agent_block.h"

namespace espalier::codegen {
namespace {

std::uint32_t rounded_up(std::uint32_t size_bytes) {
  return (size_bytes + layout::kAlignment - 1) / layout::kAlignment * layout::kAlignment;
}

std::uint32_t variable_bytes(const layout::Tree& tree) {
  return tree.variable_count / 8 + (tree.variable_count % 8 != 0);
}

void fill_with_ones(std::string& image, std::size_t offset, std::size_t count) {
  image.replace(offset, count, count, '\xFF');
}

}  // namespace

// Variables, then the leaf, then the nodes' state. The dirty bit goes where a bit is free: behind the variables, in the
// padding, in a node's byte, above the leaf. Where none is, the tree has no node with state, so that evaluating it
// always gives the same answers.
bool lay_out_agent(const layout::Unit& unit, layout::Tree& tree) {
  tree.leaf_offset = variable_bytes(tree);
  tree.state_offset = tree.leaf_offset + 2;
  const std::uint64_t used_bytes = std::uint64_t{tree.state_offset} + unit.state_bytes;
  if (used_bytes > layout::kMaxAgentBytes) return false;
  tree.agent_bytes = rounded_up(static_cast<std::uint32_t>(used_bytes));
  if (tree.variable_count % 8 != 0) {
    tree.dirty_bit = tree.variable_count;
  } else if (used_bytes < tree.agent_bytes) {
    tree.dirty_bit = static_cast<std::uint32_t>(used_bytes) * 8;
  } else if (unit.state_bytes > 0) {
    tree.dirty_bit = tree.state_offset * 8 + 7;
  } else {
    tree.dirty_bit = tree.leaf_count <= 0x7FFF ? tree.leaf_offset * 8 + 15 : layout::kNone;
  }
  return true;
}

// Nothing is aligned: a block is small, and its parts are read by copying.
bool lay_out_ticking_agent(const layout::Unit& unit, const TickingUnit& needs, std::size_t scope_total,
                           layout::Tree& tree, layout::Ticking& ticking) {
  std::uint64_t end = variable_bytes(tree);
  const auto take = [&end](std::uint64_t size_bytes) {
    return static_cast<std::uint32_t>((end += size_bytes) - size_bytes);
  };
  ticking.limit_count = needs.limit_count;
  ticking.cursor_bytes = needs.cursor_bytes;
  ticking.status_offset = take(1);
  ticking.cursor_offset = take(needs.cursor_bytes);
  ticking.held_offset = needs.uses_scopes ? take((scope_total + 7) / 8) : layout::kNone;
  ticking.generator_offset = needs.draws ? take(8) : layout::kNone;
  ticking.times_offset = take(std::uint64_t{8} * ticking.timestamp_count);
  tree.state_offset = take(unit.state_bytes);
  if (end > layout::kMaxAgentBytes) return false;
  tree.agent_bytes = rounded_up(static_cast<std::uint32_t>(end));
  tree.shared_bytes = rounded_up(2 * ticking.limit_count);
  tree.dirty_bit = ticking.status_offset * 8;
  return true;
}

void lay_out_rule_agent(layout::Tree& tree) {
  tree.agent_bytes = layout::kRuleAgentBytes;
  tree.dirty_bit = layout::kNone;
}

std::string image_of(const ir::Tree& source, const layout::Tree& tree, const layout::Ticking* ticking) {
  std::string image(tree.agent_bytes, '\0');
  for (std::uint32_t i = 0; i < source.variables.size(); ++i) {
    if (source.variables[i].initial) image[i / 8] = static_cast<char>(image[i / 8] | (1 << (i % 8)));
  }
  if (ticking != nullptr) {
    fill_with_ones(image, ticking->cursor_offset, ticking->cursor_bytes);
    fill_with_ones(image, ticking->times_offset, std::size_t{8} * ticking->timestamp_count);
    return image;
  }
  fill_with_ones(image, tree.leaf_offset, 2);
  if (tree.dirty_bit == tree.leaf_offset * 8 + 15) image[tree.leaf_offset + 1] = '\x7F';
  return image;
}

std::string rule_image_of(const ir::Tree& source) {
  std::string image(layout::kAlignment, '\0');
  if (source.root.children.empty()) fill_with_ones(image, 0, sizeof layout::kNoRule);
  const unsigned status = layout::kFirstRun | static_cast<unsigned>(Result::stopped);
  image[layout::kRuleStatusOffset] = static_cast<char>(status);
  return image;
}

}  // namespace espalier::codegen
