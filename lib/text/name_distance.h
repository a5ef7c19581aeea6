// The distance between names, for "did you mean" hints. See names.h and name_index.h.
#pragma once
#include <cstddef>
#include <string_view>

namespace espalier::text {

inline constexpr std::size_t kMaxNameDistance = 2;

// Edit distance without case, where swapping two neighbours is one edit (optimal string alignment). Any number above
// `limit`, which is at most kMaxNameDistance, means "more than `limit`". Linear in the shorter name.
std::size_t name_distance(std::string_view a, std::string_view b, std::size_t limit);

// The maximum distance of a likely misspelling: 1 for names of up to four letters, else 2.
std::size_t max_name_distance(std::string_view name);

}  // namespace espalier::text
