// A tree that polls, its blackboards and nodes, and an agent's block: what the functions of the engine read.
#pragma once
#include <cstring>
#include <string_view>

#include "asset/view.h"
#include "core/bytes.h"
#include "core/frame.h"
#include "poll/values.h"

namespace espalier {

using layout::Polled;
using layout::PollPort;
using layout::SectionId;

enum class PollFault : std::uint8_t {
#define POLL_FAULT(name, text) name,
#include "poll/faults.def"
#undef POLL_FAULT
};

enum class PollStatus : std::uint8_t {
  idle,
  running,
  success,
  failure,
  // Never stored:
  skipped,
  error,  // the update is over
  none    // a precondition leaves the decision to the node
};

constexpr bool is_completed(PollStatus status) {
  return status == PollStatus::success || status == PollStatus::failure;
}

struct PollTreeView {
  explicit PollTreeView(const Tree& view)
      : tree(view),
        asset(*view.asset),
        record(records<layout::PollTree>(asset, SectionId::poll_trees)[tree_record(view).record]),
        parts(parts_of(asset, tree_record(view))),
        unit(unit_record(view)),
        nodes(nodes_of(asset)),
        polled(records<Polled>(asset, SectionId::polled)),
        ports(array<PollPort>(asset, SectionId::poll_ports)),
        keys(array<layout::PollKey>(asset, SectionId::poll_keys) +
             records<layout::PollBoard>(asset, SectionId::poll_boards)[record.first_board].first_key),
        entries(records<layout::PollEntry>(asset, SectionId::poll_entries) + part<PartKind::entries>().first_name) {}

  template <PartKind kind>
  const layout::Part& part() const {
    return part_of<EngineId::poll, kind>(parts);
  }
  std::uint32_t entry_count() const { return part<PartKind::entries>().count; }
  // Those whose names are known when the tree is compiled; the first of the others is the next one.
  std::uint32_t fixed_entry_count() const { return entry_count() - 2 * record.named_count; }
  const std::uint32_t* root() const { return nodes + unit.first_word; }
  const std::uint32_t* node(std::uint32_t number) const {
    return root() + number * std::size_t{own_words(Opcode::poll_action)};
  }
  std::uint32_t word_of(const std::uint32_t* at) const { return static_cast<std::uint32_t>(at - nodes); }
  const Polled& polled_of(const std::uint32_t* at) const {
    return polled[operand<OperandKind::polled, EngineId::poll>(at)];
  }
  const PollPort& port_of(const std::uint32_t* at, std::uint32_t port) const {
    return ports[polled_of(at).first_port + port];
  }
  layout::PollBoard board(std::uint32_t number) const {
    return records<layout::PollBoard>(asset, SectionId::poll_boards)[record.first_board + number];
  }
  std::uint64_t number(std::uint32_t index) const { return array<std::uint64_t>(asset, SectionId::numbers)[index]; }
  // The number that a name stands for in scripts and cases; false: none.
  bool find_enum(std::string_view text, double* value) const {
    const auto enums = records<layout::PollEnum>(asset, SectionId::poll_enums);
    for (std::uint32_t i = 0; i < record_count(asset, SectionId::poll_enums); ++i) {
      if (name(enums[i].name) != text) continue;
      const std::uint64_t bits = number(enums[i].number);
      std::memcpy(value, &bits, sizeof bits);
      return true;
    }
    return false;
  }
  std::string_view name(std::uint32_t offset) const { return name_at(asset, offset); }

  const Tree tree;
  const Asset& asset;
  const layout::PollTree& record;
  const layout::Part* const parts;
  const layout::Unit& unit;
  const std::uint32_t* const nodes;
  const Records<Polled> polled;
  const PollPort* const ports;
  const layout::PollKey* const keys;
  const Records<layout::PollEntry> entries;
};

// Nodes of the engine have one size, so the position of a node follows from its number.
namespace detail {
constexpr bool are_polled_of_one_size() {
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (opcode_info(opcode).engine == EngineId::poll && own_words(opcode) != own_words(Opcode::poll_action))
      return false;
  }
  return true;
}
static_assert(are_polled_of_one_size());
}  // namespace detail

