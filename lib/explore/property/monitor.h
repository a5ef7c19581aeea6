// A property as an automaton beside the state that is explored: it is advanced with each moment of a run, and says when
// the run refutes the property, or shows what is to be reachable.
//
// The claim is looked at while a *scope* is open: from `after` to `until`, each time anew; without `after` once, from
// the beginning. A moment that ends a scope is no longer in it, one that begins it not yet.
#pragma once
#include <cstdint>

#include "explore/properties.h"

namespace espalier::explore {

// What is true at a moment of a run: at an event, at a step, or after an update.
struct PropertyMoment {
  bool is_update = false;  // after an update of the agent
  bool is_looked = false;  // the claim is about such moments
  bool claim = false;
  bool after = false;
  bool until = false;
  std::uint64_t time_us = 0;  // of the clock
};

class PropertyMonitor {
 public:
  // All zero in the beginning.
  struct State {
    std::uint64_t since_us = 0;  // the scope began then; 0: it is not open, or the time is not needed
    std::uint16_t count = 0;     // updates that are left for what is expected, or how often the claim came true
    std::uint8_t scope = 0;      // a Scope
    std::uint8_t was_true = 0;   // the claim, when it was looked at last
  };
  enum class Verdict : std::uint8_t {
    open,
    closed,  // nothing that follows matters
    shown    // the run refutes the property; of `reachable`: it shows it
  };

  explicit PropertyMonitor(const Property& property);
  Verdict advance(State& state, const PropertyMoment& moment) const;

 private:
  enum class Scope : std::uint8_t {
    first,  // as it begins: open without `after`
    open,
    over
  };
  bool is_open(const State& state) const;
  Verdict count_down(State& state, const PropertyMoment& moment) const;
  Verdict look(State& state, const PropertyMoment& moment) const;
  void begin(State& state, const PropertyMoment& moment) const;
  Verdict end(State& state) const;

  PropertyKind kind_;
  bool is_claim_a_state_;
  bool has_after_, has_until_;
  std::uint32_t within_, more_than_;
  std::uint64_t for_us_;
};

}  // namespace espalier::explore
