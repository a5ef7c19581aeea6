// Logs of several trees on one topic: Nav2's navigators publish their changes under one name, each from 1 on.
#pragma once
#include <optional>

#include "live/formats/log.h"
#include "live/logged_tree.h"

namespace espalier::live {

// Leaves the messages out of the log that have nodes of another tree, and marks those that may be of either
// (Change::may_be_other): a message is of one tree. Returns a note that says so. Nothing: all numbers have one name in
// the log, or no message is of this tree; then nothing is changed.
std::optional<LogFault> leave_out_other_trees(const LoggedTree& tree, Log& log);

}  // namespace espalier::live
