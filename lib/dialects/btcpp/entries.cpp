// Blackboards: the entries that nodes make, write and read, as the library connects them. See project.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialects/btcpp/elements.h"
#include "dialects/btcpp/project.h"
#include "runtime/format/records.h"

namespace espalier::dialects::btcpp {
namespace {

constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

// Where something happens. Moments are numbers in the order of the first update.
struct Place {
  std::uint32_t moment = kNever;
  Span span = {};
};

struct Entry {
  Type type;
  bool is_made = false;  // when the tree is made
  Place made;            // by a port or a literal
  std::string made_by;   // for messages
  bool by_untyped_port = false;
  bool is_literal = false;  // of the SubTree element
  Place literal;
  std::string literal_text;
  bool is_mismatched = false;        // which has been reported
  std::optional<Place> read;         // the first time
  std::optional<Place> surely_read;  // by what needs a value
  std::optional<Place> written;      // the first time, however
  std::optional<Place> created;      // by ':='
  bool created_as_text = false;
  std::optional<Place> assigned;  // by '=' and the like
  std::optional<Place> copied;    // SetBlackboard with a text
  std::optional<Place> text_put;  // by a script, certainly
  std::optional<Place> watched;
  bool is_perhaps_read = false;  // by an input that a node can do without
  bool is_perhaps_used = false;  // by a node that nobody declares
  bool is_joined = false;        // read as a text
  bool is_set_by_node = false;   // by an output or a loop

  void note(std::optional<Place>& first, const Place& place) {
    if (!first || place.moment < first->moment) first = place;
  }
};

// The blackboard of a tree in one place.
struct Board {
  const ReadTree* tree = nullptr;
  const ReadNode* subtree = nullptr;  // the element that uses the tree; null: of the root
  Board* parent = nullptr;
  bool has_autoremap = false;
  bool has_unknown_writes = false;  // an entry whose name is in another one
  bool has_unknown_ports = false;   // of a node that nobody declares: their defaults can name any entry
  std::map<std::string, std::string, std::less<>> remapped;  // key inside to key outside
  std::map<std::string, Entry, std::less<>> entries;
  std::set<std::string, std::less<>> used;  // keys that something in the tree uses
  std::string path;
};

class EntryCheck {
 public:
  EntryCheck(const ReadProject& project, Reporter& reporter) : project_(project), reporter_(reporter) {}

  void check(const ReadTree& tree) {
    boards_.clear();
    paths_.clear();
    node_count_ = 0;
    moment_ = 0;
    is_sound_ = true;
    Board& board = add_board(tree, nullptr, nullptr, {});
    visit_tree(board, 0);
    if (!is_sound_) return;
    for (const Board& each : boards_) check_board(each);
  }

 private:
  // ---- Boards

  Board& add_board(const ReadTree& tree, const ReadNode* subtree, Board* parent, std::string path) {
    Board& board = boards_.emplace_back();
    board.tree = &tree;
    board.subtree = subtree;
    board.parent = parent;
    board.path = std::move(path);
    is_sound_ = is_sound_ && tree.root != nullptr && !tree.has_errors;
    return board;
  }

  // The entry that a key names, and its board. It may not be there yet.
  Entry& resolve(Board& from, std::string_view key) {
    Board* board = &from;
    std::string name(key);
    while (true) {
      if (name.size() > 1 && name[0] == '@') {
        board = &boards_.front();
        name.erase(0, 1);
      }
      board->used.insert(name);
      const auto own = board->entries.find(name);
      if (own != board->entries.end() && own->second.is_made) return own->second;
      if (board->parent == nullptr) break;
      if (const auto other = board->remapped.find(name); other != board->remapped.end()) {
        name = other->second;
        board = board->parent;
      } else if (board->has_autoremap && name[0] != '_') {
        board = board->parent;
      } else {
        break;
      }
    }
    return board->entries[name];
  }

