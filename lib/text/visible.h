// What a terminal would obey or hide, and how to show it. Text from outside may hold anything: names of files, trees,
// traces, assets, words of a command line.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace espalier::text {

// A character of UTF-8 and the bytes it takes. A byte that begins none is a character of its own, and is not valid.
struct Character {
  char32_t code = 0xFFFD;
  std::size_t size_bytes = 1;
  bool is_valid = false;
};

// The character at `offset`, which is inside of `text`. Overlong forms, surrogates, and what is cut off are not valid.
Character character_at(std::string_view text, std::size_t offset);

// Control characters, and invisible ones that let a line look like another ("Trojan Source", CVE-2021-42574).
bool is_hidden(char32_t code);

// `text` on one line: hidden characters as <U+001B>, a tab as a space, what is not UTF-8 as U+FFFD. To make visible
// what is visible changes nothing.
std::string visible(std::string_view text);

// What stands for a hidden character, or one that is not valid.
std::string name_of_hidden(Character character);

}  // namespace espalier::text
