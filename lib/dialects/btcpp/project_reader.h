// Reads all files of a project together: models, includes, trees, and which trees use which.
#pragma once
#include <span>

#include "dialects/dialect.h"

namespace espalier::dialects::btcpp {

// As Dialect::read. The project gets the trees as they are written, those with errors too.
void read_project(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);

}  // namespace espalier::dialects::btcpp
