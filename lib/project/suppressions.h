// Suppressions: findings that someone has looked at and accepted, in the file itself.
//   <!-- espalier:ignore CODE[,CODE] reason -->
// stands before an element and holds for all that is in it; before the root element it holds for the whole file.
#pragma once
#include <memory>
#include <vector>

#include "text/finding.h"
#include "text/xml.h"

namespace espalier::project {

// Takes suppressed warnings and notes out of `findings`, and adds what is wrong with suppressions themselves. Errors
// stay: a tree that cannot be understood does not become better by a comment. `lowered` are the rules that are errors
// by nature and warnings in this project.
void apply_suppressions(const std::vector<std::unique_ptr<text::XmlDocument>>& documents,
                        const std::vector<text::Rule>& lowered, text::Findings& findings);

}  // namespace espalier::project
