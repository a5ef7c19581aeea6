// Trees that poll as they are written: readers make them, analyses look at them, and of those without faults trees are
// made that can be compiled (expand.h). Subtrees are references to other trees here, and keys are names.
//
// What they refer to (declarations, names, other trees) is their project's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/node.h"
#include "ir/node_lists.h"
#include "ir/poll/declarations.h"
#include "ir/poll/script_check.h"

namespace espalier::ir::poll {

inline constexpr std::uint32_t kMaxDepth = layout::kMaxPollDepth;

// ---- Values, as the library reads them

// A port's value: a pointer to an entry, or a literal. The text is that of the document, or of a declaration.
struct PortValue {
  std::string_view text = {};
  bool is_pointer = false;

  [[nodiscard]] std::string_view key() const { return is_pointer ? text : std::string_view(); }
  [[nodiscard]] std::string_view literal() const { return is_pointer ? std::string_view() : text; }
};
// `port`: the port's name, which "{=}" and "=" stand for. At an attribute whose port has a type that the library checks
// when it makes the tree, only a value that begins and ends with a brace is no literal.
// Of a type that only the host knows this is not certain, but for what looks like an entry.
[[nodiscard]] bool is_checked_when_made(const Type& type);
[[nodiscard]] PortValue read_port_value(std::string_view written, std::string_view port, const Type& type = {});
// The same for an attribute of a SubTree, where "=" is a text.
[[nodiscard]] PortValue read_subtree_value(std::string_view written, std::string_view port);
// The same for a default of a tree's model, where "{=}" is the entry named '='.
[[nodiscard]] PortValue read_default_of_tree(std::string_view written);

// Has it characters that the library refuses in names?
[[nodiscard]] bool has_forbidden(std::string_view name);
// Is it a name that the library takes for trees and nodes?
[[nodiscard]] bool is_valid_name(std::string_view name);
// Do its characters make it a port, and not an attribute that the library ignores?
[[nodiscard]] bool is_port_name(std::string_view name);

// ---- Nodes

// A port of a node in a tree: one with an attribute, or one whose default is a pointer.
struct WrittenPort {
  std::string_view name;
  const Port* port = nullptr;  // null: of a node that nobody declares
  PortValue value;
  Span name_span;
  Span value_span;
  bool is_default = false;

  // The entry that the library makes for it with the tree; empty: none. Where '=' does not stand for the port's name,
  // it does so here nevertheless.
  [[nodiscard]] std::string_view made_key() const {
    if (value.text == "=") return name;
    return value.key();
  }
  [[nodiscard]] PortRole role() const { return port == nullptr ? PortRole::plain : port->role; }
  [[nodiscard]] Direction direction() const { return port == nullptr ? Direction::inout : port->direction; }
};

// The attributes that hold scripts, in the order in which they are looked at.
using Hook = layout::PollHook;
inline constexpr auto kOwnHook =
    static_cast<Hook>(layout::kHookCount);         // what a Script, ScriptCondition or Precondition is about
inline constexpr std::size_t kConditionCount = 4;  // the first ones
constexpr bool is_condition(Hook hook) { return static_cast<std::size_t>(hook) < kConditionCount; }
// "_skipIf"; of all but kOwnHook.
[[nodiscard]] std::string_view name_of(Hook hook);
[[nodiscard]] std::optional<Hook> hook_of(std::string_view name);
[[nodiscard]] inline std::vector<std::string_view> names_of_hooks() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < layout::kHookCount; ++i) names.push_back(name_of(static_cast<Hook>(i)));
  return names;
}

struct WrittenScript {
  Hook hook = kOwnHook;
  Span span;              // of all of it
  bool is_plain = false;  // "true" or "false"
  Script script;          // its expressions have places in the file; empty if it has a fault
  CheckedScript checked;  // the same

  [[nodiscard]] Span place(std::uint32_t begin, std::uint32_t end) const { return {span.file, begin, end}; }
};

struct WrittenNode {
  std::string_view id;    // of a SubTree: of its tree
  std::string_view name;  // of the instance
  Span span;              // of the element's name
  Span id_span;
  const Declaration* declaration = nullptr;  // null: a SubTree
  Opcode opcode = kNoOpcode;                 // set_opcode() sets it
  std::uint8_t flags = 0;
  bool has_name = false;  // as an attribute
  bool has_attributes = false;
  bool is_explicit = false;
  bool has_autoremap = false;
  std::uint32_t extent = 1;                  // as in Node
  std::uint32_t rise = 0;                    // as in Node
  const struct WrittenTree* tree = nullptr;  // of a SubTree; null: it is not known
  const SubtreeModel* model = nullptr;       // of a SubTree: its tree's; null: it has none
  std::span<const WrittenPort> ports;
  std::span<const WrittenScript> scripts;  // those that it has, in the order of hooks; many nodes have none
  NameOrder order;                         // of the ports

