// Values and conversions. See values.h.
#include "poll/values.h"

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

Range range_of(PollType type) {
  switch (type) {
    case PollType::int8:
      return {INT8_MIN, INT8_MAX};
    case PollType::int16:
      return {INT16_MIN, INT16_MAX};
    case PollType::int32:
      return {INT32_MIN, INT32_MAX};
    case PollType::int64:
      return {INT64_MIN, INT64_MAX};
    case PollType::uint8:
      return {0, UINT8_MAX};
    case PollType::uint16:
      return {0, UINT16_MAX};
    case PollType::uint32:
      return {0, UINT32_MAX};
    case PollType::uint64:
      return {0, UINT64_MAX};
    default:
      return {0, 1};  // boolean
  }
}

bool is_in(const PollValue& value, PollType type) {
  const Range range = range_of(type);
  if (value.kind == ValueKind::natural || value.whole >= 0)
    return static_cast<std::uint64_t>(value.whole) <= range.most;
  return value.whole >= range.least;
}

PollValue whole_of(PollType type, std::int64_t whole) {
  return {is_unsigned_whole(type) ? ValueKind::natural : ValueKind::whole, type, whole};
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
  *whole = {ValueKind::natural, PollType::uint64, static_cast<std::int64_t>(number)};
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
  if (!has_digit) return false;
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
  *number = is_negative ? -magnitude : magnitude;
  *used = at;
  return true;
}

bool read_whole(std::string_view text, std::int64_t* whole, std::size_t* used) {
  std::size_t at = 0;
  const bool is_negative = !text.empty() && text[0] == '-';
  if (is_negative) ++at;
  const std::size_t first = at;
  std::uint64_t digits = 0;
  for (; at < text.size() && is_digit(text[at]); ++at) {
    const auto digit = static_cast<std::uint64_t>(text[at] - '0');
    if (digits > (UINT64_MAX - digit) / 10) return false;
    digits = digits * 10 + digit;
  }
  if (at == first) return false;
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
    *value = real_value(number, type);
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
  if (is_real(type)) {
    const double number = value.number();
    PollValue back;
    if (value.kind != ValueKind::real && (!as_whole(number, &back) || back.whole != value.whole)) return false;
    *fitted = real_value(number, type);
    return true;
  }
  PollValue whole = value;
  if (value.kind == ValueKind::real && !as_whole(value.real, &whole)) return false;
  if (!is_in(whole, type)) return false;
  *fitted = whole_of(type, whole.whole);
  return true;
}

bool as_type(const PollValue& value, PollType type, PollValue* read, char* buffer) {
  if (value.kind == ValueKind::none) return false;
  if (!is_kept(type)) {
    *read = value;
    return true;
  }
  if (value.is_text() && type > PollType::reserved && value.made_as > PollType::reserved) {
    *read = value;
    return value.made_as == type;
  }
  if (value.is_text()) return from_text(value.text, type, read);
  if (type == PollType::text) {
    *read = text_value(number_text(value, buffer));
    return !read->text.empty();
  }
  if (is_number_type(type)) return fit_number(value, type, read);
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
