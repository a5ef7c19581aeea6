// Verifies trees that poll: their nodes' records, blackboards, ports, scripts and agents.
#include "asset/verify_unit.h"
#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/memory.h"
#include "poll/poll.h"

namespace espalier {
namespace {

using layout::PollOp;
using layout::PollPortKind;

constexpr bool have_the_words_of_trees() {
  for (const OpcodeRow& row : OpcodesOf<EngineId::poll>::rows) {
    const bool has_words = detail::words_of_row(row.info) == kPolledWords &&
                           detail::extent_word_of_row(row.info) == kPolledExtentWord &&
                           operand_word(row.info, OperandKind::polled) == kPolledRecordWord;
    if (!has_words) return false;
  }
  return true;
}
static_assert(have_the_words_of_trees(), "all nodes have the words that poll/tree.h gives");

struct PollHooks {
  static const char* open(UnitReader&) { return nullptr; }
  static const char* close(UnitReader&) { return nullptr; }
};

// Below what the operand of an instruction must be; a jump is checked elsewhere.
std::uint32_t operand_limit(const Asset& asset, PollOp op, std::uint32_t key_count) {
  switch (op) {
    case PollOp::push_whole:
    case PollOp::push_real:
      return record_count(asset, SectionId::numbers);
    case PollOp::push_text:
      return record_count(asset, SectionId::names);
    case PollOp::load:
    case PollOp::create:
    case PollOp::assign:
    case PollOp::assign_add:
    case PollOp::assign_subtract:
    case PollOp::assign_multiply:
    case PollOp::assign_divide:
      return key_count;
    case PollOp::compare:
      return 6;
    default:
      return 1;
  }
}

bool is_instruction(const Asset& asset, const layout::Instruction& instruction, std::uint32_t at, std::uint32_t count,
                    std::uint32_t key_count) {
  if (instruction.op >= static_cast<std::uint32_t>(PollOp::count)) return false;
  const auto op = static_cast<PollOp>(instruction.op);
  const std::uint32_t operand = instruction.operand;
  if (op == PollOp::jump || op == PollOp::jump_unless) return operand > at && operand <= count;
  if (op == PollOp::compare_next) return (operand & 0xFF) < 6 && operand >> 8 > at && operand >> 8 <= count;
  return operand < operand_limit(asset, op, key_count);
}

}  // namespace

const char* Verifier::check_poll_unit(std::uint32_t unit, std::uint32_t* word) {
  return read_unit(*this, unit, PollHooks{}, word);
}

// The blackboards of a tree, and their keys. `key_count` gets how many these are.
bool Verifier::check_poll_boards(const layout::Tree& tree, const layout::PollTree& record, std::uint32_t* key_count) {
  const auto boards = records<layout::PollBoard>(asset_, SectionId::poll_boards) + record.first_board;
  const auto* keys = array<layout::PollKey>(asset_, SectionId::poll_keys);
  const layout::Part& part = part_of<EngineId::poll, PartKind::entries>(parts_of(asset_, tree));
  const auto entries = records<layout::PollEntry>(asset_, SectionId::poll_entries) + part.first_name;
  if (record.named_count > part.count / 2) return fail(&record, "a tree's record is wrong");
  const std::uint32_t fixed_count = part.count - 2 * record.named_count;
  if (record.board_count == 0 || !take(SectionId::poll_boards, record.first_board, record.board_count)) {
    return fail(&record, "blackboards are not consecutive");
  }
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < record.board_count; ++i) {
    const layout::PollBoard& board = boards[i];
    const bool is_above = board.above == layout::kNone || board.above < i;
    if (!is_name(board.path) || !is_above || !take(SectionId::poll_keys, board.first_key, board.key_count)) {
      return fail(&board, "a blackboard is wrong");
    }
    for (std::uint32_t k = 0; k < board.key_count; ++k, ++count) {
      const layout::PollKey& key = keys[board.first_key + k];
      const bool is_later = key.next == layout::kNone || key.next < count;
      if (!is_name(key.name) || key.entry >= fixed_count || key.is_own > kMadeUnseen || !is_later) {
        return fail(&key, "a key is wrong");
      }
    }
  }
  const std::uint32_t first_named = boards[0].first_key + count;
  if (!take(SectionId::poll_keys, first_named, 2 * record.named_count)) {
    return fail(&record, "the keys of named entries are missing");
  }
  for (std::uint32_t i = 0; i < 2 * record.named_count; ++i, ++count) {
    const bool is_own = i < record.named_count;
    const std::uint32_t entry = fixed_count + (is_own ? i : i - record.named_count);
    const layout::PollKey& key = keys[first_named + i];
    if (!is_name(key.name) || key.entry != entry || key.next != layout::kNone || key.is_own != (is_own ? 1u : 0u)) {
      return fail(&key, "a key is wrong");
    }
  }
  for (std::uint32_t i = 0; i < part.count; ++i) {
    if (!is_name(entries[i].name) || entries[i].board >= record.board_count) {
      return fail(&entries[i], "an entry is wrong");
    }
  }
  *key_count = count;
  return true;
}

