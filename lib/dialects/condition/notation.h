// Conditions in the notation of other languages: "A || B && C" is "A or (B and C)" here.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::dialects::condition {

// What a token of other languages means here.
struct Habit {
  std::string_view written;
  std::string_view meant;
  std::uint8_t binding = 0;  // of a logical operator: it comes before those with a smaller number
  bool is_clear = true;      // nothing else can have been meant
};
inline constexpr std::array kOperatorHabits = {
    Habit{"&&", "and", 2},       Habit{"||", "or", 1},       Habit{"^", "xor", 4},       Habit{"&", "and", 5},
    Habit{"|", "or", 3},         Habit{"<>", "!="},          Habit{"~=", "!="},          Habit{"=", "=="},
    Habit{",", "and", 0, false}, Habit{"+", "or", 0, false}, Habit{"*", "and", 0, false}};
inline constexpr std::array kValueHabits = {Habit{"1", "true"}, Habit{"0", "false"}, Habit{"~", "!"},
                                            Habit{"-", "!", 0, false}};

// This in place of bytes [begin, end) of a text.
struct Change {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string text;
};

// What makes a condition of a text in another notation, in order. Where operators of that notation follow one another,
// parentheses keep its order of evaluation. Empty if something in the text is not clear: operators of both notations
// without parentheses have no known order. Linear in the length of the text; no recursion.
[[nodiscard]] std::vector<Change> translation(std::string_view text);

[[nodiscard]] std::string changed(std::string_view text, const std::vector<Change>& changes);

}  // namespace espalier::dialects::condition
