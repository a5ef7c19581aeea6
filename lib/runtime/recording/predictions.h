// What recorder and playback expect next, by the same rules: what happened last time.
#pragma once
#include <espalier/polling.h>

#include "asset/view.h"
#include "recording/format.h"

namespace espalier::recording {

inline constexpr std::uint32_t kFrameNext = 0xFFFFFFFF;

// The event after an update of an agent, or after the begin of a frame: an update of agents from `first` on, or
// kFrameNext.
struct NextEvent {
  std::uint32_t first = kFrameNext;
  std::uint32_t count = 0;
};

// How many places tables have: powers of two. The nodes of a large tree share them, and so do its ports: these are
// predicted worse, and recorded as well.
struct Places {
  std::uint32_t answers = 1;    // by node
  std::uint32_t decisions = 0;  // the same, in trees of deciders
  std::uint32_t begins = 0;     // the same, of ports that are written first
  std::uint32_t ports = 0;      // by port: which follow, and their values

  std::size_t size_bytes() const;
};
Places places_of(const Tree& tree);

// Which of a node's functions is called: ticks are predicted apart from others.
enum Function : std::uint32_t { kOther, kTicked };

// Beside a recorder's answers of a function: it is predicted to write to a port before it answers.
inline constexpr unsigned char kWritesFirst = 0x80;

// What a place has of the last value of a port. 0: there is none. Of whole numbers, if they are not very large,
// themselves and by how much they have changed, so that the next one is predicted: the same, or if they have changed by
// as much twice, as much again. Of others what the recorder or the playback knows them by.
using KeptValue = std::uint64_t;
inline constexpr std::uint64_t kKeptOther = 7;
// Of a whole number: its kind, 1 or 2, and 4 more if it is a truth value. 0: it is no such number.
inline std::uint64_t kept_kind(const espalier_value& value, bool is_boolean) {
  const bool is_whole = value.kind == ESPALIER_VALUE_WHOLE || value.kind == ESPALIER_VALUE_UNSIGNED;
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  if (!is_whole || value.whole < -kMost || value.whole > kMost) return 0;
  return static_cast<std::uint64_t>(value.kind) | (is_boolean ? 4 : 0);
}
inline std::uint64_t kind_of_kept(KeptValue kept) { return kept & 7; }
inline std::int64_t whole_of_kept(KeptValue kept) { return static_cast<std::int64_t>(kept) >> 12; }
inline std::int64_t step_of_kept(KeptValue kept) { return static_cast<std::int8_t>(kept >> 4 & 0xFF); }
inline constexpr std::uint64_t kKeepsStep = 8;  // the last two were as large
inline std::int64_t predicted_whole(KeptValue kept) {
  return whole_of_kept(kept) + ((kept & kKeepsStep) != 0 ? step_of_kept(kept) : 0);
}
// `before`: what the place had.
inline KeptValue kept_whole(std::uint64_t kind, std::int64_t whole, KeptValue before) {
  const std::uint64_t whole_before = static_cast<std::uint64_t>(whole_of_kept(before));
  const auto difference = static_cast<std::int64_t>(static_cast<std::uint64_t>(whole) - whole_before);
  const std::int64_t step = kind_of_kept(before) == kind ? difference : 0;
  const bool is_small = step == static_cast<std::int8_t>(step);
  const bool keeps_step = is_small && step == step_of_kept(before) && kind_of_kept(before) == kind;
  return static_cast<std::uint64_t>(whole) << 12 | (is_small ? static_cast<std::uint64_t>(step) & 0xFF : 0) << 4 |
         (keeps_step ? kKeepsStep : 0) | kind;
}
inline KeptValue kept_other(std::uint64_t known_by) { return known_by << 3 | kKeptOther; }
inline std::uint64_t known_by(KeptValue kept) { return kept >> 3; }

// The port that a function writes next: 1 + the port. With this bit it did not do so the last time, and is not
// predicted to, but if it does, it is likely this one. 0: none.
inline constexpr unsigned char kNotNow = 0x80;
inline constexpr std::uint32_t kMostPort = 126;  // others are not predicted
inline bool is_awake(unsigned char port) { return port != 0 && (port & kNotNow) == 0; }
inline unsigned char asleep(unsigned char port) {
  return static_cast<unsigned char>(port == 0 ? port : port | kNotNow);
}

// In the asset: the first port of a node of a tree that polls.
std::uint32_t first_port_of(const Asset& asset, std::uint32_t node_word);

// The last answers of an agent's functions: 4 bytes that choose a node's place (a mask), then for each place a byte of
// ticks, and one of the other functions, which have their own bits: AnswerBits. It is found from one pointer, since
// each recorded call looks at it.
class AnswerTable {
 public:
  AnswerTable() = default;
  AnswerTable(unsigned char* bytes, std::uint32_t places);
  static std::size_t size_bytes(std::uint32_t places) { return sizeof(std::uint32_t) + std::size_t{2} * places; }

