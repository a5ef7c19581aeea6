// What reached an agent in a recording, as lines of a trace.
#pragma once
#include <espalier/espalier.hpp>
#include <string>
#include <vector>

#include "replay/replay.h"
#include "runtime/recording/playback.h"

namespace espalier::live {

// The line, without the agent; empty: traces have none for it. `block`: the agent's, before it.
[[nodiscard]] std::string input_line(const Tree& tree, const void* block, const recording::Input& input);
// Traces have no name for entries of subtrees, nor for rules without an id.
[[nodiscard]] bool can_be_said(const Tree& tree, const recording::Input& input);
// An entry may not take a value.
[[nodiscard]] bool has_effect(const Tree& tree, const void* block, const recording::Input& input);
// "5", "true", "\"left\""
[[nodiscard]] std::string text_of_value(const espalier_value& value, bool is_boolean);

// Agents of these trees that begin in the middle of a run, as they go on in another version of the asset: as after a
// hot reload. Where that has not their trees, they are left as they are, and cannot be run.
[[nodiscard]] replay::Start moved_start(const replay::Start& start, const std::vector<Tree>& trees, const Asset& other);

}  // namespace espalier::live
