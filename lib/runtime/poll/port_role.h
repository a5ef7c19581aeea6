// What ports of the library's nodes are for, in the table of these (poll/nodes.def).
#pragma once
#include <cstdint>

namespace espalier {

// What a port holds beside its type.
enum class PortRole : std::uint8_t {
  plain,
  script,     // statements; it is no port of a node's record
  condition,  // a script whose value is a truth; the same
  watched,    // the name of an entry, or a pointer to it, whose writes count
  new_key,    // of an entry that is written
  old_key,    // of an entry that is removed
};

}  // namespace espalier
