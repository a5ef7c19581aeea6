// What nodes and ports do with entries. Scripts: uses_script.cpp. See uses.h.
#include "explore/poll/uses.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "explore/poll/nodes.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/blackboard.h"
#include "runtime/poll/memory.h"
#include "runtime/poll/nodes.h"

namespace espalier::explore {

using layout::PollDirection;
using layout::PollHook;
using layout::PollPortKind;

void EntryUse::add(const EntryUse& other) {
  literals.add(other.literals);
  is_looked_at = is_looked_at || other.is_looked_at;
  is_compared = is_compared || other.is_compared;
  is_computed = is_computed || other.is_computed;
  is_given = is_given || other.is_given;
  is_increased = is_increased || other.is_increased;
  is_decreased = is_decreased || other.is_decreased;
  is_set = is_set || other.is_set;
}

double EntryUse::end() const {
  const auto [least, most] = std::minmax_element(literals.numbers.begin(), literals.numbers.end());
  return is_increased ? std::floor(*most) + 1 : std::ceil(*least) - 1;
}

// Neither ticks a child again in an update, nor makes all of the update begin again.
static bool is_passed_once(const std::uint32_t* node) {
  const PollPasses passes = known_of(opcode_of(node)).passes;
  return passes == PollPasses::once || (passes == PollPasses::unless_signals && !has_flag(node, kSignals));
}

PollUses::PollUses(const Tree& tree, const Facts& facts) : tree_(tree), sees_inputs_(facts.sees_inputs) {
  std::vector<std::uint64_t> block(agent_bytes(tree) / 8 + 1);
  start(tree, block.data());
  const PollAgent agent(tree_, block.data());
  for (std::uint32_t i = 0; i < tree_.entry_count(); ++i) {
    types_.push_back(agent.entry(i).type);
    roots_.push_back(i);
  }
  uses_.resize(roots_.size());
  for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) {
    const Opcode opcode = opcode_of(tree_.node(i));
    may_remove_ |= opcode == opcode::poll_unset;
    read_halt(tree_.node(i));
    passes_once_ = passes_once_ && is_passed_once(tree_.node(i));
    if (shape_of(opcode).has_timer) {
      timers_.push_back(tree_.node(i));
    } else if (opcode == opcode::poll_repeat || opcode == opcode::poll_retry || opcode == opcode::poll_rate ||
               opcode == opcode::poll_loop || shape_of(opcode).looks_for_writes) {
      settled_.push_back(tree_.node(i));
    }
  }
  read_keys();
  for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) read_node(tree_.node(i));
  expect(facts.expected);
  for (std::uint32_t i = 0; i < tree_.entry_count(); ++i) {
    const EntryUse& use = of(i);
    kept_.push_back({use.is_kept(), use.has_end(), use.is_increased, use.has_end() ? use.end() : 0});
  }
}

std::uint32_t PollUses::root_of(std::uint32_t entry) const {
  while (roots_[entry] != entry) entry = roots_[entry];
  return entry;
}

void PollUses::join(std::uint32_t entry, std::uint32_t other) {
  const std::uint32_t root = root_of(entry);
  const std::uint32_t from = root_of(other);
  if (root == from) return;
  roots_[from] = root;
  uses_[root].add(uses_[from]);
}

void PollUses::look_at(std::uint32_t entry, bool is_computed) {
  EntryUse& use = use_of(entry);
  use.is_looked_at = true;
  use.is_compared = use.is_compared || is_computed;
  use.is_computed = use.is_computed || is_computed;
}

void PollUses::read_halt(const std::uint32_t* node) {
  const layout::Polled& polled = tree_.polled_of(node);
  const PollHalt halt = shape_of(opcode_of(node)).halt;
  halts_quietly_ = halts_quietly_ && halt != PollHalt::itself && polled.on_halted == 0;
  const std::uint32_t bytes = halt == PollHalt::clears         ? memory_bytes(node, polled)
                              : halt == PollHalt::clears_first ? 1
                                                               : 0;
  if (bytes != 0) cleared_.push_back({node, bytes});
}

// A name stands for one of several entries.
void PollUses::read_keys() {
  for (std::uint32_t board = 0; board < tree_.record.board_count; ++board) {
    const layout::PollBoard record = tree_.board(board);
    const std::uint32_t first = record.first_key - tree_.board(0).first_key;
    for (std::uint32_t key = first; key < first + record.key_count; ++key) {
      for (std::uint32_t at = tree_.keys[key].next; at != layout::kNone; at = tree_.keys[at].next) {
        join(entry_of(key), entry_of(at));
      }
    }
  }
}

