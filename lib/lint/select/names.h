// Names of selection trees that the game does not have.
#pragma once
#include "lint/tick/analysis.h"

namespace espalier::lint {

// Reports signals that nothing sends, if the project declares events, and undeclared behaviours, if it declares any.
void analyse_select_names(const ir::Project& project, ProjectEvents& events, const Facts& facts,
                          text::Findings& findings);

}  // namespace espalier::lint
