// Words of messages. See wording.h.
#include "text/wording.h"

#include <charconv>
#include <cmath>

namespace espalier::text {
namespace {

constexpr std::size_t kMaxListed = 24;

}  // namespace

std::string list_of(const std::vector<std::string_view>& names, std::string_view last_word) {
  const bool is_short = names.size() <= kMaxListed;
  const std::size_t listed = is_short ? names.size() : kMaxListed - 1;
  const std::string last = ' ' + std::string(last_word) + ' ';
  std::string list;
  for (std::size_t i = 0; i < listed; ++i) {
    if (i > 0) list += is_short && i + 1 == listed ? last : ", ";
    list += quote(names[i]);
  }
  return is_short ? list : list + last + std::to_string(names.size() - listed) + " more";
}

std::string expected_one_of(const std::vector<std::string_view>& names) {
  if (names.empty()) return {};
  if (names.size() <= 2) return "expected " + list_of(names, "or");
  return "expected one of " + list_of(names, "or");
}

std::string did_you_mean(std::string_view name) {
  return name.empty() ? std::string() : "did you mean " + quote(name) + "?";
}

std::string too_many(std::string_view things, std::uint64_t count, std::uint64_t most) {
  return "too many " + std::string(things) + ": " + std::to_string(count) + ", at most " + std::to_string(most);
}

std::string count_of(std::uint64_t count, std::string_view thing) {
  return std::to_string(count) + ' ' + std::string(thing) + (count == 1 ? "" : "s");
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, 1, ',');
  return digits;
}

std::string shown(double number) {
  constexpr double kExactWhole = 9007199254740992.0;  // 2^53
  char digits[32];
  const bool is_whole = std::trunc(number) == number && std::abs(number) < kExactWhole;
  const std::to_chars_result end = is_whole
                                       ? std::to_chars(digits, digits + sizeof digits, static_cast<long long>(number))
                                       : std::to_chars(digits, digits + sizeof digits, number);
  return std::string(digits, end.ptr);
}

}  // namespace espalier::text
