// Rules that ran away. See run_away.h.
#include "replay/run_away.h"

#include <algorithm>
#include <cstddef>

namespace espalier::replay {
namespace {

constexpr std::size_t kMaxShown = 10;

// For each place, how many rules from there on are those from the beginning on (the Z function). Linear, as there may
// be 65,535 of them.
std::vector<std::size_t> matches(const std::vector<std::uint32_t>& rules) {
  std::vector<std::size_t> match(rules.size(), 0);
  std::size_t begin = 0;
  std::size_t end = 0;  // of the match that reaches furthest
  for (std::size_t i = 1; i < rules.size(); ++i) {
    std::size_t length = i < end ? std::min(end - i, match[i - begin]) : 0;
    while (i + length < rules.size() && rules[length] == rules[i + length]) ++length;
    match[i] = length;
    if (i + length <= end) continue;
    begin = i;
    end = i + length;
  }
  return match;
}

}  // namespace

RunAway shortened(const std::vector<std::uint32_t>& runs) {
  const std::vector<std::uint32_t> newest_first(runs.rbegin(), runs.rend());
  const std::vector<std::size_t> match = matches(newest_first);
  std::size_t best = 0;  // the period that the longest part at the end has
  for (std::size_t period = 1; 2 * period <= runs.size(); ++period) {
    if (match[period] < period) continue;
    if (best == 0 || match[period] + period > match[best] + best) best = period;
  }
  RunAway result;
  if (best != 0) result.times = match[best] / best + 1;
  const std::size_t count = std::min(best != 0 ? best : runs.size(), kMaxShown);
  result.rules.assign(runs.end() - static_cast<std::ptrdiff_t>(count), runs.end());
  return result;
}

}  // namespace espalier::replay
