// Trees that poll as they are written: readers make them, analyses look at them, and of those without faults trees are
// made that can be compiled (expand.h). Subtrees are references to other trees here, and keys are names.
//
// What they refer to (declarations, names, other trees) is their project's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/node.h"
#include "ir/node_lists.h"
#include "ir/poll/declarations.h"
#include "ir/poll/port_values.h"
#include "ir/poll/script_check.h"

namespace espalier::ir::poll {

inline constexpr std::uint32_t kMaxDepth = layout::kMaxPollDepth;

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
  Opcode opcode = Opcode::poll_subtree;
  std::uint8_t flags = 0;
  bool has_name = false;  // as an attribute
  bool has_attributes = false;
  bool is_explicit = false;
  bool has_autoremap = false;
  std::uint32_t extent = 1;                  // as in Node
  std::uint32_t rise = 0;                    // as in Node
  const struct WrittenTree* tree = nullptr;  // of a SubTree; null: it is not known
  std::span<const WrittenPort> ports;
  std::span<const WrittenScript> scripts;  // those that it has, in the order of hooks; many nodes have none
  NameOrder order;                         // of the ports

  [[nodiscard]] ChildrenOf<WrittenNode> children() const { return {this + 1, this + extent}; }
  [[nodiscard]] bool is_leaf() const { return extent == 1; }
  [[nodiscard]] const WrittenScript* script(Hook hook) const;  // null: it has none
  [[nodiscard]] const WrittenPort* find_port(std::string_view port) const { return order.find(ports, port); }
  [[nodiscard]] bool is_subtree() const { return declaration == nullptr; }
  [[nodiscard]] bool is_of_library() const { return declaration != nullptr && declaration->is_of_library; }
  [[nodiscard]] Built built() const { return declaration == nullptr ? Built::subtree : declaration->built; }
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
  bool has_errors = false;  // or a tree has that it uses, itself or through others
  bool is_main = false;     // a file names it as the main tree, or there is no other one

  [[nodiscard]] bool has_root() const { return !nodes.empty(); }
  [[nodiscard]] const WrittenNode& root() const { return nodes.front(); }
  // What can be judged of it is not hidden by faults.
  [[nodiscard]] bool is_sound() const { return has_root() && !has_errors; }
};

struct WrittenProject {
  Declarations nodes;
  Enumeration enumeration;
  std::map<std::string, Declaration, std::less<>> undeclared;
  Names names;                                      // in trees
  std::vector<WrittenTree> trees;                   // in the order of files; nodes refer to them, so they do not move
  std::vector<std::size_t> named;                   // those that have a name of their own, sorted by it
  std::vector<std::size_t> roots;                   // the main tree, and those that nothing refers to
  std::optional<std::size_t> main;                  // the main tree of the project
  std::optional<std::vector<std::string>> entries;  // of the main tree that the host writes, sorted; none: any
  bool ticks_exactly_once = false;                  // a signal does not make an update start again
  std::uint32_t text_bytes = 0;                     // the longest text that an entry of a compiled tree can hold
  std::uint32_t named_entries = 0;                  // that an agent has whose names nothing but other entries has

  [[nodiscard]] std::size_t number_of(const WrittenTree& tree) const {
    return static_cast<std::size_t>(&tree - trees.data());
  }
  [[nodiscard]] bool has_listed(std::string_view entry) const;  // among `entries`
  // Ports of the model of its tree that a SubTree leaves to their defaults.
  [[nodiscard]] std::vector<WrittenPort> defaults_of(const WrittenNode& subtree) const;
};

}  // namespace espalier::ir::poll
