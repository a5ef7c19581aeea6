// The opcode table as an enumeration and a lookup. Rows are in opcodes.def: what includes this is compiled anew for
// each new opcode, so headers make do with kinds.h.
#pragma once
#include <cstddef>
#include <cstdint>

#include "format/kinds.h"

namespace espalier {

namespace detail {
inline constexpr std::uint8_t kOpcodeNumbers[] = {
#define OP(number, name, engine, children, agent, flags, a, b, c, d, e, meaning) number,
#include "format/opcodes.def"
#undef OP
};
}  // namespace detail

enum class Opcode : std::uint8_t {
#define OP(number, name, engine, children, agent, flags, a, b, c, d, e, meaning) name = (number),
#include "format/opcodes.def"
#undef OP
  count = sizeof detail::kOpcodeNumbers
};
static_assert(Opcode::count < kNoOpcode);

constexpr bool is_opcode(std::uint32_t number) { return number < static_cast<std::uint32_t>(Opcode::count); }

inline constexpr std::uint32_t kMaxOperands = 5;
inline constexpr std::uint8_t varies = 0xFF;  // OpcodeInfo::agent_bytes: depends on the node
inline constexpr std::uint32_t kNodeHeaderWords = 1;

struct OpcodeInfo {
  EngineId engine;
  Children children;
  std::uint8_t agent_bytes;
  FlagsKind flags;
  OperandKind operands[kMaxOperands];
  std::uint8_t operand_count;
};

namespace detail {
constexpr std::uint8_t count_operands(OperandKind a, OperandKind b, OperandKind c, OperandKind d, OperandKind e) {
  return static_cast<std::uint8_t>((a != OperandKind::none) + (b != OperandKind::none) + (c != OperandKind::none) +
                                   (d != OperandKind::none) + (e != OperandKind::none));
}
}  // namespace detail

struct OpcodeTable {
  OpcodeInfo rows[static_cast<std::size_t>(Opcode::count)];  // by number
};

namespace detail {
constexpr OpcodeTable opcode_table() {
  OpcodeTable table = {};
#define OP(number, name, engine, children, agent, flags, a, b, c, d, e, meaning)        \
  table.rows[number] = {                                                                \
      EngineId::engine,                                                                 \
      Children::children,                                                               \
      agent,                                                                            \
      FlagsKind::flags,                                                                 \
      {OperandKind::a, OperandKind::b, OperandKind::c, OperandKind::d, OperandKind::e}, \
      count_operands(OperandKind::a, OperandKind::b, OperandKind::c, OperandKind::d, OperandKind::e)};
#include "format/opcodes.def"
#undef OP
  return table;
}
}  // namespace detail

inline constexpr OpcodeTable kOpcodes = detail::opcode_table();

constexpr const OpcodeInfo& opcode_info(Opcode opcode) { return kOpcodes.rows[static_cast<std::size_t>(opcode)]; }

}  // namespace espalier
