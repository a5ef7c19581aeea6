// Trees as they are written become trees that can be compiled. See expand.h.
#include "ir/poll/expand.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace espalier::ir::poll {
namespace {

using layout::PollType;

bool names_global(std::string_view key) { return key.size() > 1 && key[0] == '@'; }

// Keys get their final numbers when the tree is complete: until then they are in the order in which they were needed.
struct KeyPlace {
  std::uint32_t entry = 0;
  std::optional<std::uint32_t> next;
  bool is_own = true;
};

struct BoardPlace {
  std::optional<std::uint32_t> parent;
  bool has_autoremap = false;
  bool writes_any_name = false;  // an entry whose name is in another entry
  std::string path;
  std::map<std::string, std::string, std::less<>> remapped;
  std::map<std::string, std::uint32_t, std::less<>> entries;
  std::unordered_map<std::string_view, std::uint32_t> keys;
};

// The control of the library whose ports a host's control has.
const std::vector<Port>& ports_of(const WrittenNode& source) {
  if (source.is_of_library() || source.built() == built::none) return source.declaration->ports;
  const auto followed = std::find_if(library_nodes().begin(), library_nodes().end(),
                                     [&](const Declaration& each) { return each.built == source.built(); });
  return followed->ports;
}

bool is_placed(const Port& port) { return port.role != PortRole::script && port.role != PortRole::condition; }

// A node that nobody declares may be the framework's.
void set_host(const WrittenProject& project, const WrittenNode& source, Names& names, PolledNode& polled) {
  const Declaration* declaration = source.declaration;
  polled.host = names.of(source.id);
  polled.is_condition = declaration->kind != NodeKind::action;
  polled.is_declared = !declaration->may_have_other_ports();
  if (is_leaf(declaration->kind)) {
    const Declaration* const known = project.known(source);
    if (known != nullptr && is_leaf(known->kind)) declaration = known;
  }
  polled.results = declaration->results;
  if (polled.results == 0 && declaration->is_built_in && is_leaf(declaration->kind))
    polled.results = results_of_host(*declaration);
  polled.fails_anew = declaration->fails_anew();
}

// The nodes of written trees and of those that they use, in the order in which they come to their places, but each tree
// only once, or once for each program whose names mean other trees.
class WrittenNodes {
 public:
  template <typename Visit>
  void visit(const WrittenTree& root, const Visit& visit_node) {
    const WrittenProgram* const program = root.program;
    visit(root, program == nullptr || program->own.empty() ? nullptr : program, visit_node);
  }

 private:
  template <typename Visit>
  void visit(const WrittenTree& tree, const WrittenProgram* program, const Visit& visit_node) {
    if (!seen_.emplace(&tree, program).second) return;
    for (const WrittenNode& node : tree.nodes) {
      if (node.is_subtree()) {
        visit(*(program == nullptr ? node.tree : program->tree_of(node)), program, visit_node);
      } else {
        visit_node(node);
      }
    }
  }

  std::set<std::pair<const WrittenTree*, const WrittenProgram*>> seen_;
};

class TreePlacing {
 public:
  TreePlacing(const WrittenProject& project, const TypeNumbers& types, const std::shared_ptr<Names>& names)
      : project_(project), types_(types), names_(*names), lists_(std::make_shared<NodeLists>(names)) {}

  // Sets the nodes and the parts.
  void place(const WrittenTree& source, Tree& tree) {
    program_ = source.program;
    boards_.emplace_back();
    place_node(source.root(), 0, 0);
    add_possible_names(project_.named_entries);
    number_keys();
    polling_.text_bytes = project_.text_bytes;
    polling_.has_one_round = project_.ticks_exactly_once;
    polling_.is_main = tree.as<Polling>().is_main;
    tree.nodes = Nodes(std::move(lists_));
    tree.parts = std::move(polling_);
  }

 private:
  // ---- Blackboards

