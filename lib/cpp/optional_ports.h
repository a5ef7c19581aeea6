// Inputs that a node does without.
#pragma once
#include <deque>
#include <vector>

#include "cpp/classes.h"
#include "cpp/ports.h"
#include "cpp/program.h"
#include "cpp/unit.h"

namespace espalier::cpp {

// Marks the inputs among the ports of a class that it does without: its functions, or those of its bases, use them only
// where they are given, "if (getInput("speed", speed))" without an else or "getInput<double>("speed").value_or(1.0)";
// or they are documented as optional.
void make_optional(const Program& program, const std::deque<Unit>& units, const UsedClass& of,
                   std::vector<Port>& ports);

}  // namespace espalier::cpp
