// Edits of source texts: which fixes of findings are applied together, and the text that they give.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/finding.h"

namespace espalier::rewrite {

// The text with these edits, which are all in one file, sorted by place, and do not overlap.
std::string edited(std::string_view text, const std::vector<text::Edit>& edits);

struct ChosenFixes {
  std::vector<text::Edit> edits;  // sorted by file and place; none overlaps another
  std::size_t fix_count = 0;
  std::vector<text::Span> guessed;  // the places of edits that guess what was meant
};

// For each finding in turn, the first of its fixes that is no less safe than `grade`, whose edits neither overlap nor
// touch those that were chosen before, and that rests on nothing that one of those rests on: these have to wait until
// the text is checked again.
ChosenFixes choose_fixes(const text::Findings& findings, text::FixGrade grade);

}  // namespace espalier::rewrite
