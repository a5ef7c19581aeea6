// Checks of elements, of text where no dialect reads any, and of file encodings.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "dialects/reading/element_table.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects {

// ---- Elements -----------------------------------------------------------------------------------

// "unknown element 'Selectr' in 'Sequence'". `parent`: as which the element around it is read. `hint` is used if
// neither the table's meanings, a similar name, another word for the same nor the element's content give one. Returns
// the row that was meant, so that the element's content can be read; null if none is known.
const ElementRow* report_unknown_element(const Element& element, const ElementRow& parent, Reporter& reporter,
                                         std::string hint = {}, UseIndex use = kInPlace);

// "unexpected element 'State' in 'Sequence'". Without a hint, the elements allowed in the parent are listed.
text::Finding& report_unexpected_element(const Element& element, const ElementRow& parent, Reporter& reporter,
                                         std::string hint = {}, UseIndex use = kInPlace);

// Of the elements allowed in `parent`, the one that was meant by one that is known but not allowed there, if what that
// holds shows it: 'Variables' by a 'Variable' that holds 'Variable's. Null if it shows none.
const ElementRow* meant_by_content(const Element& element, const ElementRow& parent, Reporter& reporter);

// "usual spelling: 'Sequence'", with a fix at both tags; no report if it is already written so.
void check_spelling(const Element& element, std::string_view usual, Rule rule, Reporter& reporter);
// Adds a fix that renames the element to `name` in both tags, unless its end tag has another name, which is a fault of
// its own; for a guess, see Reporter::propose_name().
void add_renaming(text::Finding& finding, const Element& element, std::string_view name, text::FixGrade grade);

// ---- Names ----

// The name of a function or a behaviour in what is written as a call of it: "Flee" of "Flee()"; empty if it is none.
[[nodiscard]] std::string_view called_in(std::string_view name);
// "'Flee()' is taken as a name". False if it is not written as a call.
bool report_call(Rule rule, const Attribute& name, Reporter& reporter);

// ---- Text ---------------------------------------------------------------------------------------

// The span without leading and trailing blanks.
[[nodiscard]] Span visible(std::string_view source, Span span);

// Does a line in `span` mark a side of a merge conflict? Below is the hint for this case.
[[nodiscard]] bool marks_merge(std::string_view source, Span span);
inline constexpr std::string_view kMergeHint =
    "a merge is unfinished: keep the lines that you want from both sides, and remove the conflict markers";

// Reports each piece of text in the element that is more than blanks: its first line. Markers of an unfinished merge
// are one finding, with a hint.
void warn_of_stray_text(const Element& element, Reporter& reporter);

// ---- Encodings ----------------------------------------------------------------------------------

// For CRYENGINE, which takes every file as UTF-8, whatever its declaration says: a warning for a file that is not.
void warn_of_encoding(const text::XmlDocument& document, text::Findings& findings);

// Where a file stops being UTF-8: at its beginning for UTF-16 and UTF-32, else at the first character beyond ASCII.
struct OtherEncoding {
  Span place;
  bool is_wide = false;
};
// Nothing if the bytes of the file are those of UTF-8.
[[nodiscard]] std::optional<OtherEncoding> find_other_encoding(const text::XmlDocument& document);

}  // namespace espalier::dialects
