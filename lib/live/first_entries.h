// What entries may hold where a log begins. See beginning.h.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::live {

// By entry, the values that it may have which make a difference; none: as the tree has it.
using OpenEntries = std::vector<std::pair<std::string, std::vector<std::optional<explore::EntryValue>>>>;

// Those of which the log does not tell the value at this change. `block`, of the agent, gets the others. None: not all
// that are looked at are known.
[[nodiscard]] std::optional<OpenEntries> open_entries(const LoggedTree& tree, const Log& log, std::uint32_t change,
                                                      std::vector<std::uint64_t>& block);

}  // namespace espalier::live
