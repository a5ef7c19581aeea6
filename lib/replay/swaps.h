// How often an agent changes between the same two behaviours: many changes in a short time are most likely two
// conditions that work against each other.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace espalier::replay {

struct SwapLimit {
  std::uint32_t count = 0;      // more changes than this
  std::uint64_t within_us = 0;  // in this time
};

// "4/2.5": more than 4 changes in 2.5 seconds; none: not of this form.
[[nodiscard]] std::optional<SwapLimit> read_swap_limit(std::string_view text);

// The changes of one agent.
class Swaps {
 public:
  // The agent has this behaviour now. Does that exceed the limit? If so, counting begins anew. A change to a third
  // behaviour begins anew too; the time without any behaviour does not count as a change.
  bool exceeds(const SwapLimit& limit, std::string_view behavior, std::uint64_t time_us);

  // The two behaviours, in the order of their names.
  std::string_view first() const { return now_ < before_ ? now_ : before_; }
  std::string_view second() const { return now_ < before_ ? before_ : now_; }

 private:
  std::string now_;
  std::string before_;                    // before `now_`; empty: there was none
  std::deque<std::uint64_t> changes_us_;  // between the two, the last ones
};

}  // namespace espalier::replay
