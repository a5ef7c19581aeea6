// Moves agents of trees that poll to another version of their tree. In one that has not changed they continue; else
// the old tree is halted, and entries of the same name and type on blackboards of the same path keep their values.
#include "poll/poll.h"

#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/blackboard.h"

namespace espalier {
namespace {

// The blackboard of this path; kNone if there is none.
std::uint32_t find_board(const PollTreeView& tree, std::string_view path) {
  for (std::uint32_t i = 0; i < tree.record.board_count; ++i) {
    if (tree.name(tree.board(i).path) == path) return i;
  }
  return layout::kNone;
}

// Do two trees do the same, whatever else is in their assets? Records are compared without the numbers that depend on
// other trees: names as texts, numbers as values, and places relative to the tree.
class Versions {
 public:
  Versions(const PollTreeView& before, const PollTreeView& after) : before_(before), after_(after) {}

  bool are_same() const {
    const layout::PollTree& a = before_.record;
    const layout::PollTree& b = after_.record;
    return a.board_count == b.board_count && a.script_count == b.script_count && a.text_bytes == b.text_bytes &&
           a.flags == b.flags && a.named_count == b.named_count && before_.entry_count() == after_.entry_count() &&
           before_.unit.node_count == after_.unit.node_count && have_same_image() && have_same_enums() &&
           each(a.board_count, &Versions::is_same_board) && each(key_count(), &Versions::is_same_key) &&
           each(before_.entry_count(), &Versions::is_same_entry) && each(a.script_count, &Versions::is_same_script) &&
           each(before_.unit.node_count, &Versions::is_same_node);
  }

 private:
  bool each(std::uint32_t count, bool (Versions::*is_same)(std::uint32_t) const) const {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!(this->*is_same)(i)) return false;
    }
    return true;
  }
  bool is_same_name(std::uint32_t a, std::uint32_t b) const { return before_.name(a) == after_.name(b); }
  bool is_same_number(std::uint32_t a, std::uint32_t b) const { return before_.number(a) == after_.number(b); }

  // With those of named entries, which follow the keys of the last board.
  std::uint32_t key_count() const {
    std::uint32_t count = 2 * before_.record.named_count;
    for (std::uint32_t i = 0; i < before_.record.board_count; ++i) count += before_.board(i).key_count;
    return count;
  }

