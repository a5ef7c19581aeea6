// Findings about nodes that nobody declares come once a package, in the first file that uses them: which files an edit
// of uses can affect by that.
#pragma once
#include <set>
#include <vector>

#include "dialects/btcpp/file_summary.h"
#include "project/snapshot.h"
#include "text/source.h"

namespace espalier::project {

// Adds, for each node and port that a file uses otherwise than before, the first other file of its package that uses
// it: what is told is there, or will be.
void add_first_users(const Snapshot& snapshot, text::FileId file, const std::vector<dialects::btcpp::NodeUse>& before,
                     const std::vector<dialects::btcpp::NodeUse>& after, std::set<text::FileId>& files);

}  // namespace espalier::project
