// Applies the severities that a project configures.
#pragma once
#include <string>
#include <vector>

#include "project/configuration.h"
#include "text/finding.h"

namespace espalier::project {

// Turns errors that the project lowers into warnings. To be called before suppressions, which apply to warnings.
void lower_errors(const std::vector<text::Rule>& lowered, text::Findings& findings);

// Applies 'rules' and 'overrides' and removes findings of rules that are off. `paths_below` has the path of each file
// relative to the folder of espalier.json; overrides apply to no other files.
void apply_severities(const Configuration& configuration, const std::vector<std::string>& paths_below,
                      text::Findings& findings);

}  // namespace espalier::project
