// The table of nodes. See nodes.h.
#include "explore/poll/nodes.h"

#include <array>
#include <cstddef>

#include "runtime/format/opcodes/poll.h"

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
#define EXPLORED(name, passes, part, ports, tests) {opcode::name, {passes, part, ports, tests}},
#include "explore/poll/nodes.def"
};

constexpr PollExplored kOthers = {again, fails, numbers, no};

// By opcode.
constexpr auto kKnown = [] {
  std::array<PollExplored, kOpcodeRows> known{};
  known.fill(kOthers);
  for (const Row& row : kRows) known[static_cast<std::size_t>(row.opcode)] = row.known;
  return known;
}();
}  // namespace explored_table

}  // namespace

const PollExplored& known_of(Opcode opcode) { return explored_table::kKnown[static_cast<std::size_t>(opcode)]; }

}  // namespace espalier::explore
