// Witnesses of findings: traces in the forms of reports.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "report/json_text.h"
#include "text/finding.h"

namespace espalier::report {

// "signal OnNoise, tick -> nothing is selected"
std::string witness_text(const text::Witness& witness);
// {"shows": "...", "trace": [{...}, ...]}
Json witness_json(const text::Witness& witness);
// A whole trace file, which passes as long as it shows what is claimed. `name` is what it is about.
std::string witness_file(const text::Witness& witness, const std::string& name);

// The name of its file, "nothing-selected-Guard-1.trace.jsonl", numbered from 1 for each rule and tree. The finding has
// one; `counts`: those of the names so far.
std::string witness_name(const text::Finding& finding, std::map<std::string, std::uint32_t>& counts);

}  // namespace espalier::report
