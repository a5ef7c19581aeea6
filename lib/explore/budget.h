// How much may be explored.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace espalier::explore {

// What is not decided within it is undecided, and is said to be.
struct Budget {
  std::uint64_t states = 2'000'000;
  // The work that a state pays for, on average, in 64ths of a microsecond (Run::work): what exceeds it is paid for as
  // states. 0: a state pays for 64 steps, whatever they take.
  std::uint32_t cost_a_state = 0;
  std::uint64_t milliseconds = 0;  // 0: any; results are the same in each run only without it
  std::uint32_t threads = 0;       // 0: all processors. The results do not depend on it
  std::uint32_t choices = 65'536;  // ways that the host and chance may take in one update
  std::uint32_t few_choices = 4;   // with no more of them, it is not looked for where they meet; tests take 0
  // Once something was found: twice of what that took, and this, for all the rest of a search. 0: all of the budget.
  std::uint64_t states_then = 0;
  // Becomes true when exploring must end at once. Null: it never does.
  const std::atomic<bool>* interruption = nullptr;

  // How much work a state pays for, and all of them.
  std::uint64_t work_a_state() const { return cost_a_state != 0 ? cost_a_state : 64; }
  std::uint64_t work() const { return std::min(states, UINT64_MAX / work_a_state()) * work_a_state(); }
  // What replays of a trace of so many bytes pay.
  std::uint64_t states_for_replays(std::uint64_t trace_bytes, std::uint64_t count) const {
    constexpr std::uint64_t kWorkAByte = 6;
    return cost_a_state != 0 ? kWorkAByte * trace_bytes * count / cost_a_state : 0;
  }
  bool is_interrupted() const { return interruption != nullptr && *interruption; }
};

// Why what was interrupted is undecided.
inline constexpr const char* kInterrupted = "the exploration was interrupted";

// Of a tree, if none is given: about ten seconds of one processor.
inline constexpr Budget kDefaultBudget{.cost_a_state = 320};

// Of a tree, if only a time is given: as many states as may be in memory.
inline constexpr Budget kTimedBudget{.states = 100'000'000};

// Sets a part of it: a number of states ("100000"), a time ("30s", "500ms", "2m"), or so many times the default work
// ("10x"). False: it is none of these.
[[nodiscard]] bool read_budget(std::string_view text, Budget* budget);

}  // namespace espalier::explore
