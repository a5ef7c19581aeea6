// Why a node of a tree that polls fails, succeeds or is skipped without being ticked, or is skipped after it was.
#pragma once
#include <string>
#include <string_view>

#include "replay/names.h"

namespace espalier::report {

// The name of the script, or "ticked".
std::string_view skip_cause(const NodeStep& step);
// "skips Charge", "fails Charge"; empty if it says no more than another step does. `step` is a skip.
std::string skip_words(const replay::AgentView& agent, const NodeStep& step);
// "_skipIf is true: docked = 1, level = 0.9  (robot.xml:14)": with the entries that the script reads.
std::string skip_reason(const replay::AgentView& agent, const NodeStep& step);

}  // namespace espalier::report
