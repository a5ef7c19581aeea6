// Expectations of what happens in a trace that exploration has found: `expect` lines as `replay` writes them.
#pragma once
#include <string>
#include <vector>

#include "explore/results.h"

namespace espalier::explore {

// What the lines say of each update: the state that it leads to; or also all that the host sees of it, with inputs and
// entries that are written.
enum class Expected : std::uint8_t { states, events };

// The trace with what the host answers by default, and an `expect` line after each update, which says what happens.
std::string with_expectations(const Asset& asset, const Trace& trace, Expected expected);

// The trace with an `expect` line for each agent after each update, of which the first has the events of those of these
// kinds that its engine has. Empty: the trace does not run.
std::string with_events(const Asset& asset, const Trace& trace, const std::vector<std::string>& events);

// An `expect` line for each agent at the end of the trace. The first one has the events of these kinds, if any are
// given, which the header of the trace must then name.
std::string last_expectations(const Asset& asset, const Trace& trace, const std::vector<std::string>& events);

}  // namespace espalier::explore
