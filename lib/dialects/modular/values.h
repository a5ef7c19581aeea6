// Decimal numbers of attributes, read exactly: no floating point on the way to what an asset holds.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier::dialects::modular {

// Times further away are taken as this: more than thirty thousand years.
inline constexpr std::int64_t kFurthest_us = 1'000'000'000'000'000'000;

// Seconds as the nearest microsecond, halves away from 0. Nothing: the text is no decimal number (a sign, digits and a
// point are all it may have).
[[nodiscard]] std::optional<std::int64_t> read_seconds_us(std::string_view text);

// A chance, taken as 0 below that and as 1 above, in parts of 2^53, rounded down.
[[nodiscard]] std::optional<std::uint64_t> read_chance(std::string_view text);

}  // namespace espalier::dialects::modular
