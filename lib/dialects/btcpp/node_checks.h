// Checks of one node: the values of its ports, and the number and kinds of its children.
#pragma once
#include "dialects/btcpp/tree_reader.h"

namespace espalier::dialects::btcpp {

// The value of one port: pointers, literals, misspelt braces.
void check_port_value(const WrittenPort& port, const WrittenNode& node, bool is_converted, Reporter& reporter);
// Counts of children, and what a ReactiveSequence refuses, but not in version 3.
void check_children(const WrittenNode& node, const Element& element, bool is_of_format_3, Reporter& reporter);
// Literals that make the node throw, never end, or always fail.
void check_values(const WrittenNode& node, Reporter& reporter);

// Has it the children and ports of the library's node? A host's own node with nearly the same name has others.
[[nodiscard]] bool is_used_as(const Element& element, const Declaration& node);

}  // namespace espalier::dialects::btcpp
