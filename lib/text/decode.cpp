// Bytes of a file to UTF-8 text. See decode.h.
// The byte order mark or the first bytes determine how wide characters are. The XML declaration, which can then be
// read, determines which encoding of that width it is.
#include "text/decode.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "text/characters.h"
#include "text/names.h"

namespace espalier::text {
namespace {

enum class Encoding : std::uint8_t { utf_8, utf_16le, utf_16be, utf_32le, utf_32be, latin_1, windows_1252, us_ascii };

constexpr char32_t kInvalid = 0xFFFFFFFF;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::string_view name_of(Encoding encoding) {
  constexpr std::array<std::string_view, 8> names = {"UTF-8",    "UTF-16LE",   "UTF-16BE",     "UTF-32LE",
                                                     "UTF-32BE", "ISO-8859-1", "windows-1252", "US-ASCII"};
  return names[static_cast<std::size_t>(encoding)];
}

// How wide a character is and which byte comes first: what can be determined without the declaration.
struct Family {
  Encoding encoding = Encoding::utf_8;
  std::size_t mark_bytes = 0;
};

Family family_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  struct Start {
    std::string_view bytes;
    Encoding encoding;
    bool is_mark;
  };
  // UTF-32 comes before UTF-16, whose little-endian mark is a prefix of that of UTF-32. Without a mark a file begins
  // with '<' or white space.
  static constexpr std::array<Start, 11> starts = {{
      {"\xEF\xBB\xBF"sv, Encoding::utf_8, true},
      {"\xFF\xFE\0\0"sv, Encoding::utf_32le, true},
      {"\0\0\xFE\xFF"sv, Encoding::utf_32be, true},
      {"\xFF\xFE"sv, Encoding::utf_16le, true},
      {"\xFE\xFF"sv, Encoding::utf_16be, true},
      {"<\0\0\0"sv, Encoding::utf_32le, false},
      {"\0\0\0<"sv, Encoding::utf_32be, false},
      {"<\0"sv, Encoding::utf_16le, false},
      {"\0<"sv, Encoding::utf_16be, false},
      {"\n\0"sv, Encoding::utf_16le, false},
      {"\0\n"sv, Encoding::utf_16be, false},
  }};
  for (const Start& start : starts) {
    if (bytes.substr(0, start.bytes.size()) == start.bytes) {
      return {start.encoding, start.is_mark ? start.bytes.size() : 0};
    }
  }
  return {};
}

// ---- One character at a time ---------------------------------------------------------------------------------------

struct DecodedCharacter {
  char32_t code = kInvalid;
  std::size_t byte_count = 1;  // of a fault: its length in bytes
};

// Rejects overlong forms, surrogates and values above U+10FFFF by the bounds of the second byte (Unicode, table 3-7).
DecodedCharacter utf_8_character(std::string_view bytes, std::size_t at) {
  const unsigned first = byte_at(bytes, at);
  if (first < 0x80) return {first, 1};
  if (first < 0xC2 || first > 0xF4) return {};
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    unsigned low = 0x80;
    unsigned high = 0xBF;
    if (i == 1) {
      if (first == 0xE0) low = 0xA0;
      if (first == 0xED) high = 0x9F;
      if (first == 0xF0) low = 0x90;
      if (first == 0xF4) high = 0x8F;
    }
    if (at + i >= bytes.size() || byte_at(bytes, at + i) < low || byte_at(bytes, at + i) > high) return {kInvalid, i};
    code = code << 6 | (byte_at(bytes, at + i) & 0x3F);
  }
  return {code, length};
}

// `width` bytes as one number.
std::optional<char32_t> unit(std::string_view bytes, std::size_t at, std::size_t width, bool little_endian) {
  if (bytes.size() - at < width) return std::nullopt;
  char32_t result = 0;
  for (std::size_t i = 0; i < width; ++i)
    result = result << 8 | byte_at(bytes, at + (little_endian ? width - 1 - i : i));
  return result;
}

bool is_high_surrogate(char32_t code) { return code >= 0xD800 && code < 0xDC00; }
bool is_low_surrogate(char32_t code) { return code >= 0xDC00 && code < 0xE000; }

DecodedCharacter utf_16_character(std::string_view bytes, std::size_t at, bool little_endian) {
  const std::optional<char32_t> first = unit(bytes, at, 2, little_endian);
  if (!first) return {kInvalid, bytes.size() - at};
  if (is_low_surrogate(*first)) return {kInvalid, 2};
  if (!is_high_surrogate(*first)) return {*first, 2};
  const std::optional<char32_t> second = unit(bytes, at + 2, 2, little_endian);
  if (!second || !is_low_surrogate(*second)) return {kInvalid, 2};
  return {0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00), 4};
}

