// The whole table of node kinds, for what is made from all of its rows: that is compiled again for each new opcode.
// What names opcodes of one engine includes opcodes/ENGINE.h, and what looks opcodes up opcode_info.h.
#pragma once
#include "format/opcode_info.h"
#include "format/opcodes/decide.h"
#include "format/opcodes/poll.h"
#include "format/opcodes/rule.h"
#include "format/opcodes/select.h"
#include "format/opcodes/store.h"
#include "format/opcodes/tick.h"

namespace espalier {

namespace detail {
inline constexpr std::uint8_t kOpcodeNumbers[] = {
#define OP(number, ...) number,
#include "format/opcodes.def"
#undef OP
};
}  // namespace detail

// Opcodes are numbered without gaps.
inline constexpr std::uint8_t kOpcodeCount = sizeof detail::kOpcodeNumbers;
static_assert(kOpcodeCount <= kOpcodeRows && Opcode{kOpcodeCount} < kNoOpcode);

constexpr bool is_opcode(std::uint32_t number) { return number < kOpcodeCount; }

namespace detail {
struct OpcodeTable {
  OpcodeInfo rows[kOpcodeCount];  // by number
};

constexpr OpcodeTable opcode_table() {
  OpcodeTable table = {};
#define OP(number, name, ...) table.rows[number] = InfoOf<opcode::name>::value;
#include "format/opcodes.def"
#undef OP
  return table;
}
}  // namespace detail

// The same as opcode_info(), while compiling.
inline constexpr detail::OpcodeTable kOpcodes = detail::opcode_table();

}  // namespace espalier