  std::uint32_t entry_of(std::uint32_t board, std::string_view name) {
    const auto next = static_cast<std::uint32_t>(polling_.entries.size());
    const auto [place, is_new] = boards_[board].entries.emplace(name, next);
    if (is_new) {
      PollEntry entry;
      entry.name = name;
      entry.board = board;
      polling_.entries.push_back(std::move(entry));
    }
    return place->second;
  }

  // Of a name in the project: it stays where it is, so that one that was asked for lately is found by its address.
  std::uint32_t key_of(std::uint32_t board, std::string_view name) {
    LastKey& last = last_keys_[std::hash<const char*>()(name.data()) / sizeof(void*) % last_keys_.size()];
    const bool is_same = last.name.data() == name.data() && last.name.size() == name.size() && last.board == board;
    if (!is_same) last = {name, board, find_key(board, name)};
    return last.key;
  }

  std::uint32_t find_key(std::uint32_t board, std::string_view name) {
    const auto& known_keys = boards_[board].keys;
    if (const auto known = known_keys.find(name); known != known_keys.end()) return known->second;
    KeyPlace key;
    const auto global = global_of(board, name);
    const std::optional<std::uint32_t> above = global ? std::nullopt : key_above(board, name);
    const auto own = boards_[board].entries.find(name);
    if (names_global(name)) {
      key.entry = keys_[find_key(0, name.substr(1))].entry;
    } else if (global) {
      key.entry = entry_of(home_of(*boards_[board].parent), *global);
      key.next = find_key(0, global->substr(1));
      key.is_own = false;
    } else if (own != boards_[board].entries.end()) {
      key.entry = own->second;
      key.next = above;
    } else if (above) {
      key.entry = keys_[*above].entry;
      key.next = keys_[*above].next;
      key.is_own = false;
    } else {
      key.entry = entry_of(board, name);
    }
    const auto number = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(std::move(key));
    boards_[board].keys.emplace(names_.intern(name), number);
    return number;
  }

  // The name with '@' that a SubTree connects a name to.
  std::optional<std::string> global_of(std::uint32_t board, std::string_view name) const {
    const auto other = boards_[board].remapped.find(name);
    if (other == boards_[board].remapped.end() || !names_global(other->second)) return std::nullopt;
    return other->second;
  }
  // Where an entry of a name is made that the board does not connect.
  std::uint32_t home_of(std::uint32_t board) const {
    while (boards_[board].has_autoremap) board = *boards_[board].parent;
    return board;
  }

  // The key of the blackboard above that a name is connected to.
  std::optional<std::uint32_t> key_above(std::uint32_t board, std::string_view name) {
    if (!boards_[board].parent || names_global(name)) return std::nullopt;
    if (const auto other = boards_[board].remapped.find(name); other != boards_[board].remapped.end()) {
      const std::string outside = other->second;
      return find_key(*boards_[board].parent, outside);
    }
    if (boards_[board].has_autoremap && name[0] != '_') return find_key(*boards_[board].parent, name);
    return std::nullopt;
  }

  // A port makes the entry that its key stands for when the tree is made.
  void make(std::uint32_t key, PollType type) {
    PollEntry* made = nullptr;  // the last one, or the first that no key finds
    for (std::optional<std::uint32_t> at = key; at; at = keys_[*at].next) {
      PollEntry& each = polling_.entries[keys_[*at].entry];
      if (each.is_there && !is_unseen(each)) return;
      if (made == nullptr || !is_unseen(*made)) made = &each;
    }
    PollEntry& entry = *made;
    if (entry.is_there) return;
    entry.is_there = true;
    entry.type = type;
  }

