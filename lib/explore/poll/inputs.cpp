// Inputs of nodes of trees that poll. See inputs.h.
#include "explore/poll/inputs.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "codegen/dump/listing.h"
#include "explore/poll/uses.h"
#include "replay/names.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/blackboard.h"
#include "text/json.h"

namespace espalier::explore {
namespace {

using layout::PollPort;
using layout::PollPortKind;

// ---- Values

std::string literal_text(const PollTreeView& tree, const PollPort& port) {
  switch (static_cast<PollPortKind>(port.kind)) {
    case PollPortKind::whole:
      return std::to_string(static_cast<std::int64_t>(tree.number(port.value)));
    case PollPortKind::real: {
      const std::uint64_t bits = tree.number(port.value);
      double number = 0;
      std::memcpy(&number, &bits, sizeof number);
      return replay::number_text(number);
    }
    default:
      return text::json_string(tree.name(port.value));
  }
}

// What an entry holds, as far as it is known; empty: nothing is.
std::string value_text(const PollAgent& agent, std::uint32_t entry) {
  const StoredEntry stored = agent.entry(entry);
  double number = 0;
  switch (stored.kind) {
    case ValueKind::none:
      return {};
    case ValueKind::text:
      return text::json_string({agent.text(entry), static_cast<std::size_t>(stored.bits)});
    case ValueKind::real:
      std::memcpy(&number, &stored.bits, sizeof number);
      return replay::number_text(number);
    default:
      return std::to_string(static_cast<std::int64_t>(stored.bits));
  }
}

// ---- Entries of two versions

// By whom the entries of a version are used, in the order of the nodes.
class EntryUsers {
 public:
  explicit EntryUsers(const Tree& tree) : tree_(tree), users_(tree_.entry_count()), is_written_(users_.size()) {
    for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) read(tree_.node(i));
  }

  const std::string& of(std::uint32_t entry) const { return users_[entry]; }
  // Does something in the tree write it?
  bool is_written(std::uint32_t entry) const { return is_written_[entry]; }

 private:
  void read(const std::uint32_t* node) {
    const layout::Polled& polled = tree_.polled_of(node);
    const Opcode opcode = opcode_of(node);
    std::string user = std::to_string(static_cast<unsigned>(opcode));
    if (opcode == opcode::poll_action || opcode == opcode::poll_sync_action)
      user = behavior_name(tree_.asset, polled.host);
    if (opcode == opcode::poll_condition || opcode == opcode::poll_gate)
      user = host_condition_name(tree_.asset, polled.host);
    for (std::uint32_t i = 0; i < polled.port_count; ++i) {
      const PollPort& port = tree_.port_of(node, i);
      if (!is_key(port)) continue;
      const bool is_output = static_cast<layout::PollDirection>(port.direction) == layout::PollDirection::output;
      add(port.value, user + '.' + std::string(tree_.name(port.name)) + std::to_string(port.direction), is_output);
    }
    for (std::uint32_t i = 0; i < layout::kHookCount; ++i) {
      if (const std::uint32_t script = hook_of(polled, static_cast<layout::PollHook>(i)); script != 0)
        read_script(script - 1);
    }
    if (polled.script != 0) read_script(polled.script - 1);
  }

  void read_script(std::uint32_t number) {
    using layout::PollOp;
    const auto& script =
        records<layout::PollScript>(tree_.asset, SectionId::poll_scripts)[tree_.record.first_script + number];
    const auto* code = array<layout::Instruction>(tree_.asset, SectionId::poll_code) + script.first_instruction;
    for (std::uint32_t i = 0; i < script.instruction_count; ++i) {
      const auto op = static_cast<PollOp>(code[i].op);
      const bool is_assigned = op >= PollOp::create && op <= PollOp::assign_divide;
      if (op == PollOp::load || is_assigned)
        add(code[i].operand, "op" + std::to_string(code[i].op), op == PollOp::create);
    }
  }

  void add(std::uint32_t key, const std::string& user, bool is_writer) {
    const std::uint32_t entry = tree_.keys[key].entry;
    users_[entry].append(user).push_back(';');
    is_written_[entry] = is_written_[entry] || is_writer;
  }

  const PollTreeView tree_;
  std::vector<std::string> users_;
  std::vector<bool> is_written_;
};

std::string name_of(const PollTreeView& tree, std::uint32_t entry) {
  const layout::PollEntry& record = tree.entries[entry];
  return std::string(tree.name(tree.board(record.board).path)) + '/' + std::string(tree.name(record.name));
}

// Where scripts count with an entry, its value is that of one run among many.
bool is_value_known(const Side& side, std::uint32_t entry) { return !side.uses->of(entry).is_counted(); }

}  // namespace

