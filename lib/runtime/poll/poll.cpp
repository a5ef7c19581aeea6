// Agents of trees that poll: updating, stopping, checking; their ports and entries.
#include "poll/poll.h"

#include <optional>

#include "core/check.h"
#include "core/recorded.h"
#include "core/resume.h"
#include "format/node.h"
#include "format/opcodes/poll.h"
#include "poll/walk.h"

namespace espalier {
namespace {

// Some functions of the interface only read a block.
void* writable(const void* block) { return const_cast<void*>(block); }

// The private members of a prepared tree that polls.
class PreparedPolling {
 public:
  explicit PreparedPolling(const Prepared& prepared)
      : root_(static_cast<const std::uint32_t*>(prepared.internal[kRoot])),
        polled_(prepared.internal[kPolled], prepared.internal_numbers[kPolledBytes]),
        cursor_(prepared.internal_numbers[kCursor]),
        first_word_(prepared.internal_numbers[kFirstWord]),
        node_count_(prepared.internal_numbers[kNodeCount]) {}

  static void prepare(const Tree& tree, Prepared* prepared) {
    const layout::Unit& unit = unit_record(tree);
    const AssetSection polled = section_of(*tree.asset, SectionId::polled);
    prepared->internal[kRoot] = nodes_of(*tree.asset) + unit.first_word;
    prepared->internal[kPolled] = polled.records;
    prepared->internal_numbers[kPolledBytes] = polled.record_bytes;
    prepared->internal_numbers[kCursor] = offset_bytes(part_of<EngineId::poll, PartKind::cursor>(tree));
    prepared->internal_numbers[kFirstWord] = unit.first_word;
    prepared->internal_numbers[kNodeCount] = unit.node_count;
  }

  // Calls the action at the cursor, if all that an update does is to call it, and to go on if it is not running.
  // `called` gets the fault of the call.
  Resumed resume(const void* block, const Host& host, HostCaller& caller, PolledCall& called, Result* answer) const {
    constexpr auto kAction = static_cast<std::uint32_t>(opcode::poll_action);
    const std::uint32_t cursor = load_u32(static_cast<const unsigned char*>(block) + cursor_);
    const std::uint32_t number = cursor & 0xFFFF;
    const Behavior* const behaviors = host.behaviors;
    // Only in a damaged block there is no such node, or no action.
    if ((cursor & kGoesOn) == 0 || behaviors == nullptr || number >= node_count_) return Resumed::nothing;
    const std::uint32_t* const node = root_ + number * std::size_t{kPolledWords};
    if ((node[0] & 0xFFFF) != kAction) return Resumed::nothing;
    const std::uint32_t behavior = polled_[operand<OperandKind::polled, EngineId::poll>(node)].host;
    if (behaviors[behavior].tick == nullptr) return Resumed::nothing;
    caller.set_memory(&called, 0);
    const auto word = first_word_ + static_cast<std::uint32_t>(node - root_);
    *answer = caller.plain_behavior(behaviors[behavior], behavior, word).ticked();
    return *answer == Result::running && called.fault == PollFault::none ? Resumed::goes_on : Resumed::ended;
  }

 private:
  enum Pointer : std::uint8_t { kRoot, kPolled };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kPolledBytes = 2, kCursor, kFirstWord, kNodeCount };

  const std::uint32_t* const root_;
  const Records<Polled> polled_;
  const std::uint32_t cursor_;
  const std::uint32_t first_word_;
  const std::uint32_t node_count_;
};

// Does an update, or what is left of it after `caller` has called an action that ended.
Result walk(const PollTreeView& view, void* block, const HostCaller& caller, const Watcher* watcher, Resumed resumed,
            Result answer, PollFault fault) {
  PollWalk walk(view.tree, view, block, caller.host(), watcher);
  return resumed == Resumed::ended ? walk.update(view.nodes + caller.call().node_word, answer, fault) : walk.update();
}

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  HostCaller caller(prepared->tree, block, *host);
  PolledCall called;
  Result answer = Result::running;
  const Resumed resumed = PreparedPolling(*prepared).resume(block, *host, caller, called, &answer);
  if (resumed == Resumed::goes_on) return Result::running;
  return walk(PollTreeView(prepared->tree), block, caller, nullptr, resumed, answer, called.fault);
}

}  // namespace