  // The entry that is made for a key that names none yet. What a SubTree connects to "{@key}" is made as an entry of
  // that name on the blackboard above, which no key finds.
  Entry& resolve_made(Board& from, std::string_view key) {
    if (key.size() > 1 && key[0] == '@') return resolve(from, key);
    Board* board = &from;
    std::string name(key);
    for (; board->parent != nullptr; board = board->parent) {
      if (const auto other = board->remapped.find(name); other != board->remapped.end()) {
        name = other->second;
      } else if (!board->has_autoremap || name[0] == '_') {
        break;
      }
    }
    return board->entries[name];
  }

  void make(Board& board, const ReadPort& port, const ReadNode& node) {
    const bool is_known = resolve(board, port.value.key).is_made;
    Entry& entry = is_known ? resolve(board, port.value.key) : resolve_made(board, port.value.key);
    const Type type = port.port == nullptr ? Type{} : port.port->type;
    const std::string by = "the port " + quote(port.name) + " of " + quote(node.name);
    if (!entry.is_made) {
      entry.is_made = true;
      entry.type = type;
      entry.made = {moment_, port.value_span};
      entry.made_by = by;
      entry.by_untyped_port = port.port != nullptr && type.kind == TypeKind::untyped &&
                              port.port->role == PortRole::plain && node.declaration->is_of_host() &&
                              port.port->has_type;
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
    reporter_.report(Rule::BTC_type_mismatch, port.value_span,
                     "the entry " + quote(port.value.key) + " is of type " + quote(shown(entry.type)) +
                         ", and the port " + quote(port.name) + " of " + quote(node.id) + " of type " +
                         quote(shown(type)),
                     std::move(hint), {entry.made.span, "it has its type from " + entry.made_by});
  }

  // ---- Trees

  void visit_tree(Board& board, std::uint32_t depth) {
    if (board.tree->root != nullptr) visit(*board.tree->root, board, depth);
  }

  void visit(const ReadNode& node, Board& board, std::uint32_t depth) {
    if (++node_count_ > layout::kMaxNodes) {
      is_sound_ = false;
      if (node_count_ == layout::kMaxNodes + 1) {
        reporter_.report(Rule::BTC_too_many_nodes, boards_.front().tree->span,
                         "with all its subtrees the tree has more than " + with_commas(layout::kMaxNodes) + " nodes");
      }
      return;
    }
    ++moment_;
    for (std::size_t i = 0; i < kConditionCount; ++i) use_script(node.script(static_cast<Hook>(i)), board);
    if (node.is_subtree()) {
      visit_subtree(node, board, depth);
    } else {
      use_ports(node, board);
      ++moment_;
      write_ports(node, board);  // loops and decorators write before their child begins
      for (const ReadNode& child : node.children) visit(child, board, depth + 1);
    }
    for (std::size_t i = kConditionCount; i < kHookCount; ++i) use_script(node.script(static_cast<Hook>(i)), board);
  }

  void use_script(const ReadScript& script, Board& board) {
    for (const ScriptUse& use : script.checked.uses) {
      ++moment_;
      const Place place{moment_, script.attribute.value_span(use.begin, use.end)};
      Entry& entry = resolve(board, use.name);
      if (use.use == EntryUse::read) {
        entry.note(entry.read, place);
        entry.note(entry.surely_read, place);
        entry.is_joined = entry.is_joined || use.is_joined;
        continue;
      }
      if (use.is_text) entry.note(entry.text_put, place);
      if (use.use == EntryUse::create) {
        entry.created_as_text = entry.created_as_text || !use.is_number;
        entry.note(entry.created, place);
        entry.note(entry.written, place);
      } else {
        entry.note(entry.assigned, place);
      }
    }
  }

  // Any entry of the board may be read and written, and those of others that are connected to it.
  void mark_unknown_ports(Board& board) {
    if (std::exchange(board.has_unknown_ports, true)) return;
    if (board.parent == nullptr) return;
    if (board.has_autoremap) mark_unknown_ports(*board.parent);
    for (const auto& [inside, outside] : board.remapped) resolve(*board.parent, outside).is_perhaps_used = true;
  }

  // Entries that are made, and read before the node's children are ticked.
  void use_ports(const ReadNode& node, Board& board) {
    if (!node.declaration->is_declared) mark_unknown_ports(board);
    for (const ReadPort& port : node.ports) {
      const PortRole role = port.port == nullptr ? PortRole::plain : port.port->role;
      if (role == PortRole::watched) {
        if (port.value.is_pointer && !port.is_default) make(board, port, node);
        const std::string& key = port.value.is_pointer ? port.value.key : port.value.literal;
        if (key.empty()) continue;
        Entry& entry = resolve(board, key);
        entry.note(entry.watched, {moment_, port.value_span});
        entry.note(entry.read, {moment_, port.value_span});
        continue;
      }
      if (!port.value.is_pointer) {
        if (role == PortRole::new_key && !port.value.literal.empty()) copy_literal(node, port, board);
        continue;
      }
      if (!port.is_default) make(board, port, node);
      const Direction direction = port.port == nullptr ? Direction::inout : port.port->direction;
      if (direction != Direction::output) {
        Entry& entry = resolve(board, port.value.key);
        if (port.is_default && port.port->missing == Missing::allowed) {
          entry.is_perhaps_read = true;
          continue;
        }
        entry.note(entry.read, {moment_, port.value_span});
        // A host may use an inout for what it writes only.
        const bool may_only_write = direction == Direction::inout && node.declaration->is_of_host();
        if (!may_only_write) entry.note(entry.surely_read, {moment_, port.value_span});
      }
      if (role == PortRole::new_key || role == PortRole::old_key) mark_unknown(board);
    }
    use_script(node.script(Hook::own), board);
  }

  void copy_literal(const ReadNode& node, const ReadPort& key, Board& board) {
    const ReadPort* const value = node.find_port("value");
    const bool is_text = value != nullptr && !value->value.is_pointer;
    Entry& entry = resolve(board, key.value.literal);
    const Place place{moment_, value == nullptr ? key.value_span : value->value_span};
    if (is_text) entry.note(entry.copied, place);
    entry.note(entry.written, place);
  }

  // An entry is written whose name is known at run time only.
  void mark_unknown(Board& board) {
    for (Board* each = &board; each != nullptr; each = each->parent) each->has_unknown_writes = true;
  }

  void write_ports(const ReadNode& node, Board& board) {
    for (const ReadPort& port : node.ports) {
      const Direction direction = port.port == nullptr ? Direction::inout : port.port->direction;
      const PortRole role = port.port == nullptr ? PortRole::plain : port.port->role;
      if (!port.value.is_pointer || direction == Direction::input || role != PortRole::plain) continue;
      Entry& entry = resolve(board, port.value.key);
      entry.is_set_by_node = true;
      entry.note(entry.written, {moment_, port.value_span});
    }
  }

  // ---- Subtrees

  void visit_subtree(const ReadNode& node, Board& board, std::uint32_t depth) {
    const ReadTree* const tree = project_.tree_of(node);
    if (tree == nullptr || is_in(*tree, board)) {
      is_sound_ = false;
      return;
    }
    if (depth + 1 >= kMaxDepth) {
      is_sound_ = false;
      reporter_.report(Rule::BTC_too_deep, node.element.span(),
                       "more than " + std::to_string(kMaxDepth) + " elements and subtrees are nested here");
      return;
    }
    const std::string own = node.has_name ? node.name : node.id + "::" + std::to_string(node_count_);
    std::string path = board.path.empty() ? own : board.path + "/" + own;
    if (const auto [first, is_new] = paths_.emplace(path, node.element.span()); !is_new) {
      reporter_.report(Rule::BTC_duplicate_path, node.element.span(),
                       "a subtree has the path " + quote(path) + " already", "give one of them another 'name'",
                       {first->second, "the other one"});
    }
    Board& below = add_board(*tree, &node, &board, std::move(path));
    below.has_autoremap = node.has_autoremap;
    for (const ReadPort& port : node.ports) connect(port.name, port.value, port.value_span, below);
    if (const auto model = project_.nodes.subtrees.find(node.id); model != project_.nodes.subtrees.end()) {
      for (const Port& port : model->second.ports) {
        if (node.find_port(port.name) != nullptr || node.has_autoremap || !port.otherwise) continue;
        connect(port.name, read_default_of_tree(*port.otherwise), node.element.span(), below);
      }
    }
    visit_tree(below, depth + 1);
  }

  void connect(const std::string& key, const PortValue& value, Span span, Board& below) {
    if (value.is_pointer) {
      below.remapped[key] = value.key;
      return;
    }
    Entry& entry = below.entries[key];
    entry.is_made = true;
    entry.is_literal = true;
    entry.type = type_of_subtree_literal(value.literal);
    entry.literal_text = value.literal;
    entry.made = {moment_, span};
    entry.made_by = "the literal " + quote(value.literal);
    entry.literal = entry.made;
    entry.written = entry.made;
  }

  static bool is_in(const ReadTree& tree, const Board& board) {
    for (const Board* each = &board; each != nullptr; each = each->parent) {
      if (each->tree == &tree) return true;
    }
    return false;
  }

  // ---- Findings about a board

  void check_board(const Board& board) {
    for (const auto& [key, entry] : board.entries) {
      check_values(key, entry);
      if (board.has_unknown_writes || board.has_unknown_ports || entry.is_perhaps_used) continue;
      if (board.subtree == nullptr) {
        check_of_main(board, key, entry);
      } else if (entry.is_literal) {
        check_literal_entry(key, entry);
      } else {
        check_own(board, key, entry);
      }
    }
    if (board.subtree == nullptr || board.has_unknown_ports) return;
    report_unconnected(*board.subtree);
    check_unused(board);
  }

  // One finding for all entries of the board.
  void report_unconnected(const ReadNode& subtree) {
    const auto entries = std::exchange(unconnected_, {});
    if (entries.empty()) return;
    std::vector<std::string_view> names;
    std::string ports;
    for (const auto& [key, span] : entries) {
      names.push_back(key);
      if (!is_port_name(key)) continue;
      if (!ports.empty()) ports += ' ';
      ports.append(key).append("=\"{").append(key).append("}\"");
    }
    const bool is_one = names.size() == 1;
    text::Finding& finding = reporter_.report(
        Rule::BTC_subtree_not_connected, subtree.element.span(),
        "the tree " + quote(subtree.id) + " reads the " + (is_one ? "entry " : "entries ") + list_of(names) +
            ", which nothing in it writes, and this 'SubTree' does not connect " + (is_one ? "it" : "them"),
        ports.empty() ? "only names that begin with a letter can be connected"
                      : "add " + ports + ", or _autoremap=\"true\"");
    for (const auto& [key, span] : entries) finding.related.push_back({span, quote(key) + " is read here"});
  }

  // The host writes what espalier.json lists, once it lists any.
  void check_of_main(const Board& board, const std::string& key, const Entry& entry) {
    const std::vector<std::string>* const entries = project_.entries;
    if (entries == nullptr || !board.tree->is_main) return;
    if (!entry.read || entry.written || entry.assigned) return;
    if (std::binary_search(entries->begin(), entries->end(), key)) return;
    if (known_entries_.size() == 0) known_entries_ = text::NameIndex({entries->begin(), entries->end()});
    std::string hint = known_entries_.did_you_mean(key);
    if (hint.empty()) hint = "'entries' of espalier.json lists those that the host writes";
    reporter_.report(Rule::BTC_never_written, entry.read->span, "nothing writes the entry " + quote(key),
                     std::move(hint));
  }

  void check_literal_entry(const std::string& key, const Entry& entry) {
    if (entry.is_mismatched || !changes_as_number(entry.literal_text)) return;
    const bool is_whole = entry.type.kind == TypeKind::whole;
    if (!is_whole && !entry.is_joined) return;
    reporter_.report(
        Rule::BTC_literal_becomes_number, entry.literal.span,
        quote(entry.literal_text) + " is stored as a number in " + quote(key) + ": read as a text, it is different");
  }

  void check_own(const Board& board, const std::string& key, const Entry& entry) {
    const ReadNode& subtree = *board.subtree;
    const bool is_private = board.has_autoremap;
    const bool is_there = entry.is_made || entry.written;
    if (entry.assigned && !is_there && !is_private) {
      reporter_.report(Rule::BTC_assign_to_no_entry, entry.assigned->span,
                       "nothing makes the entry " + quote(key) + ": assigning it throws", "':=' makes an entry",
                       {subtree.element.span(), "this 'SubTree' does not connect it"});
      return;
    }
    const bool is_written = entry.written || entry.assigned;
    if (entry.read && !is_written) {
      if (is_private || needs_port(subtree, key)) return;
      unconnected_.emplace_back(key, entry.read->span);
    } else if (entry.surely_read && entry.written && entry.surely_read->moment < entry.written->moment) {
      reporter_.report(Rule::BTC_read_before_written, entry.surely_read->span,
                       "the entry " + quote(key) + " is read before anything can have written it", {},
                       {entry.written->span, "it is written here"});
    } else if (!entry.read && !entry.is_perhaps_read && (entry.created || entry.copied) && !entry.is_set_by_node &&
               !is_private) {
      const Place& place = entry.created ? *entry.created : *entry.copied;
      reporter_.report(Rule::BTC_entry_never_read, place.span, "nothing reads the entry " + quote(key));
    }
  }

  // Does the tree's model need this port? Then it is missing, which is reported.
  bool needs_port(const ReadNode& subtree, const std::string& key) const {
    const auto model = project_.nodes.subtrees.find(subtree.id);
    return model != project_.nodes.subtrees.end() &&
           std::any_of(model->second.ports.begin(), model->second.ports.end(),
                       [&](const Port& port) { return port.name == key && !port.otherwise; });
  }

  // What throws whatever the tree below or above does.
  void check_values(const std::string& key, const Entry& entry) {
    const bool is_of_any = entry.watched && entry.is_made && entry.type.kind == TypeKind::any && !entry.is_set_by_node;
    if (is_of_any) {
      for (const std::optional<Place>* put : {&entry.copied, &entry.text_put}) {
        if (!*put) continue;
        reporter_.report(Rule::BTC_text_into_watched, (*put)->span,
                         "a text cannot be put into " + quote(key) + ", which is watched: this throws", {},
                         {entry.watched->span, "it is watched here"});
      }
    }
    const bool is_number = entry.created && !entry.created_as_text && entry.created->moment < kNever;
    const bool is_lost = entry.copied && !entry.is_set_by_node &&
                         ((!entry.is_made && is_number && entry.created->moment < entry.copied->moment) ||
                          (entry.by_untyped_port && !entry.created));
    if (!is_lost) return;
    reporter_.report(
        Rule::BTC_literal_lost, entry.copied->span,
        "the entry " + quote(key) +
            " has no type to convert the text to: it is left without a value, and the next time the node throws",
        "a 'Script' with ':=' writes a number",
        {entry.created ? entry.created->span : entry.made.span, "it is made here"});
  }

  void check_unused(const Board& board) {
    const auto model = project_.nodes.subtrees.find(board.subtree->id);
    text::NameIndex used;
    for (const ReadPort& port : board.subtree->ports) {
      if (board.used.count(port.name) != 0) continue;
      const bool is_in_model = model != project_.nodes.subtrees.end() &&
                               std::any_of(model->second.ports.begin(), model->second.ports.end(),
                                           [&](const Port& each) { return each.name == port.name; });
      if (is_in_model) continue;
      if (used.size() == 0) used = text::NameIndex({board.used.begin(), board.used.end()});
      reporter_.report(Rule::BTC_subtree_port_unused, port.name_span,
                       "the tree " + quote(board.subtree->id) + " uses no entry " + quote(port.name),
                       used.did_you_mean(port.name));
    }
  }

  const ReadProject& project_;
  Reporter& reporter_;
  text::NameIndex known_entries_;  // of the host
  std::deque<Board> boards_;       // that of the root first
  std::map<std::string, Span> paths_;
  std::vector<std::pair<std::string, Span>> unconnected_;  // entries of the board that is being checked
  std::uint32_t node_count_ = 0;
  std::uint32_t moment_ = 0;
  bool is_sound_ = true;  // nothing is missing that could write or read an entry
};

}  // namespace

void check_entries(const ReadProject& project, Reporter& reporter) {
  EntryCheck check(project, reporter);
  for (const std::size_t root : project.roots) check.check(project.trees[root]);
}

}  // namespace espalier::dialects::btcpp
