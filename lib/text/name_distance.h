// How far names are from each other, for those that look for the one that was meant. See names.h and name_index.h.
#pragma once
#include <cstddef>
#include <string_view>

namespace espalier::text {

inline constexpr std::size_t kMaxNameDistance = 2;

// Edit distance without case, where swapping two neighbours is one edit (optimal string alignment). Any number above
// `limit`, which is at most kMaxNameDistance, stands for "more than `limit`". Linear in the shorter name.
std::size_t name_distance(std::string_view a, std::string_view b, std::size_t limit);

// How far a name may be from the one that was meant: 1 for names of up to four letters, else 2.
std::size_t max_name_distance(std::string_view name);

}  // namespace espalier::text
