// The table of nodes. See nodes.h.
#include "explore/poll/nodes.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "runtime/format/opcode.h"

namespace espalier::explore {
namespace {

namespace explored_table {
using enum PollPasses;
using enum PollPart;
using enum PollUse;
constexpr bool yes = true;
constexpr bool no = false;

struct Row {
  Opcode opcode;
  PollExplored known;
};
constexpr Row kRows[] = {
#define EXPLORED(opcode, passes, part, ports, tests) {Opcode::opcode, {passes, part, ports, tests}},
#include "explore/poll/nodes.def"
};

// By opcode; other engines' have rows that nobody asks for.
constexpr auto kKnown = [] {
  std::array<PollExplored, static_cast<std::size_t>(Opcode::count)> known{};
  for (const Row& row : kRows) known[static_cast<std::size_t>(row.opcode)] = row.known;
  return known;
}();

constexpr bool has_row(Opcode opcode) {
  return std::any_of(std::begin(kRows), std::end(kRows), [&](const Row& row) { return row.opcode == opcode; });
}
constexpr bool are_complete() {
  return std::all_of(std::begin(kOpcodes.rows), std::end(kOpcodes.rows), [](const OpcodeInfo& info) {
    return info.engine != EngineId::poll || has_row(static_cast<Opcode>(&info - kOpcodes.rows));
  });
}
static_assert(are_complete(), "each opcode of trees that poll has a row in explore/poll/nodes.def");
}  // namespace explored_table

}  // namespace

const PollExplored& known_of(Opcode opcode) { return explored_table::kKnown[static_cast<std::size_t>(opcode)]; }

}  // namespace espalier::explore
