// What writes entries, and with which values. See set_back.h.
#include "explore/poll/set_back.h"

#include <espalier/polling.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "explore/poll/uses.h"
#include "replay/names.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/nodes.h"

namespace espalier::explore {
namespace {

using layout::PollDirection;
using layout::PollHook;
using layout::PollOp;
using layout::PollPortKind;

struct Writes {
  std::vector<std::uint32_t> nodes = {};  // by number in the tree, in its order
  std::optional<std::uint32_t> setter = {};
  bool is_cleared = false;
  bool is_text = false, is_number = false;  // what it is set to
  bool is_known = true;                     // nothing else writes it
};

class Writers {
 public:
  explicit Writers(const Tree& tree) : tree_(tree) {
    for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) read_node(i);
    // A name that may stand for one of several entries.
    for (std::uint32_t board = 0; board < tree_.record.board_count; ++board) {
      const layout::PollBoard record = tree_.board(board);
      const std::uint32_t first = record.first_key - tree_.board(0).first_key;
      for (std::uint32_t key = first; key < first + record.key_count; ++key) {
        for (std::uint32_t at = key; tree_.keys[at].next != layout::kNone; at = tree_.keys[at].next) {
          writes_[entry_of(at)].is_known = false;
          writes_[entry_of(tree_.keys[at].next)].is_known = false;
        }
      }
    }
  }

  std::vector<SetBackEntry> found() const {
    std::vector<SetBackEntry> found;
    if (has_names_in_entries_) return found;
    for (const auto& [entry, writes] : writes_) {
      const bool has_one_type = writes.is_text != writes.is_number;
      if (!writes.is_known || !writes.is_cleared || !writes.setter || !has_one_type) continue;
      if (entry >= tree_.fixed_entry_count()) continue;
      const std::string path = espalier_entry_path(tree_.tree, entry);
      SetBackEntry& added = found.emplace_back();
      added.entry = entry;
      added.name = (path.empty() ? "" : path + '/') + std::string(tree_.name(tree_.entries[entry].name));
      added.value = writes.is_text ? EntryValue{.kind = EntryValue::Kind::text, .text = "true"}
                                   : EntryValue{.kind = EntryValue::Kind::boolean, .number = 1};
      added.part = tree_.word_of(lowest_above(writes.nodes));
      added.setter = tree_.word_of(tree_.node(*writes.setter));
    }
    return found;
  }

 private:
  enum class Written : std::uint8_t { set, cleared, other };

  std::uint32_t entry_of(std::uint32_t key) const { return tree_.keys[key].entry; }

  void add(std::uint32_t entry, std::uint32_t node, Written written, bool is_text) {
    Writes& writes = writes_[entry];
    writes.nodes.push_back(node);
    writes.is_known = writes.is_known && written != Written::other;
    writes.is_cleared = writes.is_cleared || written == Written::cleared;
    if (written != Written::set) return;
    if (!writes.setter) writes.setter = node;
    (is_text ? writes.is_text : writes.is_number) = true;
  }

  void read_node(std::uint32_t number) {
    const std::uint32_t* const node = tree_.node(number);
    const layout::Polled& polled = tree_.polled_of(node);
    for (std::uint32_t i = 0; i < layout::kHookCount; ++i) {
      if (const std::uint32_t script = hook_of(polled, static_cast<PollHook>(i)); script != 0)
        read_script(script - 1, number);
    }
    if (polled.script != 0) read_script(polled.script - 1, number);
    const Opcode opcode = opcode_of(node);
    if (opcode == opcode::poll_set) return read_set(number);
    if (opcode == opcode::poll_unset) {
      const layout::PollPort& port = tree_.port_of(node, poll_ports::kRemoved);
      return write_named(port, number, Written::cleared, false);
    }
    for (std::uint32_t i = 0; i < polled.port_count; ++i) {
      const layout::PollPort& port = tree_.port_of(node, i);
      const bool is_input = static_cast<PollDirection>(port.direction) == PollDirection::input;
      if (is_key(port) && !is_input) add(entry_of(port.value), number, Written::other, false);
    }
  }

  void read_set(std::uint32_t number) {
    const layout::PollPort& source = tree_.port_of(tree_.node(number), poll_ports::kSource);
    const std::string_view text =
        static_cast<PollPortKind>(source.kind) == PollPortKind::text ? tree_.name(source.value) : std::string_view();
    const Written written = text == "true" ? Written::set : text == "false" ? Written::cleared : Written::other;
    write_named(tree_.port_of(tree_.node(number), poll_ports::kTarget), number, written, true);
  }

