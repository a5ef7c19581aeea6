// Numbers of attributes, as engines read them. Times and chances are read exactly: no floating point on the way to the
// times and chances that an asset holds, and nothing that depends on the locale.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier::dialects {

// Times further away are taken as this: more than thirty thousand years.
inline constexpr std::int64_t kFurthest_us = 1'000'000'000'000'000'000;

// Seconds as the nearest microsecond, halves away from 0. Nothing: the text is no decimal number (a sign, digits and a
// point are all it may have).
[[nodiscard]] std::optional<std::int64_t> read_seconds_us(std::string_view text);

// A chance, taken as 0 below that and as 1 above, in parts of 2^53, rounded down.
[[nodiscard]] std::optional<std::uint64_t> read_chance(std::string_view text);

// A number as CRYENGINE and Lumberyard read it: `(float)atof(text)`.
struct EngineNumber {
  float value = 0;           // infinite where single precision cannot hold it; may be no number (NaN)
  double exact = 0;          // the nearest double, infinite where it cannot hold it either
  std::int64_t time_us = 0;  // as read_seconds_us(); of no number 0
  std::uint64_t chance = 0;  // as read_chance(); of no number 0
  bool is_finite() const;
};

// What atof reads in a text, which it must read whole but for blanks around it: digits with or without a point and an
// exponent, hexadecimal ones after "0x", "inf", "infinity", "nan". Nothing: it reads less, or nothing.
[[nodiscard]] std::optional<EngineNumber> read_engine_number(std::string_view text);

// The part of a text that atof reads, without blanks before it; empty: none, so that it gives 0.
[[nodiscard]] std::string_view engine_number_prefix(std::string_view text);

// Without what C's isspace() takes as blank in the C locale.
[[nodiscard]] std::string_view without_blanks_around(std::string_view text);

// A decimal number, all of it: no blanks, no exponent.
[[nodiscard]] std::optional<double> read_decimal(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> read_whole(std::string_view text);

}  // namespace espalier::dialects