void prepare_polling(const Tree& tree, Prepared* prepared) {
  PreparedPolling::prepare(tree, prepared);
  prepared->internal_evaluate = update_prepared;
}

// Not by update_each(): walks make callers of their own, and the code would be twice as large.
Result update_polling(const Tree& tree, const Batch& agents, const Watcher* watcher) {
  Prepared prepared;
  prepare_polling(tree, &prepared);
  const PreparedPolling own(prepared);
  const PollTreeView view(tree);
  Result result = Result::running;
  for (std::size_t i = 0; i < agents.count(); ++i) {
    void* const block = agents.block(i);
    HostCaller caller(tree, block, agents.host(i));
    PolledCall called;
    Resumed resumed = Resumed::nothing;
    if (watcher == nullptr) resumed = own.resume(block, caller.host(), caller, called, &result);
    if (resumed != Resumed::goes_on) result = walk(view, block, caller, watcher, resumed, result, called.fault);
  }
  return result;
}

void stop_polling(const Tree& tree, void* block, const Host& host) {
  const PollTreeView view(tree);
  PollWalk(tree, view, block, host, nullptr).stop();
}

bool check_polling(const Tree& tree, const void* block, const void*) {
  const PollTreeView view(tree);
  const PollAgent agent(view, writable(block));
  const std::uint32_t cursor = agent.cursor();
  const std::uint32_t number = cursor & 0xFFFF;
  const bool rests = (cursor & ~kGoesOn) == (kRests | number) && number < view.unit.node_count &&
                     agent.status(view.node(number)) == PollStatus::running;
  if (cursor != 0 && !rests) return false;
  for (std::uint32_t i = 0; i < view.entry_count(); ++i) {
    const StoredEntry entry = agent.entry(i);
    if (entry.kind > ValueKind::text || agent.kind_byte(i) >= 2 * EntryTypes::kIsThere) return false;
    const bool is_name = i >= view.entry_count() - view.record.named_count;
    if (is_name && (entry.is_there || agent.board_of_name(i) >= view.record.board_count)) return false;
    const std::uint64_t size = is_name ? static_cast<std::uint32_t>(entry.bits) : entry.bits;
    if (entry.kind == ValueKind::text && size > view.record.text_bytes) return false;
  }
  return true;
}

void visit_polling(const Tree& tree, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                   void* user) {
  const PollTreeView view(tree);
  const PollAgent agent(view, writable(block));
  for (std::uint32_t i = 0; i < view.unit.node_count; ++i) {
    const std::uint32_t* node = view.node(i);
    if (agent.status(node) == PollStatus::running) visit(user, view.word_of(node));
  }
}

