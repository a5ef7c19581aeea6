// The report of a verb that cannot do its work, since trees have errors: in the verb's own format, with the findings in
// place of results. Formats that all verbs write alike are those of findings.h.
#pragma once
#include <ostream>
#include <string_view>

#include "report/findings.h"

namespace espalier::report {

// Has the verb a report of its own in this format, which is not one of findings?
bool has_own_report(std::string_view verb, std::string_view format);
// Writes it.
void write_refused(std::string_view verb, std::string_view format, const text::Findings& findings,
                   const text::Sources& sources, std::ostream& out);

}  // namespace espalier::report
