// Severities as a project configures them.
#pragma once
#include <string>
#include <vector>

#include "project/project.h"

namespace espalier::project {

// Makes the errors that the project lowers warnings. Before suppressions, which hold for warnings.
void lower_errors(const std::vector<text::Rule>& lowered, text::Findings& findings);

// Gives findings the severities of 'rules' and 'overrides', and takes out what is off. `folder` is that of
// espalier.json; overrides hold for files below it.
void apply_severities(const Configuration& configuration, const std::string& folder, const text::Sources& sources,
                      text::Findings& findings);

}  // namespace espalier::project
