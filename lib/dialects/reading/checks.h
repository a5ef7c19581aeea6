// Checks of elements, of text where no dialect reads any, and of file encodings.
#pragma once
#include <string>
#include <string_view>

#include "dialects/reading/element_table.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects {

// ---- Elements -----------------------------------------------------------------------------------

// "unknown element 'Selectr' in 'Sequence'". `hint` is used if neither the table's meanings nor a similar name give
// one. Returns the row that was meant, so that the element's content can be read; null if none is similar.
const ElementRow* report_unknown_element(const Element& element, const Element& parent, const ElementRow& parent_row,
                                         const ElementTable& table, Reporter& reporter, UseIndex use = kInPlace,
                                         std::string hint = {});

// "unexpected element 'State' in 'Sequence'". Without a hint, the elements allowed in the parent are listed.
text::Finding& report_unexpected_element(const Element& element, const Element& parent, const ElementRow& parent_row,
                                         const ElementTable& table, Reporter& reporter, UseIndex use = kInPlace,
                                         std::string hint = {});

// "usual spelling: 'Sequence'", with a fix at both tags; no report if it is already written so.
void check_spelling(const Element& element, std::string_view usual, Rule rule, Reporter& reporter);
// Adds a fix that renames the element to `name` in both tags.
void add_renaming(text::Finding& finding, const Element& element, std::string_view name);

// ---- Text ---------------------------------------------------------------------------------------

// The span without leading and trailing blanks.
[[nodiscard]] Span visible(std::string_view source, Span span);

// Does a line in `span` mark a side of a merge conflict? Below is the hint for this case.
[[nodiscard]] bool marks_merge(std::string_view source, Span span);
inline constexpr std::string_view kMergeHint =
    "a merge is unfinished: keep what is wanted of both sides, and remove the lines that mark them";

// Reports as `rule`, a warning, each piece of text in the element that is more than blanks: its first line. Markers of
// an unfinished merge are one finding, with a hint.
void warn_of_stray_text(const Element& element, Rule rule, text::Findings& findings);

// ---- Encodings ----------------------------------------------------------------------------------

// For CRYENGINE, which takes every file as UTF-8, whatever its declaration says: a warning for a file that is not.
void warn_of_encoding(const text::XmlDocument& document, text::Findings& findings);

// The first non-ASCII character; an empty span at the end of the file if there is none.
[[nodiscard]] Span first_beyond_ascii(const text::XmlDocument& document);

}  // namespace espalier::dialects