  // A board on which an entry is written whose name is known at run time only can write whatever is connected to it.
  void add_possible_names(std::uint32_t named_count) {
    for (std::size_t board = boards_.size(); board-- > 0;) {
      if (!boards_[board].writes_any_name) continue;
      polling_.named_count = named_count;
      boards_[0].writes_any_name = true;  // by '@'
      if (boards_[board].has_autoremap) boards_[*boards_[board].parent].writes_any_name = true;
    }
    for (std::uint32_t board = 0; board < boards_.size(); ++board) {
      const BoardPlace& place = boards_[board];
      if (!place.writes_any_name) continue;
      std::set<std::string> names;
      for (const auto& [name, entry] : place.entries) names.insert(name);
      for (const auto& [name, outside] : place.remapped) names.insert(name);
      if (place.has_autoremap) {
        for (const auto& [name, key] : boards_[*place.parent].keys) {
          if (!name.starts_with('_') && !name.starts_with('@')) names.emplace(name);
        }
      }
      for (const std::string& name : names) static_cast<void>(find_key(board, name));
    }
  }

  void number_keys() {
    std::vector<std::uint32_t> numbers(keys_.size());
    std::uint32_t next_number = 0;
    for (const BoardPlace& board : boards_) {
      PollBoard& result = polling_.boards.emplace_back();
      result.path = board.path;
      if (board.has_autoremap) result.above = board.parent;
      std::vector<std::pair<std::string_view, std::uint32_t>> in_order(board.keys.begin(), board.keys.end());
      std::sort(in_order.begin(), in_order.end());
      for (const auto& [name, number] : in_order) {
        const KeyPlace& key = keys_[number];
        numbers[number] = next_number++;
        result.keys.push_back({std::string(name), key.entry, key.next, key.is_own});
      }
    }
    for (PollBoard& board : polling_.boards) {
      for (PollKey& key : board.keys) {
        if (key.next) key.next = numbers[*key.next];
      }
    }
    for (PolledNode* const node : nodes_) {
      for (PollPort& port : node->ports) {
        if (port.key) port.key = numbers[*port.key];
      }
    }
    for (std::vector<PollInstruction>& script : polling_.scripts) {
      for (PollInstruction& instruction : script) {
        const bool has_key = instruction.op == layout::PollOp::load ||
                             (instruction.op >= layout::PollOp::create && instruction.op < layout::PollOp::fail);
        if (has_key) instruction.operand = numbers[instruction.operand];
      }
    }
  }

  // ---- Nodes

  void place_node(const WrittenNode& source, std::uint32_t board, std::size_t parent) {
    ++node_count_;
    const std::size_t place = lists_->nodes.size();
    PolledNode& polled = lists_->add(PolledNode());
    Node& node =
        lists_->nodes.emplace_back(names_.intern(source.id), names_.intern(source.has_name ? source.name : ""));
    node.opcode = source.opcode;
    node.flags = source.flags;
    node.span = source.span;
    node.kind = kKindOf<PolledNode>;
    node.payload = &polled;
    node.rise = static_cast<std::uint32_t>(place - parent);
    nodes_.push_back(&polled);
    polled.board = board;
    if (source.built() == built::none) set_host(project_, source, names_, polled);
    for (const WrittenScript& script : source.scripts) {
      if (script.hook != kOwnHook) polled.hooks[static_cast<std::size_t>(script.hook)] = place_script(script, board);
    }
    if (source.is_subtree()) {
      place_subtree(source, board, place);
    } else {
      place_ports(source, board, polled);
      if (const WrittenScript* const own = source.script(kOwnHook)) polled.script = place_script(*own, board);
      for (const WrittenNode& child : source.children()) place_node(child, board, place);
    }
    lists_->nodes[place].extent = static_cast<std::uint32_t>(lists_->nodes.size() - place);
  }

  std::optional<std::uint32_t> place_script(const WrittenScript& source, std::uint32_t board) {
    std::vector<PollInstruction> code =
        instructions_of(source.script, project_.enums, [&](std::string_view name) { return key_of(board, name); });
    if (code.empty()) return std::nullopt;
    polling_.scripts.push_back(std::move(code));
    return static_cast<std::uint32_t>(polling_.scripts.size() - 1);
  }

