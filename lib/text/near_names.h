// Is one name a slip of the finger for another? Findings whose severity depends on it ask here; hints may guess more.
#pragma once
#include <string_view>

namespace espalier::text {

// Equal without case, or with one letter added, lost, changed or swapped with its neighbour, and two in words of six
// letters or more. What differs in a number, in a word of one letter, by a whole word or by a prefix such as "un" is
// another name.
[[nodiscard]] bool is_near_name(std::string_view written, std::string_view meant);

}  // namespace espalier::text
