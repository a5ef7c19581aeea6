// What may be done for the tests of a tree: what is left of its budget when it was explored.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "explore/budget.h"

namespace espalier::mutants {

class Effort {
 public:
  // A budget of states without a cost does not limit it.
  explicit Effort(const explore::Budget& budget)
      : budget_(budget), end_(std::chrono::steady_clock::now() + std::chrono::milliseconds(budget.milliseconds)) {}

  const explore::Budget& budget() const { return budget_; }
  // Work as budgets count it. Not for several threads at once: what is done does not depend on their number.
  void use(std::uint64_t work) { work_ += work; }
  void use_replays(std::size_t trace_bytes, std::size_t count) {
    use(budget_.states_for_replays(trace_bytes, count) * budget_.work_a_state());
  }
  void use_states(std::uint64_t states, const explore::Budget& of) { use(states * of.work_a_state()); }

  std::uint64_t work_left() const {
    if (budget_.cost_a_state == 0) return UINT64_MAX;
    return budget_.work() - std::min(budget_.work(), work_);
  }
  // One of so many equal parts of the time that is left. None: it is not limited.
  std::optional<std::chrono::steady_clock::duration> time_left(std::uint32_t parts) const {
    if (budget_.milliseconds == 0) return std::nullopt;
    return std::max(end_ - std::chrono::steady_clock::now(), std::chrono::steady_clock::duration::zero()) / parts;
  }
  bool is_over() const {
    const bool is_late = budget_.milliseconds != 0 && std::chrono::steady_clock::now() > end_;
    return budget_.is_interrupted() || is_late || work_left() == 0;
  }
  // What the budget has paid.
  std::uint64_t paid_count() const { return budget_.cost_a_state == 0 ? 0 : work_ / budget_.work_a_state(); }

 private:
  const explore::Budget budget_;
  const std::chrono::steady_clock::time_point end_;
  std::uint64_t work_ = 0;
};

}  // namespace espalier::mutants
