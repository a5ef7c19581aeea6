// Names and meanings of opcodes, for tools and tests: separate from opcode.h, so that games do not contain these
// strings.
#pragma once
#include "format/opcode.h"

namespace espalier {

struct OpcodeWords {
  const char* name;
  const char* meaning;
};

constexpr OpcodeWords opcode_words(Opcode opcode) {
  switch (opcode) {
#define OP(number, name, engine, children, agent, flags, a, b, c, d, e, meaning) \
  case Opcode::name:                                                             \
    return {#name, meaning};
#include "format/opcodes.def"
#undef OP
    case Opcode::count:
      break;
  }
  return {"", ""};
}

constexpr const char* opcode_name(Opcode opcode) { return opcode_words(opcode).name; }

}  // namespace espalier