DecodedCharacter utf_32_character(std::string_view bytes, std::size_t at, bool little_endian) {
  const std::optional<char32_t> code = unit(bytes, at, 4, little_endian);
  if (!code) return {kInvalid, bytes.size() - at};
  const bool valid = *code <= 0x10FFFF && !is_high_surrogate(*code) && !is_low_surrogate(*code);
  return {valid ? *code : kInvalid, 4};
}

DecodedCharacter windows_1252_character(unsigned byte) {
  static constexpr std::array<char16_t, 32> upper = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                     0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                     0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                     0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};
  if (byte < 0x80 || byte >= 0xA0) return {byte, 1};
  const char32_t code = upper[byte - 0x80];
  return {code == 0 ? kInvalid : code, 1};
}

DecodedCharacter decoded_character(std::string_view bytes, std::size_t at, Encoding encoding) {
  switch (encoding) {
    case Encoding::utf_8:
      return utf_8_character(bytes, at);
    case Encoding::utf_16le:
      return utf_16_character(bytes, at, true);
    case Encoding::utf_16be:
      return utf_16_character(bytes, at, false);
    case Encoding::utf_32le:
      return utf_32_character(bytes, at, true);
    case Encoding::utf_32be:
      return utf_32_character(bytes, at, false);
    case Encoding::latin_1:
      return {byte_at(bytes, at), 1};
    case Encoding::windows_1252:
      return windows_1252_character(byte_at(bytes, at));
    case Encoding::us_ascii:
      return {byte_at(bytes, at) < 0x80 ? byte_at(bytes, at) : kInvalid, 1};
  }
  return {};
}

// ---- The reverse ---------------------------------------------------------------------------------------------------

constexpr char32_t kByteOrderMark = 0xFEFF;

void append_unit(char32_t unit, std::size_t width, bool little_endian, std::string& bytes) {
  for (std::size_t i = 0; i < width; ++i) {
    bytes += static_cast<char>(unit >> 8 * (little_endian ? i : width - 1 - i) & 0xFF);
  }
}

// The byte of a character in an encoding of one byte a character.
std::optional<char> byte_of(char32_t code, Encoding encoding) {
  const char32_t limit = encoding == Encoding::us_ascii ? 0x80 : 0x100;
  if (code < limit && decoded_character(std::string(1, static_cast<char>(code)), 0, encoding).code == code) {
    return static_cast<char>(code);
  }
  for (unsigned byte = 0x80; encoding == Encoding::windows_1252 && byte < 0xA0; ++byte) {
    if (windows_1252_character(byte).code == code) return static_cast<char>(byte);
  }
  return std::nullopt;
}

// False: the encoding does not have the character.
bool append_bytes(char32_t code, Encoding encoding, std::string& bytes) {
  const bool little_endian = encoding == Encoding::utf_16le || encoding == Encoding::utf_32le;
  switch (encoding) {
    case Encoding::utf_8:
      append_character(code, bytes);
      return true;
    case Encoding::utf_16le:
    case Encoding::utf_16be:
      if (code >= 0x10000) {
        append_unit(0xD800 + ((code - 0x10000) >> 10), 2, little_endian, bytes);
        code = 0xDC00 + ((code - 0x10000) & 0x3FF);
      }
      append_unit(code, 2, little_endian, bytes);
      return true;
    case Encoding::utf_32le:
    case Encoding::utf_32be:
      append_unit(code, 4, little_endian, bytes);
      return true;
    case Encoding::latin_1:
    case Encoding::windows_1252:
    case Encoding::us_ascii:
      break;
  }
  const std::optional<char> byte = byte_of(code, encoding);
  if (byte) bytes += *byte;
  return byte.has_value();
}

// ---- A whole text --------------------------------------------------------------------------------------------------

bool one_byte_wide(Encoding encoding) { return encoding < Encoding::utf_16le || encoding > Encoding::utf_32be; }

