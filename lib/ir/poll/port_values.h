// Values of ports, and names, as the library reads them.
#pragma once
#include <string_view>

#include "ir/poll/types.h"

namespace espalier::ir::poll {

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

}  // namespace espalier::ir::poll
