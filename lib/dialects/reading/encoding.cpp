// Checks of file encodings. See encoding.h.
#include "dialects/reading/encoding.h"

#include <algorithm>
#include <string>

#include "text/characters.h"

namespace espalier::dialects {

void warn_of_encoding(const text::XmlDocument& document, text::Findings& findings) {
  const std::string encoding(document.encoding());
  if (encoding == "UTF-8") return;
  const bool is_wide = encoding.substr(0, 3) == "UTF";
  const text::Span begin{document.file(), 0, 0};
  const text::Span place = is_wide ? begin : first_beyond_ascii(document);
  if (!is_wide && place.begin == place.end) return;  // the same bytes as in UTF-8
  findings.add(rules::Rule::XML_not_utf8, place,
               is_wide ? "the file is " + encoding + ": the engine reads nothing but UTF-8, and refuses it"
                       : "the file is " + encoding + ", and the engine takes it as UTF-8, whatever its declaration " +
                             "says: it refuses the file, or reads other characters",
               "convert the file to UTF-8");
}

text::Span first_beyond_ascii(const text::XmlDocument& document) {
  const std::string_view text = document.source().text();
  const auto is_beyond = [](char c) { return static_cast<unsigned char>(c) > 127; };
  const auto at = static_cast<std::uint32_t>(std::find_if(text.begin(), text.end(), is_beyond) - text.begin());
  const auto end = static_cast<std::uint32_t>(at < text.size() ? at + text::character_length(text, at) : at);
  return {document.file(), at, end};
}

}  // namespace espalier::dialects
