// The recorder of a host. See espalier/recording.h, and format.h for what it writes.
#pragma once
#include <espalier/recording.h>

#include "core/recorded.h"
#include "recording/predictions.h"
#include "recording/redaction.h"

namespace espalier::recording {

// Shared and group blocks that were seen, by their addresses.
struct SeenBlock {
  const void* block;
  std::uint32_t number;  // 1 + its number; 0: a free place
  bool is_group;
};

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

// The functions of a host's table, those of each kind one after the other: by FunctionNumber, then by behaviour.
struct OwnFunctions {
  using Any = void (*)();  // as the type that espalier_behavior has it with

  const Behavior* table = nullptr;  // where they are from
  Any* of[kFunctionCount] = {};
};

// The host's own functions of no behaviour.
struct OtherFunctions {
  decltype(Host::script) script = nullptr;
  decltype(Host::log) log = nullptr;
  decltype(Host::queue) queue = nullptr;
  decltype(Host::too_deep) too_deep = nullptr;
};

// The host as it is seen in calls while they are recorded, and what each of them looks at: a recorded call is to take
// as few instructions more as possible.
class SeenHost : public Host {
 public:
  const AnswerTable* answers = nullptr;      // by agent
  const DecisionTable* decisions = nullptr;  // the same
  OwnFunctions own[2];                       // which the recorded ones call: of behaviours, and of conditions
  OtherFunctions others;                     // the same, of the host itself
  const Host* original = nullptr;            // during a call of the interface

  // Predicted events since the last one that was written.
  std::uint64_t hit_count() const { return count_ / kOne; }
  void set_hit_count(std::uint64_t count) { count_ = (count_ & kInTick) | count * kOne; }
  void add_hit() { count_ += kOne; }

  // Is the function that is called a tick? All others need not be told apart.
  enum Place : std::uint64_t { kInOther = 0, kInTick = 1 };
  void begin_call(Place place) { count_ |= place; }
  // By the predicted answer; or by another one.
  void end_call_as_predicted(Place place) { count_ += kOne - place; }
  void end_call() {
    count_ &= ~std::uint64_t{kInTick};
    port_ = 0;
  }
  Function function() const { return (count_ & kInTick) != 0 ? kTicked : kOther; }

  // Is a call of one of the host's other functions recorded? Engines call them for no behaviour; what behaviours and
  // these functions themselves call is not told, as a playback runs none of them.
  bool is_told(const Call& call) const { return call.behavior == told_behavior_; }
  void begin_own() { told_behavior_ = kNobody; }
  void end_own() { told_behavior_ = kNoBehavior; }

  // 1 + the port that the function has written last; 0: none. If it has written one, it does not answer as predicted,
  // or the port is predicted, which its place says (kWritesFirst).
  std::uint32_t port() const { return port_; }
  void write_port(std::uint32_t number, const Call& call) {
    port_ = number;
    writer_agent = call.agent_number;
    writer_word = call.node_word;
  }
  std::uint32_t writer_agent = 0;  // of the last call that has written to a port, and its node
  std::uint32_t writer_word = 0;

  // Another call of the interface begins, and has ended, in a call of a function: `before` is what this was then.
  void begin_inside() {
    end_call();
    end_own();
  }
  void end_inside(const SeenHost& before) {
    const std::uint64_t count = hit_count();
    *this = before;
    set_hit_count(count);
  }

 private:
  static constexpr std::uint64_t kOne = 2;
  static constexpr std::uint32_t kNobody = kNoBehavior - 1;  // no asset has so many behaviours

  std::uint64_t count_ = 0;  // kOne for each hit, and the Place
  std::uint32_t port_ = 0;
  std::uint32_t told_behavior_ = kNoBehavior;
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
  bool begin_signal(std::uint32_t signal, std::uint32_t agent, void* block);
  void tell_clock(std::uint64_t clock_us);
  void put(std::uint64_t number);
  void put_bytes(const void* bytes, std::size_t size_bytes);
  void put_value(const espalier_value& value, bool is_boolean);
  void put_entry(const Tree& tree, const void* block, std::uint32_t entry, const espalier_value& value,
                 bool is_boolean);
  void put_real(std::uint64_t bits, unsigned zero_bytes);

  // ---- In a call of a function: what it writes, and what it has answered

  void tell_write(const Call& call, std::uint32_t port, const espalier_value& value, bool is_boolean);
  // An answer that is not simply the last one. Returns it.
  std::uint32_t tell_other_answer(const Call& call, Function function, AnswerBits bits, std::uint32_t answer);
  double tell_other_decision(const Call& call, double decision);
  void tell_memory(MoreOp op, const void* bytes, std::uint32_t size_bytes);

  // ---- The host as it is seen in calls.

  // During a call of the interface. One in a call of a function leaves the host of that as it was.
  class Frame {
   public:
    Frame(Recorder& recorder, const Host& host);
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
    // That is to be seen in the calls. `is_recorded`: they are.
    Host& host(bool is_recorded) { return is_recorded ? recorder_.seen_ : unrecorded(); }

   private:
    Host& unrecorded();

    Recorder& recorder_;
    const Host* const original_before_;
    const Host& given_;
    union {
      SeenHost seen_before_;  // in a call of a function
    };
    void restore();
  };
  const Host& original() const { return *seen_.original; }
  bool is_over() const { return fault_ != nullptr; }
  bool records_memory() const { return records_memory_; }
  bool knows(std::uint32_t agent) const { return agent < agents_.count() && agents_[agent].tree.asset != nullptr; }
  void fail(const char* fault) {
    if (fault_ == nullptr) fault_ = fault;
  }

 private:
  friend class Frame;
  void write_head();
  bool find_for_input(std::uint32_t agent, void* block);
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
  void end_frame();
  void fail_in_ring();
  void reset(std::uint64_t clock_us);
  bool is_flush_due(std::uint64_t clock_us) const;
  void flush(bool ends_frame);
  void wrap(const Host& host);
  bool is_wrapped(const Host& host) const { return host.reserved[0] == this; }

  SeenHost seen_;
  const Asset* asset_ = nullptr;
  espalier_recorder_options options_ = {};
  Redaction redaction_;
  Agents agents_;
  Behavior* behaviors_ = nullptr;  // those of the host, recorded
  Behavior* conditions_ = nullptr;
  std::uint16_t host_bits_ = 0;       // which of its own functions it has
  std::uint32_t frame_depth_ = 0;     // of calls of the interface
  SeenBlock* blocks_ = nullptr;       // that were seen
  std::uint32_t block_capacity_ = 0;  // a power of two
  std::uint32_t shared_count_ = 0;
  std::uint32_t group_count_ = 0;
  Room* rooms_ = nullptr;
  Room* room_ = nullptr;  // the present one
  std::uint32_t room_count_ = 1;
  unsigned char* last_op_ = nullptr;  // of the last event of this frame; null: it is written, or there is none
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

// Its functions, recorded: null where they are null. `with_memory`: also what they write to their memory.
Behavior recorded_behavior(const Behavior& functions, bool with_memory);
Behavior recorded_condition(const Behavior& functions, bool with_memory);
// The host's own functions, the same.
void record_functions(Host* host);

inline Recorder& recorder_of(const Host& host) { return *static_cast<Recorder*>(host.recorder); }

}  // namespace espalier::recording
