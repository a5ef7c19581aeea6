// Changes between two behaviours. See swaps.h.
#include "replay/swaps.h"

#include <utility>

namespace espalier::replay {

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
