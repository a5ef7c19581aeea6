// Where in a file of trees a run can stop: where a node begins, at the end of its element, where it has a
// result, and at its conditions, which may decide before it is ticked.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "debug/history.h"

namespace espalier::debug {

enum class Part : std::uint8_t { begin, result, condition };

struct Location {
  std::string_view file = {};  // as its node names it
  std::uint32_t line = 0;      // from 1
  std::uint32_t column = 0;    // from 1, in bytes
  Part part = Part::begin;
  std::uint32_t node_line = 0;  // where its node stands
  std::uint32_t node_column = 0;
  std::string_view attribute = {};  // of a condition: "_skipIf"
};

// Of the nodes of a run that stand in a file, in the order of the text. Without the file only where they begin.
[[nodiscard]] std::vector<Location> locations_of(const History& history, const std::string& file);
// The one that a breakpoint in a line means: the last one at its column (from 1) or before. Without a column (0): the
// first node that begins there, or else the first that has its result there. None: null.
[[nodiscard]] const Location* location_at(const std::vector<Location>& locations, std::uint32_t line,
                                          std::uint32_t column);

}  // namespace espalier::debug
