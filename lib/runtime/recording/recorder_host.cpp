// The host of an agent that is recorded: its functions are wrapped while it is called. See recorder.h.
#include <cstdint>
#include <new>

#include "recording/recorder.h"

namespace espalier::recording {
namespace {

// Visits its functions, each with its FunctionNumber.
template <typename Visit>
void each_function(const Behavior& functions, Visit visit) {
  visit(kEnter, functions.enter);
  visit(kLeave, functions.leave);
  visit(kTick, functions.tick);
  visit(kInterrupt, functions.interrupt);
  visit(kReset, functions.reset);
  visit(kEvent, functions.event);
  visit(kAllow, functions.allow);
  visit(kIsBound, functions.is_bound);
  visit(kActivate, functions.activate);
  visit(kDeactivate, functions.deactivate);
  visit(kAsk, functions.ask);
  visit(kDecide, functions.decide);
}

std::uint16_t bits_of(const Behavior& functions) {
  unsigned bits = 0;
  each_function(functions,
                [&](FunctionNumber number, auto function) { bits |= (function != nullptr ? 1U : 0U) << number; });
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
      each_function(table[i], [&](FunctionNumber number, auto function) {
        own.of[number][i] = reinterpret_cast<OwnFunctions::Any>(function);
      });
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
    : recorder_(recorder), original_before_(recorder.seen_.original), given_(host) {
  SeenHost& seen = recorder.seen_;
  if (recorder.frame_depth_++ != 0) new (&seen_before_) SeenHost(seen);
  seen.begin_inside();
  if (recorder.is_over()) return;
  const bool is_wrapped = recorder.is_wrapped(host);  // in a call, with the host of the call, or a copy of it
  if (!is_wrapped) recorder.wrap(host);
  if (&host != &seen) static_cast<Host&>(seen) = host;
  if (is_wrapped) return;
  seen.original = &host;
  seen.others = {host.script, host.log, host.queue, host.too_deep};
  if (seen.behaviors != nullptr) seen.behaviors = recorder.behaviors_;
  if (seen.conditions != nullptr) seen.conditions = recorder.conditions_;
  record_functions(&seen);
  seen.reserved[0] = &recorder;
}

Recorder::Frame::~Frame() {
  recorder_.seen_.original = original_before_;
  if (--recorder_.frame_depth_ != 0) restore();
}

// The call around this goes on, with its host and with the functions of that.
void Recorder::Frame::restore() {
  SeenHost& seen = recorder_.seen_;
  const bool has_other_functions =
      seen.own[0].table != seen_before_.own[0].table || seen.own[1].table != seen_before_.own[1].table;
  seen.end_inside(seen_before_);
  if (has_other_functions) {
    seen.own[0].table = seen.own[1].table = nullptr;
    recorder_.wrap(*original_before_);
  }
  // It may have written to ports, and what it is predicted to do next may have changed meanwhile.
  if (seen.port() != 0)
    recorder_.agents_[seen.writer_agent].answers.at(seen.function(), seen.writer_word) |= kWritesFirst;
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
