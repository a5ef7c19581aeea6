// Properties as automata. See monitor.h.
#include "explore/property/monitor.h"

namespace espalier::explore {

PropertyMonitor::PropertyMonitor(const Property& property)
    : kind_(property.kind),
      is_claim_a_state_(property.claim.kind == Condition::Kind::state),
      has_after_(property.after.has_value()),
      has_until_(property.until.has_value()),
      within_(property.within),
      more_than_(property.more_than),
      for_us_(property.for_us) {}

PropertyMonitor::Verdict PropertyMonitor::advance(State& state, const PropertyMoment& moment) const {
  if (kind_ == PropertyKind::expect && !has_until_) return count_down(state, moment);
  if (is_open(state)) {
    const bool is_late = for_us_ != 0 && moment.time_us >= state.since_us + for_us_;
    Verdict verdict = Verdict::open;
    if (is_late || (has_until_ && moment.until)) {
      verdict = end(state);
    } else if (moment.is_looked) {
      verdict = look(state, moment);
    }
    if (verdict != Verdict::open) return verdict;
  }
  const bool begins_anew = for_us_ != 0 && is_open(state);
  if (has_after_ && moment.after && (begins_anew || state.scope == static_cast<std::uint8_t>(Scope::first)))
    begin(state, moment);
  return Verdict::open;
}

bool PropertyMonitor::is_open(const State& state) const {
  return state.scope == static_cast<std::uint8_t>(has_after_ ? Scope::open : Scope::first);
}

// What is expected answers the oldest `after`, and with it all later ones. What happens in an update is in time for
// those that it began with, and for those that came in it.
PropertyMonitor::Verdict PropertyMonitor::count_down(State& state, const PropertyMoment& moment) const {
  if (moment.is_looked && moment.claim) {
    state.count = 0;
  } else if (moment.is_update && state.count > 0 && --state.count == 0) {
    return Verdict::shown;
  }
  if (state.count == 0 && moment.after) state.count = static_cast<std::uint16_t>(within_);
  return Verdict::open;
}

// States count when they come true.
PropertyMonitor::Verdict PropertyMonitor::look(State& state, const PropertyMoment& moment) const {
  const bool is_true = moment.claim != (kind_ == PropertyKind::always);
  if (kind_ == PropertyKind::expect) {
    if (is_true) state = {};
    return Verdict::open;
  }
  const bool is_new = is_true && !(is_claim_a_state_ && state.was_true != 0);
  const bool is_counted = more_than_ != 0;
  state.was_true = is_counted && is_claim_a_state_ && is_true ? 1 : 0;
  if (!is_new) return Verdict::open;
  if (state.count >= more_than_) return Verdict::shown;
  ++state.count;
  return Verdict::open;
}

void PropertyMonitor::begin(State& state, const PropertyMoment& moment) const {
  state = {.since_us = for_us_ != 0 ? moment.time_us : 0, .scope = static_cast<std::uint8_t>(Scope::open)};
}

PropertyMonitor::Verdict PropertyMonitor::end(State& state) const {
  if (kind_ == PropertyKind::expect) return Verdict::shown;  // it did not come in time
  state = {};
  if (has_after_) return Verdict::open;
  state.scope = static_cast<std::uint8_t>(Scope::over);
  return Verdict::closed;
}

}  // namespace espalier::explore
