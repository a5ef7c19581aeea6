// The functions of a host as its agents call them while they are recorded: each calls the host's own one, and tells the
// recorder what it has answered.
#include <type_traits>

#include "core/engine.h"
#include "recording/recorder.h"

namespace espalier::recording {
// Recorded.
namespace recorded {
namespace {

using Place = SeenHost::Place;

// Asked for again after a call, rather than kept in a register that has to be saved.
SeenHost& seen_of(const Call& call) { return *static_cast<SeenHost*>(const_cast<Host*>(call.host)); }

// The host's own function of a kind, which returns a Return.
template <Table table, FunctionNumber number, typename Return>
auto own_function(const SeenHost& seen, const Call& call) {
  return reinterpret_cast<Return (*)(const Call*)>(seen.own[static_cast<int>(table)].of[number][call.behavior]);
}

// Is it the last one? Each bit of a tick's answer counts. False may also be wrong: the recorder looks at it again.
template <Function function, unsigned shift, unsigned mask, typename Answer>
[[gnu::always_inline]] inline bool is_last(unsigned char last, Answer answer) {
  if constexpr (function == kTicked) return last == static_cast<std::uint32_t>(answer);
  // In bytes, so that what is above the answer in its register does not matter.
  const auto number = static_cast<unsigned char>(answer);
  if constexpr (shift == 0 && mask != 0) return last == number;  // usually the only function of its node
  const auto shifted = static_cast<unsigned char>(last >> shift);
  constexpr auto kBits = static_cast<unsigned char>((kWritesFirst | mask << shift) >> shift);
  if constexpr (kBits == 0xFF >> shift) return shifted == number;  // all that remain
  return (static_cast<unsigned char>(shifted ^ number) & kBits) == 0;
}

// Returns the answer. All of it is inlined in each function: a call would save and move as much as it looks at.
template <Place place, unsigned shift, unsigned mask, typename Answer>
[[gnu::always_inline]] inline Answer tell_answer(const Call& call, Answer answer) {
  constexpr Function function = place == SeenHost::kInTick ? kTicked : kOther;
  SeenHost& seen = seen_of(call);
  const unsigned char last = seen.answers[call.agent_number].at(function, call.node_word);
  if (is_last<function, shift, mask>(last, answer)) {
    seen.end_call_as_predicted(place);
    return answer;
  }
  const auto number = static_cast<std::uint32_t>(answer);
  return static_cast<Answer>(recorder_of(seen).tell_other_answer(call, function, {shift, mask}, number));
}

template <Place place>
[[gnu::always_inline]] inline void tell_nothing(const Call& call) {
  tell_answer<place, kNoAnswer.shift, kNoAnswer.mask>(call, 0);
}

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

// Calls a function of a table. What it answers is told next.
template <bool with_memory, typename Return>
[[gnu::always_inline]] inline Return call_own(const Call& call, Return (*own)(const Call*)) {
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
template <Table table, bool with_memory, FunctionNumber number>
void tell(const Call* call) {
  call_own<with_memory>(*call, own_function<table, number, void>(seen_of(*call), *call));
  tell_nothing<SeenHost::kInOther>(*call);
}

template <Table table, bool with_memory, FunctionNumber number, unsigned shift>
bool ask(const Call* call) {
  const bool answer = call_own<with_memory>(*call, own_function<table, number, bool>(seen_of(*call), *call));
  return tell_answer<SeenHost::kInOther, shift, 1>(*call, answer);
}

template <Table table, bool with_memory>
espalier_result tick(const Call* call) {
  SeenHost& seen = seen_of(*call);
  seen.begin_call(SeenHost::kInTick);
  const auto result = call_own<with_memory>(*call, own_function<table, kTick, espalier_result>(seen, *call));
  return tell_answer<SeenHost::kInTick, kTickAnswer.shift, kTickAnswer.mask>(*call, result);
}

template <Table table, bool with_memory>
double decide(const Call* call) {
  const double decision = call_own<with_memory>(*call, own_function<table, kDecide, double>(seen_of(*call), *call));
  SeenHost& seen = seen_of(*call);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &decision, sizeof bits);
  if (seen.decisions[call->agent_number].at(call->node_word) != bits)
    return recorder_of(seen).tell_other_decision(*call, decision);
  seen.end_call_as_predicted(SeenHost::kInOther);
  return decision;
}

// One of the host's other functions; and apart from it the calls that are not told, so that the others stay short.
template <auto function, typename Return, typename... Arguments>
[[gnu::noinline]] Return call_untold(const Call* call, Arguments... arguments) {
  return (seen_of(*call).others.*function)(call, arguments...);
}

template <auto function, typename Return, typename... Arguments>
Return call_host(const Call* call, Arguments... arguments) {
  SeenHost& seen = seen_of(*call);
  if (!seen.is_told(*call)) return call_untold<function, Return>(call, arguments...);
  seen.begin_own();
  if constexpr (std::is_void_v<Return>) {
    (seen.others.*function)(call, arguments...);
    seen_of(*call).end_own();
    tell_nothing<SeenHost::kInOther>(*call);
  } else {
    const bool answer = (seen.others.*function)(call, arguments...);
    seen_of(*call).end_own();
    return tell_answer<SeenHost::kInOther, kScriptAnswer.shift, kScriptAnswer.mask>(*call, answer);
  }
}

template <typename Pointer>
Pointer if_any(Pointer recorded, Pointer original) {  // else the engine does what it does without one
  return original == nullptr ? nullptr : recorded;
}

template <Table table, bool with_memory>
Behavior recorded_of(const Behavior& functions) {
  Behavior own = functions;
  own.enter = if_any(&tell<table, with_memory, kEnter>, functions.enter);
  own.leave = if_any(&tell<table, with_memory, kLeave>, functions.leave);
  own.tick = if_any(&tick<table, with_memory>, functions.tick);
  own.interrupt = if_any(&tell<table, with_memory, kInterrupt>, functions.interrupt);
  own.reset = if_any(&tell<table, with_memory, kReset>, functions.reset);
  own.event = if_any(&tell<table, with_memory, kEvent>, functions.event);
  own.allow = if_any(&ask<table, with_memory, kAllow, kAllowAnswer.shift>, functions.allow);
  own.is_bound = if_any(&ask<table, with_memory, kIsBound, kBoundAnswer.shift>, functions.is_bound);
  own.activate = if_any(&ask<table, with_memory, kActivate, kActivateAnswer.shift>, functions.activate);
  own.deactivate = if_any(&tell<table, with_memory, kDeactivate>, functions.deactivate);
  own.ask = if_any(&ask<table, with_memory, kAsk, kAskAnswer.shift>, functions.ask);
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
  using recorded::call_host;
  using recorded::if_any;
  host->script = if_any(&call_host<&OtherFunctions::script, bool, std::uint32_t>, host->script);
  host->log = if_any(&call_host<&OtherFunctions::log, void, const char*>, host->log);
  host->queue = if_any(&call_host<&OtherFunctions::queue, void, std::uint32_t, espalier_receivers>, host->queue);
  host->too_deep = if_any(&call_host<&OtherFunctions::too_deep, void, std::uint32_t>, host->too_deep);
}

}  // namespace espalier::recording
