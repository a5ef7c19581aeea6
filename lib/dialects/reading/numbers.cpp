// Numbers of attributes. See values.h.
#include "dialects/reading/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "text/names.h"

namespace espalier::dialects {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr unsigned kChanceBits = 53;
constexpr std::int64_t kFractionDigits = 6;  // of a time
constexpr std::int64_t kWholeDigits = 12;
constexpr std::int64_t kFarthestExponent = 1'000'000'000;  // beyond it every number is 0 or infinite

// 0.DIGITS * 10^point: the digits before and after the point as one sequence, without leading zeros.
struct Decimal {
  bool is_negative = false;
  std::string digits;
  std::int64_t point = 0;

  int digit(std::int64_t place) const {  // 0: the first one after the point; -1: the one before it
    const std::int64_t i = place + point;
    return i >= 0 && i < static_cast<std::int64_t>(digits.size()) ? digits[static_cast<std::size_t>(i)] - '0' : 0;
  }
};

// The end of the characters of `set` that begin at `at`.
std::size_t end_of(std::string_view text, std::size_t at, std::string_view set) {
  return std::min(text.find_first_not_of(set, std::min(at, text.size())), text.size());
}

// The end of an exponent that begins with `letter` (in lower case) at `at`; `at` itself if there is none.
std::size_t end_of_exponent(std::string_view text, std::size_t at, char letter) {
  if (at >= text.size() || (text[at] | 0x20) != letter) return at;
  std::size_t begin = at + 1;
  if (begin < text.size() && (text[begin] == '-' || text[begin] == '+')) ++begin;
  const std::size_t end = end_of(text, begin, kDigits);
  return end == begin ? at : end;
}

// The end of digits with at most one point among them; `at` itself if there is no digit.
std::size_t end_of_mantissa(std::string_view text, std::size_t at, std::string_view digits) {
  const std::size_t point = end_of(text, at, digits);
  if (point == text.size() || text[point] != '.') return point;
  const std::size_t end = end_of(text, point + 1, digits);
  return end - at > 1 ? end : at;
}

bool begins_with(std::string_view text, std::size_t at, std::string_view word) {
  return at <= text.size() && text::equal_any_case(text.substr(at, word.size()), word);
}

enum class Form : std::uint8_t { none, decimal, hexadecimal, infinity, no_number };

struct Scanned {
  Form form = Form::none;
  std::size_t end = 0;
};

// What strtod reads at the beginning of a text that has no leading blanks.
Scanned scan(std::string_view text) {
  const std::size_t begin = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  if (begins_with(text, begin, "infinity")) return {Form::infinity, begin + 8};
  if (begins_with(text, begin, "inf")) return {Form::infinity, begin + 3};
  if (begins_with(text, begin, "nan")) return {Form::no_number, begin + 3};
  if (begins_with(text, begin, "0x")) {
    const std::size_t end = end_of_mantissa(text, begin + 2, kHexDigits);
    if (end > begin + 2) return {Form::hexadecimal, end_of_exponent(text, end, 'p')};
  }
  const std::size_t end = end_of_mantissa(text, begin, kDigits);
  if (end == begin) return {};
  return {Form::decimal, end_of_exponent(text, end, 'e')};
}

std::int64_t read_exponent(std::string_view text) {
  if (text.empty()) return 0;
  const bool is_negative = text[1] == '-';
  std::int64_t exponent = 0;
  for (const char c : text.substr(1)) {
    if (c < '0' || c > '9') continue;
    exponent = std::min(exponent * 10 + (c - '0'), kFarthestExponent);
  }
  return is_negative ? -exponent : exponent;
}

// Parses a text that is a decimal number as a whole.
Decimal parse(std::string_view text) {
  Decimal decimal;
  if (text[0] == '-' || text[0] == '+') {
    decimal.is_negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
  const std::size_t point = std::min(text.find('.'), mantissa);
  decimal.digits = text.substr(0, point);
  decimal.point = static_cast<std::int64_t>(point) + read_exponent(text.substr(mantissa));
  if (point < mantissa) decimal.digits += text.substr(point + 1, mantissa - point - 1);
  const std::size_t zeros = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
  decimal.digits.erase(0, zeros);
  decimal.point -= static_cast<std::int64_t>(zeros);
  return decimal;
}

std::optional<Decimal> parse_plain(std::string_view text) {
  const Scanned scanned = scan(text);
  const bool is_plain =
      scanned.form == Form::decimal && scanned.end == text.size() && text.find_first_of("eE") == std::string_view::npos;
  if (!is_plain) return std::nullopt;
  return parse(text);
}

std::int64_t time_of(const Decimal& decimal) {
  std::int64_t time_us = kFurthest_us;
  if (decimal.digits.empty()) {
    time_us = 0;
  } else if (decimal.point <= kWholeDigits) {
    time_us = 0;
    for (std::int64_t place = -kWholeDigits; place < kFractionDigits; ++place) {
      time_us = time_us * 10 + decimal.digit(place);
    }
    if (decimal.digit(kFractionDigits) >= 5) ++time_us;
  }
  return decimal.is_negative ? -time_us : time_us;
}

std::uint64_t chance_of(const Decimal& decimal) {
  if (decimal.is_negative || decimal.digits.empty()) return 0;
  if (decimal.point > 0) return std::uint64_t{1} << kChanceBits;
  // Doubling gives the next binary digit. A number of 53 binary digits has at most 53 decimal digits after the point,
  // so later digits change nothing.
  std::array<unsigned, kChanceBits> digits = {};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    digits[i] = static_cast<unsigned>(decimal.digit(static_cast<std::int64_t>(i)));
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

// The nearest double of digits without a sign; infinite or 0 if it is out of range for a double.
double double_of(std::string_view text, std::chars_format format, bool is_large) {
  double number = 0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), number, format);
  if (result.ec == std::errc::result_out_of_range) return is_large ? std::numeric_limits<double>::infinity() : 0;
  return number;
}

// Hexadecimal digits, converted through a double; such texts have few digits.
EngineNumber from_hexadecimal(std::string_view text, bool is_negative) {
  constexpr double kMicroseconds = 1e6;
  constexpr double kChances = 9007199254740992.0;  // 2^53
  const std::size_t exponent = text.find_first_of("pP");
  const bool is_large = exponent == std::string_view::npos || text[exponent + 1] != '-';
  EngineNumber number;
  const double size = double_of(text, std::chars_format::hex, is_large);
  number.exact = is_negative ? -size : size;
  const double time_us = std::min(size * kMicroseconds, static_cast<double>(kFurthest_us));
  number.time_us = std::llround(is_negative ? -time_us : time_us);
  number.chance = is_negative ? 0 : static_cast<std::uint64_t>(std::min(size, 1.0) * kChances);
  return number;
}

double exact_of(std::string_view text, const Decimal& decimal) {
  const std::string_view digits = text.substr(text[0] == '-' || text[0] == '+' ? 1 : 0);
  const double size = double_of(digits, std::chars_format::general, decimal.point > 0);
  return decimal.is_negative ? -size : size;
}

EngineNumber from_decimal(std::string_view text) {
  const Decimal decimal = parse(text);
  EngineNumber number;
  number.exact = exact_of(text, decimal);
  number.time_us = time_of(decimal);
  number.chance = chance_of(decimal);
  return number;
}

}  // namespace

