// The characters of XML 1.0. See characters.h.
#include "text/characters.h"

#include <algorithm>
#include <array>

namespace espalier::text {
namespace {

struct CharacterRange {
  char32_t first;
  char32_t last;
};

constexpr std::array<CharacterRange, 12> kNameStarts = {{{0xC0, 0xD6},
                                                         {0xD8, 0xF6},
                                                         {0xF8, 0x2FF},
                                                         {0x370, 0x37D},
                                                         {0x37F, 0x1FFF},
                                                         {0x200C, 0x200D},
                                                         {0x2070, 0x218F},
                                                         {0x2C00, 0x2FEF},
                                                         {0x3001, 0xD7FF},
                                                         {0xF900, 0xFDCF},
                                                         {0xFDF0, 0xFFFD},
                                                         {0x10000, 0xEFFFF}}};
constexpr std::array<CharacterRange, 3> kNameOthers = {{{0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}};

template <std::size_t size>
bool within(const std::array<CharacterRange, size>& ranges, char32_t code) {
  for (const CharacterRange& range : ranges) {
    if (code >= range.first && code <= range.last) return true;
  }
  return false;
}

char32_t code_at(std::string_view text, std::size_t at) {
  const std::size_t length = character_length(text, at);
  char32_t code = length == 1 ? byte_at(text, at) : byte_at(text, at) & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte_at(text, at + i) & 0x3F);
  return code;
}

bool is_name_character(std::string_view text, std::size_t at, bool is_first) {
  const unsigned byte = byte_at(text, at);
  if (byte < 0x80) return is_of(text[at], is_first ? kNameStart : kName);
  const char32_t code = code_at(text, at);
  return within(kNameStarts, code) || (!is_first && within(kNameOthers, code));
}

}  // namespace

bool is_xml_character(char32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code < 0xD800 || (code > 0xDFFF && code < 0xFFFE) || (code > 0xFFFF && code <= 0x10FFFF);
}

void append_character(char32_t code, std::string& text) {
  auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// Apart from control characters only U+FFFE and U+FFFF are forbidden, EF BF BE and EF BF BF.
std::size_t find_forbidden(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_suspect = (byte_at(text, at) < 0x20 && !is_space(text[at])) || byte_at(text, at) == 0xEF;
    if (is_suspect && !is_xml_character(code_at(text, at))) return at;
  }
  return text.size();
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
  const std::size_t begin = at;
  while (at < text.size() && is_name_character(text, at, at == begin)) at += character_length(text, at);
  return at;
}

TypographicQuote typographic_quote(std::string_view text, std::size_t at) {
  if (at >= text.size() || byte_at(text, at) < 0x80) return {};
  const std::size_t length = character_length(text, at);
  const char32_t code = code_at(text, at);
  constexpr std::array<char32_t, 8> doubles = {0xAB, 0xBB, 0x201C, 0x201D, 0x201E, 0x201F, 0x2033, 0xFF02};
  constexpr std::array<char32_t, 6> singles = {0x2018, 0x2019, 0x201A, 0x201B, 0x2032, 0xFF07};
  if (std::find(doubles.begin(), doubles.end(), code) != doubles.end()) return {'"', length};
  if (std::find(singles.begin(), singles.end(), code) != singles.end()) return {'\'', length};
  return {};
}

std::string_view conflict_marker(std::string_view text, std::size_t at) {
  constexpr std::size_t kLength = 7;
  if (at >= text.size() || (at > 0 && text[at - 1] != '\n' && text[at - 1] != '\r')) return {};
  const char c = text[at];
  if (c != '<' && c != '|' && c != '=' && c != '>') return {};
  const std::string_view line = text.substr(at, std::min(text.find_first_of("\r\n", at), text.size()) - at);
  const std::size_t length = std::min(line.find_first_not_of(c), line.size());
  const bool ends = length == line.size() || (c != '=' && is_space(line[length]));
  return length == kLength && ends ? line : std::string_view();
}

std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned byte = byte_at(text, at);
  const std::size_t length = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
  return length <= text.size() - at ? length : text.size() - at;
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string result;
  for (std::size_t forbidden = find_forbidden(text); !text.empty(); forbidden = find_forbidden(text)) {
    for (const char c : text.substr(0, forbidden)) {
      switch (c) {
        case '&':
          result += "&amp;";
          break;
        case '<':
          result += "&lt;";
          break;
        case '>':
          result += "&gt;";
          break;
        case '"':
          result += "&quot;";
          break;
        case '\r':
          result += "&#13;";
          break;
        default:
          result += c;
      }
    }
    text.remove_prefix(forbidden);
    if (text.empty()) break;
    result += kReplacement;
    text.remove_prefix(character_length(text, 0));
  }
  return result;
}

}  // namespace espalier::text
