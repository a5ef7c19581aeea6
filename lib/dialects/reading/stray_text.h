// Text where no dialect reads any.
#pragma once
#include <string_view>

#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects {

// The span without leading and trailing blanks.
[[nodiscard]] text::Span visible(std::string_view source, text::Span span);

// Does a line in `span` mark a side of a merge conflict? Below is the hint for this case.
[[nodiscard]] bool marks_merge(std::string_view source, text::Span span);
inline constexpr std::string_view kMergeHint =
    "a merge is unfinished: keep what is wanted of both sides, and remove the lines that mark them";

// Reports as `rule`, a warning, each piece of text in the element that is more than blanks: its first line. Markers of
// an unfinished merge are one finding, with a hint.
void warn_of_stray_text(const text::Element& element, rules::Rule rule, text::Findings& findings);

}  // namespace espalier::dialects
