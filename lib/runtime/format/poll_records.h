// The records of trees that poll, in addition to those of all trees: see format/records.h.
#pragma once
#include <cstddef>
#include <cstdint>

namespace espalier::layout {

inline constexpr std::uint32_t kMaxPollDepth = 256;    // nodes within nodes of one tree, subtrees included
inline constexpr std::uint32_t kMaxTextBytes = 1024;   // of a text in a blackboard
inline constexpr std::uint32_t kMaxScriptValues = 64;  // on a script's stack
inline constexpr std::uint32_t kMaxPollRounds = 1000;  // of one update
inline constexpr std::uint32_t kFirstHostType = 16;    // PollType: from here on a type of the host's
inline constexpr std::uint32_t kHookCount = 8;

// The data of a tree of the engine poll in addition to Tree. Its nodes are one unit, in which each subtree is copied to
// every place where it is used.
struct PollTree {             // 40 bytes
  std::uint32_t first_board;  // into POLL_BOARDS: that of the tree, then those of its subtrees
  std::uint32_t board_count;  // 1 or more
  std::uint32_t first_script;
  std::uint32_t script_count;
  std::uint32_t first_timer;
  std::uint32_t timer_count;
  std::uint32_t text_bytes;  // that a text may have, at most kMaxTextBytes
  std::uint32_t loop_count;  // its poll_loop nodes
  std::uint32_t flags;       // kOneRound
  // Entries whose name a node takes from another entry. They are the last ones of the tree but as many again, which
  // hold their names: a text, with the number of the blackboard in the high half of its value. After the keys of all
  // blackboards, each has a key as an own entry, and then each one as an entry above.
  std::uint32_t named_count;
};

inline constexpr std::uint32_t kOneRound = 1;   // signals do not make an update start again
inline constexpr std::uint32_t kIsNotMain = 2;  // another tree is the one that runs unless a tree is named

// When a script of a node runs.
enum class PollHook : std::uint8_t {
  failure_if,
  success_if,
  skip_if,
  while_true,
  on_success,
  on_failure,
  on_halted,
  post
};

// What a polled node has beside its words. Scripts: 0: none; else 1 + number among those of the tree.
struct Polled {              // 68 bytes
  std::uint32_t failure_if;  // by PollHook
  std::uint32_t success_if;
  std::uint32_t skip_if;
  std::uint32_t while_true;
  std::uint32_t on_success;
  std::uint32_t on_failure;
  std::uint32_t on_halted;
  std::uint32_t post;
  std::uint32_t script;      // poll_script, poll_script_condition, poll_precondition
  std::uint32_t first_port;  // into POLL_PORTS
  std::uint32_t port_count;  // of a node of the library: in the order of poll/nodes.h; else sorted by name
  std::uint32_t board;       // number of its blackboard in the tree
  std::uint32_t child_count;
  std::uint32_t memory;    // its first byte in the part poll_memory
  std::uint32_t host;      // poll_action, poll_sync_action: index into BEHAVIORS; poll_condition, poll_gate: into
                           // HOST_CONDITIONS; poll_loop: its number among those; else 0
  std::uint32_t instance;  // its name
  std::uint32_t reserved;  // 0
};

inline constexpr std::uint32_t Polled::*kHooks[kHookCount] = {
    &Polled::failure_if, &Polled::success_if, &Polled::skip_if,   &Polled::while_true,
    &Polled::on_success, &Polled::on_failure, &Polled::on_halted, &Polled::post};
inline std::uint32_t hook_of(const Polled& polled, PollHook hook) {
  return polled.*kHooks[static_cast<std::size_t>(hook)];
}

// The type of a port, an entry or a value.
enum class PollType : std::uint8_t {
  untyped,
  any,
  text,
  status,
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  real32,
  real64,
  reserved,
  // from kFirstHostType on: types of the host's, equal only to themselves
};

enum class PollPortKind : std::uint8_t { missing, key, text, whole, real };
enum class PollDirection : std::uint8_t { input, output, inout };

struct PollPort {  // 12 bytes
  std::uint32_t name;
  std::uint32_t value;     // key: number of a key in the tree; text: offset into NAMES; whole, real: index into NUMBERS
  std::uint8_t kind;       // PollPortKind
  std::uint8_t type;       // PollType
  std::uint8_t direction;  // PollDirection
  std::uint8_t is_default;  // 1: the value is the port's default
};

// A blackboard: that of the tree, or of a subtree in one place.
struct PollBoard {          // 16 bytes
  std::uint32_t path;       // of the subtree: names joined by '/'; of the tree itself empty
  std::uint32_t first_key;  // into POLL_KEYS
  std::uint32_t key_count;
  std::uint32_t above;  // the blackboard of all names that it does not know (autoremap), a lower number; kNone: none
};

// A name that something in a tree uses for an entry of its own blackboard or of one above. Keys are numbered over all
// boards of a tree. The name stands for the first entry that is there, of this one, of `next`'s, and so on; the last
// one is made if there is none.
struct PollKey {  // 16 bytes
  std::uint32_t name;
  std::uint32_t entry;   // number in the tree
  std::uint32_t next;    // a later key of a board above, by number; kNone: none
  std::uint32_t is_own;  // 1: the entry belongs to the blackboard of the key, or is named with '@'
};

struct PollEntry {  // 8 bytes
  std::uint32_t name;
  std::uint32_t board;  // number in the tree
};

struct PollScript {                 // 8 bytes
  std::uint32_t first_instruction;  // into POLL_CODE
  std::uint32_t instruction_count;  // 1 or more
};

// A name for a number, in scripts and cases of all trees.
struct PollEnum {  // 8 bytes
  std::uint32_t name;
  std::uint32_t number;  // index into NUMBERS: a double
};

// An instruction of a script for a stack of values.
enum class PollOp : std::uint32_t {
  push_whole,  // operand: index into NUMBERS
  push_real,   // the same
  push_text,   // offset into NAMES
  load,        // key
  negate,
  complement,
  invert,
  add,  // operands are taken from the stack, the right one first
  subtract,
  multiply,
  divide,
  join,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,
  logical_or,
  compare,       // operand: a Comparison; of the two values on the stack, a truth remains
  compare_next,  // the same; true: the right value remains, else 0 and it jumps to the end of the chain: the
                 // instruction in the upper 24 bits of the operand
  jump,          // operand: a later instruction of the script
  jump_unless,   // takes a value
  drop,          // takes a value
  create,        // key; the value stays
  assign,
  assign_add,
  assign_subtract,
  assign_multiply,
  assign_divide,
  fail,  // the left side of an assignment is no name
  count
};

struct Instruction {  // 8 bytes
  std::uint32_t op;   // PollOp
  std::uint32_t operand;
};

}  // namespace espalier::layout
