// What exploring knows of the kinds of nodes that poll: the table poll/nodes.def of this folder.
#pragma once
#include <cstdint>

#include "runtime/format/kinds.h"

namespace espalier::explore {

enum class PollPasses : std::uint8_t { once, unless_signals, again };
enum class PollPart : std::uint8_t { plain, lists, repeats, counts, waits, rate, sets, fails, stays, bars };
enum class PollUse : std::uint8_t { numbers, none, given, cases, target, queue, removed, watched };

struct PollExplored {
  PollPasses passes;
  PollPart part;
  PollUse ports;
  bool is_test;
};

// Of an opcode of trees that poll.
const PollExplored& known_of(Opcode opcode);

}  // namespace espalier::explore
