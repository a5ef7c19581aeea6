// Checks of file encodings.
#pragma once
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects {

// For CRYENGINE, which takes every file as UTF-8, whatever its declaration says: a warning for a file that is not.
void warn_of_encoding(const text::XmlDocument& document, text::Findings& findings);

// The first non-ASCII character; an empty span at the end of the file if there is none.
[[nodiscard]] text::Span first_beyond_ascii(const text::XmlDocument& document);

}  // namespace espalier::dialects
