// See recorded.h.
#include "asset/recorded.h"

#include "format/node.h"
#include "format/opcodes/store.h"
#include "format/opcodes/tick.h"

namespace espalier {

bool is_recorded(const Asset& asset, std::uint32_t node_word) {
  const std::uint32_t* node = array<std::uint32_t>(asset, layout::SectionId::nodes) + node_word;
  const Opcode opcode = opcode_of(node);
  if (opcode == opcode::tick_log || opcode == opcode::tick_branch) return false;
  if (opcode_info(opcode).engine != EngineId::store) return true;
  while (!is_root(node)) {
    node = parent_of(node);
    if (opcode_of(node) == opcode::store_monitor) return false;
  }
  return true;
}

}  // namespace espalier
