// The trackers of the engines. See tracker.h.
#include "explore/tracker.h"

#include "runtime/asset/view.h"

namespace espalier::explore {

std::string_view name_of(ItemKind kind) {
  constexpr std::string_view kNames[] = {"leaf", "state", "transition", "node", "result",
                                         "case", "rule",  "decider",    "role", "slot"};
  return kNames[static_cast<std::size_t>(kind)];
}

Tracker tracker_of(const Tree& tree, const HostFacts& host) {
  const EngineId engine = engine_id_of(tree);
  switch (engine) {
    case EngineId::select:
      return track_selecting(tree);
    case EngineId::rule:
      return track_rules(tree);
    case EngineId::decide:
      return track_deciders(tree);
    case EngineId::tick:
      return track_ticking(tree, host);
    case EngineId::store:
      return track_storing(tree, host);
    case EngineId::poll:
      break;
  }
  return track_polling(tree, host);
}

}  // namespace espalier::explore