std::optional<std::int64_t> read_seconds_us(std::string_view text) {
  const std::optional<Decimal> decimal = parse_plain(text);
  if (!decimal) return std::nullopt;
  return time_of(*decimal);
}

bool EngineNumber::is_finite() const { return std::isfinite(value); }

std::string_view without_blanks_around(std::string_view text) {
  text.remove_prefix(end_of(text, 0, kBlanks));
  const std::size_t last = text.find_last_not_of(kBlanks);
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string_view engine_number_prefix(std::string_view text) {
  text = without_blanks_around(text);
  return text.substr(0, scan(text).end);
}

std::optional<EngineNumber> read_engine_number(std::string_view text) {
  text = without_blanks_around(text);
  const Scanned scanned = scan(text);
  if (scanned.form == Form::none || scanned.end != text.size()) return std::nullopt;
  const bool is_negative = text[0] == '-';
  EngineNumber number;
  switch (scanned.form) {
    case Form::decimal:
      number = from_decimal(text);
      break;
    case Form::hexadecimal:
      number = from_hexadecimal(text.substr(text.find_first_of("xX") + 1), is_negative);
      break;
    case Form::infinity:
      number.exact = is_negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
      number.time_us = is_negative ? -kFurthest_us : kFurthest_us;
      number.chance = is_negative ? 0 : std::uint64_t{1} << kChanceBits;
      break;
    case Form::no_number:
    case Form::none:
      number.exact = std::numeric_limits<double>::quiet_NaN();
      break;
  }
  // Out of range for single precision: converting such a double is undefined.
  const bool is_huge = std::abs(number.exact) > static_cast<double>(std::numeric_limits<float>::max());
  const float infinity = std::numeric_limits<float>::infinity();
  number.value = is_huge ? (is_negative ? -infinity : infinity) : static_cast<float>(number.exact);
  return number;
}

std::optional<double> read_decimal(std::string_view text) {
  const std::optional<Decimal> decimal = parse_plain(text);
  const double number = decimal ? exact_of(text, *decimal) : std::numeric_limits<double>::infinity();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> read_whole(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  std::int64_t whole = 0;
  const std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  return whole;
}

}  // namespace espalier::dialects
