// Inputs that a node does without.
#pragma once
#include <deque>
#include <string_view>
#include <vector>

#include "cpp/ports.h"
#include "cpp/unit.h"

namespace espalier::cpp {

// Marks the inputs among the ports of a class that it does without: its functions use them only where they are given,
// "if (getInput("speed", speed))" without an else or "getInput<double>("speed").value_or(1.0)"; or they are documented
// as optional. `name`: of the class, with its scope.
void make_optional(const std::deque<Unit>& units, std::string_view name, std::vector<Port>& ports);

}  // namespace espalier::cpp