  std::uint32_t mask() const { return load_u32(bytes_); }
  unsigned char& at(Function function, std::uint32_t node_word) const {
    return bytes_[sizeof(std::uint32_t) + std::size_t{2} * (node_word & mask()) + function];
  }

 private:
  unsigned char* bytes_ = nullptr;
};

// The last decisions, the same: the mask in 8 bytes, then the bits of a real number for each place.
class DecisionTable {
 public:
  DecisionTable() = default;
  DecisionTable(std::uint64_t* words, std::uint32_t places) : words_(words) { words[0] = places - 1; }
  static std::size_t size_bytes(std::uint32_t places) { return sizeof(std::uint64_t) * (std::size_t{1} + places); }

  std::uint64_t& at(std::uint32_t node_word) const { return words_[1 + (node_word & words_[0])]; }

 private:
  std::uint64_t* words_ = nullptr;
};

struct AgentEntry {
  Tree tree = {};                  // without an asset: there is no such agent
  unsigned char* block = nullptr;  // where it was last
  std::uint32_t shared = 0;        // 1 + its number; 0: none
  std::uint32_t group = 0;         // the same
  void* shared_block = nullptr;
  void* group_block = nullptr;
  AnswerTable answers;
  DecisionTable decisions;
  std::uint32_t port_mask = 0;      // of places by port
  KeptValue* values = nullptr;      // null: the tree has no ports
  unsigned char* begins = nullptr;  // the ports that are written first; null: the tree has none
  unsigned char* ports = nullptr;   // those that follow a port
  NextEvent next = {};
  bool is_busy = false;  // the runtime works on it: nothing else may but what its functions may do

  // `before`: 1 + the port that the function has written last; 0: none yet.
  unsigned char& port_at(std::uint32_t node_word, Function function, std::uint32_t before) const {
    return before == 0 ? begins[(node_word + kTickedPort * function) & answers.mask()]
                       : ports[port_place(node_word, before - 1)];
  }
  // Sets it, and which functions now write first.
  void expect_port(std::uint32_t node_word, Function function, std::uint32_t before, unsigned char number) const {
    unsigned char& port = port_at(node_word, function, before);
    port = number;
    if (before != 0) return;
    const auto place = static_cast<std::uint32_t>(&port - begins);
    mark(answers.at(kOther, place), is_awake(number));
    mark(answers.at(kTicked, place - kTickedPort), is_awake(number));
  }
  KeptValue& value_at(std::uint32_t node_word, std::uint32_t port) const { return values[port_place(node_word, port)]; }

 private:
  static constexpr std::uint32_t kTickedPort = 97;
  // The ports of a tree are one after the other.
  std::uint32_t port_place(std::uint32_t node_word, std::uint32_t port) const {
    return (first_port_of(*tree.asset, node_word) + port) & port_mask;
  }
  static void mark(unsigned char& answer, bool writes_first) {
    answer = static_cast<unsigned char>(writes_first ? answer | kWritesFirst : answer & ~kWritesFirst);
  }
};

// Of an agent's block. In trees that poll without what watched updates leave otherwise in it: the cursor, which only
// makes the next update faster, and the memory of nodes, in which idle ones may have anything.
std::uint64_t hash_of_agent(const Tree& tree, const unsigned char* block, std::uint64_t seed);

// All agents, in memory of the host's.
class Agents {
 public:
  static std::size_t size_bytes(const Asset& asset, std::uint32_t count);
  void begin(const Asset& asset, std::uint32_t count, unsigned char* memory);

  std::uint32_t count() const { return count_; }
  // By agent.
  const AnswerTable* answers() const { return answers_; }
  const DecisionTable* decisions() const { return decisions_; }
  AgentEntry& operator[](std::uint32_t agent) { return entries_[agent]; }
  const AgentEntry& operator[](std::uint32_t agent) const { return entries_[agent]; }
  // The agent has this tree, and nothing is known of it.
  void put(std::uint32_t agent, const Tree& tree);
  // Nothing is known of any of them, but their trees and blocks.
  void forget();
  // Of all their blocks.
  std::uint64_t hash_of_blocks() const;

  // The agent that gets the next signal: the one after the last, or the first.
  std::uint32_t next_receiver() const { return receiver_ + 1 < count_ ? receiver_ + 1 : 0; }
  void put_receiver(std::uint32_t agent) { receiver_ = agent; }

  NextEvent& next_after(std::uint32_t last) { return last == kFrameNext ? after_frame_ : entries_[last].next; }

 private:
  unsigned char* tables(std::uint32_t agent) const { return tables_ + table_bytes_ * agent; }

  AgentEntry* entries_ = nullptr;
  AnswerTable* answers_ = nullptr;  // those of the entries
  DecisionTable* decisions_ = nullptr;
  std::uint64_t* no_decisions_ = nullptr;  // of trees that have none: their agent may have got another tree meanwhile
  unsigned char* tables_ = nullptr;
  std::size_t table_bytes_ = 0;
  std::uint32_t count_ = 0;
  NextEvent after_frame_ = {};
  std::uint32_t receiver_ = 0xFFFFFFFF;  // of the last signal
};

}  // namespace espalier::recording
