// Finds the root element's name. See root_name.h.
#include "text/root_name.h"

#include "text/raw_string.h"

namespace espalier::text {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// The width of a character of markup, and the position of its ASCII byte.
struct Width {
  std::size_t size = 1;
  std::size_t place = 0;
};

// By byte order mark, else by the position of the zeros around the first '<' (XML 1.0, appendix F).
Width width_of(std::string_view bytes) {
  using namespace std::string_view_literals;
  constexpr struct {
    std::string_view begin;
    Width width;
  } kBegins[] = {{"\0\0\xFE\xFF"sv, {4, 3}}, {"\xFF\xFE\0\0"sv, {4, 0}}, {"\0\0\0<"sv, {4, 3}}, {"<\0\0\0"sv, {4, 0}},
                 {"\xFE\xFF"sv, {2, 1}},     {"\xFF\xFE"sv, {2, 0}},     {"\0<"sv, {2, 1}},     {"<\0"sv, {2, 0}}};
  for (const auto& each : kBegins) {
    if (bytes.substr(0, each.begin.size()) == each.begin) return each.width;
  }
  return {};
}

// Characters beyond ASCII are replaced by one that does not end markup.
std::string narrowed(std::string_view bytes, Width width) {
  std::string result;
  result.reserve(bytes.size() / width.size);
  for (std::size_t at = 0; at + width.size <= bytes.size(); at += width.size) {
    bool is_ascii = true;
    for (std::size_t i = 0; i < width.size; ++i) is_ascii &= i == width.place || bytes[at + i] == '\0';
    result += is_ascii ? bytes[at + width.place] : '\x1A';
  }
  return result;
}

// The place after the first `end` from `at` on; kNowhere if there is none.
std::size_t after(std::string_view text, std::size_t at, std::string_view end) {
  const std::size_t found = text.find(end, at);
  return found == kNowhere ? kNowhere : found + end.size();
}

// After a declaration, which may contain others in brackets, quoted text, comments and instructions.
std::size_t after_declaration(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = after(text, at + 1, text.substr(at, 1));
    } else if (text.substr(at, 4) == "<!--") {
      at = after(text, at + 4, "-->");
    } else if (text.substr(at, 2) == "<?") {
      at = after(text, at + 2, "?>");
    } else {
      depth += c == '<' || c == '[' ? 1 : 0;
      ++at;
      if (c == '>' || c == ']') {
        if (depth == 0) return at;
        --depth;
      }
    }
  }
  return kNowhere;
}

std::optional<std::string> find_name(std::string_view text) {
  if (const RawString string = raw_string_of_xml(text); string.xml != kNowhere) text.remove_prefix(string.xml);
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.substr(0, 4) == "<!--") {
      at = after(text, at + 4, "-->");
    } else if (rest.substr(0, 9) == "<![CDATA[") {
      at = after(text, at + 9, "]]>");
    } else if (rest.substr(0, 2) == "<?") {
      at = after(text, at + 2, "?>");
    } else if (rest.substr(0, 2) == "<!") {
      at = after_declaration(text, at + 2);
    } else {
      const std::size_t begin = ++at;
      const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
               static_cast<unsigned char>(c) > 0x7F;
      };
      if (begin >= text.size() || !is_letter(text[begin])) continue;
      const std::size_t end = text.find_first_of(" \t\r\n/><\"'=", begin);
      if (end == kNowhere) return std::nullopt;
      return std::string(text.substr(begin, end - begin));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> root_name(std::string_view bytes) {
  const Width width = width_of(bytes);
  return width.size == 1 ? find_name(bytes) : find_name(narrowed(bytes, width));
}

}  // namespace espalier::text
