// The recorder of a host. See espalier/recording.h, and format.h for what it writes.
#pragma once
#include <espalier/recording.h>

#include "core/recorded.h"
#include "recording/predictions.h"

namespace espalier::recording {

// Shared and group blocks that were seen, by their addresses.
struct SeenBlock {
  const void* block;
  std::uint32_t number;  // 1 + its number; 0: a free place
  bool is_group;
};

// Of calls: the ports that a tick writes are predicted apart from those of other functions.
inline constexpr std::uint32_t kOther = 0;
inline constexpr std::uint32_t kTicked = 1;

// Where events are written: all memory, or one segment of a ring. Events that do not fit any more are lost.
struct Room {
  Room(unsigned char* own_bytes, std::uint32_t own_bytes_count) : bytes(own_bytes), capacity_bytes(own_bytes_count) {}

  unsigned char* bytes;
  std::uint32_t capacity_bytes;
  std::uint32_t used_bytes = 0;
  // Up to the end of the last frame: the bytes, times 2^32, and how many predicted events follow that are not written
  // yet. In one number, since a handler of signals may read it while it changes.
  std::uint64_t whole = 0;
  std::uint64_t frame = 0;
  std::uint64_t clock_us = 0;
  std::uint32_t whole_bytes() const { return static_cast<std::uint32_t>(whole >> 32); }

  bool is_broken = false;  // something did not fit: it says nothing beyond the last whole frame
};

class Recorder : public espalier_recorder {
 public:
  static std::size_t size_bytes(const Asset& asset, std::uint32_t agent_count,
                                const espalier_recorder_options& options);
  // In `memory`; see espalier_recorder_begin().
  static Recorder* begin(const Asset& asset, std::uint32_t agent_count, const espalier_recorder_options& options,
                         unsigned char* memory);

  void put_agent(std::uint32_t agent, const Tree& tree, const unsigned char* block, const void* shared,
                 const void* group);
  void begin_frame(std::uint64_t clock_us);
  void end();
  std::size_t save(unsigned char* bytes, std::size_t size_bytes) const;
  const char* fault() const { return fault_; }

  // ---- Events: before they have their effect. False: nothing is recorded.

  // Agents that are updated, at the clock of their host.
  bool begin_update(std::uint32_t first, std::uint32_t count, unsigned char* block, std::size_t stride_bytes,
                    std::uint64_t clock_us);
  // What reaches an agent from outside; what it is comes next, by put().
  bool begin_input(Op op, unsigned number, std::uint32_t agent, void* block);
  void tell_clock(std::uint64_t clock_us);
  void put(std::uint64_t number);
  void put_bytes(const void* bytes, std::size_t size_bytes);
  void put_value(const espalier_value& value, bool is_boolean);

  // ---- In a call of a function: what it writes, and what it has answered

  void tell_write(const Call& call, std::uint32_t port, const espalier_value& value, bool is_boolean);
  void tell_answer(const Call& call, AnswerBits bits, std::uint32_t answer) {
    if (is_over()) return;
    const AgentEntry& entry = agents_[call.agent_number];
    const bool is_answer_next = entry.ports == nullptr || entry.port_at(call.node_word, function_, port_) == 0;
    if (is_answer_next && (unsigned{entry.answer_at(call.node_word)} >> bits.shift & bits.mask) == answer) {
      ++hit_count_;
    } else {
      tell_other_answer(call, bits, answer);
    }
  }
  void tell_decision(const Call& call, double decision);
  void tell_memory(MoreOp op, const void* bytes, std::uint32_t size_bytes);

  // ---- The host as it is seen in calls.

  // During a call of the interface.
  class Frame {
   public:
    Frame(Recorder& recorder, const Host& host);
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    const Host& host() const { return *host_; }

