// Text where no dialect reads any. See stray_text.h.
#include "dialects/reading/stray_text.h"

#include <algorithm>

#include "text/characters.h"
#include "text/names.h"

namespace espalier::dialects {
namespace {

// The first line in `span` that marks a side of a merge conflict; an empty span if there is none.
text::Span conflict_in(std::string_view source, text::Span span) {
  for (std::size_t at = span.begin; at < span.end;) {
    const std::string_view marker = text::conflict_marker(source, at);
    const auto begin = static_cast<std::uint32_t>(at);
    if (!marker.empty()) return {span.file, begin, begin + static_cast<std::uint32_t>(marker.size())};
    const std::size_t line_end = source.find_first_of("\r\n", at);
    at = line_end == std::string_view::npos ? line_end : line_end + 1;
  }
  return {span.file, span.begin, span.begin};
}

text::Span first_line(std::string_view source, text::Span span) {
  const std::size_t line_end = source.find_first_of("\r\n", span.begin);
  if (line_end < span.end) span.end = static_cast<std::uint32_t>(line_end);
  return span;
}

}  // namespace

text::Span visible(std::string_view source, text::Span span) {
  while (span.begin < span.end && text::is_space(source[span.begin])) ++span.begin;
  while (span.begin < span.end && text::is_space(source[span.end - 1])) --span.end;
  return span;
}

bool marks_merge(std::string_view source, text::Span span) {
  const text::Span marker = conflict_in(source, span);
  return marker.begin != marker.end;
}

void warn_of_stray_text(const text::Element& element, rules::Rule rule, text::Findings& findings) {
  if (!element.has_text()) return;
  const std::string_view source = element.document().source().text();
  text::Span first_marker;
  for (const text::TextPiece& piece : element.text()) {
    text::Span span = visible(source, piece.span);
    if (span.begin == span.end) continue;
    const text::Span marker = conflict_in(source, span);
    const bool is_marker = marker.begin != marker.end;
    if (is_marker && first_marker != text::Span()) continue;
    span = is_marker ? marker : first_line(source, span);
    if (is_marker) first_marker = span;
    findings.add(rule, span, "nothing reads the text in " + text::quote(element.name()),
                 std::string(is_marker ? kMergeHint : std::string_view()));
  }
}

}  // namespace espalier::dialects
