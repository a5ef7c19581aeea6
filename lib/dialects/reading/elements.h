// Checks of elements: unknown ones, and ones that are not allowed at their place. For text, see stray_text.h.
#pragma once
#include <string>
#include <string_view>

#include "dialects/reading/element_table.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects {

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

}  // namespace espalier::dialects