bool is_forbidden_control(unsigned byte) { return byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r'; }

// The end of the plain ASCII, without NUL, that begins at `at`. Most files are plain ASCII. Eight bytes at a time.
std::size_t end_of_ascii(std::string_view bytes, std::size_t at, bool& has_forbidden) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t tops = 0x8080808080808080;
  constexpr std::uint64_t spaces = 0x20 * ones;
  while (bytes.size() - at >= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    if (((word | (word - ones)) & tops) != 0) break;  // a top bit, or one borrowed by a NUL
    // A top bit is borrowed by the first control character, mostly a line's end.
    if (((word - spaces) & tops) != 0) {
      for (std::size_t i = 0; i < sizeof word; ++i) has_forbidden |= is_forbidden_control(byte_at(bytes, at + i));
    }
    at += sizeof word;
  }
  for (; at < bytes.size() && byte_at(bytes, at) - 1 < 0x7F; ++at) {
    has_forbidden |= is_forbidden_control(byte_at(bytes, at));
  }
  return at;
}

void set_fault(Decoded& decoded, DecodeFault fault, std::string error, std::string hint, std::size_t begin,
               std::size_t end) {
  if (decoded.fault != DecodeFault::none) return;
  decoded.fault = fault;
  decoded.error = std::move(error);
  decoded.hint = std::move(hint);
  decoded.error_begin = begin;
  decoded.error_end = end;
}

std::string in_hexadecimal(std::string_view bytes) {
  std::string result = bytes.size() == 1 ? "byte" : "bytes";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    char digits[8];
    std::snprintf(digits, sizeof digits, " 0x%02X", byte_at(bytes, i));
    result += digits;
  }
  return result;
}

std::string hint_for_bad_bytes(Encoding encoding) {
  if (encoding == Encoding::utf_8 || encoding == Encoding::us_ascii) {
    return "save the file as UTF-8, or begin it with its encoding, such as "
           "'<?xml version=\"1.0\" encoding=\"windows-1252\"?>'";
  }
  return "save the file as UTF-8";
}

// Decodes bytes from `at` on and appends them to decoded.text.
void decode_from(std::string_view bytes, std::size_t at, Encoding encoding, Decoded& decoded) {
  std::string& text = decoded.text;
  text.reserve(text.size() + (one_byte_wide(encoding) ? bytes.size() - at : (bytes.size() - at) / 2));
  while (at < bytes.size()) {
    if (one_byte_wide(encoding)) {
      const std::size_t end = end_of_ascii(bytes, at, decoded.has_forbidden);
      text.append(bytes, at, end - at);
      at = end;
      if (at == bytes.size()) break;
    }
    const DecodedCharacter character = decoded_character(bytes, at, encoding);
    if (character.code == kInvalid || character.code == 0) {
      const std::string what = character.code == 0
                                   ? "NUL character in the text"
                                   : in_hexadecimal(bytes.substr(at, character.byte_count)) +
                                         (at + character.byte_count < bytes.size() ? "" : " at the end") +
                                         " cannot be read as " + std::string(name_of(encoding));
      set_fault(decoded, DecodeFault::bad_bytes, what, hint_for_bad_bytes(encoding), text.size(),
                text.size() + kReplacement.size());
      text += kReplacement;
    } else {
      append_character(character.code, text);
      decoded.has_forbidden |= !is_xml_character(character.code);
    }
    at += character.byte_count;
  }
}

// ---- The declaration -----------------------------------------------------------------------------------------------

struct DeclaredEncoding {
  std::string_view name;  // empty: none
  std::size_t begin = 0;
};

// The encoding in "<?xml ... encoding='NAME' ... ?>". Faults of the declaration are reported when the file is parsed.
DeclaredEncoding declared_encoding(std::string_view text) {
  constexpr std::string_view kWord = "encoding";
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t declaration_end = text.find("?>");
  if (text.substr(0, 5) != "<?xml" || declaration_end == std::string_view::npos) return {};
  text = text.substr(0, declaration_end);
  std::size_t at = text.find(kWord);
  while (at != std::string_view::npos && kSpaces.find(text[at - 1]) == std::string_view::npos)
    at = text.find(kWord, at + 1);
  if (at == std::string_view::npos) return {};
  at = text.find_first_not_of(kSpaces, at + kWord.size());
  if (at == std::string_view::npos || text[at] != '=') return {};
  at = text.find_first_not_of(kSpaces, at + 1);
  if (at == std::string_view::npos || (text[at] != '"' && text[at] != '\'')) return {};
  const std::size_t end = text.find(text[at], at + 1);
  if (end == std::string_view::npos) return {};
  return {text.substr(at + 1, end - at - 1), at + 1};
}

struct Alias {
  std::string_view name;
  Encoding encoding;
};