bool Verifier::check_poll_scripts(const layout::PollTree& record, std::uint32_t key_count) {
  if (!take(SectionId::poll_scripts, record.first_script, record.script_count)) {
    return fail(&record, "scripts are not consecutive");
  }
  const auto scripts = records<layout::PollScript>(asset_, SectionId::poll_scripts) + record.first_script;
  const auto* code = array<layout::Instruction>(asset_, SectionId::poll_code);
  for (std::uint32_t i = 0; i < record.script_count; ++i) {
    const layout::PollScript& script = scripts[i];
    if (script.instruction_count == 0 ||
        !take(SectionId::poll_code, script.first_instruction, script.instruction_count)) {
      return fail(&script, "a script has no instructions, or shares them");
    }
    for (std::uint32_t k = 0; k < script.instruction_count; ++k) {
      const layout::Instruction& instruction = code[script.first_instruction + k];
      if (!is_instruction(asset_, instruction, k, script.instruction_count, key_count)) {
        return fail(&instruction, "unknown or invalid instruction");
      }
    }
  }
  return true;
}

bool Verifier::check_poll_port(const PollPort& port, std::uint32_t key_count) const {
  if (!is_name(port.name) || port.direction > static_cast<std::uint8_t>(layout::PollDirection::inout) ||
      port.is_default > 1) {
    return false;
  }
  switch (static_cast<PollPortKind>(port.kind)) {
    case PollPortKind::missing:
      return port.value == 0;
    case PollPortKind::key:
      return port.value < key_count;
    case PollPortKind::text:
      return is_name(port.value);
    case PollPortKind::whole:
    case PollPortKind::real:
      return has_records(SectionId::numbers, port.value, 1);
  }
  return false;
}

// Null, or what is wrong with the record of a node.
const char* Verifier::check_poll_node(const std::uint32_t* node, const layout::PollTree& record,
                                      std::uint32_t key_count) {
  const Opcode opcode = opcode_of(node);
  const Polled& polled = records<Polled>(asset_, SectionId::polled)[operand<OperandKind::polled, EngineId::poll>(node)];
  bool has_hooks = false;
  for (std::uint32_t layout::Polled::*const hook : layout::kHooks) {
    if (polled.*hook > record.script_count) return "script index out of range";
    has_hooks = has_hooks || polled.*hook != 0;
  }
  if (has_hooks != has_flag(node, kHasHooks)) return "a node's flag for scripts is wrong";
  if (polled.script > record.script_count) return "script index out of range";
  if (polled.board >= record.board_count || !is_name(polled.instance) || polled.reserved != 0) {
    return "a node's record is wrong";
  }
  if (polled.child_count != child_count(node)) return "a node's child count is wrong";
  if (polled.child_count < shape_of(opcode).child_count) return "a node has too few children";
  if (polled.port_count < shape_of(opcode).port_count) return "a node has too few ports";
  if (!take(SectionId::poll_ports, polled.first_port, polled.port_count)) return "ports are not consecutive";
  for (std::uint32_t i = 0; i < polled.port_count; ++i) {
    const PollPort& port = array<PollPort>(asset_, SectionId::poll_ports)[polled.first_port + i];
    if (!check_poll_port(port, key_count)) return "a port is wrong";
  }
  const bool is_behavior = opcode == opcode::poll_action || opcode == opcode::poll_sync_action;
  const bool is_condition = opcode == opcode::poll_condition || opcode == opcode::poll_gate;
  const std::uint32_t host_count = is_behavior                   ? behavior_count(asset_)
                                   : is_condition                ? host_condition_count(asset_)
                                   : opcode == opcode::poll_loop ? record.loop_count
                                                                 : 1;
  return polled.host < host_count ? nullptr : "host index out of range";
}

