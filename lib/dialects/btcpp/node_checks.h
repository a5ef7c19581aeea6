// Checks of one node: the values of its ports, and the number and kinds of its children.
#pragma once
#include "dialects/btcpp/tree_reader.h"

namespace espalier::dialects::btcpp {

// The value of one port: pointers, literals, misspelt braces.
void check_port_value(const ReadPort& port, const ReadNode& node, Reporter& reporter);
// Counts of children, and what a ReactiveSequence refuses.
void check_children(const ReadNode& node, Reporter& reporter);
// Literals that make the node throw, never end, or always fail.
void check_values(const ReadNode& node, Reporter& reporter);

// The number of a literal port; nothing if it is a pointer, or is no number.
[[nodiscard]] std::optional<double> literal_number(const ReadNode& node, std::string_view port);
// Has it the children and ports of the library's node? A host's own node with nearly the same name has others.
[[nodiscard]] bool is_used_as(const Element& element, const NodeRow& row);
[[nodiscard]] bool is_used_as(const Element& element, const Declaration& node);

}  // namespace espalier::dialects::btcpp
