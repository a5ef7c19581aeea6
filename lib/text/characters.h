// The characters of XML 1.0 (fifth edition): which may stand in a file, and which in a name. Texts are valid UTF-8.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace espalier::text {

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

inline unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_xml_character(char32_t code);

// Appends it as UTF-8.
void append_character(char32_t code, std::string& text);

// The first character of `text` that XML forbids; the size of `text` when there is none.
std::size_t find_forbidden(std::string_view text);

// The end of the name that begins at `at`; `at` itself when none does.
std::size_t end_of_name(std::string_view text, std::size_t at);

// A quotation mark as word processors write it: the plain one that it stands for, '"' or '\'', and its bytes; none: 0.
struct TypographicQuote {
  char plain = 0;
  std::size_t length = 0;
};
TypographicQuote typographic_quote(std::string_view text, std::size_t at);

// The line that begins at `at`, without its end, if it marks a side of a merge conflict as version control writes it:
// "<<<<<<< ours", "|||||||", "=======", ">>>>>>> theirs". Else empty.
std::string_view conflict_marker(std::string_view text, std::size_t at);

// The number of bytes of the character at `at`.
std::size_t character_length(std::string_view text, std::size_t at);

}  // namespace espalier::text
