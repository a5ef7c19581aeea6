// The nodes of the library by name, for rules that depend on them. What includes this is compiled again for each new
// node.
#pragma once
#include "ir/poll/declarations.h"

namespace espalier::ir::poll {

namespace detail {
enum class BuiltRow : std::uint8_t {
  none,
  subtree,
#define POLL_NODE(id, ...) id,
#include "runtime/poll/nodes.def"
};
}  // namespace detail

namespace built {
#define POLL_NODE(id, ...) inline constexpr Built id{static_cast<std::uint8_t>(detail::BuiltRow::id)};
#include "runtime/poll/nodes.def"
}  // namespace built

}  // namespace espalier::ir::poll
