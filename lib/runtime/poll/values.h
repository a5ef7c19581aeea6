// Values of blackboards, and how one is converted to the type of a port or an entry. The rules are those of
// BehaviorTree.CPP 4.10 (Any, Entry, convertFromString).
#pragma once
#include <cstdint>
#include <string_view>

#include "format/records.h"

namespace espalier {

using layout::PollType;

enum class ValueKind : std::uint8_t { none, whole, natural, real, text };

// A value outside of a block, small enough for two registers; a text belongs to somebody else.
struct PollValue {
  union {
    std::int64_t whole;  // whole; natural: its bits
    double real;
    const char* chars;  // text
  };
  std::uint32_t text_bytes;
  ValueKind kind;
  PollType made_as;      // the type that it was first made with
  std::uint16_t source;  // in a script: the key that it was loaded by, plus 1; 0: none, or a larger one

  bool is_number() const { return kind >= ValueKind::whole && kind <= ValueKind::real; }
  bool is_text() const { return kind == ValueKind::text; }
  // Of a number.
  double number() const {
    return kind == ValueKind::real      ? real
           : kind == ValueKind::natural ? static_cast<double>(static_cast<std::uint64_t>(whole))
                                        : static_cast<double>(whole);
  }
  // Empty if it is no text.
  std::string_view text() const { return is_text() ? std::string_view(chars, text_bytes) : std::string_view(); }
};
static_assert(sizeof(PollValue) == 16);

inline PollValue whole_value(std::int64_t whole, PollType type = PollType::int64, ValueKind kind = ValueKind::whole) {
  PollValue value = {};
  value.whole = whole;
  value.kind = kind;
  value.made_as = type;
  return value;
}
inline PollValue natural_value(std::int64_t bits, PollType type = PollType::uint64) {
  return whole_value(bits, type, ValueKind::natural);
}
inline PollValue real_value(double real, PollType type = PollType::real64) {
  PollValue value = {};
  value.real = real;
  value.kind = ValueKind::real;
  value.made_as = type;
  return value;
}
inline PollValue text_value(std::string_view text) {
  PollValue value = {};
  value.chars = text.data();
  value.text_bytes = static_cast<std::uint32_t>(text.size());
  value.kind = ValueKind::text;
  value.made_as = PollType::text;
  return value;
}

constexpr bool is_kept(PollType type) { return type != PollType::untyped && type != PollType::any; }
constexpr bool is_signed_whole(PollType type) { return type >= PollType::int8 && type <= PollType::int64; }
constexpr bool is_unsigned_whole(PollType type) { return type >= PollType::uint8 && type <= PollType::uint64; }
constexpr bool is_real(PollType type) { return type == PollType::real32 || type == PollType::real64; }
constexpr bool is_number_type(PollType type) {
  return is_signed_whole(type) || is_unsigned_whole(type) || is_real(type) || type == PollType::boolean;
}

// The number that a text begins with; false if it begins with none. `used`: how many bytes it takes.
bool read_number(std::string_view text, double* number, std::size_t* used);
bool read_whole(std::string_view text, std::int64_t* whole, std::size_t* used);

// A text as a value of this type, as the library converts texts: the longest beginning that is a number. False: it
// cannot be converted.
bool from_text(std::string_view text, PollType type, PollValue* value);
// What a port of this type reads from a value. False: it cannot be converted.
bool as_type(const PollValue& value, PollType type, PollValue* read, char* buffer);
// From 2^53 on the library converts no whole number to a real one.
inline constexpr std::int64_t kLargestExact = (std::int64_t{1} << 53) - 1;
// A number as a double; false: it is a whole one of 2^53 or more, of either sign.
inline bool as_real(const PollValue& value, double* number) {
  if (value.kind == ValueKind::real) {
    *number = value.real;
    return true;
  }
  *number = static_cast<double>(value.whole);
  const bool is_negative = value.whole < 0;
  const auto bits = static_cast<std::uint64_t>(value.whole);
  return (is_negative ? 0 - bits : bits) <= std::uint64_t{kLargestExact} &&
         !(is_negative && value.kind == ValueKind::natural);
}
// Does a number fit a numeric type without loss? Then it is the value of that type. A real one fits a boolean unless it
// is negative: all but 0 are true.
bool fit_number(const PollValue& value, PollType type, PollValue* fitted);
// Does a number that a host, an output or a loop writes with one type go into an entry of another?
bool fits_entry(const PollValue& value, PollType from, PollType to, PollValue* fitted);

// The text of a number: a real one with six decimals. `buffer` has kNumberText bytes; its used part is returned, or
// nothing if the number is too large.
inline constexpr std::size_t kNumberText = 32;
std::string_view number_text(const PollValue& value, char* buffer);

// Equal within 2^-23, as scripts compare real numbers.
inline bool is_close(double a, double b) {
  const double difference = a > b ? a - b : b - a;
  return difference <= 1.1920928955078125e-07;
}

// The operand of PollOp::compare.
enum Comparison : std::uint32_t { kEqual, kUnequal, kLess, kGreater, kLessEqual, kGreaterEqual };

// All but equality hold for numbers that cannot be compared (nan).
template <typename T>
bool holds(std::uint32_t comparison, const T& a, const T& b, bool is_equal) {
  switch (comparison) {
    case kEqual:
      return is_equal;
    case kUnequal:
      return !is_equal;
    case kLess:
      return !(a >= b);
    case kGreater:
      return !(a <= b);
    case kLessEqual:
      return !(a > b);
    default:
      return !(a < b);
  }
}
inline bool holds(std::uint32_t comparison, double a, double b) { return holds(comparison, a, b, is_close(a, b)); }

}  // namespace espalier
