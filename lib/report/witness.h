// Witnesses of findings: traces in the forms of reports.
#pragma once
#include <string>
#include <vector>

#include "report/json_text.h"
#include "text/finding.h"

namespace espalier::report {

// "signal OnNoise, tick -> nothing is selected"
std::string witness_text(const text::Witness& witness);
// {"shows": "...", "trace": [{...}, ...]}
Json witness_json(const text::Witness& witness);
// A whole trace file, which passes as long as it shows what is claimed. `name` is what it is about.
std::string witness_file(const text::Witness& witness, const std::string& name);

// A file for each finding that has a witness.
struct WitnessFile {
  std::string name;  // "nothing-selected-Guard-1.trace.jsonl", numbered from 1 for each rule and tree
  std::string trace;
};
std::vector<WitnessFile> witness_files(const text::Findings& findings);

}  // namespace espalier::report
