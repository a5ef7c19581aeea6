// One line of a trace: JSON to something checked. What names mean is not known here.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "rules/rules.h"

namespace espalier::replay {

using Json = nlohmann::ordered_json;

// Limits on what a trace may ask for.
inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;
inline constexpr std::uint32_t kMaxAgents = 1'000'000;  // at a time
inline constexpr std::uint32_t kMaxTimes = 10'000'000;  // of one tick

enum class LineKind : std::uint8_t {
  trace,
  signal,
  set,
  flags,
  stimulus,
  host,
  tick,
  jump,
  inject,
  spawn,
  destroy,
  reload,
  save,
  restore,
  expect,
  skipped,  // blank, a comment, or a recorded event
};

// What is wrong with a line. `column` is a byte of it, counted from 1.
struct LineFault {
  rules::Rule rule;
  std::uint32_t column = 1;
  std::string message;
  std::string hint = {};
};

// A line that is well-formed: `object` has the key of its kind, with a value of the right type, and no key that may not
// be there.
struct Line {
  LineKind kind = LineKind::skipped;
  Json object;
  bool all_agents = false;             // "agent": "all"
  std::optional<std::uint32_t> agent;  // "agent": number
  const Json& value() const;           // of the key of its kind
};

// The key of a kind, as it is written.
std::string_view key_of(LineKind kind);

// Reads one line without its line ending. The fault, if it has one.
[[nodiscard]] std::optional<LineFault> read_line(std::string_view text, Line& line);

// The column of a key in a line: the first place where it stands in quotes. 1 when there is none.
std::uint32_t column_of(std::string_view text, std::string_view key);

// Seconds to whole microseconds; nothing when they are negative, not finite or more than 100 years.
std::optional<std::uint64_t> to_microseconds(double seconds);

}  // namespace espalier::replay
