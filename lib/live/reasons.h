// Why a log may not fit its tree although the robot ran just that tree.
#pragma once
#include <string>

#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::live {

// In words; empty: nothing is known. `knows_subtrees`: the tree is that of files, or a recorder wrote how its subtrees
// are connected.
[[nodiscard]] std::string other_reasons(const LoggedTree& tree, const Log& log, bool knows_subtrees);

}  // namespace espalier::live