  // The ports of the library's nodes are in their order; those of the host's sorted by name.
  void place_ports(const WrittenNode& source, std::uint32_t board, PolledNode& polled) {
    const std::vector<Port>& declared = ports_of(source);
    polled.ports.reserve(declared.size());
    for (const Port& port : declared) {
      if (is_placed(port)) polled.ports.push_back(place_port(port, source.find_port(port.name), board));
    }
    if (source.declaration->is_of_host() && source.declaration->built == built::none) {
      for (const WrittenPort& port : source.ports) {
        if (port.port != nullptr) continue;
        Port undeclared;
        undeclared.name = port.name;
        polled.ports.push_back(place_port(undeclared, &port, board));
      }
      std::sort(polled.ports.begin(), polled.ports.end(),
                [](const PollPort& a, const PollPort& b) { return a.name < b.name; });
    }
  }

  PollPort place_port(const Port& port, const WrittenPort* given, std::uint32_t board) {
    PollPort result;
    result.name = names_.of(port.name);
    result.type = port.role == PortRole::new_key ? PollType::text : types_.of(port.type);
    result.direction = port.direction;
    PortValue value;
    if (given != nullptr) {
      value = given->value;
      result.is_default = given->is_default;
      const std::string_view made = given->is_default ? std::string_view() : given->made_key();
      if (!made.empty()) make(key_of(board, made), types_.of(port.type));
    } else if (port.otherwise) {
      value = read_port_value(*port.otherwise, port.name);
      result.is_default = true;
    } else {
      return result;
    }
    if (port.role == PortRole::watched && !value.is_pointer) {
      if (!value.literal().empty()) result.key = key_of(board, value.literal());
      return result;
    }
    if (!value.is_pointer) {
      if (port.role == PortRole::new_key) static_cast<void>(key_of(board, value.literal()));
      result.literal = names_.of(value.literal());
      return result;
    }
    result.key = key_of(board, value.key());
    if (port.role == PortRole::new_key) boards_[board].writes_any_name = true;
    return result;
  }

  // ---- Subtrees

  void place_subtree(const WrittenNode& source, std::uint32_t board, std::size_t node) {
    const WrittenTree& tree = *(program_ == nullptr ? source.tree : program_->tree_of(source));
    const std::string own =
        source.has_name ? std::string(source.name) : std::string(source.id) + "::" + std::to_string(node_count_);
    const auto below = static_cast<std::uint32_t>(boards_.size());
    BoardPlace& place = boards_.emplace_back();
    place.parent = board;
    place.path = boards_[board].path.empty() ? own : boards_[board].path + "/" + own;
    place.has_autoremap = source.has_autoremap;
    for (const WrittenPort& port : source.ports) connect(port.name, port.value, below);
    for (const WrittenPort& port : project_.defaults_of(source)) connect(port.name, port.value, below);
    place_node(tree.root(), below, node);
  }

  void connect(std::string_view key, const PortValue& value, std::uint32_t board) {
    if (value.is_pointer) {
      boards_[board].remapped[std::string(key)] = value.key();
      return;
    }
    PollEntry& entry = polling_.entries[entry_of(board, key)];
    entry.is_there = true;
    entry.type = types_.of(type_of_subtree_literal(value.literal(), project_.has_text_literals));
    entry.value = value.literal();
  }

  struct LastKey {
    std::string_view name;
    std::uint32_t board = 0;
    std::uint32_t key = 0;
  };

  const WrittenProject& project_;
  const TypeNumbers& types_;
  const WrittenProgram* program_ = nullptr;  // null: names mean the same in all that have the tree
  Names& names_;
  std::shared_ptr<NodeLists> lists_;
  std::array<LastKey, 16> last_keys_ = {};
  Polling polling_;
  std::deque<BoardPlace> boards_;
  std::vector<KeyPlace> keys_;
  std::vector<PolledNode*> nodes_;
  std::uint32_t node_count_ = 0;  // counted from 1, in file order through all subtrees
};

// Can a tree be compiled? Trees below it of a file that could not be read are not there, which is no error of this one.
class CompleteTrees {
 public:
  CompleteTrees(const WrittenProject& project, const std::function<bool(const WrittenTree& tree)>& is_faulty)
      : known_(project), is_faulty_(is_faulty) {}

