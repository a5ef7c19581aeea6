// When which node of a log was active, and with which result it ended. Nothing is inferred for it.
#pragma once
#include "live/formats/log.h"
#include "live/logged_tree.h"
#include "replay/timeline.h"

namespace espalier::live {

// `keeps_runs`: see replay::Timeline.
[[nodiscard]] replay::Timeline timeline_of(const LoggedTree& tree, const Log& log, bool keeps_runs = false);

}  // namespace espalier::live
