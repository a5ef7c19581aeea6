// Decimal numbers. See values.h.
#include "dialects/modular/values.h"

#include <algorithm>
#include <array>

namespace espalier::dialects::modular {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr unsigned kChanceBits = 53;

// The digits before the point, without leading zeros, and those behind it. Either may be empty.
struct Decimal {
  bool is_negative = false;
  std::string_view whole;
  std::string_view fraction;
};

std::optional<Decimal> parse(std::string_view text) {
  Decimal decimal;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    decimal.is_negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const std::size_t point = text.find('.');
  decimal.whole = text.substr(0, point);
  if (point != std::string_view::npos) decimal.fraction = text.substr(point + 1);
  const bool is_decimal = decimal.whole.find_first_not_of(kDigits) == std::string_view::npos &&
                          decimal.fraction.find_first_not_of(kDigits) == std::string_view::npos &&
                          decimal.whole.size() + decimal.fraction.size() > 0;
  if (!is_decimal) return std::nullopt;
  decimal.whole.remove_prefix(std::min(decimal.whole.find_first_not_of('0'), decimal.whole.size()));
  return decimal;
}

}  // namespace

std::optional<std::int64_t> read_seconds_us(std::string_view text) {
  constexpr std::size_t kFractionDigits = 6;
  constexpr std::size_t kWholeDigits = 12;
  const std::optional<Decimal> decimal = parse(text);
  if (!decimal) return std::nullopt;
  std::int64_t time_us = kFurthest_us;
  if (decimal->whole.size() <= kWholeDigits) {
    const auto digit = [&](std::size_t i) { return i < decimal->fraction.size() ? decimal->fraction[i] - '0' : 0; };
    time_us = 0;
    for (const char c : decimal->whole) time_us = time_us * 10 + (c - '0');
    for (std::size_t i = 0; i < kFractionDigits; ++i) time_us = time_us * 10 + digit(i);
    if (digit(kFractionDigits) >= 5) ++time_us;
  }
  return decimal->is_negative ? -time_us : time_us;
}

std::optional<std::uint64_t> read_chance(std::string_view text) {
  const std::optional<Decimal> decimal = parse(text);
  if (!decimal) return std::nullopt;
  if (decimal->is_negative) return 0;
  if (!decimal->whole.empty()) return std::uint64_t{1} << kChanceBits;
  // Doubling gives the next binary digit. A number of 53 binary digits has no more decimal ones behind the point, so
  // that those further away change nothing.
  std::array<unsigned, kChanceBits> digits = {};
  for (std::size_t i = 0; i < std::min(digits.size(), decimal->fraction.size()); ++i) {
    digits[i] = static_cast<unsigned>(decimal->fraction[i] - '0');
  }
  std::uint64_t chance = 0;
  for (unsigned bit = 0; bit < kChanceBits; ++bit) {
    unsigned carry = 0;
    for (std::size_t i = digits.size(); i-- > 0;) {
      const unsigned doubled = digits[i] * 2 + carry;
      digits[i] = doubled % 10;
      carry = doubled / 10;
    }
    chance = chance * 2 + carry;
  }
  return chance;
}

}  // namespace espalier::dialects::modular
