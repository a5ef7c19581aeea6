// From trees as they are written to trees that can be compiled: subtrees are copied to their places, keys are connected
// to entries, scripts become instructions.
#pragma once
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "ir/poll/written.h"
#include "ir/tree.h"

namespace espalier::ir::poll {

// Adds each written tree that has a name of its own to the trees of the project, if its subtrees are all known, and
// neither it nor one of them is faulty or has errors.
void expand(Project& project, const std::function<bool(const WrittenTree& tree)>& is_faulty);

// A script as instructions. `key_of(name)`: the number of a key; enumerations come first.
[[nodiscard]] std::vector<PollInstruction> instructions_of(
    const Script& script, const Enumeration& enumeration,
    const std::function<std::uint32_t(std::string_view name)>& key_of);

}  // namespace espalier::ir::poll