   private:
    Recorder& recorder_;
    const Host* const original_before_;
    const Host* host_;
    Host own_;
  };
  // During a call of a function of the host: what it writes belongs to it.
  class Inside {
   public:
    Inside(Recorder& recorder, std::uint32_t function)
        : recorder_(recorder), port_before_(recorder.port_), function_before_(recorder.function_) {
      recorder.port_ = 0;
      recorder.function_ = function;
      ++recorder.depth_;
    }
    ~Inside() {
      recorder_.port_ = port_before_;
      recorder_.function_ = function_before_;
      --recorder_.depth_;
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Recorder& recorder_;
    const std::uint32_t port_before_;
    const std::uint32_t function_before_;
  };
  const Host& original() const { return *original_; }
  bool is_over() const { return fault_ != nullptr; }
  bool records_memory() const { return records_memory_; }
  bool knows(std::uint32_t agent) const { return agent < agents_.count() && agents_[agent].tree.asset != nullptr; }
  void fail(const char* fault) {
    if (fault_ == nullptr) fault_ = fault;
  }

 private:
  friend class Frame;
  void write_head();
  void put_byte(unsigned byte);
  void put_op(Op op, unsigned number);
  void put_agent_number(std::uint32_t agent);
  void put_patches(PatchTarget target, std::uint32_t number, const unsigned char* bytes, const unsigned char* before,
                   std::size_t size_bytes);
  std::uint32_t number_of(const void* block, bool is_group, bool* is_new);
  void tell(Op op, unsigned number, std::uint32_t agent);
  void tell_more(MoreOp op);
  void tell_agent(std::uint32_t agent, bool is_again);
  void tell_functions();
  unsigned char* expected_port(const Call& call);
  void tell_other_answer(const Call& call, AnswerBits bits, std::uint32_t answer);
  void end_frame();
  void fail_in_ring();
  void reset(std::uint64_t clock_us);
  void flush(bool ends_frame);
  void wrap(const Host& host);
  bool is_wrapped(const Host& host) const { return host.reserved[0] == this; }

  const Asset* asset_ = nullptr;
  espalier_recorder_options options_ = {};
  Agents agents_;
  Behavior* behaviors_ = nullptr;  // those of the host, recorded
  Behavior* conditions_ = nullptr;
  const Behavior* wrapped_behaviors_ = nullptr;  // whose they are
  const Behavior* wrapped_conditions_ = nullptr;
  const Host* original_ = nullptr;  // during a call of the interface
  std::uint16_t host_bits_ = 0;     // which of its own functions it has
  std::uint32_t depth_ = 0;         // of calls of the host's functions
  std::uint32_t port_ = 0;          // 1 + the port that the present call has written last
  std::uint32_t function_ = 0;      // of the present call
  SeenBlock* seen_ = nullptr;
  std::uint32_t seen_capacity_ = 0;  // a power of two
  std::uint32_t shared_count_ = 0;
  std::uint32_t group_count_ = 0;
  Room* rooms_ = nullptr;
  Room* room_ = nullptr;  // the present one
  std::uint32_t room_count_ = 1;
  std::uint64_t hit_count_ = 0;  // predicted events since the last one that was written
  std::uint64_t frame_ = 0;
  std::uint64_t clock_us_ = 0;
  std::uint64_t step_us_ = 0;
  std::uint64_t flushed_us_ = 0;
  NextEvent row_ = {};  // the last agents that were updated together, and where they were
  const unsigned char* row_block_ = nullptr;
  std::size_t row_stride_bytes_ = 0;
  std::uint32_t last_ = kFrameNext;  // the last update, for what comes next
  std::uint32_t agent_ = 0;          // of the last event
  bool records_memory_ = false;
  bool is_in_frame_ = false;
  const char* fault_ = nullptr;
};

extern const RecorderCalls kRecorderCalls;

// Its functions, recorded: null where they are null.
Behavior recorded_behavior(const Behavior& functions);
Behavior recorded_condition(const Behavior& functions);
// The host's own functions, the same.
void record_functions(Host* host);

}  // namespace espalier::recording
