// Where the page of a rule is, once a site of the manuals is published.
#pragma once
#include <string>
#include <string_view>

namespace espalier::rules {

// Can it be the address of a site: http or https, and nothing behind it that a path cannot follow?
bool is_site(std::string_view address);

// The address of the page of the rule with this code. `site` is the one that a project names; empty: the one that the
// program was built for, ESPALIER_SITE. Empty if neither is known.
std::string page_of(std::string_view code, std::string_view site);

}  // namespace espalier::rules