  bool has(const WrittenTree* tree) {
    if (tree == nullptr || !tree->is_sound() || is_faulty_(*tree)) return false;
    const bool* const is_known = known_.find(*tree, [&] {
      return std::all_of(tree->nodes.begin(), tree->nodes.end(), [&](const WrittenNode& node) {
        return !node.is_subtree() || has(tree->program == nullptr ? node.tree : tree->program->tree_of(node));
      });
    });
    return is_known != nullptr && *is_known;  // else it contains itself
  }

 private:
  OfTrees<bool> known_;
  const std::function<bool(const WrittenTree& tree)>& is_faulty_;
};

}  // namespace

void TypeNumbers::add(const Type& type) {
  constexpr std::uint32_t kMostOwn = 0xFF - layout::kFirstHostType;
  if (type.kind != TypeKind::own || is_vector_of_any(type)) return;
  own_.emplace(type.name, std::min(static_cast<std::uint32_t>(own_.size()), kMostOwn));
}

PollType TypeNumbers::of(const Type& type) const {
  if (type.kind != TypeKind::own) return type.held;
  if (is_vector_of_any(type)) return PollType::untyped;
  return static_cast<PollType>(layout::kFirstHostType + own_.find(type.name)->second);
}

Tree Placing::place(const Tree& head, const std::shared_ptr<Names>& names) const {
  Tree tree;
  static_cast<TreeHead&>(tree) = head;
  TreePlacing(*project_, types_, names).place(*head.written, tree);
  return tree;
}

void each_host(const Project& project, const std::function<void(const PolledNode& node)>& visit) {
  Names names;
  WrittenNodes written;
  std::set<std::pair<const Declaration*, const char*>> known;  // ids of one project are there once
  for (const Tree& tree : project.trees) {
    if (tree.engine() != EngineId::poll) continue;
    if (tree.placing == nullptr) {
      for (const Node& node : nodes_from(tree.root())) {
        if (const PolledNode& polled = node.as<PolledNode>(); !polled.host.empty()) visit(polled);
      }
      continue;
    }
    written.visit(*tree.written, [&](const WrittenNode& node) {
      if (node.built() != built::none || !known.emplace(node.declaration, node.id.data()).second) return;
      PolledNode polled;
      set_host(tree.placing->project(), node, names, polled);
      if (!polled.host.empty()) visit(polled);
    });
  }
}

void expand(Project& project, const std::function<bool(const WrittenTree& tree)>& is_faulty) {
  if (project.written == nullptr) return;
  const WrittenProject& written = *project.written;
  for (const auto& [name, number] : written.enums) project.enums.push_back({name, number});
  TypeNumbers types;
  WrittenNodes nodes;
  CompleteTrees complete(written, is_faulty);
  std::vector<const WrittenTree*> trees;
  for (const std::size_t number : written.named) {
    const WrittenTree& source = written.trees[number];
    if (!complete.has(&source)) continue;
    trees.push_back(&source);
    nodes.visit(source, [&](const WrittenNode& node) {
      for (const Port& port : ports_of(node)) {
        if (is_placed(port)) types.add(port.type);
      }
    });
  }
  const auto placing = std::make_shared<const Placing>(project.written, std::move(types));
  for (const WrittenTree* const source : trees) {
    Tree& tree = project.trees.emplace_back();
    tree.name = source->name;
    tree.file = source->file;
    tree.dialect = layout::Dialect::btcpp;
    tree.span = source->span;
    tree.parts = Polling();
    tree.as<Polling>().is_main = source->is_main;
    tree.placing = placing;
    tree.written = source;
  }
}

}  // namespace espalier::ir::poll
