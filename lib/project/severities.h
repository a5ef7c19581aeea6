// Severities as a project configures them.
#pragma once
#include <string>
#include <vector>

#include "project/configuration.h"
#include "text/finding.h"

namespace espalier::project {

// Makes the errors that the project lowers warnings. Before suppressions, which hold for warnings.
void lower_errors(const std::vector<text::Rule>& lowered, text::Findings& findings);

// Gives findings the severities of 'rules' and 'overrides', and takes out what is off. `paths_below` has the path of
// each file below the folder of espalier.json; overrides hold for no other files.
void apply_severities(const Configuration& configuration, const std::vector<std::string>& paths_below,
                      text::Findings& findings);

}  // namespace espalier::project
