// Finds characters that a terminal would execute or hide, and makes them visible. Text from outside may contain
// anything: names of files, trees, traces, assets, words of a command line.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace espalier::text {

// A UTF-8 character and its length in bytes. An invalid byte is a character by itself, and is marked as not valid.
struct Character {
  char32_t code = 0xFFFD;
  std::size_t size_bytes = 1;
  bool is_valid = false;
};

// Where the first byte from `begin` on is that is no printable character of ASCII; the size of `text` if there is none.
std::size_t end_of_printable(std::string_view text, std::size_t begin);

// The character at `offset`, which must be less than the size of `text`. Overlong forms, surrogates, and truncated
// characters are not valid.
Character character_at(std::string_view text, std::size_t offset);

// Control characters, and invisible ones that make one line look like another ("Trojan Source", CVE-2021-42574).
bool is_hidden(char32_t code);

// `text` on one line: hidden characters as <U+001B>, a tab as a space, invalid UTF-8 as U+FFFD. Idempotent.
std::string visible(std::string_view text);

// The replacement for a hidden character, or one that is not valid.
std::string name_of_hidden(Character character);

}  // namespace espalier::text
