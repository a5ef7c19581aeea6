// The names in the table of node kinds. See opcode_words.h.
#include "format/opcode_words.h"

#include "format/opcode.h"

namespace espalier {
namespace {

// By opcode, whatever the order of the table is.
struct OpcodeNames {
  constexpr OpcodeNames() {
#define OP(number, name, ...) rows[number] = #name;
#include "format/opcodes.def"
#undef OP
  }
  const char* rows[kOpcodeCount] = {};
};
constexpr OpcodeNames kOpcodeNames;

}  // namespace

const char* opcode_name(Opcode opcode) {
  const auto number = static_cast<std::uint32_t>(opcode);
  return is_opcode(number) ? kOpcodeNames.rows[number] : "";
}

}  // namespace espalier
