// The functions of a host as its agents call them while they are recorded: each calls the host's own one, and tells the
// recorder what it has answered.
#include <type_traits>

#include "core/engine.h"
#include "recording/recorder.h"

namespace espalier::recording {
// Recorded.
namespace recorded {
namespace {

// Asked for again after a call, rather than kept in a register that has to be saved.
SeenHost& seen_of(const Call& call) { return *static_cast<SeenHost*>(const_cast<Host*>(call.host)); }

template <Table table>
const Behavior& functions_of(const SeenHost& seen, const Call& call) {
  return seen.own[static_cast<int>(table)].rows[call.behavior].functions;
}

// Is it something else than the last one? Each bit of a tick's answer counts.
template <Function function, unsigned shift, unsigned mask>
bool is_other(unsigned last, std::uint32_t answer) {
  if constexpr (function == kTicked) return last != answer;
  constexpr bool is_highest = (kWritesFirst | mask << shift) == 0xFFU >> shift << shift;  // bits: one shift finds them
  if constexpr (is_highest) return static_cast<unsigned char>(last >> shift) != static_cast<unsigned char>(answer);
  return ((last ^ answer << shift) & (kWritesFirst | mask << shift)) != 0;
}

// Returns the answer.
template <Function function, unsigned shift, unsigned mask, typename Answer>
Answer tell_answer(const Call& call, Answer answer) {
  SeenHost& seen = seen_of(call);
  const AgentEntry& entry = seen.agents[call.agent_number];
  const unsigned last = (function == kTicked ? entry.ticked : entry.answers)[call.node_word & entry.mask];
  if (is_other<function, shift, mask>(last, static_cast<std::uint32_t>(answer))) {
    const auto number = static_cast<std::uint32_t>(answer);
    return static_cast<Answer>(recorder_of(seen).tell_other_answer(call, function, {shift, mask}, number));
  }
  ++seen.hit_count;
  return answer;
}

void tell_nothing(const Call& call) { tell_answer<kOther, kNoAnswer.shift, kNoAnswer.mask>(call, 0); }

// The memory that a call gives to a function: what the function writes there is recorded.
template <bool is_recorded>
class MemoryWatch {
 public:
  explicit MemoryWatch(const Call& call) : call_(call) {
    if constexpr (!is_recorded) return;
    memory_hash_ = hash_of_memory();
    block_hash_ = hash_of_block();
  }
  void tell() const {
    if constexpr (!is_recorded) return;
    Recorder& recorder = recorder_of(*call_.host);
    if (hash_of_memory() != memory_hash_) recorder.tell_memory(MoreOp::memory, call_.memory, call_.memory_bytes);
    if (hash_of_block() != block_hash_)
      recorder.tell_memory(MoreOp::block, call_.activation->block, call_.activation->block_bytes);
  }

 private:
  static std::uint64_t hash(const void* bytes, std::uint32_t size_bytes) {
    return bytes == nullptr ? 0 : hash_of(static_cast<const unsigned char*>(bytes), size_bytes, 0);
  }
  std::uint64_t hash_of_memory() const { return hash(call_.memory, call_.memory_bytes); }
  std::uint64_t hash_of_block() const {
    return call_.activation == nullptr ? 0 : hash(call_.activation->block, call_.activation->block_bytes);
  }

