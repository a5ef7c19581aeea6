// Runs a recording again: the runtime updates the agents, and the recording answers for the host. See
// espalier/recording.h.
#pragma once
#include <espalier/recording.h>

#include "recording/predictions.h"
#include "recording/reader.h"

namespace espalier::recording {
inline constexpr std::uint32_t kMostDepth = 16;   // of calls in one another
inline constexpr std::size_t kTextBytes = 65536;  // of the longest text that a port or entry is given

// A block that agents share.
struct SharedBlock {
  unsigned char* bytes;
  std::uint32_t size_bytes;
};

// Something that reached an agent from outside, or was told to the runtime.
struct Input {
  Op op;
  unsigned number;  // as of the event
  std::uint32_t agent;
  std::uint64_t id = 0;                          // of a signal, a variable, an entry, ...; or flags
  std::uint64_t other = 0;                       // inject: 1 + tree; stimulus: its timeout, in microseconds
  const espalier_value* value = nullptr;         // entry
  bool is_boolean = false;                       // the same
  const espalier_stimulus_data* data = nullptr;  // stimulus; null: none
  bool is_inside = false;                        // during a call of one of the host's functions
};

// What a function has answered.
struct Answered {
  Table table;
  AnswerBits bits;       // where its answer is among those of its node; kNoAnswer: it has none
  std::uint32_t number;  // the answer
  bool is_decision;
  double decision;
};

// What a tool may want to know of a playback. Any may be null.
struct Listener {
  void* user = nullptr;
  void (*frame)(void* user, std::uint64_t clock_us) = nullptr;
  void (*reset)(void* user) = nullptr;                       // all agents are told again, before they are forgotten
  void (*agent)(void* user, std::uint32_t agent) = nullptr;  // it begins anew, or is no more
  void (*begin)(void* user, std::uint32_t agent) = nullptr;  // of an update
  void (*end)(void* user, std::uint32_t agent, espalier_result result) = nullptr;
  void (*input)(void* user, const Input& input) = nullptr;  // before its effect
  void (*answer)(void* user, const Call& call, const Answered& answered) = nullptr;
  void (*write)(void* user, const Call& call, std::uint32_t port, const espalier_value& value,
                bool is_boolean) = nullptr;
  void (*queue)(void* user, const Call& call, std::uint32_t signal, espalier_receivers receivers) = nullptr;
};

}  // namespace espalier::recording

struct espalier_playback {
  using AgentEntry = espalier::recording::AgentEntry;
  using Op = espalier::recording::Op;
  using MoreOp = espalier::recording::MoreOp;

  static std::size_t size_bytes(const espalier::recording::File& file, const espalier::recording::Needs& needs,
                                const espalier::Asset& asset);
  void begin(const unsigned char* bytes, const espalier::recording::File& file, const espalier::recording::Needs& needs,
             const espalier::Asset& asset, unsigned char* memory);
  espalier_status step(const espalier_watcher* watcher);

  // In a call: what was recorded of it.
  struct Answer {
    std::uint32_t number = 0;
    double decision = 0;
  };
  Answer answer(const espalier::Call& call, espalier::recording::Table table, espalier::recording::Function function,
                espalier::recording::AnswerBits bits, bool is_decision);

  // The listener must outlive the steps.
  void listen(const espalier::recording::Listener* listener) { listener_ = listener; }
  const espalier::recording::Listener* listener() const { return listener_; }
  std::uint64_t clock_us() const { return clock_us_; }
  std::uint64_t frame() const { return frame_; }
  bool has_hashes() const { return (file_.facts.flags & ESPALIER_RECORD_HASHES) != 0; }
  bool is_redacted() const { return (file_.facts.flags & espalier::recording::kRedacted) != 0; }
  const espalier::recording::Agents& agents() const { return agents_; }
  // The clock before the first frame.
  std::uint64_t clock_before_us() const { return clock_before_us_; }
  // What the agent shares; null: nothing.
  const void* shared_of(std::uint32_t agent) const {
    const std::uint32_t number = agents_[agent].shared;
    return number == 0 ? nullptr : shared_[number - 1].bytes;
  }
  // Has the host a function for it?
  bool answers_condition(std::uint32_t condition) const {
    const espalier::Behavior& own = conditions_[condition];
    return host_.conditions != nullptr && (own.ask != nullptr || own.decide != nullptr || own.tick != nullptr);
  }

 private:
  using Host = espalier::Host;
  using Position = espalier::recording::Position;

  bool fail() {
    has_diverged_ = true;
    return false;
  }
  bool is_next_predicted() const { return hit_count_ > 0; }
  bool is_frame_next();
  // How many predicted events there are before the next one that was written.
  void announce();
  // The first byte of that one.
  bool take_op(Op* op, unsigned* number);
  std::uint32_t take_agent();
  double take_real(unsigned zero_bytes);
  bool take_value(espalier_value* value, bool* is_boolean);
  bool take_write(AgentEntry& entry, std::uint32_t node_word, unsigned bits, unsigned char expected,
                  std::uint32_t* port);

  void begin_frame(std::uint64_t clock_us);
  bool run_next();
  bool run_op(Op op, unsigned number);
  bool run_input(Op op, unsigned number);
  bool run_entry(const AgentEntry& entry);
  bool run_stimulus(const AgentEntry& entry, unsigned number);
  bool run_more(MoreOp op);
  bool put_agent();
  bool put_patch();
  bool put_functions();
  bool put_memory(const espalier::Call& call, MoreOp op);
  bool write(const espalier::Call& call, std::uint32_t port, espalier::recording::KeptValue kept);
  bool update(std::uint32_t first, std::uint32_t count);
  // `is_called`: something is called that may not be called for an agent that is busy.
  bool look_at(std::uint32_t agent, bool is_called, Host* host);
  void tell_input(espalier::recording::Input input);
  Answer find_answer(const espalier::Call& call, espalier::recording::Function function,
                     espalier::recording::AnswerBits bits, bool is_decision);

  const espalier::Asset* asset_ = nullptr;
  espalier::recording::File file_ = {};
  espalier::recording::Reader reader_;
  espalier::recording::Agents agents_;
  espalier::Behavior* behaviors_ = nullptr;
  espalier::Behavior* conditions_ = nullptr;
  espalier::recording::SharedBlock* shared_ = nullptr;
  espalier::recording::SharedBlock* groups_ = nullptr;
  espalier::recording::Needs needs_ = {};
  unsigned char* blocks_ = nullptr;
  std::size_t block_bytes_ = 0;
  bool* is_checked_ = nullptr;  // by agent: its block and the shared one are accepted
  void* scratch_ = nullptr;
  char* text_ = nullptr;
  espalier::Host host_ = {};
  const espalier_watcher* watcher_ = nullptr;
  const espalier::recording::Listener* listener_ = nullptr;
  std::uint64_t hit_count_ = 0;
  std::uint64_t frame_ = 0;
  std::uint64_t clock_us_ = 0;
  std::uint64_t clock_before_us_ = 0;
  std::uint64_t step_us_ = 0;
  std::uint32_t last_ = espalier::recording::kFrameNext;
  std::uint32_t agent_ = 0;
  std::uint32_t depth_ = 0;
  bool is_in_frame_ = false;  // of the present step
  bool is_followed_ = false;  // the event that is read: by the next one, at once
  bool has_diverged_ = false;
};
