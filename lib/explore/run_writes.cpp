// What the program writes: what has to be cleared then, and writes that lead to states that are known. See run.h.
#include <algorithm>
#include <cstring>

#include "explore/run.h"

namespace espalier::explore {

// An entry that was written is all that may have to be cleared. False: it is not.
bool Run::settle_write(const Step& step) {
  if (step.kind != StepKind::write || world_.watched_us() != 0) return false;
  const auto settle_in = [&](const Side& in, std::uint32_t agent) {
    const std::uint32_t entry = step.id < in.entries.size() ? in.entries[step.id] : kNoValue;
    if (entry == kNoValue) return true;
    return in.engine->settle_entry != nullptr && in.engine->settle_entry(in, World::block(in, state_, agent), entry);
  };
  for (const Side& in : world_.sides()) {
    for (std::uint32_t agent = 0; agent < in.agent_count; ++agent) {
      if ((step.agent == kAllAgents || step.agent == agent) && !settle_in(in, agent)) return false;
    }
  }
  return true;
}

// Two writes of different things, one after the other, lead where they lead in the other order. A search by distance
// that tries steps in their order has found that before: by way of a state that was found before the one between them.
bool Run::is_known_write(std::uint32_t before, std::uint32_t number) const {
  if (before == 0 || world_.agent_count() > 1) return false;
  const Step& first = world_.steps()[before - 1];
  const Step& second = world_.steps()[number];
  return is_write(first.kind) && first.kind == second.kind && first.id != second.id && number < before - 1;
}

// A write that changes nothing.
bool Run::is_set_already(const Step& step, const unsigned char* state) const {
  if (step.kind != StepKind::set) return false;
  const std::uint32_t first = step.agent == kAllAgents ? 0 : step.agent;
  const std::uint32_t end = step.agent == kAllAgents ? world_.agent_count() : first + 1;
  return std::all_of(world_.sides().begin(), world_.sides().end(), [&](const Side& in) {
    const std::uint32_t variable = in.variables[step.id];
    for (std::uint32_t agent = first; agent < end && variable != kNoValue; ++agent) {
      const unsigned char* block = World::block(in, state, agent);
      if (espalier::variable(in.tree, block, variable) != (step.value != 0)) return false;
    }
    return true;
  });
}

// Do states that differ in the value of an entry alone, which lead to the same states by writes of it, matter but once?
bool Run::may_know_entries() const {
  return known_entries_ != nullptr && !world_.entries().empty() && world_.sides().size() == 1 &&
         world_.agent_count() == 1 && world_.sides().front().engine->take_value != nullptr && !observer_.sees_before;
}

// Those of whose writes all next states are known.
void Run::find_known_entries(const unsigned char* state) {
  const Side& in = world_.sides().front();
  std::memcpy(state_, state, size_);
  is_entry_known_.assign(world_.entries().size(), 0);
  values_.assign(world_.entries().size(), Hash());
  const auto add = [](Hash& to, const Hash& hash) {
    to.low += hash.low;
    to.high += hash.high;
  };
  Hash all_values;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (in.entries[i] == kNoValue) continue;
    values_[i] = in.engine->take_value(in, World::block(in, state_, 0), in.entries[i]);
    add(all_values, values_[i]);
  }
  const Hash rest = hash_of(state_, size_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] = mixed({rest.low + all_values.low - values_[i].low, rest.high + all_values.high - values_[i].high + i});
    known_entries_->fetch(values_[i]);
  }
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Hash& hash = values_[i];
    ++entry_counts_.looked_at;
    if (known_entries_->contains(hash) || !own_entries_.insert(hash)) {
      ++entry_counts_.merged;
      is_entry_known_[i] = 1;
    } else {
      new_entries_.push_back(hash);
    }
  }
}

// ---- Writes that are done as before

void Run::set_known_writes(std::shared_ptr<KnownWrites> known) {
  const Side& in = world_.sides().front();
  const bool is_one = world_.sides().size() == 1 && world_.agent_count() == 1;
  if (is_one && in.engine->entry_places != nullptr && world_.watched_us() == 0) known_writes_ = std::move(known);
}

// Is it enough to know which state a write leads to?
bool Run::may_know_writes() const { return known_writes_ != nullptr && !is_kept_ && !wanted_; }

// As expand_step(). False: it is not known what the step does.
bool Run::writes_as_before(const unsigned char* state, const Step& step, std::uint32_t number,
                           const std::function<void(const Next&)>& take) {
  const Side& in = world_.sides().front();
  if (step.kind != StepKind::write || in.entries[step.id] == kNoValue) return false;
  const Places* const places = in.engine->entry_places(in, in.entries[step.id]);
  if (places == nullptr) return false;
  KnownWrites::OfStep& known = known_writes_->of(number, places->size());
  before_.resize(places->size());
  read_words(*places, World::block(in, state, 0), before_.data());
  std::uint32_t found = known.find(before_.data());
  if (found == 0) {
    if (!find_write(state, step, *places, known)) return false;
    found = known.find(before_.data());
  }
  const std::uint64_t* const after = known.after(found - 1);
  if (!known.is_refused(found - 1) && !std::equal(before_.begin(), before_.end(), after)) {
    std::memcpy(state_, state, size_);
    std::copy(answers_begun_.begin(), answers_begun_.end(), state_ + size_);
    write_words(*places, World::block(in, state_, 0), after);
    take({state_, {}, true, write_});
  }
  ++number_;
  return true;
}

// Does it, to know it from now on.
bool Run::find_write(const unsigned char* state, const Step& step, const Places& places, KnownWrites::OfStep& known) {
  begin(state);
  apply(step);
  const bool is_refused = is_refused_;
  if (is_refused) std::memcpy(state_, state, size_);
  if (!is_refused && !settle_write(step)) return false;
  unsigned char* const block = World::block(world_.sides().front(), state_, 0);
  after_.resize(places.size());
  read_words(places, block, after_.data());
  write_words(places, block, before_.data());
  if (std::memcmp(state_, state, size_) != 0) return false;
  known.add(before_.data(), after_.data(), is_refused);
  return true;
}

}  // namespace espalier::explore
