// Bytes to text: XML 1.0, appendix F.
#include "text/decode.h"
#include "unit.h"

namespace text_decode {

using namespace espalier::text;
using namespace std::string_literals;

namespace {

const std::u32string kText = U"<a b=\"\u00E9 \u20AC \U0001F333\"/>\r\n";
const std::string kUtf8 = "<a b=\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x8C\xB3\"/>\r\n";

std::string units(const std::u32string& text, std::size_t width, bool little_endian) {
  std::string result;
  auto put = [&](char32_t unit) {
    for (std::size_t i = 0; i < width; ++i)
      result += static_cast<char>(unit >> 8 * (little_endian ? i : width - 1 - i));
  };
  for (const char32_t code : text) {
    if (width == 4 || code < 0x10000) {
      put(code);
    } else {
      put(0xD800 + ((code - 0x10000) >> 10));
      put(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return result;
}

// `ascii` as UTF-16, little-endian.
std::string wide(const std::string& ascii) { return units(std::u32string(ascii.begin(), ascii.end()), 2, true); }

std::string declared(const std::string& encoding) { return "<?xml version=\"1.0\" encoding='" + encoding + "'?>"; }

}  // namespace

TEST_CASE("every Unicode encoding is read, with its byte order mark and without") {
  struct {
    const char* encoding;
    std::string mark;
    std::string bytes;
  } const cases[] = {
      {"UTF-8", "\xEF\xBB\xBF", kUtf8},
      {"UTF-16LE", "\xFF\xFE", units(kText, 2, true)},
      {"UTF-16BE", "\xFE\xFF", units(kText, 2, false)},
      {"UTF-32LE", "\xFF\xFE\0\0"s, units(kText, 4, true)},
      {"UTF-32BE", "\0\0\xFE\xFF"s, units(kText, 4, false)},
  };
  for (const auto& expected : cases) {
    for (const bool has_mark : {true, false}) {
      INFO(expected.encoding << " mark " << has_mark);
      const Decoded decoded = decode((has_mark ? expected.mark : "") + expected.bytes);
      CHECK(decoded.error == "");
      CHECK(decoded.text == kUtf8);
      CHECK(decoded.encoding == expected.encoding);
      CHECK(decoded.byte_order_mark == has_mark);
      CHECK(encode(decoded.text, decoded.encoding, has_mark) == (has_mark ? expected.mark : "") + expected.bytes);
    }
  }
}

TEST_CASE("text is encoded as the bytes that it was decoded from, unless the encoding lacks a character") {
  for (const char* encoding : {"ISO-8859-1", "windows-1252"}) {
    INFO(encoding);
    std::string bytes = declared(encoding);
    for (unsigned byte = 0xA0; byte < 0x100; ++byte) bytes += static_cast<char>(byte);
    CHECK(encode(decode(bytes).text, encoding, false) == bytes);
  }
  CHECK(encode("\xE2\x82\xAC", "windows-1252", false) == "\x80");
  CHECK(encode("\xE2\x82\xAC", "ISO-8859-1", false) == std::nullopt);
  CHECK(encode("\xC2\x81", "windows-1252", false) == std::nullopt);
  CHECK(encode("\xC3\xA9", "US-ASCII", false) == std::nullopt);
  CHECK(encode("plain", "US-ASCII", false) == "plain");
}

TEST_CASE("a declared encoding is read by any of its names, without case") {
  struct {
    const char* name;
    const char* encoding;
    std::string bytes;
    std::string text;
  } const cases[] = {
      {"utf-8", "UTF-8", "\xC3\xA9", "\xC3\xA9"},
      {"UTF8", "UTF-8", "\xC3\xA9", "\xC3\xA9"},
      {"iso-8859-1", "ISO-8859-1", "\xE9\xFF\x85", "\xC3\xA9\xC3\xBF\xC2\x85"},
      {"Latin1", "ISO-8859-1", "\xE9", "\xC3\xA9"},
      {"WINDOWS-1252", "windows-1252", "\xE9\x80\x9F", "\xC3\xA9\xE2\x82\xAC\xC5\xB8"},
      {"cp1252", "windows-1252", "\x85", "\xE2\x80\xA6"},
      {"us-ascii", "US-ASCII", "e", "e"},
  };
  for (const auto& expected : cases) {
    INFO(expected.name);
    const Decoded decoded = decode(declared(expected.name) + expected.bytes);
    CHECK(decoded.error == "");
    CHECK(decoded.encoding == expected.encoding);
    CHECK(decoded.text == declared(expected.name) + expected.text);
  }
  CHECK(decode(wide(declared("UTF-16") + "<a/>")).text == declared("UTF-16") + "<a/>");
  CHECK(decode("\xFF\xFE" + wide(declared("utf-16le") + "<a/>")).error == "");
}

TEST_CASE("only the XML declaration declares an encoding") {
  const std::string texts[] = {"<a encoding='EBCDIC'/>", "<!-- <?xml encoding='EBCDIC'?> -->",
                               "<?xml version='1.0'?><a encoding='EBCDIC'/>",
                               "<?xml version='1.0' myencoding='EBCDIC'?>", "<?xml version='1.0' encoding=EBCDIC?>"};
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(decode(text).error == "");
    CHECK(decode(text).text == text);
  }
}

TEST_CASE("bytes that mean nothing are found where they stand") {
  struct {
    const char* what;
    std::string bytes;
    std::size_t error_begin;
  } const cases[] = {
      {"a byte that begins nothing", "ab\xFFz", 2},
      {"a continuation that continues nothing", "ab\x80z", 2},
      {"a character without its end", "ab\xE2\x82z", 2},
      {"a character cut by the file's end", "ab\xE2\x82", 2},
      {"overlong '/', two bytes", "\xC3\xA9\xC0\xAF", 2},
      {"overlong '/', three bytes", "\xC3\xA9\xE0\x80\xAF", 2},
      {"overlong '/', four bytes", "\xC3\xA9\xF0\x80\x80\xAF", 2},
      {"a surrogate", "ab\xED\xA0\x80", 2},
      {"beyond U+10FFFF", "ab\xF4\x90\x80\x80", 2},
      {"NUL", "0123456789\0ab"s, 10},
      {"Latin-1 behind much ASCII", std::string(1000, 'x') + "\xE9" + "y", 1000},
      {"what windows-1252 leaves free", declared("windows-1252") + "\x80\x81", declared("windows-1252").size() + 3},
      {"beyond ASCII", declared("ASCII") + "\x80", declared("ASCII").size()},
      {"half a unit of UTF-16", wide("<a") + "b", 2},
      {"half a pair of surrogates", wide("<a") + "\x3C\xD8" + wide("b"), 2},
      {"the other half", wide("<a") + "\x33\xDF" + wide("b"), 2},
      {"half a pair at the end", wide("<a") + "\x3C\xD8", 2},
      {"UTF-32 beyond U+10FFFF", units(U"<a", 4, true) + "\0\0\x11\0"s, 2},
  };
  for (const auto& expected : cases) {
    INFO(expected.what);
    const Decoded decoded = decode(expected.bytes);
    CHECK(decoded.fault == DecodeFault::bad_bytes);
    CHECK(decoded.error_begin == expected.error_begin);
    CHECK(decoded.error_end == expected.error_begin + 3);
    CHECK(decoded.text.substr(expected.error_begin, 3) == "\xEF\xBF\xBD");
    CHECK(decoded.text.find('\0') == std::string::npos);
    CHECK_FALSE(decoded.hint.empty());
  }
  CHECK(decode("ab\xE9z").error == "byte 0xE9 cannot be read as UTF-8");
  CHECK(decode("ab\xE2\x82").error == "bytes 0xE2 0x82 at the end cannot be read as UTF-8");
}

TEST_CASE("an encoding that is not known is told by its name, and so are those that are") {
  const Decoded decoded = decode(declared("Shift_JIS") + "<a/>");
  CHECK(decoded.fault == DecodeFault::unsupported);
  CHECK(decoded.error == "encoding 'Shift_JIS' is not supported");
  CHECK(decoded.hint.find("UTF-16") != std::string::npos);
  CHECK(decoded.text.substr(decoded.error_begin, decoded.error_end - decoded.error_begin) == "Shift_JIS");
}

TEST_CASE("a declaration that contradicts the file's first bytes is found") {
  const std::string cases[] = {declared("UTF-16") + "<a/>",
                               "\xEF\xBB\xBF" + declared("ISO-8859-1") + "<a/>",
                               "\xFF\xFE" + wide(declared("UTF-8") + "<a/>"),
                               wide(declared("UTF-8") + "<a/>"),
                               wide(declared("UTF-16BE") + "<a/>"),
                               declared("UTF-32") + "<a/>"};
  for (const std::string& bytes : cases) {
    INFO(bytes);
    const Decoded decoded = decode(bytes);
    CHECK(decoded.fault == DecodeFault::contradiction);
    CHECK(decoded.text.substr(0, 5) == "<?xml");
    CHECK(decoded.text.substr(decoded.error_begin - 1, 1) == "'");
    CHECK(decoded.text.substr(decoded.error_end, 1) == "'");
  }
  CHECK(decode("\xEF\xBB\xBF" + declared("utf-8") + "<a/>").error == "");
}

TEST_CASE("nothing at all is a text") {
  CHECK(decode("").error == "");
  CHECK(decode("\xEF\xBB\xBF").text == "");
  CHECK(decode("\xFF\xFE").encoding == "UTF-16LE");
}

}  // namespace text_decode
