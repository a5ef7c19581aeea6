// The trackers of the engines. See tracker.h.
#include "explore/tracker.h"

#include <iterator>

#include "runtime/asset/view.h"

namespace espalier::explore {

std::string_view name_of(ItemKind kind) {
  constexpr std::string_view kNames[] = {"leaf", "state", "transition", "node", "result",
                                         "case", "rule",  "decider",    "role", "slot"};
  return kNames[static_cast<std::size_t>(kind)];
}

Tracker tracker_of(const Tree& tree) {
  constexpr Tracker (*kTrackers[])(const Tree&) = {track_selecting, track_ticking, track_rules,
                                                   track_deciders,  track_storing, track_polling};
  static_assert(std::size(kTrackers) == kEngineIds);
  return kTrackers[static_cast<std::size_t>(engine_id_of(tree))](tree);
}

}  // namespace espalier::explore
