// Reads all files of a project together: models, includes, trees, and what the trees say of one another.
#pragma once
#include <span>

#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

// As Dialect::read. Trees are added to the project if there are no errors, and they are wanted.
void read_project(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);

}  // namespace espalier::dialects::btcpp
