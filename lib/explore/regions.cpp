// See regions.h.
#include "explore/regions.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

namespace espalier::explore {

std::uint64_t granule_of(std::span<const std::uint64_t> durations_us) {
  std::uint64_t granule_us = 0;
  for (const std::uint64_t duration_us : durations_us) granule_us = std::gcd(granule_us, duration_us);
  return granule_us;
}

void order_times(Settling& settling, std::uint64_t granule_us) {
  const auto time_of = [](const TimeField& field) {
    std::uint64_t stored = 0;
    std::memcpy(&stored, field.bytes, sizeof stored);
    return stored - field.added;
  };
  const auto rest_of = [&](std::uint64_t time_us) {
    return (time_us % granule_us + granule_us - kNow % granule_us) % granule_us;
  };
  std::vector<std::uint64_t>& rests_us = settling.rests_us;
  rests_us.clear();
  for (const TimeField& field : settling.times) {
    if (const std::uint64_t rest_us = rest_of(time_of(field)); rest_us != 0) rests_us.push_back(rest_us);
  }
  if (rests_us.empty()) return;
  std::sort(rests_us.begin(), rests_us.end());
  rests_us.erase(std::unique(rests_us.begin(), rests_us.end()), rests_us.end());
  const std::uint64_t step_us = granule_us / (rests_us.size() + 1);
  if (step_us < 4) return;  // too fine to be spread: they stay apart as they are
  for (const TimeField& field : settling.times) {
    const std::uint64_t time_us = time_of(field);
    const std::uint64_t rest_us = rest_of(time_us);
    if (rest_us == 0) continue;
    const auto place =
        static_cast<std::uint64_t>(std::lower_bound(rests_us.begin(), rests_us.end(), rest_us) - rests_us.begin());
    const std::uint64_t stored = time_us - rest_us + (place + 1) * step_us + field.added;
    std::memcpy(field.bytes, &stored, sizeof stored);
  }
}

}  // namespace espalier::explore
