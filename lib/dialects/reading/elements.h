// Checks of elements: unknown ones, and such as may not stand where they do. For text, see stray_text.h.
#pragma once
#include <string>
#include <string_view>

#include "dialects/reading/element_table.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects {

// "unknown element 'Selectr' in 'Sequence'". `hint`: what else helps, where neither the table's meanings nor a name
// that is near do. The row that was meant, so that what stands in it can be read; null: none is near.
const ElementRow* report_unknown_element(const Element& element, const Element& parent, const ElementRow& parent_row,
                                         const ElementTable& table, Reporter& reporter, UseIndex use = kInPlace,
                                         std::string hint = {});

// "unexpected element 'State' in 'Sequence'". Without a hint, what may stand in the parent.
text::Finding& report_unexpected_element(const Element& element, const Element& parent, const ElementRow& parent_row,
                                         const ElementTable& table, Reporter& reporter, UseIndex use = kInPlace,
                                         std::string hint = {});

// "usual spelling: 'Sequence'", with a fix at both tags; nothing where it is written so.
void check_spelling(const Element& element, std::string_view usual, Rule rule, Reporter& reporter);
// A fix that calls the element `name`, at both ends.
void add_renaming(text::Finding& finding, const Element& element, std::string_view name);

}  // namespace espalier::dialects
