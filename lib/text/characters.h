// The characters of XML 1.0 (fifth edition): which are allowed in a file, and which in a name. Texts are valid UTF-8.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace espalier::text {

constexpr bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Classes of a byte for the scanner, as bits. Bytes of characters beyond ASCII have only the classes kPlain....
enum CharacterClass : std::uint8_t {
  kName = 1,       // ASCII, within a name
  kNameStart = 2,  // ASCII, at the beginning of a name
  kSpace = 4,
  kPlain = 8,          // in an attribute's value: no quote, markup, reference, carriage return or NUL
  kPlainText = 16,     // the same between tags: no markup, reference, ']' or NUL
  kPlainLiteral = 32,  // the same in an entity's literal: no quote, reference, carriage return or NUL
};

inline constexpr std::array<std::uint8_t, 256> kCharacterClasses = [] {
  std::array<std::uint8_t, 256> result{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool is_letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == ':';
    const bool is_other = (c >= '0' && c <= '9') || c == '-' || c == '.';
    const bool is_markup = c == '\0' || c == '<' || c == '&';
    unsigned bits = 0;
    if (is_letter) bits |= kNameStart;
    if (is_letter || is_other) bits |= kName;
    if (is_space(static_cast<char>(c))) bits |= kSpace;
    if (!is_markup && c != '"' && c != '\'' && c != '\r') bits |= kPlain;
    if ((!is_markup || c == '<') && c != '"' && c != '\'' && c != '\r' && c != '%') bits |= kPlainLiteral;
    if (!is_markup && c != ']') bits |= kPlainText;
    result[c] = static_cast<std::uint8_t>(bits);
  }
  return result;
}();

constexpr bool is_of(char c, CharacterClass classes) {
  return (kCharacterClasses[static_cast<unsigned char>(c)] & classes) != 0;
}

inline unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_xml_character(char32_t code);

// Appends a character as UTF-8.
void append_character(char32_t code, std::string& text);

// The first character of `text` that XML forbids; the size of `text` if it has none.
std::size_t find_forbidden(std::string_view text);

// The end of the name that begins at `at`; `at` itself if no name begins there.
std::size_t end_of_name(std::string_view text, std::size_t at);
// Is all of it a name?
inline bool is_name(std::string_view text) { return !text.empty() && end_of_name(text, 0) == text.size(); }

// A quotation mark as word processors write it: the plain one it replaces, '"' or '\'', and its length in bytes. Length
// 0 if there is none.
struct TypographicQuote {
  char plain = 0;
  std::size_t length = 0;
};
TypographicQuote typographic_quote(std::string_view text, std::size_t at);

// The line that begins at `at`, without its line ending, if it is a merge conflict marker of version control:
// "<<<<<<< ours", "|||||||", "=======", ">>>>>>> theirs". Otherwise empty.
std::string_view conflict_marker(std::string_view text, std::size_t at);

// The number of bytes of the character at `at`.
std::size_t character_length(std::string_view text, std::size_t at);

// `text` as written in XML, between tags or (for text of one line) in double quotes: markup becomes references, and
// characters that XML cannot represent become U+FFFD.
std::string escaped(std::string_view text);

}  // namespace espalier::text
