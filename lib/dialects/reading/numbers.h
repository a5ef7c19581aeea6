// Numbers of attributes, as engines read them. Times and chances are read exactly, without floating point, and nothing
// depends on the locale.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier::dialects {

// Larger times are taken as this: more than thirty thousand years.
inline constexpr std::int64_t kFurthest_us = 1'000'000'000'000'000'000;

// Seconds as the nearest microsecond, halves away from 0. Nothing if the text is not a decimal number (it may have only
// a sign, digits and a point).
[[nodiscard]] std::optional<std::int64_t> read_seconds_us(std::string_view text);

// A number as CRYENGINE and Lumberyard read it: `(float)atof(text)`.
struct EngineNumber {
  float value = 0;           // infinite if single precision cannot hold it; may be NaN
  double exact = 0;          // the nearest double; infinite if a double cannot hold it either
  std::int64_t time_us = 0;  // as read_seconds_us(); 0 for NaN
  std::uint64_t chance = 0;  // clamped to 0 and 1, in parts of 2^53, rounded down; 0 for NaN
  bool is_finite() const;
};

// The number that atof reads: digits with or without a point and an exponent, hexadecimal ones after "0x", "inf",
// "infinity", "nan". Nothing if atof does not read the whole text, apart from blanks around it.
[[nodiscard]] std::optional<EngineNumber> read_engine_number(std::string_view text);

// The part of a text that atof reads, without leading blanks; if it is empty, atof gives 0.
[[nodiscard]] std::string_view engine_number_prefix(std::string_view text);

// Removes leading and trailing blanks, which are those of C's isspace() in the C locale.
[[nodiscard]] std::string_view without_blanks_around(std::string_view text);

// A decimal number, all of it: no blanks, no exponent.
[[nodiscard]] std::optional<double> read_decimal(std::string_view text);
[[nodiscard]] std::optional<std::int64_t> read_whole(std::string_view text);

}  // namespace espalier::dialects
