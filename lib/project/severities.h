// The severities of findings: those of their rules, unless the project configures others. Nothing else sets them, so
// what is less sure than a rule's severity says is a rule of its own.
#pragma once
#include <string>
#include <vector>

#include "project/configuration.h"
#include "text/finding.h"

namespace espalier::project {

// Gives each finding the severity of its rule, whatever it had; errors that the project lowers become warnings. To be
// called before suppressions, which apply to warnings.
void set_severities_of_rules(const std::vector<text::Rule>& lowered, text::Findings& findings);

// Applies 'rules' and 'overrides' and removes findings of rules that are off. `paths_below` has the path of each file
// relative to the folder of espalier.json; overrides apply to no other files.
void apply_severities(const Configuration& configuration, const std::vector<std::string>& paths_below,
                      text::Findings& findings);

}  // namespace espalier::project
