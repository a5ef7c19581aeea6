// Values and conversions. See values.h.
#include "poll/values.h"

#include <limits>

namespace espalier {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// 10^exponent, for exponents that a double has.
double power_of_ten(std::int32_t exponent) {
  double result = 1;
  double base = 10;
  for (std::uint32_t left = static_cast<std::uint32_t>(exponent < 0 ? -exponent : exponent); left != 0; left >>= 1) {
    if ((left & 1) != 0) result *= base;
    base *= base;
  }
  return result;
}

// Digits are read exactly up to 2^53 and powers up to 10^22; beyond that the last bit may differ.
double scaled(std::uint64_t digits, std::int32_t exponent) {
  const auto number = static_cast<double>(digits);
  if (digits == 0) return 0;
  if (exponent >= 0) return number * power_of_ten(exponent);
  return exponent < -300 ? number / power_of_ten(300) / power_of_ten(-exponent - 300) : number / power_of_ten(exponent);
}

struct Range {
  std::int64_t least;
  std::uint64_t most;
};

// Of types of whole numbers, by their number from boolean on.
constexpr Range kRanges[] = {
    {0, 1},         {INT8_MIN, INT8_MAX}, {INT16_MIN, INT16_MAX}, {INT32_MIN, INT32_MAX}, {INT64_MIN, INT64_MAX},
    {0, UINT8_MAX}, {0, UINT16_MAX},      {0, UINT32_MAX},        {0, UINT64_MAX}};
constexpr const Range& range_of(PollType type) {
  return kRanges[static_cast<std::size_t>(type) - static_cast<std::size_t>(PollType::boolean)];
}
static_assert(range_of(PollType::uint64).most == UINT64_MAX);

bool is_in(const PollValue& value, PollType type) {
  const Range& range = range_of(type);
  if (value.kind == ValueKind::natural || value.whole >= 0)
    return static_cast<std::uint64_t>(value.whole) <= range.most;
  return value.whole >= range.least;
}

PollValue whole_of(PollType type, std::int64_t whole) {
  return whole_value(whole, type, is_unsigned_whole(type) ? ValueKind::natural : ValueKind::whole);
}

// A number of a type of 32 bits; false: it is too large or too small for them.
bool as_single(double number, double* single) {
  constexpr double kLargest = 3.4028235677973366e38;  // rounds to a number that 32 bits do not hold
  if (number != number || number - number != 0) {     // nan and infinite ones
    *single = number;
    return true;
  }
  if (number >= kLargest || number <= -kLargest) return false;
  *single = static_cast<double>(static_cast<float>(number));
  return *single != 0 || number == 0;
}

// The length of a word at the beginning of a text, in any case of letters; 0: another one is there.
std::size_t length_of(std::string_view word, std::string_view text) {
  if (text.size() < word.size()) return 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if ((text[i] | 0x20) != word[i]) return 0;
  }
  return word.size();
}

// "inf", "infinity", "nan" and "nan(...)"; `used`: how many bytes it takes; 0: it is none of them.
double read_word(std::string_view text, std::size_t* used) {
  const double infinite = std::numeric_limits<double>::infinity();
  *used = length_of("infinity", text);
  if (*used == 0) *used = length_of("inf", text);
  if (*used != 0) return infinite;
  *used = length_of("nan", text);
  std::size_t end = *used;
  if (end == 0 || end == text.size() || text[end] != '(') return std::numeric_limits<double>::quiet_NaN();
  const auto is_letter = [](char c) { return is_digit(c) || c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); };
  for (++end; end < text.size() && is_letter(text[end]);) ++end;
  if (end < text.size() && text[end] == ')') *used = end + 1;
  return std::numeric_limits<double>::quiet_NaN();
}

// A real number without a fraction that 64 bits hold, as a whole one.
bool as_whole(double real, PollValue* whole) {
  if (!(real >= -9223372036854775808.0 && real < 18446744073709551616.0)) return false;
  if (real < 9223372036854775808.0) {
    const auto number = static_cast<std::int64_t>(real);
    *whole = whole_value(number);
    return static_cast<double>(number) == real;
  }
  const auto number = static_cast<std::uint64_t>(real);
  *whole = natural_value(static_cast<std::int64_t>(number));
  return static_cast<double>(number) == real;
}

