// Trees that store their results and share gates and groups: the reader. A root element `SynchronizedTree` holds one
// node; slots are shared by all trees of a project.
#pragma once
#include "dialects/dialect.h"

namespace espalier::dialects::synchronized {

// Names of declared actions and conditions.
void declare(const Options& options, DeclaredRows& rows);

bool owns(std::string_view root_element);
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);

}  // namespace espalier::dialects::synchronized