namespace {

bool is_poll_tree(const Tree& tree) { return engine_id_of(tree) == EngineId::poll; }

void fill(const PollValue& from, espalier_value* to) {
  *to = {};
  const bool is_natural = is_unsigned_whole(from.made_as) && from.kind == ValueKind::whole && from.whole >= 0;
  to->kind = is_natural ? ESPALIER_VALUE_UNSIGNED : static_cast<espalier_value_kind>(from.kind);
  if (from.is_text()) {
    to->text = from.chars;
    to->text_bytes = from.text_bytes;
  } else if (from.kind == ValueKind::real) {
    to->real = from.real;
  } else {
    to->whole = from.whole;
  }
}

PollValue value_of(const espalier_value& from) {
  switch (from.kind) {
    case ESPALIER_VALUE_WHOLE:
      return whole_value(from.whole);
    case ESPALIER_VALUE_UNSIGNED:
      return natural_value(from.whole);
    case ESPALIER_VALUE_REAL:
      return real_value(from.real);
    case ESPALIER_VALUE_TEXT:
      return text_value({from.text, from.text_bytes});
    default:
      return {};
  }
}

PollValue boolean_value(bool value) { return whole_value(value ? 1 : 0, PollType::boolean); }

// The type of what a host writes where nothing says it: `int` for whole numbers that it can hold.
PollType type_of(const PollValue& value) {
  if (value.made_as == PollType::boolean) return value.made_as;
  PollValue small = {};
  if (value.is_text()) return PollType::text;
  if (value.kind == ValueKind::real) return PollType::real64;
  return fit_number(value, PollType::int32, &small) ? PollType::int32 : PollType::int64;
}

// What a host writes is of the type that it has in C++: there any number becomes a real one, with a loss if it is
// large.
bool as_written(PollValue* value, PollType type, char* buffer) {
  if (is_real(type) && value->is_number()) *value = real_value(value->number(), type);
  return as_type(*value, type, value, buffer) || type > PollType::reserved;
}

// Null: not of a tree that polls.
const Polled* polled_of(const espalier_call* call) {
  if (!is_poll_tree(call->tree)) return nullptr;
  const Asset& asset = *call->tree.asset;
  const std::uint32_t* const node = nodes_of(asset) + call->node_word;
  return &records<Polled>(asset, SectionId::polled)[operand<OperandKind::polled, EngineId::poll>(node)];
}

// Of the node that calls; null: it has no such port. No agent is needed for it.
const PollPort* find_port(const espalier_call* call, std::uint32_t port) {
  const Polled* const polled = polled_of(call);
  if (polled == nullptr || port >= polled->port_count) return nullptr;
  return array<PollPort>(*call->tree.asset, SectionId::poll_ports) + polled->first_port + port;
}

bool is_input(const PollPort& port) {
  return port.direction != static_cast<std::uint8_t>(layout::PollDirection::output) &&
         port.kind != static_cast<std::uint8_t>(layout::PollPortKind::missing);
}

// The board of the walk that calls; null: another one calls.
const Blackboard* board_of(const espalier_call* call) {
  const auto* const called = static_cast<const PolledCall*>(call->memory);
  return called == nullptr ? nullptr : called->board;
}

// Is the number the same in an entry of this type and for a host, and does it fit?
bool is_plain_whole(PollType type, std::int64_t whole) {
  return type == PollType::int64 || (type == PollType::int32 && whole == static_cast<std::int32_t>(whole));
}

// A whole number that a port has from an entry. False: it is another value, or must be found or converted first.
bool read_whole_of(const espalier_call* call, const PollPort& port, PollValue* value) {
  const Blackboard* const board = board_of(call);
  if (board == nullptr || port.kind != static_cast<std::uint8_t>(layout::PollPortKind::key)) return false;
  const std::uint32_t entry = board->tree().keys[port.value].entry;
  if (!board->agent().has_whole(entry)) return false;
  value->kind = ValueKind::whole;
  value->whole = static_cast<std::int64_t>(board->agent().bits(entry));
  return is_plain_whole(static_cast<PollType>(port.type), value->whole);
}

// Writes one to an entry of the port's type that is there, and has one. False: nothing is written.
bool write_whole_of(const Blackboard& board, const PollPort& port, std::int64_t whole) {
  const auto type = static_cast<PollType>(port.type);
  const layout::PollKey& key = board.tree().keys[port.value];
  const bool can_write = is_plain_whole(type, whole) && key.is_own == 1 && board.agent().has_whole(key.entry) &&
                         board.agent().type(key.entry) == type;
  if (can_write) board.agent().write_bits(key.entry, whole);
  return can_write;
}

// The blackboards of the agent of a call: those that the walk has, or its own.
class CalledBoard {
 public:
  explicit CalledBoard(const espalier_call* call) {
    board_ = board_of(call);
    if (board_ != nullptr) return;
    tree_.emplace(call->tree);
    agent_.emplace(*tree_, call->agent);
    board_ = &own_.emplace(*tree_, *agent_);
  }
  CalledBoard(const CalledBoard&) = delete;
  CalledBoard& operator=(const CalledBoard&) = delete;

  const Blackboard* operator->() const { return board_; }

