// Messages for people: the place, the fault, the source line with a mark under the exact part, and a hint.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>

#include "text/finding.h"
#include "text/source.h"

namespace espalier::report {

// Terminal colours; all empty if colours are off.
struct Palette {
  std::string_view bold, error, warning, note, mark, dim, reset;
  bool has_links = false;  // codes of rules lead to their pages
};
const Palette& palette(bool has_color, bool has_links = false);

// Appends to a text: findings are many, and streams are slow for such small parts.
struct HumanWriter {
  const text::Sources& sources;
  const Palette& palette;
  std::string& out;

  void put(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) out += part;
  }

  // "tree.xml:3:9: error: text", with the word before the text in a colour.
  void head(text::Span span, std::string_view color, std::string_view word, std::string_view text);
  // The source line of `span` with its number, and the mark below it.
  void excerpt(text::Span span);
  // "  hint: text"
  void line(std::string_view word, std::string_view text);
  // The code of a rule, which may lead to its page.
  void code(std::string_view code);
  // A complete finding.
  void finding(const text::Finding& finding);
  void origin(const text::Related& related);
};

}  // namespace espalier::report
