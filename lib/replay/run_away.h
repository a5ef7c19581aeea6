// Rules that ran away, shortened to what a reader needs: the part that repeats itself, or else the last of them.
#pragma once
#include <cstdint>
#include <vector>

namespace espalier::replay {

struct RunAway {
  std::vector<std::uint32_t> rules;  // newest last
  std::uint64_t times = 1;           // how often they were run one after the other, up to the end
};

// `runs`: the rules that were run in one update, newest last.
RunAway shortened(const std::vector<std::uint32_t>& runs);

}  // namespace espalier::replay