constexpr std::string_view kTrue[] = {"1", "true", "True", "TRUE"};
constexpr std::string_view kFalse[] = {"0", "false", "False", "FALSE"};
constexpr std::string_view kStatuses[] = {"IDLE", "RUNNING", "SUCCESS", "FAILURE", "SKIPPED"};

template <std::size_t N>
std::size_t place_of(const std::string_view (&words)[N], std::string_view word) {
  std::size_t place = 0;
  while (place < N && words[place] != word) ++place;
  return place;
}

}  // namespace

bool read_number(std::string_view text, double* number, std::size_t* used) {
  std::size_t at = 0;
  const bool is_negative = !text.empty() && text[0] == '-';
  if (is_negative) ++at;
  std::uint64_t digits = 0;
  std::int32_t exponent = 0;
  bool has_digit = false;
  const auto take = [&](char c, bool is_fraction) {
    has_digit = true;
    if (digits < UINT64_MAX / 10 - 1) {
      digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
      if (is_fraction) --exponent;
    } else if (!is_fraction) {
      ++exponent;
    }
  };
  for (; at < text.size() && is_digit(text[at]); ++at) take(text[at], false);
  if (at < text.size() && text[at] == '.' && (has_digit || (at + 1 < text.size() && is_digit(text[at + 1])))) {
    for (++at; at < text.size() && is_digit(text[at]); ++at) take(text[at], true);
  }
  if (!has_digit) {
    const std::string_view word(text.data() + (is_negative ? 1 : 0), text.size() - (is_negative ? 1 : 0));
    const double special = read_word(word, used);
    if (*used == 0) return false;
    *number = is_negative ? -special : special;
    *used += is_negative ? 1 : 0;
    return true;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    std::size_t end = at + 1;
    const bool is_small = end < text.size() && text[end] == '-';
    if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
    std::int32_t written = 0;
    const std::size_t first = end;
    for (; end < text.size() && is_digit(text[end]); ++end) {
      if (written < 10000) written = written * 10 + (text[end] - '0');
    }
    if (end > first) {
      at = end;
      exponent += is_small ? -written : written;
    }
  }
  if (exponent > 400) exponent = 400;
  if (exponent < -600) exponent = -600;
  const double magnitude = scaled(digits, exponent);
  if (magnitude - magnitude != 0 || (magnitude == 0 && digits != 0)) return false;  // no double is as large or small
  *number = is_negative ? -magnitude : magnitude;
  *used = at;
  return true;
}

namespace {

// Digits from a place on, which moves behind them.
bool read_digits(std::string_view text, std::size_t* at, std::uint64_t* digits) {
  const std::size_t first = *at;
  *digits = 0;
  for (; *at < text.size() && is_digit(text[*at]); ++*at) {
    const auto digit = static_cast<std::uint64_t>(text[*at] - '0');
    if (*digits > (UINT64_MAX - digit) / 10) return false;
    *digits = *digits * 10 + digit;
  }
  return *at != first;
}

}  // namespace

bool read_whole(std::string_view text, std::int64_t* whole, std::size_t* used) {
  const bool is_negative = !text.empty() && text[0] == '-';
  std::size_t at = is_negative ? 1 : 0;
  std::uint64_t digits = 0;
  if (!read_digits(text, &at, &digits)) return false;
  const std::uint64_t most = is_negative ? std::uint64_t{1} << 63 : static_cast<std::uint64_t>(INT64_MAX);
  if (digits > most) return false;
  *whole = static_cast<std::int64_t>(is_negative ? 0 - digits : digits);
  *used = at;
  return true;
}

