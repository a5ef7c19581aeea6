// How traces and events name the parts of trees, and a view of an agent.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/format/kinds.h"

namespace espalier::replay {

// Another agent that shares memory with the viewed one; the block is null where it shares none.
struct Neighbor {
  Tree tree = {};
  const void* block = nullptr;
};

// A value of a blackboard, in a trace.
struct TraceValue {
  enum class Kind : std::uint8_t { boolean, whole, real, text } kind = Kind::boolean;
  double number = 0;
  std::string text = {};
};
// Entries that a trace has set and that nothing in the tree uses, by name.
using UnusedEntries = std::map<std::string, TraceValue, std::less<>>;

// A view of an agent of a tree.
struct AgentView {
  Tree tree;
  const void* block = nullptr;
  const void* shared = nullptr;  // shared_bytes(tree) bytes
  std::uint64_t time_us = 0;
  const UnusedEntries* unused_entries = nullptr;  // poll; may be null
  std::vector<Neighbor> crowd = {};  // all agents by index, those that are destroyed without a block; empty: too many
};

EngineId engine_of_tree(const Tree& tree);
// Is the engine one of these? "select tick rule decide store"
bool names_engine(std::string_view engines, EngineId engine);
// "'A', 'B' and 3 more".
std::string listed(const std::vector<std::string_view>& names);
std::vector<std::string_view> tree_names(const Asset& asset);
// "nav/follow.xml: MainTree": one of several trees of a name is named by its file too.
struct FileAndName {
  std::string_view file = {};  // empty: the name has none
  std::string_view name;
};
FileAndName split_tree_name(std::string_view tree_name);
std::string with_file(std::string_view file, std::string_view name);
// The file of a tree that others may share their names with, as far as it is known: below the project's folder, or as
// it was given to the compiler. Empty: it is not known.
std::string_view file_of(const Tree& tree);
// Is it the tree's file? `file` may lack folders at its beginning.
bool is_in_file(const Tree& tree, std::string_view file);
// The members of a trace's first line that name a tree: "\"file\": \"a.xml\", \"tree\": \"MainTree\"".
std::string tree_members(std::string_view tree_name);
// For names of files: "nav-follow-MainTree".
std::string plain_tree_name(std::string_view tree_name);
// Of a tree that is named after its file, or by it too: without the file and folders.
std::string_view last_part(std::string_view tree_name);
// The tree of this name, which may have a file; otherwise those for which it is the last part of the name.
std::vector<Tree> trees_called(const Asset& asset, std::string_view name);
// "running", "success", "failure", "skipped" or "error".
std::string_view result_name(Result result);
// What an update can return.
inline constexpr Result kUpdateResults[] = {Result::running, Result::success, Result::failure, Result::error,
                                            Result::skipped};
// The one of this name; nothing if there is none.
std::optional<Result> result_called(std::string_view name);
// The shortest decimal that reads back the same, without a decimal point for whole numbers.
std::string number_text(double number);
// A value as the runtime takes it. A text stays that of `from`.
espalier_value value_of(const TraceValue& from);
// The number that a blackboard holds.
double entry_number(const espalier_value& value);
// The same for a whole number below 10; empty for others.
std::string_view digit_text(double number);
// tick, decide, store: the first words of the active nodes, in the order of the file.
std::vector<std::uint32_t> active_nodes(const Tree& tree, const void* block);

// A node whose behaviour runs.
struct RunningNode {
  std::uint32_t behavior = 0;
  std::uint32_t word = 0;
};
// Of all engines but select, in the order of the tree.
std::vector<RunningNode> running_nodes(const AgentView& agent);

// The name of a node, or what it is; rules: both.
std::string node_text(const Asset& asset, std::uint32_t node_word);

// decide: the active deciders of an agent, the root first.
std::vector<ActiveDecider> active_path(const AgentView& agent);
// decide: a decider's name; if the asset was stripped, its node's number in the tree: "#3".
std::string decider_text(const Tree& tree, std::uint32_t node_word);
// rule: "sequence", "action Move".
std::string rule_name(const Asset& asset, std::uint32_t node_word);
// rule: "action Move root.move (guard.debt:12)"
std::string rule_text(const Tree& tree, std::uint32_t rule);
// rule: "did you mean 'ID'?", or empty.
std::string nearest_rule(const Tree& tree, std::string_view id);

}  // namespace espalier::replay
