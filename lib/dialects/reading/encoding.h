// The encodings that an engine reads.
#pragma once
#include "text/finding.h"
#include "text/xml.h"

namespace espalier::dialects {

// For CRYENGINE, which takes every file as UTF-8, whatever its declaration says: a warning for a file that is not.
void warn_of_encoding(const text::XmlDocument& document, text::Findings& findings);

// The first character beyond ASCII; an empty place at the file's end: there is none.
[[nodiscard]] text::Span first_beyond_ascii(const text::XmlDocument& document);

}  // namespace espalier::dialects