 private:
  const Blackboard* board_;
  std::optional<PollTreeView> tree_;
  std::optional<PollAgent> agent_;
  std::optional<Blackboard> own_;
};

}  // namespace
}  // namespace espalier

using namespace espalier;

uint32_t espalier_port_count(const espalier_call* call) {
  const Polled* const polled = polled_of(call);
  return polled == nullptr ? 0 : polled->port_count;
}

const char* espalier_port_name(const espalier_call* call, uint32_t port) {
  const PollPort* const own = find_port(call, port);
  return own == nullptr ? "" : name_at(*call->tree.asset, own->name);
}

espalier_status espalier_find_port(const espalier_call* call, const char* name, uint32_t* port) {
  for (std::uint32_t i = 0; i < espalier_port_count(call); ++i) {
    if (std::strcmp(espalier_port_name(call, i), name) != 0) continue;
    *port = i;
    return ESPALIER_OK;
  }
  return ESPALIER_NOT_FOUND;
}

bool espalier_is_input(const espalier_call* call, uint32_t port) {
  const PollPort* const own = find_port(call, port);
  return own != nullptr && is_input(*own);
}

bool espalier_read_port(const espalier_call* call, uint32_t port, espalier_value* value, char* buffer) {
  const PollPort* const own = find_port(call, port);
  PollValue read = {};
  bool is_read = own != nullptr && is_input(*own);
  if (is_read && !read_whole_of(call, *own, &read))
    is_read = CalledBoard(call)->read(*own, &read, buffer) == PollFault::none;
  fill(is_read ? read : PollValue{}, value);
  return is_read;
}

namespace {

bool write_port(const espalier_call* call, std::uint32_t port, PollValue written) {
  const PollPort* const own = find_port(call, port);
  if (own == nullptr || own->direction == static_cast<std::uint8_t>(layout::PollDirection::input)) return false;
  if (own->kind != static_cast<std::uint8_t>(layout::PollPortKind::key)) return true;  // not connected
  const Blackboard* const board = board_of(call);
  const bool is_whole = written.kind == ValueKind::whole && written.made_as == PollType::int64;
  if (is_whole && board != nullptr && write_whole_of(*board, *own, written.whole)) return true;
  PollFault fault = PollFault::none;
  char buffer[kNumberText];
  auto type = static_cast<PollType>(own->type);
  if (!is_kept(type)) {
    type = type_of(written);
  } else if (!as_written(&written, type, buffer)) {
    fault = PollFault::bad_output;
  }
  written.made_as = type;
  if (fault == PollFault::none) fault = CalledBoard(call)->write(own->value, written, type);
  if (fault != PollFault::none && call->memory != nullptr) static_cast<PolledCall*>(call->memory)->fault = fault;
  return fault == PollFault::none;
}

bool set_entry(const Tree& tree, void* block, std::uint32_t entry, PollValue written) {
  const PollTreeView view(tree);
  const PollAgent agent(view, block);
  const Blackboard board(view, agent);
  if (!board.has_place(entry)) return false;
  PollType type = board.is_there(entry) ? board.type(entry) : PollType::untyped;
  char buffer[kNumberText];
  if (!is_kept(type)) {
    type = type_of(written);
  } else if (!as_written(&written, type, buffer)) {
    return false;
  }
  written.made_as = type;
  if (!board.is_there(entry)) return board.write_new(entry, written, type) == PollFault::none;
  return board.write_entry(entry, written, type) == PollFault::none;
}

}  // namespace

bool espalier_write_port(const espalier_call* call, uint32_t port, const espalier_value* value) {
  if (call->host->recorder != nullptr) call->host->recorder->calls->write(call, port, value);
  return write_port(call, port, value_of(*value));
}

bool espalier_write_port_boolean(const espalier_call* call, uint32_t port, bool value) {
  if (call->host->recorder != nullptr) call->host->recorder->calls->write_boolean(call, port, value);
  return write_port(call, port, boolean_value(value));
}