  // A port with the name of an entry.
  void write_named(const layout::PollPort& port, std::uint32_t number, Written written, bool is_text) {
    if (static_cast<PollPortKind>(port.kind) != PollPortKind::text) {
      has_names_in_entries_ = true;
      return;
    }
    const std::uint32_t key = key_named(tree_, tree_.polled_of(tree_.node(number)).board, tree_.name(port.value));
    if (key != layout::kNone) return add(entry_of(key), number, written, is_text);
    has_names_in_entries_ = true;
  }

  // By a script that assigns what this instruction pushes.
  Written written_by(const layout::Instruction& instruction) const {
    const auto op = static_cast<PollOp>(instruction.op);
    if (op != PollOp::push_whole && op != PollOp::push_real) return Written::other;
    const std::uint64_t bits = tree_.number(instruction.operand);
    const double value =
        op == PollOp::push_whole ? static_cast<double>(static_cast<std::int64_t>(bits)) : std::bit_cast<double>(bits);
    return value == 1 ? Written::set : value == 0 ? Written::cleared : Written::other;
  }

  // A value is known where the instruction before it pushes it, and no other way leads there.
  void read_script(std::uint32_t script, std::uint32_t number) {
    const layout::PollScript record =
        records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + script];
    const auto* code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + record.first_instruction;
    std::set<std::uint32_t> targets;
    for (std::uint32_t at = 0; at < record.instruction_count; ++at) {
      const auto op = static_cast<PollOp>(code[at].op);
      if (op == PollOp::jump || op == PollOp::jump_unless) targets.insert(code[at].operand);
      if (op == PollOp::compare_next) targets.insert(code[at].operand >> 8);
    }
    for (std::uint32_t at = 0; at < record.instruction_count; ++at) {
      switch (static_cast<PollOp>(code[at].op)) {
        case PollOp::create:
        case PollOp::assign: {
          const bool is_known = at > 0 && !targets.contains(at);
          const Written written = is_known ? written_by(code[at - 1]) : Written::other;
          add(entry_of(code[at].operand), number, written, false);
          break;
        }
        case PollOp::assign_add:
        case PollOp::assign_subtract:
        case PollOp::assign_multiply:
        case PollOp::assign_divide:
          add(entry_of(code[at].operand), number, Written::other, false);
          break;
        default:
          break;
      }
    }
  }

  const std::uint32_t* lowest_above(const std::vector<std::uint32_t>& nodes) const {
    const auto has_all = [&](const std::uint32_t* node) {
      const auto first = static_cast<std::uint32_t>((node - tree_.root()) / kPolledWords);
      return std::all_of(nodes.begin(), nodes.end(),
                         [&](std::uint32_t number) { return number >= first && number < first + nodes_within(node); });
    };
    const std::uint32_t* lowest = tree_.root();
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (const std::uint32_t* const child : children_of(lowest)) {
        if (!has_all(child)) continue;
        lowest = child;
        goes_on = true;
        break;
      }
    }
    return lowest;
  }

  const PollTreeView tree_;
  std::map<std::uint32_t, Writes> writes_;  // by entry
  bool has_names_in_entries_ = false;       // nothing is known of what is written by these
};

}  // namespace

std::vector<SetBackEntry> find_set_back(const Tree& tree) { return Writers(tree).found(); }

bool is_set(const Tree& tree, const void* block, const SetBackEntry& entry) {
  espalier_value value;
  if (!espalier_entry(tree, block, entry.entry, &value)) return false;
  if (entry.value.kind == EntryValue::Kind::text)
    return value.kind == ESPALIER_VALUE_TEXT && std::string_view(value.text, value.text_bytes) == entry.value.text;
  return value.kind != ESPALIER_VALUE_TEXT && value.kind != ESPALIER_VALUE_NONE &&
         replay::entry_number(value) == entry.value.number;
}

bool runs(const Tree& tree, const void* block, std::uint32_t word) {
  const PollTreeView view(tree);
  const PollAgent agent(view, const_cast<void*>(block));
  return agent.status(view.nodes + word) == PollStatus::running;
}

}  // namespace espalier::explore