// How many words of 8 bytes a node has in the part poll_memory.
constexpr std::uint32_t memory_words(Opcode opcode, std::uint32_t child_count) {
  switch (opcode) {
    case Opcode::poll_sequence:
    case Opcode::poll_fallback:
    case Opcode::poll_sequence_with_memory:
    case Opcode::poll_if_then_else:
    case Opcode::poll_switch:
    case Opcode::poll_try_catch:
    case Opcode::poll_pipeline:
    case Opcode::poll_recovery:
    case Opcode::poll_round_robin:
    case Opcode::poll_repeat:
    case Opcode::poll_retry:
    case Opcode::poll_run_once:
    case Opcode::poll_precondition:
    case Opcode::poll_loop:
    case Opcode::poll_updated:
    case Opcode::poll_was_updated:
    case Opcode::poll_trigger:
      return 1;
    case Opcode::poll_parallel:
    case Opcode::poll_parallel_all:
      return (child_count + 31) / 32;
    case Opcode::poll_timeout:
    case Opcode::poll_delay:
    case Opcode::poll_sleep:
      return 2;
    case Opcode::poll_rate:
      return 3;
    default:
      return 0;
  }
}
// The second word of a node with a timer: flags, and in the high half the timer's order among those that are set. The
// first word is when it is due.
inline constexpr std::uint64_t kTimerStarted = 1;
inline constexpr std::uint64_t kTimerFired = 2;
inline constexpr std::uint64_t kTimerFlags = 3;
inline constexpr std::uint64_t kTimerSet = 4;

// The word of a poll_loop. Bit 0: the child runs; bit 1: there is a queue; from bit 2 on where its rest begins, from
// bit 32 on its end.
inline constexpr std::uint64_t kLoopChildRuns = 1;
inline constexpr std::uint64_t kLoopHasQueue = 2;
struct LoopRest {
  std::uint32_t begin;
  std::uint32_t end;
};
constexpr LoopRest rest_of(std::uint64_t state) {
  return {static_cast<std::uint32_t>(state & 0xFFFFFFFC) >> 2, static_cast<std::uint32_t>(state >> 32)};
}

constexpr bool has_timer(Opcode opcode) {
  return opcode == Opcode::poll_timeout || opcode == Opcode::poll_delay || opcode == Opcode::poll_sleep;
}

// An entry in a block: 16 bytes.
struct StoredEntry {
  std::uint64_t bits;   // of the value; of a text its size in bytes
  std::uint32_t count;  // of writes
  ValueKind kind;       // none: it has no value
  PollType type;
  PollType made_as;  // of the value
  std::uint8_t is_there;
};
static_assert(sizeof(StoredEntry) == 16);

// An agent's block.
class PollAgent {
 public:
  PollAgent(const PollTreeView& tree, void* block)
      : tree_(tree),
        bytes_(static_cast<unsigned char*>(block)),
        statuses_(bytes_ + offset_bytes(tree.part<PartKind::statuses>())),
        entries_(bytes_ + offset_bytes(tree.part<PartKind::entries>())),
        texts_(bytes_ + offset_bytes(tree.part<PartKind::texts>())),
        memory_(bytes_ + offset_bytes(tree.part<PartKind::poll_memory>())) {}

  PollStatus status(const std::uint32_t* node) const {
    const std::uint32_t number = node_number(node);
    return static_cast<PollStatus>(statuses_[number / 4] >> (number % 4 * 2) & 3);
  }
  void set_status(const std::uint32_t* node, PollStatus status) const {
    const std::uint32_t number = node_number(node);
    unsigned char& byte = statuses_[number / 4];
    const unsigned shift = number % 4 * 2;
    byte = static_cast<unsigned char>((byte & ~(3u << shift)) | static_cast<unsigned>(status) << shift);
  }

  // The memory of a node: `word` counts from its first one.
  std::uint64_t memory(const std::uint32_t* node, std::uint32_t word = 0) const { return load_u64(place(node, word)); }
  void set_memory(const std::uint32_t* node, std::uint64_t bits, std::uint32_t word = 0) const {
    store_u64(place(node, word), bits);
  }

  StoredEntry entry(std::uint32_t number) const {
    StoredEntry entry;
    std::memcpy(&entry, entries_ + number * sizeof entry, sizeof entry);
    return entry;
  }
  void set_entry(std::uint32_t number, const StoredEntry& entry) const {
    std::memcpy(entries_ + number * sizeof entry, &entry, sizeof entry);
  }
  // The room of an entry's text; after those of all entries, those of loops.
  char* text(std::uint32_t room) const {
    return reinterpret_cast<char*>(texts_) + std::size_t{room} * tree_.record.text_bytes;
  }

  unsigned char* bytes() const { return bytes_; }

 private:
  unsigned char* place(const std::uint32_t* node, std::uint32_t word) const {
    return memory_ + std::size_t{8} * (tree_.polled_of(node).memory + word);
  }

  const PollTreeView& tree_;
  unsigned char* const bytes_;
  unsigned char* const statuses_;
  unsigned char* const entries_;
  unsigned char* const texts_;
  unsigned char* const memory_;
};

}  // namespace espalier
