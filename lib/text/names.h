// Comparing names as the engines do (ASCII without case), and finding the one a user meant.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace espalier::text {

// ASCII lower case; other bytes are kept.
std::string lower_case(std::string_view name);
bool equal_any_case(std::string_view a, std::string_view b);

// The candidate that `name` was most likely meant to be: first one that is equal without case, then the one at the smallest edit
// distance with transpositions, at most 2 (1 for names of up to four letters), when it is the only one at that distance.
// Empty when there is none.
std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates);

// "did you mean 'NEAREST'?", or empty.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace espalier::text