  bool have_same_image() const {
    const layout::Tree& a = tree_record(before_.tree);
    const layout::Tree& b = tree_record(after_.tree);
    if (a.agent_bytes != b.agent_bytes || (a.image == layout::kNone) != (b.image == layout::kNone)) return false;
    return a.image == layout::kNone ||
           std::memcmp(array<unsigned char>(before_.asset, SectionId::images) + a.image,
                       array<unsigned char>(after_.asset, SectionId::images) + b.image, a.agent_bytes) == 0;
  }
  bool have_same_enums() const {
    const std::uint32_t count = record_count(before_.asset, SectionId::poll_enums);
    return record_count(after_.asset, SectionId::poll_enums) == count && each(count, &Versions::is_same_enum);
  }
  bool is_same_enum(std::uint32_t i) const {
    const layout::PollEnum& a = records<layout::PollEnum>(before_.asset, SectionId::poll_enums)[i];
    const layout::PollEnum& b = records<layout::PollEnum>(after_.asset, SectionId::poll_enums)[i];
    return is_same_name(a.name, b.name) && is_same_number(a.number, b.number);
  }
  bool is_same_board(std::uint32_t i) const {
    const layout::PollBoard a = before_.board(i);
    const layout::PollBoard b = after_.board(i);
    return is_same_name(a.path, b.path) && a.key_count == b.key_count && a.above == b.above;
  }
  bool is_same_key(std::uint32_t i) const {
    const layout::PollKey& a = before_.keys[i];
    const layout::PollKey& b = after_.keys[i];
    return is_same_name(a.name, b.name) && a.entry == b.entry && a.next == b.next && a.is_own == b.is_own;
  }
  bool is_same_entry(std::uint32_t i) const {
    return is_same_name(before_.entries[i].name, after_.entries[i].name) &&
           before_.entries[i].board == after_.entries[i].board;
  }
  static const layout::PollScript& script(const PollTreeView& tree, std::uint32_t i) {
    return records<layout::PollScript>(tree.asset, SectionId::poll_scripts)[tree.record.first_script + i];
  }
  bool is_same_script(std::uint32_t i) const {
    const layout::PollScript& a = script(before_, i);
    const layout::PollScript& b = script(after_, i);
    if (a.instruction_count != b.instruction_count) return false;
    for (std::uint32_t k = 0; k < a.instruction_count; ++k) {
      if (!is_same_instruction(code(before_, a)[k], code(after_, b)[k])) return false;
    }
    return true;
  }
  static const layout::Instruction* code(const PollTreeView& tree, const layout::PollScript& script) {
    return array<layout::Instruction>(tree.asset, SectionId::poll_code) + script.first_instruction;
  }
  bool is_same_instruction(const layout::Instruction& a, const layout::Instruction& b) const {
    using layout::PollOp;
    const auto op = static_cast<PollOp>(a.op);
    if (a.op != b.op) return false;
    if (op == PollOp::push_text) return is_same_name(a.operand, b.operand);
    return op == PollOp::push_whole || op == PollOp::push_real ? is_same_number(a.operand, b.operand)
                                                               : a.operand == b.operand;
  }
  bool is_same_node(std::uint32_t i) const {
    const std::uint32_t* const a_node = before_.node(i);
    const std::uint32_t* const b_node = after_.node(i);
    const Polled& a = before_.polled_of(a_node);
    const Polled& b = after_.polled_of(b_node);
    for (std::uint32_t Polled::*const hook : layout::kHooks) {
      if (a.*hook != b.*hook) return false;
    }
    if (*a_node != *b_node || nodes_within(a_node) != nodes_within(b_node) || a.script != b.script ||
        a.port_count != b.port_count || a.board != b.board || a.child_count != b.child_count ||
        !is_same_name(a.instance, b.instance) || !is_same_host(opcode_of(a_node), a.host, b.host)) {
      return false;
    }
    for (std::uint32_t port = 0; port < a.port_count; ++port) {
      if (!is_same_port(before_.port_of(a_node, port), after_.port_of(b_node, port))) return false;
    }
    return true;
  }
  bool is_same_host(Opcode opcode, std::uint32_t a, std::uint32_t b) const {
    const bool is_action = opcode == opcode::poll_action || opcode == opcode::poll_sync_action;
    const bool is_condition = opcode == opcode::poll_condition || opcode == opcode::poll_gate;
    if (is_action) return behavior_name(before_.asset, a) == behavior_name(after_.asset, b);
    return is_condition ? host_condition_name(before_.asset, a) == host_condition_name(after_.asset, b) : a == b;
  }
  bool is_same_port(const PollPort& a, const PollPort& b) const {
    using layout::PollPortKind;
    if (!is_same_name(a.name, b.name) || a.kind != b.kind || a.type != b.type || a.direction != b.direction ||
        a.is_default != b.is_default) {
      return false;
    }
    const auto kind = static_cast<PollPortKind>(a.kind);
    if (kind == PollPortKind::text) return is_same_name(a.value, b.value);
    return kind == PollPortKind::whole || kind == PollPortKind::real ? is_same_number(a.value, b.value)
                                                                     : a.value == b.value;
  }

  const PollTreeView& before_;
  const PollTreeView& after_;
};

constexpr Engine kReloadEngine = with_move(kPollRow, move_polling);

}  // namespace

void move_polling(const Tree& from, void* from_block, const Host& from_host, const Tree& to, void* to_block,
                  const Host&) {
  const PollTreeView old_tree(from);
  const PollTreeView new_tree(to);
  if (Versions(old_tree, new_tree).are_same()) {
    std::memcpy(to_block, from_block, tree_record(to).agent_bytes);
    return;
  }
  stop_polling(from, from_block, from_host);
  const PollAgent old_agent(old_tree, from_block);
  const PollAgent new_agent(new_tree, to_block);
  const Blackboard old_board(old_tree, old_agent);
  const Blackboard new_board(new_tree, new_agent);
  for (std::uint32_t i = 0; i < old_tree.entry_count(); ++i) {
    const StoredEntry entry = old_agent.entry(i);
    if (!entry.is_there) continue;
    const std::uint32_t board = find_board(new_tree, old_tree.name(old_tree.board(old_board.board_of(i)).path));
    std::uint32_t other = layout::kNone;
    if (board == layout::kNone || new_board.name_entry(board, old_board.name(i), &other) != PollFault::none) continue;
    const StoredEntry fresh = new_agent.entry(other);
    const bool is_alike = !fresh.is_there || fresh.type == entry.type || !is_kept(fresh.type);
    const bool fits = entry.kind != ValueKind::text || entry.bits <= new_tree.record.text_bytes;
    if (!is_alike || !fits) continue;
    new_agent.set_entry(other, entry);
    if (entry.kind == ValueKind::text)
      std::memcpy(new_agent.text(other), old_agent.text(i), static_cast<std::size_t>(entry.bits));
  }
}

}  // namespace espalier

const espalier_engine* espalier_poll_reload_engine(void) { return &espalier::kReloadEngine; }
