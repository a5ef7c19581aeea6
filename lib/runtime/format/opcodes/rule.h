// The opcodes of the engine rule, and what the table says of them.
#pragma once
#include "format/opcode_info.h"

namespace espalier {

namespace opcode {
#define OP(number, name, ...) inline constexpr Opcode name{number};
#include "format/opcodes/rule.def"
#undef OP
}  // namespace opcode

#define OP(number, name, engine, children, agent, flags, a, b, c, d, e, meaning)                           \
  template <>                                                                                              \
  struct InfoOf<Opcode{number}> {                                                                          \
    static constexpr OpcodeInfo value =                                                                    \
        detail::info_of_row(EngineId::engine, Children::children, agent, FlagsKind::flags, OperandKind::a, \
                            OperandKind::b, OperandKind::c, OperandKind::d, OperandKind::e);               \
  };
#include "format/opcodes/rule.def"
#undef OP

template <>
struct OpcodesOf<EngineId::rule> {
  static constexpr OpcodeRow rows[] = {
#define OP(number, name, ...) {opcode::name, InfoOf<opcode::name>::value},
#include "format/opcodes/rule.def"
#undef OP
  };
};

}  // namespace espalier
