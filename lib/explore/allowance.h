// What is left of a budget, for several answers that share it.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdint>

#include "explore/results.h"

namespace espalier::explore {

class Allowance {
 public:
  explicit Allowance(const Budget& budget) : budget_(budget) {}

  // One of `parts` equal parts of what is left; a little if nothing is.
  Budget part(std::uint64_t parts = 1) const {
    Budget part = budget_;
    part.states = std::max<std::uint64_t>(1, left(budget_.states, states_) / parts);
    if (budget_.milliseconds != 0)
      part.milliseconds = std::max<std::uint64_t>(1, left(budget_.milliseconds, microseconds_ / 1000) / parts);
    return part;
  }

  void use(std::uint64_t states, std::chrono::steady_clock::time_point begin) {
    const auto passed = std::chrono::steady_clock::now() - begin;
    states_ += states;
    microseconds_ += static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(passed).count());
  }

  // Is nothing left of the first one of `parts` equal parts?
  bool is_used_up(std::uint64_t parts = 1) const {
    const bool is_late = budget_.milliseconds != 0 && microseconds_ >= budget_.milliseconds * 1000 / parts;
    return is_late || states_ >= budget_.states / parts;
  }

 private:
  static std::uint64_t left(std::uint64_t all, std::uint64_t used) { return all - std::min(all, used); }

  const Budget budget_;
  std::uint64_t states_ = 0;  // that were paid
  std::uint64_t microseconds_ = 0;
};

// The tighter one of two budgets.
inline Budget least(Budget one, const Budget& other) {
  one.states = std::min(one.states, other.states);
  if (one.milliseconds == 0 || (other.milliseconds != 0 && other.milliseconds < one.milliseconds))
    one.milliseconds = other.milliseconds;
  return one;
}

// All but one of so many parts of it.
inline Budget without_part(Budget budget, std::uint64_t parts) {
  budget.states -= budget.states / parts;
  budget.milliseconds -= budget.milliseconds / parts;
  return budget;
}

}  // namespace espalier::explore
