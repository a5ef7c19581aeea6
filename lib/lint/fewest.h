// The fewest causes of what cannot happen: those that a finding names.
#pragma once
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace espalier::lint {

// The fewest of `all` that suffice: of sets of one size, the first. If looking for them takes too many questions, a set
// none of which can be left out. Empty: nothing is needed, or not even all suffice. `suffices(some)` is true of each
// set with more than what suffices.
template <typename T, typename Suffices>
std::vector<T> fewest(const std::vector<T>& all, const Suffices& suffices) {
  constexpr std::size_t kMostAsked = 512;
  if (!suffices(all)) return {};
  std::vector<T> least = all;
  for (std::size_t i = least.size(); i-- > 0;) {
    std::vector<T> fewer = least;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (suffices(fewer)) least = std::move(fewer);
  }
  std::size_t asked = 0;
  for (std::size_t size = 1; size < least.size(); ++size) {
    std::vector<std::size_t> chosen(size);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    for (;;) {
      if (++asked > kMostAsked) return least;
      std::vector<T> some;
      some.reserve(size);
      for (const std::size_t index : chosen) some.push_back(all[index]);
      if (suffices(some)) return some;
      // The next set of this size: the last index that can be higher.
      std::size_t last = size;
      while (last > 0 && chosen[last - 1] == all.size() - size + last - 1) --last;
      if (last == 0) break;
      std::iota(chosen.begin() + static_cast<std::ptrdiff_t>(last - 1), chosen.end(), chosen[last - 1] + 1);
    }
  }
  return least;
}

}  // namespace espalier::lint
