// What the table of node kinds says of an opcode. By its number at run time: opcode_info(). While compiling, of the
// engines whose headers (opcodes/ENGINE.h) are included: InfoOf and OpcodesOf. A new opcode does not change this.
#pragma once
#include <cstddef>
#include <cstdint>

#include "format/kinds.h"

namespace espalier {

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
constexpr OpcodeInfo info_of_row(EngineId engine, Children children, std::uint8_t agent_bytes, FlagsKind flags,
                                 OperandKind a, OperandKind b, OperandKind c, OperandKind d, OperandKind e) {
  const int operand_count = (a != OperandKind::none) + (b != OperandKind::none) + (c != OperandKind::none) +
                            (d != OperandKind::none) + (e != OperandKind::none);
  return {engine, children, agent_bytes, flags, {a, b, c, d, e}, static_cast<std::uint8_t>(operand_count)};
}
}  // namespace detail

// InfoOf<opcode>::value: its row. The header of its engine has it.
template <Opcode opcode>
struct InfoOf;

// OpcodesOf<engine>::rows: all rows of an engine, in the order of its table. Its header has them.
struct OpcodeRow {
  Opcode opcode;
  OpcodeInfo info;
};
template <EngineId engine>
struct OpcodesOf;

// More than there are: so many rows have tables of tools that do not depend on their number.
inline constexpr std::size_t kOpcodeRows = 128;

// By number, in opcodes.cpp; what reads them does not depend on how many there are.
namespace detail {
extern const OpcodeInfo kOpcodeInfos[];
// Properties of opcodes that walks need at every node, one byte each.
extern const std::uint8_t kOwnWords[];
extern const std::uint8_t kExtentWords[];  // index of the word with the extent; 0: it has none, and no children
}  // namespace detail

// The opcode is one of the table's.
inline const OpcodeInfo& opcode_info(Opcode opcode) { return detail::kOpcodeInfos[static_cast<std::size_t>(opcode)]; }

}  // namespace espalier
