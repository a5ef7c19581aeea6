// The reader of behaviour selection trees (CRYENGINE 3): files with the root element `Blocks`, `SelectionTrees` or
// `SelectionTree`, in any case.
#pragma once
#include "dialects/dialect.h"

namespace espalier::dialects::selection {

bool owns(std::string_view root_element);
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);

}  // namespace espalier::dialects::selection
