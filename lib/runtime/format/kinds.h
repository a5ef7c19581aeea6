// What the table of node kinds (opcodes.def) is made of: engines, and the kinds of children, flags and operands. A new
// opcode does not change this. What names opcodes of an engine includes opcodes/ENGINE.h, what looks them up
// opcode_info.h.
#pragma once
#include <cstddef>
#include <cstdint>

namespace espalier {

// Its values are constants in the headers of the engines: opcode::tick_sequence.
enum class Opcode : std::uint8_t {};
inline constexpr Opcode kNoOpcode{0xFF};

enum class EngineId : std::uint8_t { select, tick, rule, decide, store, poll };
inline constexpr std::size_t kEngineIds = 6;

enum class Children : std::uint8_t { none, one, many, some, few, states, event_states, cases, branches, roles, work };

// The content of the flags byte.
enum class FlagsKind : std::uint8_t {
  none,
  number,     // its index among its parent's children, from 0
  parallel,   // bit 0: succeeds with any success, else with all; bit 1: fails with all failures, else with any
  loop,       // bit 0: ends with its child's success and counts failures, else vice versa
  result,     // a Result (espalier.h) in bits 0-1
  time,       // bits 0-1: a Result, of a guard 0; bit 2: less than, else more than; bit 3: true when never set
  queue,      // bits 0-1: a Result; bits 2-3: a Receivers (espalier.h)
  script,     // bit 0: the script's truth is the result, else it succeeds
  wrapper,    // bit 0: after its child's success it keeps running, and its child begins again at the next update
  unfailing,  // bit 0: its failure becomes success
  list,       // bit 0: the same; bit 1: it begins again instead of succeeding
  group,      // bit 0: asked, it asks its children; bit 1: its Decide is called before it decides again
  repeat,    // bit 0: its child's failure is its result, and is not counted; bit 1: it is evaluated whenever its parent
             // is, and its child's result is its own
  cooldown,  // bit 0: its time begins when an agent enters it, else when its child ends
  // Of trees that poll; bit 7: it has scripts of its own (PollHook).
  polled,
  async,    // bit 0: it asks for another round of the update between its children
  forced,   // bits 0-1: a PollStatus
  updated,  // bit 0: it waits, else it is skipped
  element,  // bits 0-6: a PollType, of the values that a loop takes
};

inline constexpr std::uint32_t kHasHooks = 0x80;     // polled, and those after it
inline constexpr std::uint32_t kElementType = 0x7F;  // element

// The bits of a flags byte that may be set; any for `number`.
constexpr std::uint32_t flags_mask(FlagsKind kind) {
  switch (kind) {
    case FlagsKind::none:
      return 0;
    case FlagsKind::number:
    case FlagsKind::element:
      return 0xFF;
    case FlagsKind::parallel:
    case FlagsKind::result:
    case FlagsKind::list:
    case FlagsKind::group:
    case FlagsKind::repeat:
      return 3;
    case FlagsKind::loop:
    case FlagsKind::script:
    case FlagsKind::wrapper:
    case FlagsKind::unfailing:
    case FlagsKind::cooldown:
      return 1;
    case FlagsKind::polled:
      return kHasHooks;
    case FlagsKind::async:
    case FlagsKind::updated:
      return kHasHooks | 1;
    case FlagsKind::forced:
      return kHasHooks | 3;
    case FlagsKind::time:
    case FlagsKind::queue:
      return 15;
  }
  return 0;
}

inline constexpr std::uint32_t kSucceedsWithAny = 1;    // parallel
inline constexpr std::uint32_t kFailsWithAll = 2;       // parallel
inline constexpr std::uint32_t kLoopsUntilSuccess = 1;  // loop
inline constexpr std::uint32_t kResultMask = 3;         // result, time, queue
inline constexpr std::uint32_t kTimeIsLess = 4;         // time
inline constexpr std::uint32_t kTimeNeverSet = 8;       // time
inline constexpr std::uint32_t kReceiversShift = 2;     // queue
inline constexpr std::uint32_t kScriptDecides = 1;      // script
inline constexpr std::uint32_t kWrapperKeeps = 1;       // wrapper
inline constexpr std::uint32_t kDoesNotFail = 1;        // unfailing, list
inline constexpr std::uint32_t kBeginsAnew = 2;         // list
inline constexpr std::uint32_t kDelegates = 1;          // group
inline constexpr std::uint32_t kDecidesAgain = 2;       // group
inline constexpr std::uint32_t kUntilFailure = 1;       // repeat
inline constexpr std::uint32_t kEachUpdate = 2;         // repeat
inline constexpr std::uint32_t kStartsAtEntry = 1;      // cooldown
inline constexpr std::uint32_t kSignals = 1;            // async
inline constexpr std::uint32_t kWaits = 1;              // updated
inline constexpr std::uint32_t kGivesSuccess = 2;       // forced, and the flags of a poll_result
inline constexpr std::uint32_t kGivesFailure = 3;       // the same

// The meaning of an operand word. It determines how the operand is verified, written, printed and documented.
enum class OperandKind : std::uint8_t {
  none,
  condition,               // 0: always true; else 1 + index into CONDITIONS
  extent,                  // words of the node and all its descendants; the last operand
  leaf,                    // ordinal of the first leaf among its descendants, relative to the unit
  leaf_count,              // number of leaves among its descendants
  transition,              // index of its first entry in TRANSITIONS
  transition_count,        // how many follow
  unit,                    // index into UNITS, smaller than that of the unit that contains it
  parent,                  // words back to its parent's first word; 0: it is its unit's root
  number,                  // index into NUMBERS: a 64-bit integer; times in microseconds, signed in comparisons
  count,                   // 0 to 255
  maximum,                 // 0 to 65535
  signal,                  // of the tree
  timestamp,               // of the tree; kNone: a timestamp that is never set
  limit,                   // its index in the tree's shared block
  scope,                   // index into SCOPES
  script,                  // 0: none; else 1 + index into SCRIPTS
  text,                    // byte offset into NAMES; 0: none
  behavior,                // index into BEHAVIORS
  parameter,               // 0: none; else 1 + index of its first entry in PARAMETERS
  event_transition,        // index of its first entry in EVENT_TRANSITIONS
  event_transition_count,  // how many follow
  query,                   // 0: it asks nothing and has no parameters; else 1 + index into QUERIES
  reference,               // index into REFERENCES
  decider,                 // index into DECIDERS
  weight,                  // among its siblings below a decide_random: 1 to 65535
  host_condition,          // index into HOST_CONDITIONS
  state,                   // byte offset of its agent state in an instance of its tree
  shared_value,            // its index among the values of all trees in the shared block
  group,                   // index into GROUPS
  barrier,                 // its number among the barriers of its group
  time,                    // byte offset in an instance of the clock when the agent entered; kNone: not stored
  slot,                    // index into SLOTS
  tree,                    // 0: none; else 1 + index into TREES
  polled,                  // index into POLLED
};

}  // namespace espalier
