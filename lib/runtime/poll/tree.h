// A tree that polls, its blackboards and nodes, and an agent's block: what the functions of the engine read.
#pragma once
#include <cstring>
#include <string_view>

#include "asset/view.h"
#include "core/bytes.h"
#include "core/frame.h"
#include "format/node.h"
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

// Nodes of the engine have the same words, so the position of a node follows from its number. That is compared with the
// table in poll/verify.cpp: what reads trees does not depend on which nodes there are.
inline constexpr std::uint32_t kPolledRecordWord = 2;
inline constexpr std::uint32_t kPolledExtentWord = 3;
inline constexpr std::uint32_t kPolledWords = 4;

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
  const std::uint32_t* node(std::uint32_t number) const { return root() + number * std::size_t{kPolledWords}; }
  std::uint32_t word_of(const std::uint32_t* at) const { return static_cast<std::uint32_t>(at - nodes); }
  const Polled& polled_of(const std::uint32_t* at) const { return polled[at[kPolledRecordWord]]; }
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
  // The number that a text is compared with a number as.
  bool text_as_number(std::string_view text, double* number) const {
    std::size_t used = 0;
    if (text == "true" || text == "false") {
      *number = text == "true" ? 1 : 0;
      return true;
    }
    return find_enum(text, number) || read_number(text, number, &used);
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

// Of a node and its descendants.
inline std::uint32_t nodes_within(const std::uint32_t* node) { return node[kPolledExtentWord] / kPolledWords; }
// Of a number that is below `node_count`.
constexpr std::uint32_t place_bytes(std::uint32_t node_count) { return node_count <= 256 ? 1 : 2; }

// The cursor: 0, or, after an update that ended with a running leaf: its number, kRests, and kGoesOn if the next update
// only calls it. The block then is as rest_plain() left it: the nodes above it run, and no others.
inline constexpr std::uint32_t kRests = 0x10000;
inline constexpr std::uint32_t kGoesOn = 0x20000;

// What follows the time in the memory of a node with a timer: flags, and from kTimerOrder on its place among those that
// are due at the same time.
inline constexpr std::uint32_t kTimerStarted = 1;
inline constexpr std::uint32_t kTimerFired = 2;
inline constexpr std::uint32_t kTimerFlags = 3;
inline constexpr std::uint32_t kTimerSet = 4;
inline constexpr std::uint32_t kTimerOrder = 3;

// The memory of a poll_loop: 8 bytes. Bit 0: the child runs; bit 1: there is a queue; from bit 2 on where its rest
// begins, from bit 32 on its end.
inline constexpr std::uint64_t kLoopChildRuns = 1;
inline constexpr std::uint64_t kLoopHasQueue = 2;
struct LoopRest {
  std::uint32_t begin;
  std::uint32_t end;
};
constexpr LoopRest rest_of(std::uint64_t state) {
  return {static_cast<std::uint32_t>(state & 0xFFFFFFFC) >> 2, static_cast<std::uint32_t>(state >> 32)};
}

// PollKey::is_own of a name that a SubTree connects to one with '@': what is made for it is an entry of the blackboard
// above whose own name begins with '@', which nothing finds by it.
inline constexpr std::uint32_t kMadeUnseen = 2;

// An entry.
struct StoredEntry {
  std::uint64_t bits = 0;   // of the value; of a text its size in bytes
  std::uint32_t count = 0;  // of writes, where nodes look for them; else 0
  ValueKind kind = ValueKind::none;
  PollType type = PollType::untyped;
  PollType made_as = PollType::untyped;  // of the value
  bool is_there = false;
};
// The kind and kIsThere, the entry's type, and the value's: the three bytes of an entry in the part entry_types.
struct EntryTypes {
  explicit EntryTypes(const StoredEntry& entry)
      : bytes{static_cast<unsigned char>(static_cast<unsigned>(entry.kind) | (entry.is_there ? kIsThere : 0u)),
              static_cast<unsigned char>(entry.type), static_cast<unsigned char>(entry.made_as)} {}
  static constexpr unsigned kIsThere = 8;
  unsigned char bytes[3];
};

// An agent's block.
class PollAgent {
 public:
  PollAgent(const PollTreeView& tree, void* block)
      : tree_(tree),
        bytes_(static_cast<unsigned char*>(block)),
        statuses_(bytes_ + offset_bytes(tree.part<PartKind::statuses>())),
        entries_(bytes_ + offset_bytes(tree.part<PartKind::entries>())),
        entry_types_(bytes_ + offset_bytes(tree.part<PartKind::entry_types>())),
        write_counts_(bytes_ + offset_bytes(tree.part<PartKind::write_counts>())),
        texts_(bytes_ + offset_bytes(tree.part<PartKind::texts>())),
        memory_(bytes_ + offset_bytes(tree.part<PartKind::poll_memory>())),
        cursor_(bytes_ + offset_bytes(tree.part<PartKind::cursor>())) {}

  PollStatus status(const std::uint32_t* node) const {
    const std::uint32_t number = node_number(node);
    return static_cast<PollStatus>(statuses_[number / 4] >> (number % 4 * 2) & 3);
  }
  // Returns what it was.
  PollStatus set_status(const std::uint32_t* node, PollStatus status) const {
    const std::uint32_t number = node_number(node);
    unsigned char& byte = statuses_[number / 4];
    const unsigned shift = number % 4 * 2;
    const unsigned before = byte >> shift & 3u;
    byte = static_cast<unsigned char>(byte ^ (before ^ static_cast<unsigned>(status)) << shift);
    return static_cast<PollStatus>(before);
  }

  std::uint32_t cursor() const { return load_u32(cursor_); }
  void set_cursor(std::uint32_t cursor) const { store_u32(cursor_, cursor); }

  // Of a node: memory_bytes().
  unsigned char* memory(const std::uint32_t* node) const { return memory_ + tree_.polled_of(node).memory; }
  // Of a node with a timer when it is due, of a poll_rate when it began.
  std::uint64_t time_us(const std::uint32_t* node) const { return load_u64(memory(node)); }
  void set_time_us(const std::uint32_t* node, std::uint64_t time_us) const { store_u64(memory(node), time_us); }
  std::uint32_t timer_state(const std::uint32_t* node) const { return load_u32(memory(node) + 8); }
  void set_timer_state(const std::uint32_t* node, std::uint32_t state) const { store_u32(memory(node) + 8, state); }

  StoredEntry entry(std::uint32_t number) const {
    StoredEntry entry;
    entry.bits = bits(number);
    if (counts_writes()) entry.count = load_u32(count_of(number));
    entry.kind = kind(number);
    entry.type = type(number);
    entry.made_as = made_as(number);
    entry.is_there = is_there(number);
    return entry;
  }
  void set_entry(std::uint32_t number, const StoredEntry& entry) const {
    const EntryTypes types(entry);
    std::memcpy(types_of(number), types.bytes, sizeof types);
    store_u64(value_of(number), entry.bits);
    if (counts_writes()) store_u32(count_of(number), entry.count);
  }
  // The byte that tells whether an entry is there, and of what kind its value is: of one from elsewhere, any.
  unsigned kind_byte(std::uint32_t number) const { return types_of(number)[0]; }
  bool is_there(std::uint32_t number) const { return (kind_byte(number) & EntryTypes::kIsThere) != 0; }
  // Is the entry there, with a whole number?
  bool has_whole(std::uint32_t number) const {
    return kind_byte(number) == (static_cast<unsigned>(ValueKind::whole) | EntryTypes::kIsThere);
  }
  ValueKind kind(std::uint32_t number) const {
    return static_cast<ValueKind>(kind_byte(number) & (EntryTypes::kIsThere - 1));
  }
  PollType type(std::uint32_t number) const { return static_cast<PollType>(types_of(number)[1]); }
  PollType made_as(std::uint32_t number) const { return static_cast<PollType>(types_of(number)[2]); }
  std::uint64_t bits(std::uint32_t number) const { return load_u64(value_of(number)); }
  // Changes nothing else.
  void set_bits(std::uint32_t number, std::uint64_t bits) const { store_u64(value_of(number), bits); }
  // Another value of the same kind, which is no text.
  void write_bits(std::uint32_t number, std::int64_t bits) const {
    store_u64(value_of(number), static_cast<std::uint64_t>(bits));
    if (counts_writes()) store_u32(count_of(number), load_u32(count_of(number)) + 1);
  }
  // Of an entry that holds the name of another: the blackboard of that one, beside the size of the name.
  std::uint32_t board_of_name(std::uint32_t number) const { return load_u32(value_of(number) + 4); }
  void set_board_of_name(std::uint32_t number, std::uint32_t board) const { store_u32(value_of(number) + 4, board); }
  // The room of an entry's text; after those of all entries, those of loops.
  char* text(std::uint32_t room) const {
    return reinterpret_cast<char*>(texts_) + std::size_t{room} * tree_.record.text_bytes;
  }

  unsigned char* bytes() const { return bytes_; }

 private:
  bool counts_writes() const { return tree_.part<PartKind::write_counts>().count != 0; }
  unsigned char* types_of(std::uint32_t entry) const { return entry_types_ + std::size_t{entry} * sizeof(EntryTypes); }
  unsigned char* value_of(std::uint32_t entry) const { return entries_ + std::size_t{entry} * sizeof(std::uint64_t); }
  unsigned char* count_of(std::uint32_t entry) const {
    return write_counts_ + std::size_t{entry} * sizeof(std::uint32_t);
  }

  const PollTreeView& tree_;
  unsigned char* const bytes_;
  unsigned char* const statuses_;
  unsigned char* const entries_;
  unsigned char* const entry_types_;
  unsigned char* const write_counts_;
  unsigned char* const texts_;
  unsigned char* const memory_;
  unsigned char* const cursor_;
};

}  // namespace espalier