void PollUses::read_node(const std::uint32_t* node) {
  const layout::Polled& polled = tree_.polled_of(node);
  for (std::uint32_t i = 0; i < layout::kHookCount; ++i) {
    const auto hook = static_cast<PollHook>(i);
    if (const std::uint32_t script = hook_of(polled, hook); script != 0) {
      read_script(script - 1, hook <= PollHook::while_true);
    }
  }
  const Opcode opcode = opcode_of(node);
  if (polled.script != 0) read_script(polled.script - 1, opcode != opcode::poll_script);
  switch (known_of(opcode).ports) {
    case PollUse::numbers:
      return read_ports(node);
    case PollUse::none:
      return;
    case PollUse::given:
      return give_ports(node);
    case PollUse::cases:
      return read_switch(node);
    case PollUse::target:
      return read_set(node);
    case PollUse::queue:
      return read_loop(node);
    case PollUse::removed: {
      const layout::PollPort& port = tree_.port_of(node, poll_ports::kRemoved);
      has_names_in_entries_ |= static_cast<PollPortKind>(port.kind) == PollPortKind::key;
      return;
    }
    case PollUse::watched: {
      const layout::PollPort& port = tree_.port_of(node, poll_ports::kEntry);
      if (static_cast<PollPortKind>(port.kind) == PollPortKind::key) look_at(entry_of(port.value), false);
      return;
    }
  }
}

// Numbers of nodes of the library.
void PollUses::read_ports(const std::uint32_t* node) {
  for (std::uint32_t i = 0; i < tree_.polled_of(node).port_count; ++i) {
    const layout::PollPort& port = tree_.port_of(node, i);
    if (static_cast<PollPortKind>(port.kind) == PollPortKind::key) look_at(entry_of(port.value), true);
  }
}

// What the host reads makes no difference to the tree.
void PollUses::give_ports(const std::uint32_t* node) {
  for (std::uint32_t i = 0; i < tree_.polled_of(node).port_count && sees_inputs_; ++i) {
    const layout::PollPort& port = tree_.port_of(node, i);
    const bool is_output = static_cast<layout::PollDirection>(port.direction) == layout::PollDirection::output;
    if (static_cast<PollPortKind>(port.kind) == PollPortKind::key && !is_output)
      use_of(entry_of(port.value)).is_given = true;
  }
}

// A case that is a number is equal to numbers.
void PollUses::add_case(EntryUse& use, std::string_view text) const {
  double number = 0;
  std::size_t used = 0;
  const bool is_number = tree_.find_enum(text, &number) || (read_number(text, &number, &used) && used == text.size());
  if (is_number) {
    use.literals.numbers.push_back(number);
  } else {
    use.literals.texts.emplace_back(text);
  }
}

std::uint32_t key_named(const PollTreeView& tree, std::uint32_t board, std::string_view name) {
  const bool is_of_tree = begins_with_at(name);
  if (is_of_tree) name.remove_prefix(1);
  const layout::PollBoard record = tree.board(is_of_tree ? 0 : board);
  const std::uint32_t first = record.first_key - tree.board(0).first_key;
  for (std::uint32_t key = first; key < first + record.key_count; ++key) {
    if (tree.name(tree.keys[key].name) == name) return key;
  }
  return layout::kNone;
}

void PollUses::read_switch(const std::uint32_t* node) {
  const layout::PollPort& variable = tree_.port_of(node, poll_ports::kVariable);
  const auto kind_of = [](const layout::PollPort& port) { return static_cast<PollPortKind>(port.kind); };
  for (std::uint32_t i = 1; i < tree_.polled_of(node).port_count; ++i) {
    const layout::PollPort& own = tree_.port_of(node, i);
    if (kind_of(own) == PollPortKind::key) look_at(entry_of(own.value), true);
    if (kind_of(variable) != PollPortKind::key) continue;
    EntryUse& use = use_of(entry_of(variable.value));
    use.is_looked_at = use.is_compared = true;
    if (kind_of(own) == PollPortKind::text) add_case(use, tree_.name(own.value));
    if (kind_of(own) == PollPortKind::key) use.is_computed = true;
  }
}

void PollUses::read_set(const std::uint32_t* node) {
  const layout::PollPort& source = tree_.port_of(node, poll_ports::kSource);
  const layout::PollPort& target = tree_.port_of(node, poll_ports::kTarget);
  const bool is_named = static_cast<PollPortKind>(target.kind) == PollPortKind::text;
  const std::uint32_t key =
      is_named ? key_named(tree_, tree_.polled_of(node).board, tree_.name(target.value)) : layout::kNone;
  has_names_in_entries_ |= key == layout::kNone;
  if (key != layout::kNone) use_of(entry_of(key)).is_set = true;
  if (static_cast<PollPortKind>(target.kind) == PollPortKind::key) look_at(entry_of(target.value), true);
  if (static_cast<PollPortKind>(source.kind) == PollPortKind::key) {
    look_at(entry_of(source.value), key == layout::kNone);
    if (key != layout::kNone) join(entry_of(source.value), entry_of(key));
    use_of(entry_of(source.value)).is_compared = true;  // can it be converted?
  }
}

