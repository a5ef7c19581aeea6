// The words that messages of all dialects have in common.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/names.h"

namespace espalier::text {

// "'a', 'b' and 'c'"; of very many names only the first, and the number of the others.
[[nodiscard]] std::string list_of(const std::vector<std::string_view>& names, std::string_view last_word = "and");
// "expected 'a'", "expected 'a' or 'b'", "expected one of 'a', 'b', 'c'".
[[nodiscard]] std::string expected_one_of(const std::vector<std::string_view>& names);
// "did you mean 'NAME'?"; empty for an empty name.
[[nodiscard]] std::string did_you_mean(std::string_view name);
// "too many roles: 9, at most 8".
[[nodiscard]] std::string too_many(std::string_view things, std::uint64_t count, std::uint64_t most);
// "1 agent", "3 agents".
[[nodiscard]] std::string count_of(std::uint64_t count, std::string_view thing);
// 65534 as "65,534".
[[nodiscard]] std::string with_commas(std::uint64_t number);
// A number as a person writes it: no exponent where none is needed, no zeros at the end.
[[nodiscard]] std::string shown(double number);

// The names of those things that have one, for hints.
template <typename Things>
std::vector<std::string_view> names_of(const Things& things) {
  std::vector<std::string_view> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace espalier::text