namespace {

// An entry as a host names it: "@name" is `name` of the tree's own blackboard.
struct EntryName {
  EntryName(const char* path_of, const char* name_of) : path(path_of), name(name_of) {
    if (!begins_with_at(name)) return;
    path = {};
    name.remove_prefix(1);
  }

  std::string_view path;
  std::string_view name;
};

}  // namespace

const char* espalier_entry_path(espalier_tree tree, uint32_t entry) {
  if (!Check(__func__).id(tree, ESPALIER_ENTRIES, entry)) return "";
  const PollTreeView view(tree);
  return name_at(*tree.asset, view.board(view.entries[entry].board).path);
}

espalier_status espalier_find_entry(espalier_tree tree, const char* path, const char* name, uint32_t* entry) {
  if (!Check(__func__).tree(tree) || !is_poll_tree(tree)) return ESPALIER_NOT_FOUND;
  const PollTreeView view(tree);
  const EntryName wanted(path, name);
  for (std::uint32_t i = 0; i < view.fixed_entry_count(); ++i) {
    const layout::PollEntry& each = view.entries[i];
    if (view.name(each.name) != wanted.name || view.name(view.board(each.board).path) != wanted.path) continue;
    *entry = i;
    return ESPALIER_OK;
  }
  return ESPALIER_NOT_FOUND;
}

espalier_status espalier_find_entry_now(espalier_tree tree, const void* block, const char* path, const char* name,
                                        uint32_t* entry) {
  if (!Check(__func__).block(tree, block) || !is_poll_tree(tree)) return ESPALIER_NOT_FOUND;
  const PollTreeView view(tree);
  const PollAgent agent(view, writable(block));
  const Blackboard board(view, agent);
  const EntryName wanted(path, name);
  for (std::uint32_t i = 0; i < view.record.board_count; ++i) {
    if (view.name(view.board(i).path) != wanted.path) continue;
    const std::uint32_t found = board.own_entry(i, wanted.name);
    if (found == layout::kNone) continue;
    *entry = found;
    return ESPALIER_OK;
  }
  return ESPALIER_NOT_FOUND;
}

espalier_status espalier_name_entry(espalier_tree tree, void* block, const char* name, uint32_t* entry) {
  if (!Check(__func__).block(tree, block) || !is_poll_tree(tree)) return ESPALIER_NOT_FOUND;
  const PollTreeView view(tree);
  const PollAgent agent(view, block);
  std::uint32_t named = 0;
  const EntryName wanted("", name);
  if (Blackboard(view, agent).name_entry(0, wanted.name, &named) != PollFault::none) return ESPALIER_NOT_FOUND;
  *entry = named;
  return ESPALIER_OK;
}

bool espalier_entry(espalier_tree tree, const void* block, uint32_t entry, espalier_value* value) {
  *value = {};
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_ENTRIES, entry)) return false;
  const PollTreeView view(tree);
  const PollAgent agent(view, writable(block));
  const PollValue stored = Blackboard(view, agent).value(entry);
  fill(stored, value);
  return stored.kind != ValueKind::none;
}

bool espalier_set_entry(espalier_tree tree, void* block, uint32_t entry, const espalier_value* value) {
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_ENTRIES, entry)) return false;
  return set_entry(tree, block, entry, value_of(*value));
}

bool espalier_set_entry_boolean(espalier_tree tree, void* block, uint32_t entry, bool value) {
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_ENTRIES, entry)) return false;
  return set_entry(tree, block, entry, boolean_value(value));
}

espalier_result espalier_node_status(espalier_tree tree, const void* block, uint32_t node_word) {
  if (!Check(__func__).block(tree, block) || !is_poll_tree(tree)) return ESPALIER_STOPPED;
  const PollTreeView view(tree);
  switch (PollAgent(view, writable(block)).status(view.nodes + node_word)) {
    case PollStatus::running:
      return ESPALIER_RUNNING;
    case PollStatus::success:
      return ESPALIER_SUCCESS;
    case PollStatus::failure:
      return ESPALIER_FAILURE;
    default:
      return ESPALIER_STOPPED;
  }
}
