// What a claim sees of agents. See looking.h.
#include "explore/property/looking.h"

#include <utility>

#include "runtime/asset/view.h"

namespace espalier::explore {
namespace {

// 1 + the status, where later updates may have none.
void keep_status(const World& world, Seen& seen, unsigned char& kept) {
  if (!seen.status && kept != 0) seen.status = static_cast<Result>(kept - 1);
  const bool may_have_none = world.agent_count() > 1 || is_stopped(seen.agent.tree, seen.agent.block);
  kept = static_cast<unsigned char>(may_have_none && seen.status ? 1 + static_cast<std::uint32_t>(*seen.status) : 0);
}

}  // namespace

Seen seen_of_first(const Run& run, unsigned char* state, unsigned char* statuses,
                   std::vector<replay::ObservedAgent>* all) {
  Seen first;
  const std::uint32_t count = statuses != nullptr || all != nullptr ? run.world().agent_count() : 1;
  for (std::uint32_t agent = 0; agent < count; ++agent) {
    Seen seen = run.seen(0, agent, state);
    if (statuses != nullptr) keep_status(run.world(), seen, statuses[agent]);
    if (all != nullptr) all->push_back({agent, seen.agent, seen.status});
    if (agent == 0) first = std::move(seen);
  }
  first.agents = all;
  return first;
}

}  // namespace espalier::explore
