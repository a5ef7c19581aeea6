// The opcode table as types and a lookup. Rows are in opcodes.def.
#pragma once
#include <cstdint>

namespace espalier {

enum class Family : std::uint8_t { select };

enum class Children : std::uint8_t { none, one, many, states };

enum class FlagsKind : std::uint8_t { none, number };

// What an operand word means, and so how it is verified, written, printed and documented.
enum class OperandKind : std::uint8_t {
  none,
  condition,         // 0: always true; else 1 + index into CONDITIONS
  leaf,              // ordinal of this leaf (or of the first leaf below), relative to the unit
  leaf_count,        // leaves below
  transition,        // index of its first entry in TRANSITIONS
  transition_count,  // how many follow
  unit,              // index into UNITS, smaller than that of the unit it stands in
};

enum class Opcode : std::uint8_t {
#define OP(name, family, children, agent, flags, a, b, c, d, meaning) name,
#include "opcodes.def"
#undef OP
  count
};

inline constexpr std::uint32_t kMaxOperands = 4;
inline constexpr std::uint32_t kNodeHeaderWords = 2;

struct OpcodeInfo {
  const char* name;
  Family family;
  Children children;
  std::uint8_t agent_bytes;
  FlagsKind flags;
  OperandKind operands[kMaxOperands];
  std::uint8_t operand_count;
  const char* meaning;
};

namespace detail {
constexpr std::uint8_t count_operands(OperandKind a, OperandKind b, OperandKind c, OperandKind d) {
  return static_cast<std::uint8_t>((a != OperandKind::none) + (b != OperandKind::none) + (c != OperandKind::none) +
                                   (d != OperandKind::none));
}
}  // namespace detail

inline constexpr OpcodeInfo kOpcodes[] = {
#define OP(name, family, children, agent, flags, a, b, c, d, meaning)                      \
  {#name,                                                                                  \
   Family::family,                                                                         \
   Children::children,                                                                     \
   agent,                                                                                  \
   FlagsKind::flags,                                                                       \
   {OperandKind::a, OperandKind::b, OperandKind::c, OperandKind::d},                       \
   detail::count_operands(OperandKind::a, OperandKind::b, OperandKind::c, OperandKind::d), \
   meaning},
#include "opcodes.def"
#undef OP
};

constexpr const OpcodeInfo& opcode_info(Opcode opcode) { return kOpcodes[static_cast<std::uint8_t>(opcode)]; }

}  // namespace espalier
