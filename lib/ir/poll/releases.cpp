// Releases in words. See releases.h.
#include "ir/poll/releases.h"

#include <cstddef>

namespace espalier::ir::poll {

std::string shown(const Nav2Releases& releases) {
  const auto name = [](Nav2Release release) {
    return '\'' + std::string(kNav2Releases[static_cast<std::size_t>(release)]) + '\'';
  };
  const bool is_new = releases.first != Nav2Release::foxy;
  const bool is_gone = releases.last != Nav2Release::main;
  if (is_new && is_gone && releases.first == releases.last) return "Nav2 " + name(releases.first);
  if (is_new && is_gone) return "Nav2 from " + name(releases.first) + " to " + name(releases.last);
  return is_new ? "Nav2 from " + name(releases.first) + " on" : "Nav2 up to " + name(releases.last);
}

}  // namespace espalier::ir::poll
