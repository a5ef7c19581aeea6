// Tags of the explicit form: elements whose 'ID' says which node or tree they are.
#pragma once
#include <string_view>

#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

// "Action", "Condition", "Control", "Decorator" or "SubTree": the element's name, or the one that is meant by an
// element with an 'ID' and another name, since no other element has an 'ID'. Empty if it is none. A node that is
// declared by the element's name is for the caller to look for.
[[nodiscard]] std::string_view tag_of(const Element& element);

// Reports an element whose name is not the tag that it means.
void report_misspelt_tag(const Element& element, std::string_view tag, Reporter& reporter);

}  // namespace espalier::dialects::btcpp
