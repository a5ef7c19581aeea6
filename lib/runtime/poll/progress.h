// How far an update of a tree that polls has come. With the agent's block and the node that is asked about, this is all
// that the rest of a round depends on. espalier_call::memory points to it when the host is called; to its first member
// alone, if an action is called that goes on, and nobody watches.
#pragma once
#include <cstdint>

#include "format/poll_records.h"
#include "poll/tree.h"

namespace espalier {

class Blackboard;

// What a node must remember while its children are ticked or halted. Without initialisers: most of an array of them is
// never used.
struct PollFrame {
  std::uint32_t value;  // these three belong to the kind of node
  std::uint16_t first;
  std::uint16_t second;
  std::uint16_t except;  // the number of a child that is not reset; 0: none
  std::uint8_t stage;
  PollStatus given;
};
static_assert(sizeof(PollFrame) == 12);

// What functions that the host calls use.
struct PolledCall {
  const Blackboard* board = nullptr;  // of the agent; null: nobody has made it yet
  PollFault fault = PollFault::none;  // why the update ends
  bool is_given_up = false;           // with a fault: what is left of the update matters to nobody
};

struct PollProgress {
  PolledCall call;
  bool has_signal = false;                  // another round follows this one
  std::uint16_t round = 0;                  // from 1 on; 0: nodes are halted before or after a round
  std::uint32_t depth = 0;                  // of the present node, below the node where the walk began
  PollFrame frames[layout::kMaxPollDepth];  // of the nodes from there to the present one
};

}  // namespace espalier
