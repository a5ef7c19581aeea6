// The elements of modular trees: the nodes that the engine brings, with their attributes and what they hold. One table.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/format/opcode.h"

namespace espalier::dialects::modular {

// What becomes of an element that lacks an attribute, or has it empty.
enum class Need : std::uint8_t {
  optional,
  recommended,    // the engine warns
  taken_as_none,  // an error that may be lowered: the engine takes it as empty
  required,
  one_of,  // one of those that say so is required
};

struct AttributeRow {
  std::string_view name;
  Need need = Need::optional;
  std::string_view read_elsewhere = {};  // the engine that reads it, where this one does not; empty: this one does
};

// What stands below a node.
enum class Holds : std::uint8_t {
  nothing,
  nothing_read,  // the engine takes children there and never looks at them
  one,
  nodes,
  branches,  // nodes, of a Parallel
  cases,
  states,
};

struct CoreNode {
  std::string_view name;
  Opcode opcode;
  std::uint8_t flags;  // of its node, as far as they do not depend on attributes
  Holds holds;
  bool reads_logs;
  std::span<const AttributeRow> attributes;
};

// With case; null: there is none of this name.
[[nodiscard]] const CoreNode* find_core_node(std::string_view name);
[[nodiscard]] std::vector<std::string_view> core_node_names();

// The most children that it can have.
[[nodiscard]] std::size_t max_children(Holds holds);

// Elements that are no nodes, and where they stand: "in a Priority". Empty: it is none of them.
[[nodiscard]] std::string_view place_of(std::string_view element);

// The words of the attributes that log, in the order of a tick_log's texts.
inline constexpr std::string_view kLogNames[] = {"_startLog", "_successLog", "_failureLog"};

inline constexpr AttributeRow kVariableAttributes[] = {{"name", Need::required}, {"default"}};
inline constexpr AttributeRow kSignalAttributes[] = {
    {"name", Need::required}, {"variable", Need::required}, {"value", Need::required}};
inline constexpr AttributeRow kTimestampAttributes[] = {
    {"name", Need::taken_as_none}, {"setOnEvent", Need::taken_as_none}, {"exclusiveTo"}};
inline constexpr AttributeRow kEventAttributes[] = {{"name", Need::recommended}};
inline constexpr AttributeRow kGameEventAttributes[] = {{"name", Need::required}};
inline constexpr AttributeRow kCaseAttributes[] = {{"condition"}};
inline constexpr AttributeRow kStateAttributes[] = {{"name", Need::required}};
inline constexpr AttributeRow kTransitionAttributes[] = {{"to", Need::required}, {"onEvent", Need::required}};

}  // namespace espalier::dialects::modular
