// Decider trees, as Spore had them: the reader. A root element `DeciderTree` declares flags, stimuli and behaviours,
// and holds deciders from one root group down to the behaviours.
#pragma once
#include "dialects/dialect.h"

namespace espalier::dialects::decider {

const ElementTable& table();
// Names that a project declares.
void declare(const Options& options, DeclaredRows& rows);

bool owns(std::string_view root_element);
void read(std::span<const File> files, const Options& options, ir::Project& project, text::Findings& findings);

}  // namespace espalier::dialects::decider