bool from_text(std::string_view text, PollType type, PollValue* value) {
  std::size_t used = 0;
  if (type == PollType::boolean) {
    const bool is_true = place_of(kTrue, text) < 4;
    *value = whole_value(is_true ? 1 : 0, type);
    return is_true || place_of(kFalse, text) < 4;
  }
  if (type == PollType::status) {
    const std::size_t place = place_of(kStatuses, text);
    *value = whole_value(static_cast<std::int64_t>(place), type);
    return place < 5;
  }
  if (is_real(type)) {
    double number = 0;
    if (!read_number(text, &number, &used)) return false;
    if (type == PollType::real32 && !as_single(number, &number)) return false;
    *value = real_value(number, type);
    return true;
  }
  if (type == PollType::uint64) {  // the only type whose numbers are read without a sign
    std::uint64_t digits = 0;
    if (!read_digits(text, &used, &digits)) return false;
    *value = whole_of(type, static_cast<std::int64_t>(digits));
    return true;
  }
  if (is_signed_whole(type) || is_unsigned_whole(type)) {
    std::int64_t whole = 0;
    if (!read_whole(text, &whole, &used)) return false;
    *value = whole_of(type, whole);
    return is_in(whole_value(whole), type);
  }
  *value = text_value(text);
  if (type > PollType::reserved) value->made_as = type;  // stands for what the host makes of it
  return type == PollType::text || type > PollType::reserved || !is_kept(type);
}

bool fit_number(const PollValue& value, PollType type, PollValue* fitted) {
  const bool is_whole = value.kind != ValueKind::real;
  if (is_signed_whole(type) || is_unsigned_whole(type)) {
    PollValue whole = value;
    if (!is_whole && !as_whole(value.real, &whole)) return false;
    *fitted = whole_of(type, whole.whole);
    return is_in(whole, type);
  }
  if (type == PollType::boolean) {
    const bool is_valid = is_whole ? value.whole == 0 || value.whole == 1 : !(value.real < 0);
    *fitted = whole_value(is_whole ? value.whole : value.real != 0 ? 1 : 0, type);
    return is_valid;
  }
  double number = 0;
  if (!as_real(value, &number)) return false;
  *fitted = real_value(type == PollType::real32 ? static_cast<double>(static_cast<float>(number)) : number, type);
  return true;
}

namespace {

constexpr unsigned width_of(PollType type) {
  switch (type) {
    case PollType::int8:
    case PollType::uint8:
      return 8;
    case PollType::int16:
    case PollType::uint16:
      return 16;
    case PollType::int32:
    case PollType::uint32:
      return 32;
    default:
      return 64;
  }
}

// A whole number cut to a type, as a conversion in C++ does.
std::int64_t cut(std::uint64_t number, PollType type) {
  const unsigned unused = 64 - width_of(type);
  const std::uint64_t shifted = number << unused;
  return is_unsigned_whole(type) ? static_cast<std::int64_t>(shifted >> unused)
                                 : static_cast<std::int64_t>(shifted) >> unused;
}

// The library compares a whole number with the range of another type after it has cut the ends of that range to the
// number's own type: so an `int` fits no type whose ends do not fit an `int`.
bool is_between_cut_ends(std::int64_t number, PollType from, PollType to) {
  const Range range = range_of(to);
  const std::int64_t least = cut(static_cast<std::uint64_t>(range.least), from);
  const std::int64_t most = cut(range.most, from);
  if (is_unsigned_whole(from)) {
    const auto natural = static_cast<std::uint64_t>(number);
    return natural <= static_cast<std::uint64_t>(most) && natural >= static_cast<std::uint64_t>(least);
  }
  return number <= most && number >= least;
}

}  // namespace

bool fits_entry(const PollValue& value, PollType from, PollType to, PollValue* fitted) {
  if (to == PollType::boolean) return false;
  if (from == PollType::boolean) {
    *fitted = is_real(to) ? real_value(static_cast<double>(value.whole), to) : whole_of(to, value.whole);
    return value.whole == 1 || !is_signed_whole(to);
  }
  if (is_real(to)) {
    const double number = value.number();
    double single = number;
    if (to == PollType::real32 && !as_single(number, &single)) return false;
    *fitted = real_value(number, to);
    if (value.kind == ValueKind::real) return single == number;  // nan is no number that comes back
    PollValue back = {};
    return as_whole(single, &back) && back.whole == value.whole;
  }
  if (value.kind == ValueKind::real) return fit_number(value, to, fitted);
  if (!is_between_cut_ends(value.whole, from, to)) return false;
  *fitted = whole_of(to, value.whole);
  return is_in(value, to);
}

