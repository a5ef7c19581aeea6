// Suppressions: comments in a file that accept findings.
//   <!-- espalier:ignore CODE[,CODE] reason -->
// applies to the element after it and all that is in it; before the root element it applies to the whole file.
#pragma once
#include <string_view>
#include <vector>

#include "text/finding.h"
#include "text/xml.h"

namespace espalier::project {

inline constexpr std::string_view kSuppressionMarker = "espalier:ignore";

// The comments of one file.
struct FileComments {
  text::FileId file = 0;
  std::vector<text::Comment> comments;
};

// Is it a suppression, or may it be meant as one? The others of a file can be left out.
[[nodiscard]] bool may_be_suppression(const text::Comment& comment, std::string_view text);

// Removes suppressed warnings and notes from `findings`, and adds faults of suppressions themselves. Errors cannot be
// suppressed. `lowered` are the rules that are errors by default and warnings in this project.
void apply_suppressions(const std::vector<FileComments>& commented, const text::Sources& sources,
                        const std::vector<text::Rule>& lowered, text::Findings& findings);

}  // namespace espalier::project
