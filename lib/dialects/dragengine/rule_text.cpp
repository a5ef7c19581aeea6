// Text of elements. See rule_text.h.
#include "dialects/dragengine/rule_text.h"

#include <vector>

#include "dialects/reading/stray_text.h"
#include "text/characters.h"

namespace espalier::dialects::dragengine {
namespace {

// Adds a piece; `*is_apart`: a blank stands before what comes next.
void append_collapsed(std::string_view piece, std::string& text, bool* is_apart) {
  for (const char c : piece) {
    if (text::is_space(c)) {
      *is_apart = true;
      continue;
    }
    if (*is_apart && !text.empty()) text += ' ';
    *is_apart = false;
    text += c;
  }
}

}  // namespace

RuleText read_rule_text(const text::Element& element) {
  RuleText result;
  const std::string_view source = element.document().source().text();
  const std::vector<text::TextPiece> pieces = element.text();
  bool is_apart = false;
  std::string first;
  for (const text::TextPiece& piece : pieces) {
    append_collapsed(piece.text, result.text, &is_apart);
    if (&piece == &pieces.front()) first = result.text;
    const text::Span span = visible(source, piece.span);
    if (span.begin == span.end) continue;
    if (result.span == text::Span()) result.span = span;
    result.span.end = span.end;
  }
  if (result.text.empty()) result.span = element.span();
  result.is_split = first != result.text;
  return result;
}

}  // namespace espalier::dialects::dragengine