  const Call& call_;
  std::uint64_t memory_hash_ = 0;
  std::uint64_t block_hash_ = 0;
};

// The host, where a call of a function begins.
SeenHost& begin(const Call& call, Function function) {
  SeenHost& seen = seen_of(call);
  seen.begin_call(function);
  return seen;
}

// Calls a function of a table. What it answers is told next.
template <bool with_memory, typename Return>
Return call_own(const Call& call, Return (*own)(const Call*)) {
  const MemoryWatch<with_memory> memory(call);
  if constexpr (std::is_void_v<Return>) {
    own(&call);
    memory.tell();
  } else {
    const Return answer = own(&call);
    memory.tell();
    return answer;
  }
}

// A function that answers nothing.
template <Table table, bool with_memory, void (*Behavior::*function)(const Call*)>
void tell(const Call* call) {
  call_own<with_memory>(*call, functions_of<table>(begin(*call, kOther), *call).*function);
  tell_nothing(*call);
}

template <Table table, bool with_memory, bool (*Behavior::*function)(const Call*), unsigned shift>
bool ask(const Call* call) {
  const bool answer = call_own<with_memory>(*call, functions_of<table>(begin(*call, kOther), *call).*function);
  return tell_answer<kOther, shift, 1>(*call, answer);
}

template <Table table, bool with_memory>
bool ask_condition(const Call* call) {
  const auto own = begin(*call, kOther).own[static_cast<int>(table)].asks[call->behavior];
  const bool answer = call_own<with_memory>(*call, own);
  return tell_answer<kOther, kAskAnswer.shift, kAskAnswer.mask>(*call, answer);
}

template <Table table, bool with_memory>
espalier_result tick(const Call* call) {
  const auto own = begin(*call, kTicked).own[static_cast<int>(table)].ticks[call->behavior];
  const espalier_result result = call_own<with_memory>(*call, own);
  return tell_answer<kTicked, kTickAnswer.shift, kTickAnswer.mask>(*call, result);
}

template <Table table, bool with_memory>
double decide(const Call* call) {
  const double decision = call_own<with_memory>(*call, functions_of<table>(begin(*call, kOther), *call).decide);
  recorder_of(*call->host).tell_decision(*call, decision);
  return decision;
}

// During a call of one of the host's other functions, and until its answer is told.
class Inside {
 public:
  explicit Inside(const Call& call) : seen_(seen_of(call)), present_before_(seen_.present) {
    seen_.begin_call(kOther);
    seen_.is_in_own = true;
  }
  ~Inside() {
    seen_.present = present_before_;
    seen_.is_in_own = false;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  SeenHost& seen_;
  const std::uint64_t present_before_;
};

const Host& own_of(const Call& call) { return recorder_of(*call.host).original(); }

// Does one of the host's functions call another one? Engines call them for no behaviour. A playback runs none of them,
// so that nothing is told.
bool is_own_call(const Call& call) { return call.behavior != kNoBehavior || seen_of(call).is_in_own; }

bool script(const Call* call, std::uint32_t number) {
  if (is_own_call(*call)) return own_of(*call).script(call, number);
  const Inside inside(*call);
  const bool answer = own_of(*call).script(call, number);
  return tell_answer<kOther, kScriptAnswer.shift, kScriptAnswer.mask>(*call, answer);
}
void log(const Call* call, const char* text) {
  if (is_own_call(*call)) return own_of(*call).log(call, text);
  const Inside inside(*call);
  own_of(*call).log(call, text);
  tell_nothing(*call);
}
void queue(const Call* call, std::uint32_t signal, espalier_receivers receivers) {
  if (is_own_call(*call)) return own_of(*call).queue(call, signal, receivers);
  const Inside inside(*call);
  own_of(*call).queue(call, signal, receivers);
  tell_nothing(*call);
}
void too_deep(const Call* call, std::uint32_t slot) {
  if (is_own_call(*call)) return own_of(*call).too_deep(call, slot);
  const Inside inside(*call);
  own_of(*call).too_deep(call, slot);
  tell_nothing(*call);
}

template <typename Pointer>
Pointer if_any(Pointer recorded, Pointer original) {  // else the engine does what it does without one
  return original == nullptr ? nullptr : recorded;
}

template <Table table, bool with_memory>
Behavior recorded_of(const Behavior& functions) {
  Behavior own = functions;
  own.enter = if_any(&tell<table, with_memory, &Behavior::enter>, functions.enter);
  own.leave = if_any(&tell<table, with_memory, &Behavior::leave>, functions.leave);
  own.tick = if_any(&tick<table, with_memory>, functions.tick);
  own.interrupt = if_any(&tell<table, with_memory, &Behavior::interrupt>, functions.interrupt);
  own.reset = if_any(&tell<table, with_memory, &Behavior::reset>, functions.reset);
  own.event = if_any(&tell<table, with_memory, &Behavior::event>, functions.event);
  own.allow = if_any(&ask<table, with_memory, &Behavior::allow, kAllowAnswer.shift>, functions.allow);
  own.is_bound = if_any(&ask<table, with_memory, &Behavior::is_bound, kBoundAnswer.shift>, functions.is_bound);
  own.activate = if_any(&ask<table, with_memory, &Behavior::activate, kActivateAnswer.shift>, functions.activate);
  own.deactivate = if_any(&tell<table, with_memory, &Behavior::deactivate>, functions.deactivate);
  own.ask = if_any(&ask_condition<table, with_memory>, functions.ask);
  own.decide = if_any(&decide<table, with_memory>, functions.decide);
  return own;
}

template <Table table>
Behavior recorded_of(const Behavior& functions, bool with_memory) {
  return with_memory ? recorded_of<table, true>(functions) : recorded_of<table, false>(functions);
}

}  // namespace
}  // namespace recorded

Behavior recorded_behavior(const Behavior& functions, bool with_memory) {
  return recorded::recorded_of<Table::behaviors>(functions, with_memory);
}
Behavior recorded_condition(const Behavior& functions, bool with_memory) {
  return recorded::recorded_of<Table::conditions>(functions, with_memory);
}

void record_functions(Host* host) {
  host->script = recorded::if_any(&recorded::script, host->script);
  host->log = recorded::if_any(&recorded::log, host->log);
  host->queue = recorded::if_any(&recorded::queue, host->queue);
  host->too_deep = recorded::if_any(&recorded::too_deep, host->too_deep);
}

}  // namespace espalier::recording
