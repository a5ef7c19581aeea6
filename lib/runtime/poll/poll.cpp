// Agents of trees that poll: updating, stopping, checking; their ports and entries.
#include "poll/poll.h"

#include "core/check.h"
#include "format/node.h"
#include "poll/walk.h"

namespace espalier {
namespace {

// Some functions of the interface only read a block.
void* writable(const void* block) { return const_cast<void*>(block); }

Result update_one(const Tree& tree, const PollTreeView& view, void* block, const Host& host, const Watcher* watcher) {
  return PollWalk(tree, view, block, host, watcher).update();
}

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  return update_one(prepared->tree, PollTreeView(prepared->tree), block, *host, nullptr);
}

}  // namespace

Result update_polling(const Tree& tree, const Batch& agents, const Watcher* watcher) {
  const PollTreeView view(tree);
  Result result = Result::error;
  for (std::size_t i = 0; i < agents.count(); ++i) {
    result = update_one(tree, view, agents.block(i), agents.host(i), watcher);
  }
  return result;
}

void prepare_polling(const Tree&, Prepared* prepared) { prepared->internal_evaluate = update_prepared; }

void stop_polling(const Tree& tree, void* block, const Host& host) {
  const PollTreeView view(tree);
  PollWalk(tree, view, block, host, nullptr).stop();
}

bool check_polling(const Tree& tree, const void* block, const void*) {
  const PollTreeView view(tree);
  const PollAgent agent(view, writable(block));
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

// The type of what a host writes where nothing says it: `int` for whole numbers that it can hold.
PollType type_of(const PollValue& value) {
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

// A port of the node that calls. `buffer` is for the text of a number.
struct CalledPort {
  CalledPort(const espalier_call* call, std::uint32_t number)
      : view(call->tree),
        agent(view, call->agent),
        board(view, agent),
        port(view.port_of(view.nodes + call->node_word, number)) {}

  const PollTreeView view;
  const PollAgent agent;
  const Blackboard board;
  const PollPort& port;
};

const Polled* polled_of(const espalier_call* call) {
  if (!is_poll_tree(call->tree)) return nullptr;
  const Asset& asset = *call->tree.asset;
  const std::uint32_t* const node = nodes_of(asset) + call->node_word;
  return &records<Polled>(asset, SectionId::polled)[operand<OperandKind::polled, EngineId::poll>(node)];
}

// No agent is needed for it.
const PollPort& port_of(const espalier_call* call, std::uint32_t port) {
  return array<PollPort>(*call->tree.asset, SectionId::poll_ports)[polled_of(call)->first_port + port];
}

}  // namespace
}  // namespace espalier

using namespace espalier;

uint32_t espalier_port_count(const espalier_call* call) {
  const Polled* const polled = polled_of(call);
  return polled == nullptr ? 0 : polled->port_count;
}

const char* espalier_port_name(const espalier_call* call, uint32_t port) {
  if (port >= espalier_port_count(call)) return "";
  return name_at(*call->tree.asset, port_of(call, port).name);
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
  if (port >= espalier_port_count(call)) return false;
  const PollPort& own = port_of(call, port);
  return own.direction != static_cast<std::uint8_t>(layout::PollDirection::output) &&
         own.kind != static_cast<std::uint8_t>(layout::PollPortKind::missing);
}

bool espalier_read_port(const espalier_call* call, uint32_t port, espalier_value* value, char* buffer) {
  *value = {};
  if (!espalier_is_input(call, port)) return false;
  const CalledPort called(call, port);
  PollValue read = {};
  if (called.board.read(called.port, &read, buffer) != PollFault::none) return false;
  fill(read, value);
  return true;
}

namespace {

// `type`: of the value, where the port has none.
bool write_port(const espalier_call* call, std::uint32_t port, PollValue written, PollType type) {
  if (port >= espalier_port_count(call)) return false;
  const CalledPort called(call, port);
  const auto fail = [&](PollFault fault) {
    if (call->memory != nullptr) static_cast<PollProgress*>(call->memory)->fault = fault;
    return false;
  };
  if (called.port.direction == static_cast<std::uint8_t>(layout::PollDirection::input)) return false;
  if (called.port.kind != static_cast<std::uint8_t>(layout::PollPortKind::key)) return true;  // not connected
  const auto own = static_cast<PollType>(called.port.type);
  char buffer[kNumberText];
  if (is_kept(own)) {
    type = own;
    if (!as_written(&written, type, buffer)) return fail(PollFault::bad_output);
  }
  written.made_as = type;
  const PollFault fault = called.board.write(called.port.value, written, type);
  return fault == PollFault::none || fail(fault);
}

bool set_entry(const Tree& tree, void* block, std::uint32_t entry, PollValue written, PollType type) {
  const PollTreeView view(tree);
  const PollAgent agent(view, block);
  const Blackboard board(view, agent);
  if (!board.has_place(entry)) return false;
  const PollType own = board.is_there(entry) ? board.type(entry) : PollType::untyped;
  char buffer[kNumberText];
  if (is_kept(own)) {
    type = own;
    if (!as_written(&written, type, buffer)) return false;
  }
  written.made_as = type;
  if (!board.is_there(entry)) return board.write_new(entry, written, type) == PollFault::none;
  return board.write_entry(entry, written, type) == PollFault::none;
}

}  // namespace

bool espalier_write_port(const espalier_call* call, uint32_t port, const espalier_value* value) {
  const PollValue written = value_of(*value);
  return write_port(call, port, written, type_of(written));
}

bool espalier_write_port_boolean(const espalier_call* call, uint32_t port, bool value) {
  return write_port(call, port, whole_value(value ? 1 : 0, PollType::boolean), PollType::boolean);
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
  const PollValue written = value_of(*value);
  return set_entry(tree, block, entry, written, type_of(written));
}

bool espalier_set_entry_boolean(espalier_tree tree, void* block, uint32_t entry, bool value) {
  if (!Check(__func__).block(tree, block).id(tree, ESPALIER_ENTRIES, entry)) return false;
  return set_entry(tree, block, entry, whole_value(value ? 1 : 0, PollType::boolean), PollType::boolean);
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