bool as_type(const PollValue& value, PollType type, PollValue* read, char* buffer) {
  if (value.is_number() && is_number_type(type)) return fit_number(value, type, read);
  if (value.kind == ValueKind::none) return false;
  if (!is_kept(type)) {
    *read = value;
    return true;
  }
  if (value.is_text() && type > PollType::reserved && value.made_as > PollType::reserved) {
    *read = value;
    return value.made_as == type;
  }
  if (value.is_text()) return from_text(value.text(), type, read);
  if (type == PollType::text) {
    *read = text_value(number_text(value, buffer));
    return read->text_bytes != 0;
  }
  if (type == PollType::status) {
    constexpr std::uint64_t kStatusCount = 5;
    const bool is_number = fit_number(value, PollType::int32, read);
    read->made_as = type;
    return is_number && static_cast<std::uint64_t>(read->whole) < kStatusCount;
  }
  *read = value;
  return value.made_as == type;
}

std::string_view number_text(const PollValue& value, char* buffer) {
  char* const end = buffer + kNumberText;
  char* at = end;
  const auto put = [&](std::uint64_t number, int least) {
    for (; number != 0 || least > 0; number /= 10, --least) *--at = static_cast<char>('0' + number % 10);
  };
  bool is_negative = false;
  if (value.kind != ValueKind::real) {
    const auto bits = static_cast<std::uint64_t>(value.whole);
    is_negative = value.kind == ValueKind::whole && value.whole < 0;
    put(is_negative ? 0 - bits : bits, 1);
  } else {
    is_negative = value.real < 0;
    const double magnitude = is_negative ? -value.real : value.real;
    if (magnitude != magnitude) return "nan";
    if (magnitude - magnitude != 0) return is_negative ? "-inf" : "inf";
    if (!(magnitude < 1e18)) return {};
    auto whole = static_cast<std::uint64_t>(magnitude);
    // The fraction is m / 2^k exactly. m * 10^6 is in two parts, `high` * 2^32 + `low`.
    double fraction = magnitude - static_cast<double>(whole);
    std::uint32_t shift = 0;
    for (; fraction != static_cast<double>(static_cast<std::uint64_t>(fraction)) && shift < 80; ++shift) fraction *= 2;
    const auto mantissa = static_cast<std::uint64_t>(fraction);
    const std::uint64_t low_product = (mantissa & 0xFFFFFFFF) * 1000000;
    const std::uint64_t high = (mantissa >> 32) * 1000000 + (low_product >> 32);
    const std::uint64_t low = low_product & 0xFFFFFFFF;
    std::uint64_t millionths = 0;
    bool is_more = false;
    bool is_half = false;
    if (shift == 0) {
      millionths = mantissa * 1000000;
    } else if (shift <= 32) {
      millionths = high << (32 - shift) | low >> shift;
      const std::uint64_t rest = low & ((std::uint64_t{1} << shift) - 1);
      is_half = rest == std::uint64_t{1} << (shift - 1);
      is_more = rest > std::uint64_t{1} << (shift - 1);
    } else if (shift < 80) {
      const std::uint32_t down = shift - 32;
      millionths = high >> down;
      const std::uint64_t rest = high & ((std::uint64_t{1} << down) - 1);
      const std::uint64_t half = std::uint64_t{1} << (down - 1);
      is_half = rest == half && low == 0;
      is_more = rest > half || (rest == half && low != 0);
    }
    if (is_more || (is_half && (millionths & 1) != 0)) ++millionths;
    if (millionths >= 1000000) {
      millionths -= 1000000;
      ++whole;
    }
    put(millionths, 6);
    *--at = '.';
    put(whole, 1);
    is_negative = is_negative || (value.real == 0 && 1 / value.real < 0);
  }
  if (is_negative) *--at = '-';
  return {at, static_cast<std::size_t>(end - at)};
}

}  // namespace espalier