bool Verifier::check_poll_tree(std::uint32_t index) {
  const layout::Tree& tree = array<layout::Tree>(asset_, SectionId::trees)[index];
  const layout::PollTree& record = records<layout::PollTree>(asset_, SectionId::poll_trees)[tree.record];
  const layout::Unit& unit = records<layout::Unit>(asset_, SectionId::units)[tree.unit];
  if (record.text_bytes > layout::kMaxTextBytes || (record.flags & ~(layout::kOneRound | layout::kIsNotMain)) != 0 ||
      tree.leaf_count != 0 || tree.shared_bytes != 0) {
    return fail(&record, "a tree's record is wrong");
  }
  std::uint32_t key_count = 0;
  if (!check_poll_boards(tree, record, &key_count) || !check_poll_scripts(record, key_count)) return false;
  if (!take(SectionId::poll_timers, record.first_timer, record.timer_count)) {
    return fail(&record, "timers are not consecutive");
  }
  const auto* timers = array<std::uint32_t>(asset_, SectionId::poll_timers) + record.first_timer;
  const std::uint32_t* node = array<std::uint32_t>(asset_, SectionId::nodes) + unit.first_word;
  std::uint64_t memory = 0;
  std::uint32_t timer_count = 0;
  std::uint32_t loop_count = 0;
  bool looks = false;  // for writes
  for (std::uint32_t number = 0; number < unit.node_count; ++number, node = next_node(node)) {
    if (const char* reason = check_poll_node(node, record, key_count)) return fail(node, reason);
    const Opcode opcode = opcode_of(node);
    const Polled& polled =
        records<Polled>(asset_, SectionId::polled)[operand<OperandKind::polled, EngineId::poll>(node)];
    if (polled.memory != memory) return fail(node, "the memory of nodes is not consecutive");
    memory += memory_bytes(node, polled);
    looks = looks || shape_of(opcode).looks_for_writes;
    if (opcode == opcode::poll_loop && polled.host != loop_count++) return fail(node, "loops are not consecutive");
    if (!shape_of(opcode).has_timer) continue;
    if (timer_count == record.timer_count || timers[timer_count++] != number) {
      return fail(node, "a timer is missing from the list");
    }
  }
  const layout::Part* parts = parts_of(asset_, tree);
  const std::uint32_t entry_count = part_of<EngineId::poll, PartKind::entries>(parts).count;
  const std::uint64_t rooms = std::uint64_t{entry_count} + loop_count;
  const bool holds = part_of<EngineId::poll, PartKind::entry_types>(parts).count == entry_count &&
                     part_of<EngineId::poll, PartKind::write_counts>(parts).count == (looks ? entry_count : 0) &&
                     part_of<EngineId::poll, PartKind::poll_memory>(parts).count == memory &&
                     part_of<EngineId::poll, PartKind::texts>(parts).count == rooms * record.text_bytes &&
                     part_of<EngineId::poll, PartKind::statuses>(parts).count == unit.node_count &&
                     timer_count == record.timer_count && loop_count == record.loop_count;
  if (!holds) return fail(&record, "the sizes of a tree's agents do not match its nodes");
  if (tree.image == layout::kNone) return true;
  const unsigned char* image = array<unsigned char>(asset_, SectionId::images) + tree.image;
  return check_polling({&asset_, index}, image, nullptr) || fail(&tree, "the initial block has an invalid value");
}

bool Verifier::check_poll_enums() {
  const auto enums = records<layout::PollEnum>(asset_, SectionId::poll_enums);
  for (std::uint32_t i = 0; i < record_count(asset_, SectionId::poll_enums); ++i) {
    if (!is_name(enums[i].name) || !has_records(SectionId::numbers, enums[i].number, 1)) {
      return fail(&enums[i], "a name for a number is wrong");
    }
  }
  return true;
}

}  // namespace espalier
