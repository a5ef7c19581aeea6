// Modular behaviour trees (CRYENGINE 5, Lumberyard 1): the reader. One tree a file, a root element `BehaviorTree`;
// files with a root `Templates` are an editor's palette and skipped.
#pragma once
#include "dialects/dialect.h"

namespace espalier::dialects::modular {

bool owns(std::string_view root_element);
bool has_node(std::string_view element);
// The declared nodes of the host, else those of the engines.
void declare(const Options& options, DeclaredRows& rows);
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);

}  // namespace espalier::dialects::modular
