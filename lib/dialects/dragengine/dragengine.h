// Behaviour trees of the Drag[en]gine: the reader. A root element `behaviorTree` holds rules; every file with one rule
// is a tree, and a `subtree` is replaced by the rules of another file.
#pragma once
#include "dialects/dialect.h"

namespace espalier::dialects::dragengine {

const ElementTable& table();
// Names that a project declares.
void declare(const Options& options, DeclaredRows& rows);

bool owns(std::string_view root_element);
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);

}  // namespace espalier::dialects::dragengine
