// One line of a trace: JSON, read and checked; every key and value has its span. Names are not resolved here.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.h"
#include "text/json.h"

namespace espalier::replay {

// Limits on what a trace may ask for.
inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;
inline constexpr std::uint32_t kMaxAgents = 1'000'000;                          // at a time
inline constexpr std::uint32_t kMaxTimes = 1'000'000'000;                       // of one tick
inline constexpr std::uint64_t kMaxQueued = 16'000'000;                         // events that wait for agents
inline constexpr std::uint64_t kMaxClock_us = std::uint64_t{1} << 53;           // 285 years
inline constexpr std::uint64_t kMaxAgentMemory_bytes = std::uint64_t{1} << 30;  // of all agents and snapshots
inline constexpr std::uint64_t kMaxUpdates = 10'000'000;  // of all agents together, unless an option says otherwise

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // before the first line, perhaps

enum class LineKind : std::uint8_t {
  trace,
  signal,
  broadcast,
  when,
  set,
  flags,
  stimulus,
  host,
  tick,
  jump,
  inject,
  spawn,
  destroy,
  halt,
  reload,
  save,
  restore,
  print,
  expect,
  comment,  // or an empty line
  event,    // recorded by an earlier replay
  finding,  // the same
};

// A fault of a line, and its place in the line. replay.cpp makes findings of them.
struct LineFault {
  rules::Rule rule;
  text::Span span;
  std::string message;
  std::string hint = {};
};

// Why a correct line could not be executed. It changes nothing, and the trace continues.
struct LineFailure {
  text::Span span;
  std::string message;
  std::string hint = {};
};

// A well-formed line: it has the key of its kind, with a value of the right type, and no key that is not allowed.
struct Line {
  LineKind kind = LineKind::comment;
  text::JsonValue object;
  const text::JsonValue* value = nullptr;  // of the key of its kind; null for comments and events
  text::Span key;                          // that key
  bool all_agents = false;                 // "agent": "all"
  bool no_agents = false;                  // "agent": "none": the clock advances, and no agent is updated
  std::optional<std::uint32_t> agent;      // "agent": number
  text::Span agent_span;                   // its value, or `key`
  std::uint64_t seed = 1;                  // of the first line
  std::vector<LineFault> more_faults;      // further faults of its keys and values, besides the one that is returned

  // Empties all but `object`, whose memory the next line uses again.
  void clear();
  // The value of a key other than that of its kind; null if it is missing.
  const text::JsonValue* find(std::string_view name) const {
    return object.keys.size() < 2 ? nullptr : object.find(name);
  }
  // The same for a count, which was checked.
  std::uint32_t count(std::string_view name, std::uint32_t otherwise) const;
};

// What the data of a signal must be: `data` in the value of `when`.
struct DataTest {
  std::vector<text::JsonValue> equals = {};  // a string or a number, or two of them; empty: a range
  std::optional<double> below = {};
  std::optional<double> above = {};

  // Null: the signal has no data.
  bool holds(const text::JsonValue* data) const;
};
// Nothing: the value is no such test.
std::optional<DataTest> read_data_test(const text::JsonValue& value);

// The data of a signal or stimulus as text: numbers as shortest decimals, two values with a space between them.
std::string data_text(const text::JsonValue& data);

// The key of a kind as it is written in traces.
std::string_view key_of(LineKind kind);

// Reads one line without its line ending into `line`, which may hold another one. Returns its fault, if any.
[[nodiscard]] std::optional<LineFault> read_line(std::string_view text, Line& line);

// Reads lines as read_line() does. Traces repeat most of theirs: short ones without a fault are kept as they were read.
class KnownLines {
 public:
  // `*line` is valid until the next call.
  [[nodiscard]] std::optional<LineFault> read(std::string_view text, const Line** line);

 private:
  struct Kept {
    std::string text;  // empty: none
    Line line;
  };
  std::vector<Kept> kept_;
  Line line_;  // another one
};

// Does a line of this kind say what happened, or nothing? It is passed over.
constexpr bool is_passed_over(LineKind kind) {
  return kind == LineKind::comment || kind == LineKind::event || kind == LineKind::finding;
}

// Converts seconds to whole microseconds; nothing if they are negative, not finite or beyond the range of the clock.
std::optional<std::uint64_t> to_microseconds(double seconds);

}  // namespace espalier::replay
