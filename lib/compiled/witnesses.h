// The traces that show what findings say can happen.
#pragma once
#include "project/project.h"

namespace espalier::compiled {

// Gives findings with a claim their witness, as far as exploration finds a trace within a small budget. The result is
// the same in every run. Trees that no such finding is about are removed.
void add_witnesses(project::Project& project);

}  // namespace espalier::compiled