// "UTF-16" and "UTF-32" mean either byte order; the bytes have determined it.
std::optional<Encoding> encoding_named(std::string_view name, Encoding family) {
  static constexpr std::array<Alias, 19> aliases = {{{"UTF-8", Encoding::utf_8},
                                                     {"UTF8", Encoding::utf_8},
                                                     {"UTF-16LE", Encoding::utf_16le},
                                                     {"UTF-16BE", Encoding::utf_16be},
                                                     {"UTF-32LE", Encoding::utf_32le},
                                                     {"UTF-32BE", Encoding::utf_32be},
                                                     {"ISO-8859-1", Encoding::latin_1},
                                                     {"ISO8859-1", Encoding::latin_1},
                                                     {"ISO_8859-1", Encoding::latin_1},
                                                     {"ISO-IR-100", Encoding::latin_1},
                                                     {"LATIN1", Encoding::latin_1},
                                                     {"LATIN-1", Encoding::latin_1},
                                                     {"L1", Encoding::latin_1},
                                                     {"windows-1252", Encoding::windows_1252},
                                                     {"CP1252", Encoding::windows_1252},
                                                     {"CP-1252", Encoding::windows_1252},
                                                     {"US-ASCII", Encoding::us_ascii},
                                                     {"ASCII", Encoding::us_ascii},
                                                     {"ANSI_X3.4-1968", Encoding::us_ascii}}};
  for (const std::string_view wide : {"UTF-16", "UTF16", "ISO-10646-UCS-2", "UCS-2"}) {
    if (equal_any_case(name, wide)) return family == Encoding::utf_16be ? Encoding::utf_16be : Encoding::utf_16le;
  }
  for (const std::string_view wide : {"UTF-32", "UTF32", "ISO-10646-UCS-4", "UCS-4"}) {
    if (equal_any_case(name, wide)) return family == Encoding::utf_32be ? Encoding::utf_32be : Encoding::utf_32le;
  }
  for (const Alias& alias : aliases) {
    if (equal_any_case(name, alias.name)) return alias.encoding;
  }
  return std::nullopt;
}

// Compares the declaration with the encoding of the bytes.
Encoding settle(const Family& family, const DeclaredEncoding& declared, Decoded& decoded) {
  if (declared.name.empty()) return family.encoding;
  const std::size_t end = declared.begin + declared.name.size();
  const std::optional<Encoding> named = encoding_named(declared.name, family.encoding);
  if (!named) {
    set_fault(decoded, DecodeFault::unsupported, "encoding " + quote(declared.name) + " is not supported",
              "save the file as UTF-8; UTF-16, UTF-32, ISO-8859-1, windows-1252 and US-ASCII are read too",
              declared.begin, end);
    return family.encoding;
  }
  const bool has_mark = family.mark_bytes != 0;
  if (!has_mark && one_byte_wide(family.encoding) && one_byte_wide(*named)) return *named;
  if (*named != family.encoding) {
    // As written in a declaration: without the byte order.
    const std::string actual(name_of(family.encoding).substr(0, family.encoding == Encoding::utf_8 ? 5 : 6));
    set_fault(decoded, DecodeFault::contradiction,
              "encoding " + quote(declared.name) + " is declared, but the file is " + actual + " by its " +
                  (has_mark ? "byte order mark" : "first bytes"),
              "write '" + actual + "'", declared.begin, end);
    if (decoded.fault == DecodeFault::contradiction) decoded.replacement = actual;
  }
  return family.encoding;
}

}  // namespace

Decoded decode(std::string_view bytes) {
  Decoded decoded;
  const Family family = family_of(bytes);
  decoded.byte_order_mark = family.mark_bytes != 0;
  bytes.remove_prefix(family.mark_bytes);
  Encoding encoding = family.encoding;
  if (one_byte_wide(encoding)) {
    encoding = settle(family, declared_encoding(bytes), decoded);
    decode_from(bytes, 0, encoding, decoded);
  } else {
    decode_from(bytes, 0, encoding, decoded);
    settle(family, declared_encoding(decoded.text), decoded);
  }
  decoded.encoding = name_of(encoding);
  return decoded;
}

std::optional<std::string> encode(std::string_view text, std::string_view encoding_name, bool byte_order_mark) {
  const std::optional<Encoding> encoding = encoding_named(encoding_name, Encoding::utf_8);
  if (!encoding) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() + (byte_order_mark ? 3 : 0));
  if (byte_order_mark) append_bytes(kByteOrderMark, *encoding, bytes);
  if (*encoding == Encoding::utf_8) return bytes.append(text);
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = utf_8_character(text, at);
    if (!append_bytes(character.code, *encoding, bytes)) return std::nullopt;
    at += character.byte_count;
  }
  return bytes;
}

}  // namespace espalier::text
