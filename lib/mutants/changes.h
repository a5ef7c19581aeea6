// All changes of a file in one step: an element that is gone, that changes its place with the next one or becomes
// another one, a condition that is gone or negated, a number or a word that is another. Made from the element table of
// the file's dialect, and so the same for all of them; which of them the dialect takes is for its reader to say.
#pragma once
#include <string>
#include <vector>

#include "dialects/dialect.h"
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::mutants {

struct Change {
  std::vector<text::Edit> edits;
  text::Span span;   // the name of the element, or of the attribute
  std::string what;  // "'Sequence' becomes 'Fallback'"
};

// In the order of the file; edits are of its source. None of a file that is damaged.
std::vector<Change> changes_of(const text::XmlDocument& document, const dialects::Dialect& dialect);

}  // namespace espalier::mutants