void PollUses::read_loop(const std::uint32_t* node) {
  for (const std::uint32_t number : {poll_ports::kQueue, poll_ports::kIfEmpty}) {
    const layout::PollPort& port = tree_.port_of(node, number);
    if (static_cast<PollPortKind>(port.kind) == PollPortKind::key) look_at(entry_of(port.value), true);
  }
  const layout::PollPort& queue = tree_.port_of(node, poll_ports::kQueue);
  const layout::PollPort& value = tree_.port_of(node, poll_ports::kValue);
  if (static_cast<PollPortKind>(value.kind) != PollPortKind::key) return;
  if (static_cast<PollPortKind>(queue.kind) == PollPortKind::key) join(entry_of(value.value), entry_of(queue.value));
}

void PollUses::expect(std::span<const ExpectedEntry> expected) {
  for (const ExpectedEntry& each : expected) {
    std::uint32_t entry = 0;
    if (espalier_find_entry(tree_.tree, each.path.c_str(), each.name.c_str(), &entry) != Status::ok) continue;
    EntryUse& use = use_of(entry);
    use.is_looked_at = use.is_compared = true;
    if (each.value.kind == EntryValue::Kind::text) {
      use.literals.texts.push_back(each.value.text);
    } else {
      use.literals.numbers.push_back(each.value.number);
      use.literals.is_boolean = use.literals.is_boolean || each.value.kind == EntryValue::Kind::boolean;
    }
  }
}

// ---- What a host may write

// `type`: of the port or entry that is written.
Literals PollUses::literals_of(std::uint32_t entry, layout::PollType type) const {
  using layout::PollType;
  Literals literals;
  if (of(entry).is_compared) literals = of(entry).literals;
  const PollType own = type > PollType::any ? type : types_[entry];
  literals.is_text = literals.is_text || own == PollType::text || own > PollType::reserved;
  literals.is_boolean = literals.is_boolean || own == PollType::boolean;
  literals.is_whole = is_signed_whole(own) || is_unsigned_whole(own) || own == PollType::boolean;
  literals.is_natural = is_unsigned_whole(own);
  if (is_number_type(own) || own == PollType::status) literals.texts.clear();
  if (own == PollType::boolean) literals.numbers.clear();
  return literals;
}

HostValues PollUses::host_values(const HostFacts& host) const {
  HostValues values;
  const auto add = [&](Literals& to, std::uint32_t entry, layout::PollType type) {
    to.add(literals_of(entry, type));
    if (!of(entry).is_computed && !of(entry).is_counted()) return;
    values.limit =
        "not all values of the entry '" + std::string(tree_.name(tree_.entries[entry].name)) + "' were tried";
  };
  for (std::uint32_t i = 0; i < tree_.fixed_entry_count(); ++i) {
    const std::string name(tree_.name(tree_.entries[i].name));
    const bool is_written = !host.entries || std::binary_search(host.entries->begin(), host.entries->end(), name);
    if (tree_.entries[i].board == 0 && is_written && of(i).is_looked_at) add(values.entries[name], i, types_[i]);
  }
  for (std::uint32_t i = 0; i < tree_.unit.node_count; ++i) {
    const std::uint32_t* const node = tree_.node(i);
    const layout::Polled& polled = tree_.polled_of(node);
    const Opcode opcode = opcode_of(node);
    const bool is_action = opcode == opcode::poll_action || opcode == opcode::poll_sync_action;
    if (!is_action && opcode != opcode::poll_condition && opcode != opcode::poll_gate) continue;
    const std::string_view name =
        is_action ? behavior_name(tree_.asset, polled.host) : host_condition_name(tree_.asset, polled.host);
    for (std::uint32_t k = 0; k < polled.port_count; ++k) {
      const layout::PollPort& port = tree_.port_of(node, k);
      if (static_cast<PollPortKind>(port.kind) != PollPortKind::key) continue;
      if (static_cast<PollDirection>(port.direction) == PollDirection::input) continue;
      const std::uint32_t entry = entry_of(port.value);
      const auto type = static_cast<layout::PollType>(port.type);
      // What comes first to an entry without a type decides whether the tree can set it.
      const bool gives_type =
          of(entry).is_set && !of(entry).is_looked_at && std::max(type, types_[entry]) <= layout::PollType::any;
      if (!of(entry).is_looked_at && !gives_type) continue;
      Literals& literals = values.outputs[{std::string(name), std::string(tree_.name(port.name))}];
      add(literals, entry, type);
      literals.is_any = literals.is_any || gives_type;
    }
  }
  if (has_names_in_entries_) values.limit = "not all names that entries can hold for other entries were tried";
  return values;
}

}  // namespace espalier::explore
