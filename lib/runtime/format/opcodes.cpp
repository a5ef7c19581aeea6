// The table of node kinds as it is read at run time. See opcode_info.h.
#include "format/node.h"
#include "format/opcode.h"

namespace espalier::detail {
namespace {

// The numbers from 0 on, with a name each, whatever the order of the table is.
struct Place {
  enum Number : std::size_t {
#define OP(number, name, ...) name,
#include "format/opcodes.def"
#undef OP
  };
};

constexpr bool extents_come_last() {
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const OpcodeInfo& info = kOpcodes.rows[i];
    bool has_extent = false;
    for (std::uint32_t operand = 0; operand < info.operand_count; ++operand) {
      has_extent = info.operands[operand] == OperandKind::extent;
      if (has_extent && operand + 1u != info.operand_count) return false;
    }
    if (has_extent !=
        (info.children != Children::none || info.engine == EngineId::decide || info.engine == EngineId::poll))
      return false;
  }
  return true;
}
static_assert(extents_come_last());

constexpr bool parents_come_first() {
  for (std::size_t i = 0; i < kOpcodeCount; ++i) {
    const OpcodeInfo& info = kOpcodes.rows[i];
    if ((info.engine != EngineId::select) != (info.operands[0] == OperandKind::parent)) return false;
  }
  return true;
}
static_assert(parents_come_first());

}  // namespace

const OpcodeInfo kOpcodeInfos[] = {
#define OP(number, name, ...) kOpcodes.rows[Place::name],
#include "format/opcodes.def"
#undef OP
};

const std::uint8_t kOwnWords[] = {
#define OP(number, name, ...) static_cast<std::uint8_t>(words_of_row(kOpcodes.rows[Place::name])),
#include "format/opcodes.def"
#undef OP
};

const std::uint8_t kExtentWords[] = {
#define OP(number, name, ...) static_cast<std::uint8_t>(extent_word_of_row(kOpcodes.rows[Place::name])),
#include "format/opcodes.def"
#undef OP
};

}  // namespace espalier::detail
