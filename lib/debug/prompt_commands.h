// The commands of a prompt: their syntax, and the lines of a trace that most of them stand for.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "replay/line.h"

namespace espalier::debug {

using Words = std::vector<std::string>;

inline constexpr std::string_view kCount = "[N]";  // the syntax of a number of lines
inline constexpr std::string_view kBack = "[N | to NAME]";
inline constexpr std::string_view kStep = "[over | out | update | back [update]]";
inline constexpr std::string_view kBreak =
    "WHERE [if CONDITION] [hit N] [say TEXT]; WHERE is NODE[:RESULT], "
    "FILE:LINE[:COLUMN], write NAME, or fault NAME";

struct Command {
  std::string_view name;
  std::string_view syntax;  // of the words after it
  std::string_view help;
  std::size_t least_words;
  std::size_t most_words;
  std::string (*line)(const Words& words);            // of a trace; null: the prompt itself does it
  replay::LineKind kind = replay::LineKind::comment;  // of that line, if not all trees accept it
};

[[nodiscard]] std::span<const Command> commands();

// Words are separated by spaces; one with spaces is in "...".
[[nodiscard]] Words words_of(const std::string& text);
// A word as JSON: numbers, true, false and null are themselves, other words are strings.
[[nodiscard]] std::string json_of(const std::string& word);
// A number of lines or of a line; none: the word is not one.
[[nodiscard]] std::optional<std::size_t> number_of(const std::string& word);

}  // namespace espalier::debug