void read_ports(const Side& side, const Call& call, std::vector<Input>& inputs) {
  const PollTreeView tree(side.tree);
  const PollAgent agent(tree, call.agent);
  const Blackboard board(tree, agent);
  const std::uint32_t* const node = tree.nodes + call.node_word;
  for (std::uint32_t i = 0; i < tree.polled_of(node).port_count; ++i) {
    const PollPort& port = tree.port_of(node, i);
    if (static_cast<PollPortKind>(port.kind) == PollPortKind::missing) continue;
    Input& input = inputs.emplace_back();
    input.name = tree.name(port.name);
    if (!is_key(port)) {
      input.value = input.meaning = literal_text(tree, port);
      continue;
    }
    const layout::PollKey& key = tree.keys[port.value];
    input.value = '{' + std::string(tree.name(key.name)) + '}';
    const std::uint32_t found = board.find(port.value).entry;
    const std::uint32_t entry = found == layout::kNone ? key.entry : found;
    input.meaning = entry < side.entry_names.size() ? side.entry_names[entry] : input.value;
    input.meaning += ':' + std::to_string(port.type);
    const bool is_output = static_cast<layout::PollDirection>(port.direction) == layout::PollDirection::output;
    if (found == layout::kNone || is_output || !is_value_known(side, found)) continue;
    if (const std::string value = value_text(agent, found); !value.empty()) {
      if (side.uses->of(found).is_kept()) input.value += " = " + value;
      input.meaning += '=' + value;
    }
  }
}

void add_port_state(const Side& side, const Call& call, std::string& state) {
  const PollTreeView tree(side.tree);
  const std::uint32_t* const node = tree.nodes + call.node_word;
  const layout::Polled& polled = tree.polled_of(node);
  for (std::uint32_t i = 0; i < polled.port_count; ++i) {
    const PollPort& port = tree.ports[polled.first_port + i];
    if (!is_key(port)) continue;
    const PollAgent agent(tree, call.agent);
    const std::uint32_t found = Blackboard(tree, agent).find(port.value).entry;
    state.append(reinterpret_cast<const char*>(&found), sizeof found);
    if (found == layout::kNone || !is_value_known(side, found)) continue;
    const StoredEntry stored = agent.entry(found);
    state.push_back(static_cast<char>(stored.kind));
    state.append(reinterpret_cast<const char*>(&stored.bits), sizeof stored.bits);
    if (stored.kind == ValueKind::text) state.append(agent.text(found), static_cast<std::size_t>(stored.bits));
  }
}

void visit_port_entries(const Tree& tree, std::uint32_t word, const EngineRow::VisitInput& visit) {
  const PollTreeView view(tree);
  const std::uint32_t* const node = view.nodes + word;
  const Opcode opcode = opcode_of(node);
  const bool is_action = opcode == opcode::poll_action || opcode == opcode::poll_sync_action;
  if (!is_action && opcode != opcode::poll_condition && opcode != opcode::poll_gate) return;
  const layout::Polled& polled = view.polled_of(node);
  const std::string name(is_action ? behavior_name(*tree.asset, polled.host)
                                   : host_condition_name(*tree.asset, polled.host));
  for (std::uint32_t i = 0; i < polled.port_count; ++i) {
    const PollPort& port = view.port_of(node, i);
    if (!is_key(port) || static_cast<layout::PollDirection>(port.direction) == layout::PollDirection::output) continue;
    const std::uint32_t entry = view.keys[port.value].entry;
    if (entry == layout::kNone) continue;
    const std::string path = espalier_entry_path(tree, entry);
    visit(name, view.name(port.name),
          (path.empty() ? path : path + '/') + std::string(view.name(view.entries[entry].name)));
  }
}

void name_entries(Side& before, Side& after, const HostFacts& host) {
  const PollTreeView old_tree(before.tree);
  const PollTreeView new_tree(after.tree);
  const EntryUsers old_users(before.tree);
  const EntryUsers new_users(after.tree);
  std::map<std::string, std::uint32_t> old_entries;
  for (std::uint32_t i = 0; i < old_tree.fixed_entry_count(); ++i) {
    before.entry_names.push_back(name_of(old_tree, i));
    old_entries[before.entry_names.back()] = i;
  }
  for (std::uint32_t i = 0; i < new_tree.fixed_entry_count(); ++i) {
    after.entry_names.push_back(name_of(new_tree, i));
    old_entries.erase(after.entry_names.back());
  }
  // Has the program no other way to reach it than by what uses it here?
  const auto is_inside = [&](const PollTreeView& tree, const EntryUsers& users, std::uint32_t entry) {
    if (tree.entries[entry].board != 0) return true;
    const std::string_view name = tree.name(tree.entries[entry].name);
    const bool is_declared = host.entries && std::binary_search(host.entries->begin(), host.entries->end(), name);
    return users.is_written(entry) && !is_declared;
  };
  for (std::uint32_t i = 0; i < new_tree.fixed_entry_count(); ++i) {
    const std::string& own = after.entry_names[i];
    const bool is_new =
        std::find(before.entry_names.begin(), before.entry_names.end(), own) == before.entry_names.end();
    if (!is_new || !is_inside(new_tree, new_users, i)) continue;
    for (std::uint32_t k = 0; k < old_tree.fixed_entry_count(); ++k) {
      const auto left = old_entries.find(before.entry_names[k]);
      if (left == old_entries.end() || old_users.of(k) != new_users.of(i) || !is_inside(old_tree, old_users, k))
        continue;
      after.entry_names[i] = before.entry_names[k];
      old_entries.erase(left);
      break;
    }
  }
}

}  // namespace espalier::explore
