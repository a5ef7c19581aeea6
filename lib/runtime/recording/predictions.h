// What recorder and playback expect next, by the same rules: what happened last time.
#pragma once
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

// The nodes of a tree share places in tables of this size: a power of two. Two nodes at one place are predicted worse,
// and recorded as well.
struct Places {
  std::uint32_t answers = 1;
  std::uint32_t ports = 0;
  std::uint32_t values = 0;

  std::size_t size_bytes() const { return round_up(std::size_t{8} * values + ports + std::size_t{2} * answers); }
};
Places places_of(const Tree& tree);

// Which of a node's functions is called: ticks are predicted apart from others.
enum Function : std::uint32_t { kOther, kTicked };

// Beside a recorder's answers of a function: it is predicted to write to a port before it answers.
inline constexpr unsigned char kWritesFirst = 0x80;

struct AgentEntry {
  Tree tree = {};                  // without an asset: there is no such agent
  unsigned char* block = nullptr;  // where it was last
  std::uint32_t shared = 0;        // 1 + its number; 0: none
  std::uint32_t group = 0;         // the same
  void* shared_block = nullptr;
  void* group_block = nullptr;
  std::uint32_t mask = 0;            // of places
  std::uint64_t* values = nullptr;   // of decisions, or what stands for the last value of a port
  unsigned char* ports = nullptr;    // 1 + the port that is written next; 0: none
  unsigned char* ticked = nullptr;   // the last results of ticks
  unsigned char* answers = nullptr;  // those of the other functions, which have their own bits: AnswerBits
  NextEvent next = {};
  bool is_busy = false;           // the runtime works on it: nothing else may but what its functions may do
  unsigned char unused[31] = {};  // its place is found with a shift

  unsigned char& answer_at(Function function, std::uint32_t node_word) const {
    return (function == kTicked ? ticked : answers)[node_word & mask];
  }
  std::uint64_t& decision_at(std::uint32_t node_word) const { return values[node_word & mask]; }
  // `before`: 1 + the port that the function has written last; 0: none yet.
  unsigned char& port_at(std::uint32_t node_word, Function function, std::uint32_t before) const {
    return ports[(node_word + kTickedPort * function + 31 * before) & mask];
  }
  // Sets it, and which functions now write first.
  void expect_port(std::uint32_t node_word, Function function, std::uint32_t before, unsigned char number) const {
    unsigned char& port = port_at(node_word, function, before);
    port = number;
    const auto place = static_cast<std::uint32_t>(&port - ports);
    mark(answers[place], number != 0);
    mark(ticked[(place - kTickedPort) & mask], number != 0);
  }
  std::uint64_t& value_at(std::uint32_t node_word, std::uint32_t port) const {
    return values[(node_word + 1 + 5 * port) & mask];
  }

 private:
  static constexpr std::uint32_t kTickedPort = 97;
  static void mark(unsigned char& answer, bool writes_first) {
    answer = static_cast<unsigned char>(writes_first ? answer | kWritesFirst : answer & ~kWritesFirst);
  }
};

static_assert(sizeof(void*) != 8 || sizeof(AgentEntry) == 128);

// Of an agent's block. In trees that poll without what watched updates leave otherwise in it: the cursor, which only
// makes the next update faster, and the memory of nodes, in which idle ones may have anything.
std::uint64_t hash_of_agent(const Tree& tree, const unsigned char* block, std::uint64_t seed);

// All agents, in memory of the host's.
class Agents {
 public:
  static std::size_t size_bytes(const Asset& asset, std::uint32_t count);
  void begin(const Asset& asset, std::uint32_t count, unsigned char* memory);

  std::uint32_t count() const { return count_; }
  AgentEntry& operator[](std::uint32_t agent) { return entries_[agent]; }
  const AgentEntry& operator[](std::uint32_t agent) const { return entries_[agent]; }
  // The agent has this tree, and nothing is known of it.
  void put(std::uint32_t agent, const Tree& tree);
  // Nothing is known of any of them, but their trees and blocks.
  void forget();
  // Of all their blocks.
  std::uint64_t hash_of_blocks() const;

  NextEvent& next_after(std::uint32_t last) { return last == kFrameNext ? after_frame_ : entries_[last].next; }

 private:
  unsigned char* tables(std::uint32_t agent) const { return tables_ + table_bytes_ * agent; }

  AgentEntry* entries_ = nullptr;
  unsigned char* tables_ = nullptr;
  std::size_t table_bytes_ = 0;
  std::uint32_t count_ = 0;
  NextEvent after_frame_ = {};
};

}  // namespace espalier::recording
