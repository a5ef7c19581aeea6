// Trees as code for crowds (espalier/columns.h): the nodes in their order, with shared units in their places, and
// conditions as literals. Made by make_columns.cpp, run by columns_run.h for all agents of a block at once.
//
// A run has two sets of agents: those that are left, which have no leaf yet, and among them those inside the current
// node. A leaf takes the agents inside for which its condition holds out of both. The planes of the leaf's number count
// along: from leaf n to n + 1, the bits in which these numbers differ are flipped for all agents that are left. So an
// agent's planes have the number of the leaf that took it, and in the end the leaf count where none did. The lowest bit
// would be flipped most often: instead, it is set for the agents that a leaf with an odd number takes.
#pragma once
#include <espalier/columns.h>

#include "select/prepared.h"

namespace espalier {

inline constexpr std::uint32_t kColumnDepth = 32;  // sets of agents that are put aside
inline constexpr std::uint32_t kPlaneBytes = 8 * ESPALIER_PLANE_WORDS;

// Each begins with a ColumnWord, followed by its literals, which are offsets of planes in a block, first those that
// must be set, then those that must not, and by its own words.
enum class ColumnOp : std::uint8_t {
  end,         // the lowest bit of the leaf count
  leaf,        // flips; their lowest bit is that of the leaf's number. Takes agents
  enter,       // flips of all leaves inside, and where it ends: inside are the agents for which the condition holds
  leave,       // inside are those from before that are left
  test,        // how it is combined (CombineOp), slot of the result, slot of a second operand: a part of the next
               // condition
  machine,     // slot of its sets, place of its state, number of planes and of states, first leaf, leaf after it
  state,       // slot of its sets, and where it ends: inside are the agents that are to go on from this state
  transition,  // slot of the target's sets
  settle,      // slot of the state's sets: those inside stay in it
  repeat,      // slot of the machine's sets, number of states, where the first one begins
  keep,        // slot of the machine's sets, place of its state, number of planes and of states
  settled,     // slot of the state's sets, flips, where it ends: inside are the agents that stay in it
};
enum class ColumnSense : std::uint8_t {
  all,      // the condition holds where all literals do
  not_all,  // where they do not
  tested,   // where the tests before it say so; a test: what its second operand says
};
struct ColumnWord {
  ColumnOp op;
  ColumnSense sense;
  std::uint8_t set_count;
  std::uint8_t unset_count;
};
static_assert(sizeof(ColumnWord) == sizeof(std::uint32_t));

// The sets of a state, in this order; those of a machine's states follow one another.
inline constexpr std::uint32_t kPendingSet = 0;
inline constexpr std::uint32_t kVisitedSet = 1;
inline constexpr std::uint32_t kSettledSet = 2;
inline constexpr std::uint32_t kStateSets = 3;

// The work memory, in planes: results of tests, the leaf's number, sets of agents that are put aside, sets of states.
inline constexpr std::uint32_t kTestSlot = 0;
inline constexpr std::uint32_t kLeafSlot = kTestSlot + layout::kMaxBits + 1;
inline constexpr std::uint32_t kAsideSlot = kLeafSlot + 16;
inline constexpr std::uint32_t kStateSlot = kAsideSlot + kColumnDepth;

// A machine: its state in an agent's own block, and in a block of a crowd.
struct ColumnMachine {
  std::uint32_t state_byte;
  std::uint32_t first_plane;
  std::uint32_t plane_count;
  std::uint32_t state_count;
};

// The memory of espalier_make_columns(); after it the machines and the code.
struct ColumnCode {
  const ColumnMachine* machines;
  const std::uint32_t* words;
  std::uint32_t machine_count;
  std::uint32_t padding;
};

inline const ColumnCode& code_of(const espalier_columns& columns) {
  return *static_cast<const ColumnCode*>(columns.internal);
}

}  // namespace espalier
