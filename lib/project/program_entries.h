// The entries of BehaviorTree.CPP's blackboards that the program has to write, for a first espalier.json.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lint/lint.h"
#include "project/files.h"

namespace espalier::project {

// Of the trees of a folder, as `files` has them and its espalier.json: what the nodes of main trees read and nothing
// writes. Names that are probably misspelt are none.
[[nodiscard]] lint::ProgramEntries entries_of_program(const std::string& folder, const std::string& configuration,
                                                      const Files& files);

// The text of an espalier.json with these in its `btcpp.entries`; as it was if it has that key, or nothing of btcpp.
// Nothing: it cannot be changed, and `error` says why.
[[nodiscard]] std::optional<std::string> with_entries(const std::string& configuration,
                                                      const std::vector<std::string>& entries, std::string& error);

}  // namespace espalier::project
