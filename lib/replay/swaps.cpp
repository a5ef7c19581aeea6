// Changes between two behaviours. See swaps.h.
#include "replay/swaps.h"

#include <charconv>
#include <cmath>

#include <utility>

namespace espalier::replay {

std::optional<SwapLimit> read_swap_limit(std::string_view text) {
  constexpr double kMostSeconds = 1e9;
  SwapLimit limit;
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [slash, fault] = std::from_chars(text.data(), end, limit.count);
  if (fault != std::errc() || slash == end || *slash != '/' || limit.count == 0) return std::nullopt;
  const auto [rest, second_fault] = std::from_chars(slash + 1, end, seconds);
  if (second_fault != std::errc() || rest != end || !(seconds > 0 && seconds <= kMostSeconds)) return std::nullopt;
  limit.within_us = static_cast<std::uint64_t>(std::llround(seconds * 1e6));
  return limit;
}

bool Swaps::exceeds(const SwapLimit& limit, std::string_view behavior, std::uint64_t time_us) {
  if (behavior == now_) return false;
  if (behavior != before_) changes_us_.clear();
  before_ = std::exchange(now_, std::string(behavior));
  if (before_.empty()) return false;
  changes_us_.push_back(time_us);
  while (time_us - changes_us_.front() > limit.within_us) changes_us_.pop_front();
  if (changes_us_.size() <= limit.count) return false;
  changes_us_.clear();
  return true;
}

}  // namespace espalier::replay
