// One BehaviorTree: from its element to nodes with their ports and scripts, and the findings that need nothing else.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/nodes.h"
#include "dialects/btcpp/port_values.h"
#include "dialects/btcpp/script.h"
#include "dialects/btcpp/script_check.h"
#include "dialects/reading/reporter.h"
#include "text/name_index.h"

namespace espalier::dialects::btcpp {

// A port of a node in a tree: one with an attribute, or one whose default is a pointer.
struct ReadPort {
  std::string_view name;
  const Port* port = nullptr;  // null: of a node that nobody declares
  PortValue value;
  Span name_span;
  Span value_span;
  bool is_default = false;

  // The entry that the library makes for it with the tree; empty: none. Where '=' does not stand for the port's name,
  // it does so here nevertheless.
  [[nodiscard]] std::string_view made_key() const {
    if ((value.is_pointer ? value.key() : value.literal()) == "=") return name;
    return value.is_pointer ? value.key() : std::string_view();
  }
};

// The attributes that hold scripts, in the order in which they are looked at; and the script that a node is about.
enum class Hook : std::uint8_t {
  failure_if,
  success_if,
  skip_if,
  while_true,
  on_success,
  on_failure,
  on_halted,
  post,
  own,  // of a Script, ScriptCondition or Precondition
};
inline constexpr std::size_t kHookCount = static_cast<std::size_t>(Hook::own);
inline constexpr std::size_t kConditionCount = 4;  // the first ones
constexpr bool is_condition(Hook hook) { return static_cast<std::size_t>(hook) < kConditionCount; }
[[nodiscard]] std::string_view name_of(Hook hook);

struct ReadScript {
  Hook hook = Hook::own;
  text::Attribute attribute;
  Script script;
  CheckedScript checked;
};

struct ReadNode {
  Element element;
  const Declaration* declaration = nullptr;  // null: a SubTree
  std::string id;                            // of a SubTree: of its tree
  Span id_span;
  std::string name;       // of the instance
  bool has_name = false;  // as an attribute
  bool is_explicit = false;
  bool has_autoremap = false;
  std::vector<ReadPort> ports;
  std::vector<ReadScript> scripts;  // those that it has, in the order of hooks; many nodes have none
  std::vector<ReadNode> children;
  std::optional<std::size_t> tree;  // of a SubTree: the number of its tree in the project, once all are read
  NameOrder order;                  // of the ports

  [[nodiscard]] const ReadScript& script(Hook hook) const;  // an empty one if there is none
  [[nodiscard]] const ReadPort* find_port(std::string_view port) const { return order.find(ports, port); }
  [[nodiscard]] bool is_subtree() const { return declaration == nullptr; }
  [[nodiscard]] Built built() const { return declaration == nullptr ? Built::subtree : declaration->built; }
};

struct ReadTree {
  std::string name;
  Span span;  // of the name, or of the element
  Element element;
  std::unique_ptr<ReadNode> root;  // null: it has none, or its file is not read
  bool has_errors = false;
  std::size_t file = 0;  // its number
  bool is_main = false;  // a file names it as the main tree, or there is no other one
};

// A tree that is alone in its file may have no 'ID'.
inline constexpr std::string_view kNameOfTreeWithoutId = "BehaviorTree_0";

// What trees of a project share.
struct TreeContext {
  const Nodes& nodes;
  const Enumeration& enumeration;
  std::span<const Rule> lowered;
  text::Findings& findings;
  std::map<std::string, Declaration, std::less<>>& undeclared;  // gets the nodes that nobody declares
  std::map<std::string, Span, std::less<>>& noted;              // gets the first uses of those that are no errors
  const std::set<std::string_view>& tree_names;
  text::NameIndex& node_names;                                   // of `nodes`
  text::NameIndex& framework_names;                              // of those that `nodes` has learned
  const std::function<bool(std::string_view)>& is_written_once;  // a node, in all files
};

// `may_lack_id`: the tree is the only element of its file.
[[nodiscard]] ReadTree read_tree(const Element& element, bool may_lack_id, TreeContext& context);

}  // namespace espalier::dialects::btcpp
