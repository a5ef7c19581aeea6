// From trees as they are read to trees that can be compiled: subtrees are copied to their places, keys are connected to
// entries, scripts become instructions.
#pragma once
#include "dialects/btcpp/project.h"
#include "ir/tree.h"

namespace espalier::dialects::btcpp {

// What espalier.json says of trees that run.
struct LowerOptions {
  std::uint32_t text_bytes = 64;
  std::uint32_t named_entries = 8;
  bool has_one_round = false;
};

// Adds each tree of the project to `result`. The project must have no errors.
void lower(const ReadProject& project, const LowerOptions& options, ir::Project& result);

// A script as instructions. `key_of(name)`: the number of a key; enumerations come first.
[[nodiscard]] std::vector<ir::PollInstruction> lower_script(
    const Script& script, const Enumeration& enumeration,
    const std::function<std::uint32_t(std::string_view name)>& key_of);

}  // namespace espalier::dialects::btcpp
