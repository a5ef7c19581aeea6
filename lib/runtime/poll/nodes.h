// What the engine knows of its kinds of nodes, made from the table of the library's nodes (poll/nodes.def). What only
// actions and conditions of the host have is not in it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "format/opcodes/poll.h"
#include "poll/port_role.h"

namespace espalier {

// What halting a node does before its children are halted.
enum class PollHalt : std::uint8_t { keeps, clears, clears_first, itself };

// Of an opcode. Small, as the table has a row for each number.
struct PollShape {
  // Its memory: the numbers of children (place_bytes() each), other bytes, and bits for each child.
  std::uint8_t places : 2;
  std::uint8_t bytes : 5;
  bool has_timer : 1;
  std::uint8_t child_bits : 2;
  std::uint8_t port_count : 2;   // at least
  std::uint8_t child_count : 2;  // at least
  bool looks_for_writes : 1;
  PollHalt halt;
};
constexpr bool operator==(const PollShape& a, const PollShape& b) {
  return a.places == b.places && a.bytes == b.bytes && a.child_bits == b.child_bits && a.has_timer == b.has_timer &&
         a.halt == b.halt && a.child_count == b.child_count && a.looks_for_writes == b.looks_for_writes;
}

namespace poll_table {

struct Port {
  std::string_view set;
  std::string_view name;
  PortRole role;
};
inline constexpr Port kPorts[] = {
#define POLL_PORT(set, name, type, direction, otherwise, missing, role, doc) {#set, name, PortRole::role},
#include "poll/nodes.def"
};

struct Node {
  Opcode opcode;
  std::string_view ports;
  std::uint32_t port_count;  // of them, scripts too
  PollShape shape;           // without what follows from its ports
};
inline constexpr bool yes = true;
inline constexpr bool no = false;
inline constexpr Node kNodes[] = {
#define POLL_NODE(id, name, kind, of, code, flags, places, bytes, bits, timer, halt, ports, port_count, needed, least, \
                  most, doc)                                                                                           \
  {opcode::code, #ports, port_count, {places, bytes, timer, bits, 0, needed, false, PollHalt::halt}},
#define POLL_MORE POLL_NODE
#include "poll/nodes.def"
};

constexpr bool is_of_record(const Port& port) {
  return port.role != PortRole::script && port.role != PortRole::condition;
}

void no_such_port();  // makes what calls it no constant

// Of a port in the record of a node that has this set of ports.
constexpr std::uint32_t number_of(std::string_view set, std::string_view name) {
  std::uint32_t number = 0;
  for (const Port& port : kPorts) {
    if (port.set != set || !is_of_record(port)) continue;
    if (port.name == name) return number;
    ++number;
  }
  no_such_port();
  return number;
}

constexpr PollShape shape_of(const Node& node) {
  PollShape shape = node.shape;
  std::uint32_t left = node.port_count;
  std::uint32_t count = 0;
  for (const Port& port : kPorts) {
    if (port.set != node.ports || left == 0) continue;
    --left;
    if (is_of_record(port)) ++count;
    if (port.role == PortRole::watched) shape.looks_for_writes = true;
  }
  shape.port_count = static_cast<std::uint8_t>(count < 3 ? count : 3) & 3;
  return shape;
}

// Rows by opcode end with the last of the engine.
constexpr std::size_t poll_opcode_end() {
  std::size_t end = 0;
  for (const OpcodeRow& row : OpcodesOf<EngineId::poll>::rows) {
    const std::size_t number = static_cast<std::size_t>(row.opcode);
    if (number >= end) end = number + 1;
  }
  return end;
}
inline constexpr std::size_t kPollOpcodeEnd = poll_opcode_end();

// Of nodes of one opcode the one with the fewest ports.
struct Shapes {
  constexpr Shapes() {
    for (const Node& node : kNodes) {
      PollShape& row = rows[static_cast<std::size_t>(node.opcode)];
      const PollShape shape = shape_of(node);
      if (!has_row(node) || shape.port_count < row.port_count) row = shape;
    }
  }
  static constexpr bool has_row(const Node& node) {
    const Node* first = kNodes;
    while (first->opcode != node.opcode) ++first;
    return first != &node;
  }
  PollShape rows[kPollOpcodeEnd] = {};
};
inline constexpr Shapes kShapes;

constexpr bool are_alike() {
  for (const Node& node : kNodes) {
    if (!(shape_of(node) == kShapes.rows[static_cast<std::size_t>(node.opcode)])) return false;
  }
  return true;
}
static_assert(are_alike(), "nodes of one opcode have the same memory, timer and halt");

}  // namespace poll_table

constexpr const PollShape& shape_of(Opcode opcode) {
  return poll_table::kShapes.rows[static_cast<std::size_t>(opcode)];
}

// The ports that the engine reads, by number: their places in a node's record.
namespace poll_ports {

using poll_table::number_of;
inline constexpr std::uint32_t kSuccessCount = number_of("parallel", "success_count");
inline constexpr std::uint32_t kFailureCount = number_of("parallel", "failure_count");
inline constexpr std::uint32_t kMaxFailures = number_of("parallel_all", "max_failures");
inline constexpr std::uint32_t kVariable = number_of("switch_case", "variable");  // then its cases
inline constexpr std::uint32_t kCatchOnHalt = number_of("try_catch", "catch_on_halt");
inline constexpr std::uint32_t kNumberOfRetries = number_of("recovery", "number_of_retries");
inline constexpr std::uint32_t kWrapAround = number_of("round_robin", "wrap_around");
inline constexpr std::uint32_t kCurrentChild = number_of("persistent", "current_child_idx");
inline constexpr std::uint32_t kCycles = number_of("repeat", "num_cycles");
static_assert(kCycles == number_of("retry", "num_attempts"));
inline constexpr std::uint32_t kMilliseconds = number_of("milliseconds", "msec");
static_assert(kMilliseconds == number_of("delay", "delay_msec"));
inline constexpr std::uint32_t kThenSkip = number_of("run_once", "then_skip");
inline constexpr std::uint32_t kElse = number_of("precondition", "else");
inline constexpr std::uint32_t kQueue = number_of("loop_int", "queue");
inline constexpr std::uint32_t kIfEmpty = number_of("loop_int", "if_empty");
inline constexpr std::uint32_t kValue = number_of("loop_int", "value");
inline constexpr std::uint32_t kEntry = number_of("entry", "entry");
inline constexpr std::uint32_t kHz = number_of("rate", "hz");
inline constexpr std::uint32_t kSource = number_of("set_blackboard", "value");
inline constexpr std::uint32_t kTarget = number_of("set_blackboard", "output_key");
inline constexpr std::uint32_t kRemoved = number_of("unset_blackboard", "key");

}  // namespace poll_ports

}  // namespace espalier
