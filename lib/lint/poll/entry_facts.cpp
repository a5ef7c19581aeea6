// Facts about entries. See entry_facts.h.
#include "lint/poll/entry_facts.h"

#include <algorithm>

#include "ir/poll/built.h"
#include "rules/btcpp.h"
#include "runtime/format/records.h"

namespace espalier::lint {
namespace {

constexpr std::uint32_t kMaxEntries = layout::kMaxNodes;  // as many as there can be nodes
constexpr std::uint32_t kMaxConnections = 250'000;

bool is_in(const WrittenTree& tree, const Board& board) {
  for (const Board* each = &board; each != nullptr; each = each->parent) {
    if (each->tree == &tree) return true;
  }
  return false;
}

bool is_global(std::string_view key) { return key.size() > 1 && key[0] == '@'; }

}  // namespace

bool EntryFacts::find(const WrittenTree& tree) {
  Board& board = add_board(tree, nullptr, nullptr, {});
  if (tree.has_root()) visit(tree.root(), board, 0);
  return is_sound_;
}

// ---- Boards

Board& EntryFacts::add_board(const WrittenTree& tree, const WrittenNode* subtree, Board* parent, std::string path) {
  Board& board = boards.emplace_back();
  board.tree = &tree;
  board.subtree = subtree;
  board.parent = parent;
  board.path = std::move(path);
  is_sound_ = is_sound_ && tree.is_sound();
  return board;
}

Entry& EntryFacts::resolve(Board& from, std::string_view key) {
  Board* board = &from;
  std::string_view name = key;
  while (true) {
    while (is_global(name)) {
      board = &boards.front();
      name.remove_prefix(1);
    }
    const KnownKey known = board->known(name);
    if (!known.is_used) use(*board, name);
    if (known.entry != nullptr && known.entry->is_made) return *known.entry;
    if (board->parent == nullptr) break;
    if (known.outside != nullptr) {
      name = *known.outside;
      board = board->parent;
    } else if (board->has_autoremap && name[0] != '_') {
      board = board->parent;
    } else {
      break;
    }
  }
  return entry_at(*board, name);
}

void EntryFacts::note_name(Board& from, std::string_view key, Span span, bool in_script) {
  Board* board = &from;
  if (is_global(key)) {
    board = &boards.front();
    key.remove_prefix(1);
  } else {
    while (board->parent != nullptr && board->has_autoremap && key[0] != '_' &&
           board->subtree->find_port(key) == nullptr)
      board = board->parent;
  }
  const auto [places, is_new] = board->names.try_emplace(key, NamePlaces{span});
  places->second.is_alone = places->second.is_alone && (is_new || places->second.first == span);
  places->second.in_script = places->second.in_script || in_script;
}

void EntryFacts::use(Board& board, std::string_view name) const {
  if (!is_full_) board.keys[*board.used.emplace(name).first].is_used = true;
}

Entry& EntryFacts::entry_at(Board& board, std::string_view name) {
  if (Entry* const known = board.known(name).entry) return *known;
  if (entry_count_ == kMaxEntries) {
    fill("entries", kMaxEntries);
    return unsaid_ = {};
  }
  ++entry_count_;
  const auto made = board.entries.emplace(name, Entry{}).first;
  board.keys[made->first].entry = &made->second;
  return made->second;
}

// The tree is given up.
void EntryFacts::fill(const char* what, std::uint32_t most) {
  is_sound_ = false;
  if (std::exchange(is_full_, true)) return;
  analysis_.report(rules::BTC_too_many_nodes, boards.front().tree->span,
                   "with all its subtrees the tree has more than " + with_commas(most) + ' ' + what);
}

// A remapping to a global entry is read through, but not written through.
std::pair<Board*, std::string> EntryFacts::find_lost(Board& from, std::string_view key) const {
  Board* board = &from;
  std::string_view name = key;
  while (board->parent != nullptr && !is_global(name)) {
    const KnownKey& known = board->known(name);
    if (known.entry != nullptr && known.entry->is_made) return {};
    if (known.outside != nullptr) {
      if (is_global(*known.outside)) return {board, std::string(name)};
      name = *known.outside;
    } else if (!board->has_autoremap || name[0] == '_') {
      return {};
    }
    board = board->parent;
  }
  return {};
}

void EntryFacts::note_lost(Board& from, std::string_view key, Span span) const {
  auto [board, name] = find_lost(from, key);
  if (board != nullptr) board->lost.try_emplace(std::move(name), Moment{moment_, span});
}

// What a SubTree connects to "{@key}" is made as an entry of that name on the blackboard above, which no key finds.
Entry& EntryFacts::resolve_made(Board& from, std::string_view key) {
  if (key.size() > 1 && key[0] == '@') return resolve(from, key);
  Board* board = &from;
  std::string_view name = key;
  for (; board->parent != nullptr; board = board->parent) {
    if (const std::string* const outside = board->known(name).outside) {
      name = *outside;
    } else if (!board->has_autoremap || name[0] == '_') {
      break;
    }
  }
  return entry_at(*board, name);
}

void EntryFacts::make(Board& board, const WrittenPort& port, const WrittenNode& node) {
  const std::string_view key = port.made_key();
  Entry& known = resolve(board, key);
  const bool is_known = known.is_made;
  if (!is_known && is_global(key) && key.find('@', 1) != std::string_view::npos) {
    analysis_.report(rules::BTC_bad_value, port.value_span, quote(key) + " has a second '@': the library refuses it",
                     "one '@' stands for the blackboard of the main tree");
  }
  Entry& entry = is_known ? known : resolve_made(board, key);
  const Type type = port.port == nullptr ? Type{} : port.port->type;
  if (!entry.is_made) {
    entry.is_made = true;
    entry.type = type;
    entry.made = {moment_, port.value_span};
    entry.made_by = "the port " + quote(port.name) + " of " + quote(node.name);
    entry.by_untyped_port = port.port != nullptr && type.kind == TypeKind::untyped &&
                            port.port->role == PortRole::plain && node.declaration->is_of_host() && port.port->has_type;
    return;
  }
  if (!type.is_kept() || !entry.type.is_kept() || type == entry.type) return;
  if (is_known && entry.type.kind == TypeKind::text) return;
  const bool are_vectors = is_vector(type) && is_vector(entry.type);
  if (are_vectors && (is_vector_of_any(type) || is_vector_of_any(entry.type))) return;
  entry.is_mismatched = true;
  std::string hint;
  const bool is_whole_literal = entry.is_literal && entry.type.kind == TypeKind::whole;
  if (is_whole_literal && type.kind == TypeKind::real && type.bits == 64)
    hint = "write it with a point: '" + entry.literal_text + ".0'";
  analysis_.report(rules::BTC_type_mismatch, port.value_span,
                   "the entry " + quote(key) + " is of type " + quote(shown(entry.type)) + ", and the port " +
                       quote(port.name) + " of " + quote(node.id) + " of type " + quote(shown(type)),
                   std::move(hint), {entry.made.span, "it has its type from " + entry.made_by});
}

// ---- Nodes

void EntryFacts::visit(const WrittenNode& node, Board& board, std::uint32_t depth) {
  if (is_full_) return;
  if (++node_count_ > layout::kMaxNodes) {
    is_sound_ = false;
    if (node_count_ == layout::kMaxNodes + 1) {
      analysis_.report(rules::BTC_too_many_nodes, boards.front().tree->span,
                       "with all its subtrees the tree has more than " + with_commas(layout::kMaxNodes) + " nodes");
    }
    return;
  }
  ++moment_;
  for (const WrittenScript& script : node.scripts) {
    if (script.hook == Hook::on_halted) halted.push_back({&board, &script});
    if (is_condition(script.hook)) use_script(script, board);
  }
  if (node.is_subtree()) {
    visit_subtree(node, board, depth);
  } else {
    use_ports(node, board);
    if (node.built() == built::loop && node.is_of_library()) check_loop(node, board);
    ++moment_;
    write_ports(node, board);  // loops and decorators write before their child begins
    for (const WrittenNode& child : node.children()) visit(child, board, depth + 1);
  }
  for (const WrittenScript& script : node.scripts) {
    if (!is_condition(script.hook) && script.hook != kOwnHook) use_script(script, board);
  }
}

void EntryFacts::use_script(const WrittenScript& script, Board& board) {
  for (const ScriptUse& use : script.checked.uses) {
    ++moment_;
    const Moment place{moment_, script.place(use.begin, use.end)};
    note_name(board, use.name, place.span, true);
    Entry& entry = resolve(board, use.name);
    Entry::note(entry.in_script, place);
    if (script.hook == Hook::on_halted) {  // its faults are those of halting: see entry_halts.cpp
      if (use.use == EntryUse::read) entry.is_perhaps_read = true;
      if (use.use == EntryUse::assign) {
        entry.is_written_as_other = true;
        Entry::note(entry.written, place);
      }
      if (use.use != EntryUse::create) continue;
    } else {
      note_put(entry, use, place);
    }
    if (use.use == EntryUse::read) {
      entry.is_read_by_others = true;
      Entry::note(entry.read, place);
      Entry::note(entry.surely_read, place);
      if (use.is_operand) Entry::note(entry.computed, place);
      entry.is_joined = entry.is_joined || use.is_joined;
      continue;
    }
    if (use.is_text) Entry::note(entry.text_put, place);
    entry.is_written_as_other = entry.is_written_as_other || (!use.is_text && !use.is_kept);
    if (use.use == EntryUse::create) {
      entry.created_as_text = entry.created_as_text || !use.is_number;
      Entry::note(entry.created, place);
      Entry::note(entry.written, place);
      note_lost(board, use.name, place.span);
    } else {
      entry.is_replaced = entry.is_replaced || !use.is_kept;
      Entry::note(entry.assigned, place);
    }
  }
}

void EntryFacts::note_put(Entry& entry, const ScriptUse& use, const Moment& place) {
  if (use.use == EntryUse::read) return;
  if (use.is_text) {
    Entry::note(entry.puts.text, place);
  } else if (use.is_number) {
    Entry::note(entry.puts.number, place);
    entry.puts.is_whole = entry.puts.is_whole && !use.is_kept && use.value && use.value->is_whole;
  } else {
    entry.puts.is_other = true;
  }
}

void EntryFacts::note_put(Entry& entry, const Port* port, const Moment& place) {
  const TypeKind kind = port == nullptr ? TypeKind::untyped : port->type.kind;
  if (kind == TypeKind::text) {
    Entry::note(entry.puts.text, place);
  } else if (kind == TypeKind::whole || kind == TypeKind::boolean || kind == TypeKind::real) {
    Entry::note(entry.puts.number, place);
    entry.puts.is_whole = entry.puts.is_whole && kind != TypeKind::real;
  } else if (kind == TypeKind::own) {
    Entry::note(entry.puts.own, place);
  } else {
    entry.puts.is_other = true;
  }
}

// Any entry of the board may be read and written, and those of others that are connected to it.
void EntryFacts::mark_unknown_ports(Board& board) {
  if (std::exchange(board.has_unknown_ports, true)) return;
  if (board.parent == nullptr) return;
  if (board.has_autoremap) mark_unknown_ports(*board.parent);
  for (const auto& [inside, outside] : board.remapped) resolve(*board.parent, outside).is_perhaps_used = true;
}

// Entries that are made, and read before the node's children are ticked.
void EntryFacts::use_ports(const WrittenNode& node, Board& board) {
  if (node.declaration->may_have_other_ports()) mark_unknown_ports(board);
  for (const WrittenPort& port : node.ports) {
    const PortRole role = port.role();
    if (!port.is_default && !port.made_key().empty()) {
      note_name(board, port.made_key(), port.value_span);
      make(board, port, node);
    }
    if (role == PortRole::watched) {
      use_watched(port, board);
    } else if (port.value.is_pointer) {
      use_pointer(node, port, board);
    } else if (role == PortRole::new_key && !port.value.literal().empty()) {
      copy_literal(node, port, board);
    } else if (role == PortRole::plain) {
      texts.push_back({&board, &node, &port});
    }
  }
  if (const WrittenScript* const own = node.script(kOwnHook)) use_script(*own, board);
}

// A loop locks the entry that holds its queue while it writes an element to 'value'.
void EntryFacts::check_loop(const WrittenNode& node, Board& board) {
  const WrittenPort* const queue = node.find_port("queue");
  const WrittenPort* const value = node.find_port("value");
  const bool are_entries = queue != nullptr && value != nullptr && queue->value.is_pointer && value->value.is_pointer;
  if (!are_entries || find_lost(board, value->value.key()).first != nullptr) return;
  if (&resolve(board, queue->value.key()) != &resolve(board, value->value.key())) return;
  analysis_.report(rules::BTC_runs_away, value->value_span,
                   "'value' of " + quote(node.id) + " is the entry that holds its queue: the update never ends",
                   "write the elements to another entry", {queue->value_span, "the queue is here"});
}

void EntryFacts::use_watched(const WrittenPort& port, Board& board) {
  const std::string_view key = port.value.text;
  if (key.empty()) return;
  if (!port.value.is_pointer) note_name(board, key, port.value_span);
  Entry& entry = resolve(board, key);
  entry.is_read_by_others = true;
  Entry::note(entry.watched, {moment_, port.value_span});
  Entry::note(entry.read, {moment_, port.value_span});
}

void EntryFacts::use_pointer(const WrittenNode& node, const WrittenPort& port, Board& board) {
  const PortRole role = port.role();
  const Direction direction = port.direction();
  if (direction != Direction::output) {
    Entry& entry = resolve(board, port.value.key());
    if (port.is_default && port.port->missing == Missing::allowed) {
      entry.is_perhaps_read = true;
      return;
    }
    Entry::note(entry.read, {moment_, port.value_span});
    const bool is_of_nav2 = node.declaration->is_built_in || node.declaration->is_of_nav2;
    entry.is_read_by_others = entry.is_read_by_others || !is_of_nav2;
    // A host may use an inout for what it writes only.
    const bool may_only_write = direction == Direction::inout && node.declaration->is_of_host();
    if (!may_only_write) Entry::note(entry.surely_read, {moment_, port.value_span});
  }
  if (role == PortRole::new_key || role == PortRole::old_key) mark_unknown(board);
}

void EntryFacts::copy_literal(const WrittenNode& node, const WrittenPort& key, Board& board) {
  const WrittenPort* const value = node.find_port("value");
  const bool is_text = value != nullptr && !value->value.is_pointer;
  note_name(board, key.value.literal(), key.value_span);
  Entry& entry = resolve(board, key.value.literal());
  const Moment place{moment_, value == nullptr ? key.value_span : value->value_span};
  if (is_text) Entry::note(entry.copied, place);
  if (is_text) Entry::note(entry.puts.text, place);
  entry.puts.is_other = entry.puts.is_other || !is_text;
  entry.is_written_as_other = entry.is_written_as_other || !is_text;
  Entry::note(entry.written, place);
  note_lost(board, key.value.literal(), place.span);
}

// An entry is written whose name is known at run time only.
void EntryFacts::mark_unknown(Board& board) {
  for (Board* each = &board; each != nullptr; each = each->parent) each->has_unknown_writes = true;
}

void EntryFacts::write_ports(const WrittenNode& node, Board& board) {
  for (const WrittenPort& port : node.ports) {
    const Direction direction = port.direction();
    const PortRole role = port.role();
    if (!port.value.is_pointer || direction == Direction::input || role != PortRole::plain) continue;
    Entry& entry = resolve(board, port.value.key());
    const Moment place{moment_, port.value_span};
    const bool has_type = port.port != nullptr && port.port->type.kind != TypeKind::untyped;
    entry.is_set_by_typed_node = entry.is_set_by_typed_node || has_type || port.port == nullptr || !port.port->has_type;
    entry.is_written_as_other = true;
    note_put(entry, direction == Direction::output ? port.port : nullptr, place);
    Entry::note(entry.written, place);
    if (!port.is_default) Entry::note(entry.output, place);
    // What Nav2's nodes tell of their failures is read by the program.
    const bool is_for_program = port.name == "error_code_id" || port.name == "error_msg";
    entry.is_perhaps_read = entry.is_perhaps_read || is_for_program || direction == Direction::inout;
    if (direction == Direction::output) note_lost(board, port.value.key(), port.value_span);
  }
}

// ---- Subtrees

void EntryFacts::visit_subtree(const WrittenNode& node, Board& board, std::uint32_t depth) {
  for (const WrittenPort& port : node.ports) {
    if (port.value.is_pointer) note_name(board, port.value.key(), port.value_span);
  }
  const WrittenTree* const tree = node.tree;
  if (tree == nullptr || is_in(*tree, board)) {
    is_sound_ = false;
    return;
  }
  if (depth + 1 >= kMaxDepth) {
    is_sound_ = false;
    analysis_.report(rules::BTC_too_deep, node.span,
                     "more than " + std::to_string(kMaxDepth) + " elements and subtrees are nested here",
                     "since its version 4.9.0, the library refuses more");
    return;
  }
  const std::string own =
      node.has_name ? std::string(node.name) : std::string(node.id) + "::" + std::to_string(node_count_);
  std::string path = board.path.empty() ? own : board.path + "/" + own;
  if (const auto [first, is_new] = paths_.emplace(path, node.span); !is_new && !project_.takes_equal_paths) {
    analysis_.report(rules::BTC_duplicate_path, node.span, "a subtree has the path " + quote(path) + " already",
                     "give one of them another 'name'; the library refuses it since its version 4.8.4",
                     {first->second, "the other one"});
  }
  Board& below = add_board(*tree, &node, &board, std::move(path));
  below.has_autoremap = node.has_autoremap;
  for (const WrittenPort& port : node.ports) {
    if (is_full_) return;
    connect(port.name, port.value, port.value_span, below);
    if (port.value.is_pointer) {
      board.passed.emplace(port.value.key());
    } else {
      texts.push_back({&board, &node, &port});
    }
  }
  for (const WrittenPort& port : project_.defaults_of(node)) connect(port.name, port.value, port.value_span, below);
  if (tree->has_root()) visit(tree->root(), below, depth + 1);
}

void EntryFacts::connect(std::string_view key, const PortValue& value, Span span, Board& below) {
  if (value.is_pointer) {
    if (++connection_count_ > kMaxConnections) return fill("connections of its subtrees", kMaxConnections);
    const auto place = below.remapped.insert_or_assign(std::string(key), std::string(value.key())).first;
    below.keys[place->first].outside = &place->second;
    return;
  }
  Entry& entry = entry_at(below, key);
  entry.is_made = true;
  entry.is_literal = true;
  entry.type = type_of_subtree_literal(value.literal(), analysis_.project.has_text_literals);
  entry.literal_text = value.literal();
  entry.made = {moment_, span};
  entry.made_by = "the literal " + quote(value.literal());
  entry.literal = entry.made;
  entry.written = entry.made;
  entry.is_written_as_other = entry.type.is_number();
}

}  // namespace espalier::lint
