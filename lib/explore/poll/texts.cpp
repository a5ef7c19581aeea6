// Where texts come from: how an agent starts, scripts, nodes, and the host. See texts.h.
#include "explore/poll/texts.h"

#include <algorithm>
#include <vector>

#include "explore/poll/uses.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/nodes.h"

namespace espalier::explore {
namespace {

using layout::PollOp;
using layout::PollPortKind;
using layout::PollType;

bool is_assignment(PollOp op) { return op >= PollOp::create && op <= PollOp::assign_divide; }

// A number that is written as such a type becomes a text.
bool is_text_type(PollType type) { return type == PollType::text || type >= PollType::reserved; }

class Texts {
 public:
  explicit Texts(const PollTreeView& tree) : tree_(tree), block_(agent_bytes(tree.tree) / 8 + 1) {
    start(tree.tree, block_.data());
  }

  bool may_be_held(HostWrites writes) const {
    if (tree_.record.named_count != 0 || writes == HostWrites::texts) return true;
    const PollAgent agent(tree_, const_cast<std::uint64_t*>(block_.data()));
    const bool has_numbers = writes == HostWrites::numbers;
    for (std::uint32_t i = 0; i < tree_.entry_count(); ++i) {
      if (agent.kind(i) == ValueKind::text || (has_numbers && is_text_type(agent.type(i)))) return true;
    }
    for (std::uint32_t i = 0; i < tree_.record.script_count; ++i) {
      if (may_be_written_by_script(i)) return true;
    }
    for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) {
      if (may_be_written_by(tree_.node(i), has_numbers)) return true;
    }
    return false;
  }

 private:
  // A script without texts of its own loads none, if no entry holds one before.
  bool may_be_written_by_script(std::uint32_t script) const {
    const layout::PollScript record =
        records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + script];
    const auto* const code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + record.first_instruction;
    bool has_text = false;
    bool writes = false;
    for (std::uint32_t at = 0; at < record.instruction_count; ++at) {
      const auto op = static_cast<PollOp>(code[at].op);
      has_text = has_text || op == PollOp::push_text || op == PollOp::join;
      writes = writes || is_assignment(op);
    }
    return has_text && writes;
  }

  bool may_be_written_by(const std::uint32_t* node, bool has_numbers) const {
    const Opcode opcode = opcode_of(node);
    if (opcode == opcode::poll_loop) return true;
    for (std::uint32_t i = 0; i < tree_.polled_of(node).port_count; ++i) {
      const PollPort& port = tree_.port_of(node, i);
      const auto kind = static_cast<PollPortKind>(port.kind);
      if (opcode == opcode::poll_set && i == poll_ports::kSource && kind == PollPortKind::text) return true;
      if (has_numbers && kind == PollPortKind::key && is_text_type(static_cast<PollType>(port.type))) return true;
    }
    return false;
  }

  const PollTreeView& tree_;
  std::vector<std::uint64_t> block_;
};

}  // namespace

std::uint32_t used_bytes_of_polling(const Side& side, HostWrites writes) {
  const PollTreeView& tree = side.uses->tree();
  const layout::Part& texts = tree.part<PartKind::texts>();
  const auto all = static_cast<std::uint32_t>(agent_bytes(side.tree));
  // That room is the last part.
  const bool is_last = (end_bits(texts) + 63) / 64 * 8 == all;
  if (texts.count == 0 || !is_last) return all;
  return Texts(tree).may_be_held(writes) ? all : offset_bytes(texts);
}

}  // namespace espalier::explore
