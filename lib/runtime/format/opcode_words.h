// What opcodes are called and what they mean, for tools and tests: apart from opcode.h, so that a game does not carry
// the words.
#pragma once
#include "format/opcode.h"

namespace espalier {

struct OpcodeWords {
  const char* name;
  const char* meaning;
};

inline constexpr OpcodeWords kOpcodeWords[] = {
#define OP(name, family, children, agent, flags, a, b, c, d, meaning) {#name, meaning},
#include "format/opcodes.def"
#undef OP
};

constexpr const char* opcode_name(Opcode opcode) { return kOpcodeWords[static_cast<std::uint8_t>(opcode)].name; }

}  // namespace espalier
