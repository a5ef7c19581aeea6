// The host of an agent that is recorded: its functions are wrapped while it is called. See recorder.h.
#include <cstdint>
#include <new>

#include "recording/recorder.h"

namespace espalier::recording {
namespace {

std::uint16_t bits_of(const Behavior& functions) {
  unsigned bits = 0;
  const auto add = [&](bool is_there, unsigned bit) { bits |= is_there ? bit : 0; };
  add(functions.enter != nullptr, kEnter);
  add(functions.leave != nullptr, kLeave);
  add(functions.tick != nullptr, kTick);
  add(functions.interrupt != nullptr, kInterrupt);
  add(functions.reset != nullptr, kReset);
  add(functions.event != nullptr, kEvent);
  add(functions.allow != nullptr, kAllow);
  add(functions.is_bound != nullptr, kIsBound);
  add(functions.activate != nullptr, kActivate);
  add(functions.deactivate != nullptr, kDeactivate);
  add(functions.ask != nullptr, kAsk);
  add(functions.decide != nullptr, kDecide);
  return static_cast<std::uint16_t>(bits);
}

std::uint16_t bits_of(const Host& host) {
  return static_cast<std::uint16_t>((host.script != nullptr ? kScript : 0) | (host.log != nullptr ? kLog : 0) |
                                    (host.queue != nullptr ? kQueue : 0) | (host.too_deep != nullptr ? kTooDeep : 0) |
                                    (host.behaviors != nullptr ? kBehaviors : 0) |
                                    (host.conditions != nullptr ? kConditions : 0));
}

}  // namespace

void Recorder::tell_functions() {
  tell_more(MoreOp::functions);
  put(host_bits_);
  for (std::uint32_t i = 0; i < behavior_count(*asset_); ++i) put(bits_of(behaviors_[i]));
  for (std::uint32_t i = 0; i < host_condition_count(*asset_); ++i) put(bits_of(conditions_[i]));
}

// Makes the tables for this host, if they are others than those of the host before. Usually the same functions are null
// in both.
void Recorder::wrap(const Host& host) {
  const std::uint16_t host_bits = bits_of(host);
  OwnFunctions& behaviors = seen_.own[0];
  OwnFunctions& conditions = seen_.own[1];
  if (host.behaviors == behaviors.table && host.conditions == conditions.table && host_bits == host_bits_) return;
  bool is_other = host_bits != host_bits_;
  const auto take = [&](OwnFunctions& own, const Behavior* table, std::uint32_t count, Behavior* recorded,
                        Behavior (*recorded_of)(const Behavior&, bool)) {
    own.table = table;
    for (std::uint32_t i = 0; table != nullptr && i < count; ++i) {
      new (own.rows + i) OwnFunctions::Row{table[i]};
      own.ticks[i] = table[i].tick;
      own.asks[i] = table[i].ask;
      const Behavior functions = recorded_of(table[i], records_memory_);
      is_other = is_other || bits_of(recorded[i]) != bits_of(functions);
      recorded[i] = functions;
    }
  };
  take(behaviors, host.behaviors, behavior_count(*asset_), behaviors_, recorded_behavior);
  take(conditions, host.conditions, host_condition_count(*asset_), conditions_, recorded_condition);
  host_bits_ = host_bits;
  if (is_other && !is_over()) tell_functions();
}

Recorder::Frame::Frame(Recorder& recorder, const Host& host)
    : recorder_(recorder), original_before_(recorder.original_), given_(host) {
  SeenHost& seen = recorder.seen_;
  if (recorder.frame_depth_++ == 0) {
    seen.begin_call(kOther);
  } else {
    new (&seen_before_) SeenHost(seen);
  }
  if (recorder.is_over()) return;
  const bool is_wrapped = recorder.is_wrapped(host);  // in a call, with the host of the call, or a copy of it
  if (!is_wrapped) recorder.wrap(host);
  if (&host != &seen) static_cast<Host&>(seen) = host;
  if (is_wrapped) return;
  recorder.original_ = &host;
  if (seen.behaviors != nullptr) seen.behaviors = recorder.behaviors_;
  if (seen.conditions != nullptr) seen.conditions = recorder.conditions_;
  record_functions(&seen);
  seen.reserved[0] = &recorder;
}

Recorder::Frame::~Frame() {
  recorder_.original_ = original_before_;
  if (--recorder_.frame_depth_ != 0) restore();
}

// The call around this goes on, with its host and with the functions of that.
void Recorder::Frame::restore() {
  SeenHost& seen = recorder_.seen_;
  const std::uint64_t hit_count = seen.hit_count;
  const bool has_other_functions =
      seen.own[0].table != seen_before_.own[0].table || seen.own[1].table != seen_before_.own[1].table;
  seen = seen_before_;
  seen.hit_count = hit_count;
  if (has_other_functions) {
    seen.own[0].table = seen.own[1].table = nullptr;
    recorder_.wrap(*original_before_);
  }
  // It may have written to ports, and what it is predicted to do next may have changed meanwhile.
  if (seen.port() != 0)
    recorder_.agents_[seen.writer_agent].answer_at(seen.function(), seen.writer_word) |= kWritesFirst;
}

Host& Recorder::Frame::unrecorded() {
  Host& seen = recorder_.seen_;
  const bool is_wrapped = recorder_.is_wrapped(given_);
  if (&given_ != &seen) seen = given_;
  if (!is_wrapped) return seen;
  if (seen.behaviors != nullptr) seen.behaviors = recorder_.seen_.own[0].table;
  if (seen.conditions != nullptr) seen.conditions = recorder_.seen_.own[1].table;
  seen.script = recorder_.original().script;
  seen.log = recorder_.original().log;
  seen.queue = recorder_.original().queue;
  seen.too_deep = recorder_.original().too_deep;
  seen.reserved[0] = nullptr;
  return seen;
}

}  // namespace espalier::recording
