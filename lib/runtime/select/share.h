// The frames of a walk that enters shared units and leaves them.
#pragma once
#include "core/frame.h"
#include "format/opcodes/select.h"

namespace espalier {

// Enters the unit of a select_share in this frame, and returns to `unit`, which contains the share.
inline Frame entered(const Asset& asset, const Frame& around, const std::uint32_t* share) {
  Frame frame = frame_of(asset, entered_unit<opcode::select_share>(asset, share));
  frame.leaf_base = around.leaf_base + operand<OperandKind::leaf, opcode::select_share>(share);
  frame.state_base = around.state_base + state_offset_of(share);
  return frame;
}
inline Frame left(const Asset& asset, const Frame& inside, const std::uint32_t* share, std::uint32_t unit) {
  Frame frame = frame_of(asset, unit);
  frame.leaf_base = inside.leaf_base - operand<OperandKind::leaf, opcode::select_share>(share);
  frame.state_base = inside.state_base - state_offset_of(share);
  return frame;
}

}  // namespace espalier