  [[nodiscard]] ChildrenOf<WrittenNode> children() const { return {this + 1, this + extent}; }
  [[nodiscard]] bool is_leaf() const { return extent == 1; }
  [[nodiscard]] const WrittenScript* script(Hook hook) const;  // null: it has none
  [[nodiscard]] const WrittenPort* find_port(std::string_view port) const { return order.find(ports, port); }
  [[nodiscard]] bool is_subtree() const { return declaration == nullptr; }
  [[nodiscard]] bool is_of_library() const { return declaration != nullptr && declaration->is_of_library; }
  [[nodiscard]] Built built() const { return declaration == nullptr ? built::subtree : declaration->built; }
};

// Sets opcode and flags, which follow from the declaration and the id.
void set_opcode(WrittenNode& node);

// The number of a literal; nothing if it is none.
[[nodiscard]] std::optional<double> number_of(std::string_view literal);
// The number of a literal port; nothing if it is a pointer, or is no number.
[[nodiscard]] std::optional<double> literal_number(const WrittenNode& node, std::string_view port);

struct WrittenTree {
  std::string name;
  Span span;                       // of the name, or of the element
  std::vector<WrittenNode> nodes;  // parents before children; empty: it has no root, or its file is not read
  StableList<WrittenPort> ports;
  StableList<WrittenScript> scripts;
  bool has_errors = false;                         // or a tree has that it uses, itself or through others
  bool is_main = false;                            // of a program
  std::string file;                                // that has it: its path below the project's folder
  const struct WrittenProgram* program = nullptr;  // that it is of, or the first of several; null: of none

  [[nodiscard]] bool has_root() const { return !nodes.empty(); }
  [[nodiscard]] const WrittenNode& root() const { return nodes.front(); }
  // What can be judged of it is not hidden by faults.
  [[nodiscard]] bool is_sound() const { return has_root() && !has_errors; }
};

// What one process loads.
struct WrittenProgram {
  // Trees by their names, if one that several programs share uses a name that means another tree here.
  std::map<std::string, const WrittenTree*, std::less<>> own = {};

  // The tree that a SubTree means in this program; null: it is not known.
  [[nodiscard]] const WrittenTree* tree_of(const WrittenNode& subtree) const {
    const auto found = own.find(subtree.id);
    return found == own.end() ? subtree.tree : found->second;
  }
};

struct WrittenProject : ProgramFacts {
  Declarations nodes;
  std::map<std::string, Declaration, std::less<>> undeclared;
  std::deque<Declaration> modelled;      // of models, as files see them
  std::deque<SubtreeModel> tree_models;  // the same, of trees
  Names names;                           // in trees
  std::vector<WrittenTree> trees;        // in the order of files; nodes refer to them, so they do not move
  std::vector<std::size_t> named;        // those that have a name of their own, sorted by it
  std::vector<std::size_t> roots;        // main trees, and those that nothing refers to
  std::deque<WrittenProgram> programs;
  std::optional<std::size_t> main;          // if there is only one main tree
  std::span<const Nav2Entry> nav2_entries;  // where the trees are Nav2's

  [[nodiscard]] std::size_t number_of(const WrittenTree& tree) const {
    return static_cast<std::size_t>(&tree - trees.data());
  }
  [[nodiscard]] bool has_listed(std::string_view entry) const;  // among `entries`
  // Null: Nav2's navigators neither write nor read such an entry.
  [[nodiscard]] const Nav2Entry* nav2_entry(std::string_view entry) const;
  // Is it a navigator's? Only where the project declares Nav2's nodes this can be told.
  [[nodiscard]] bool is_written_by_nav2(std::string_view entry) const;
  // What is known of a node that is no SubTree: its declaration or, if nobody declares it, the framework's. May be
  // null.
  [[nodiscard]] const Declaration* known(const WrittenNode& node) const {
    return node.declaration->is_declared() ? node.declaration : nodes.find_known(node.id);
  }
  // Ports of the model of its tree that a SubTree leaves to their defaults.
  [[nodiscard]] std::vector<WrittenPort> defaults_of(const WrittenNode& subtree) const;
};

// Something of each tree, worked out when it is first asked for: it may follow from the trees that the tree uses.
template <typename Value>
class OfTrees {
 public:
  explicit OfTrees(const WrittenProject& project)
      : project_(project), values_(project.trees.size()), is_asked_(project.trees.size()) {}

  // Null within what `make` itself asks for, of a tree that contains itself, and of one that is too deep in others.
  template <typename Make>
  const Value* find(const WrittenTree& tree, const Make& make) {
    const std::size_t number = project_.number_of(tree);
    if (!is_asked_[number] && depth_ <= kMaxDepth) {
      is_asked_[number] = true;
      ++depth_;
      values_[number].emplace(make());
      --depth_;
    }
    return values_[number] ? &*values_[number] : nullptr;
  }

 private:
  const WrittenProject& project_;
  std::vector<std::optional<Value>> values_;
  std::vector<bool> is_asked_;
  std::uint32_t depth_ = 0;  // of subtrees in one another
};

}  // namespace espalier::ir::poll
