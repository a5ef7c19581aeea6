// The characters of XML 1.0 (fifth edition): which may stand in a file, and which in a name. Texts are valid UTF-8.
#pragma once
#include <cstddef>
#include <string_view>

namespace espalier::text {

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_xml_character(char32_t code);

// The first character of `text` that XML forbids; the size of `text` when there is none.
std::size_t find_forbidden(std::string_view text);

// The end of the name that begins at `at`; `at` itself when none does.
std::size_t end_of_name(std::string_view text, std::size_t at);

// The number of bytes of the character at `at`.
std::size_t character_length(std::string_view text, std::size_t at);

}  // namespace espalier::text
