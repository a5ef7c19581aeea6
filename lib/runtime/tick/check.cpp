// Can a block of any content be one of an agent that ticks?
#include "tick/tick.h"

namespace espalier {
namespace {

// Is there such a node in the region, and not in another one inside?
bool can_be_present(const TickAgent& agent, std::uint32_t region, std::uint32_t present) {
  std::uint32_t word = region == kRootRegion ? 0 : agent.nodes.first_child(region);
  while (word != present) {
    if (present < agent.nodes.first_child(word) || present >= agent.nodes.end_of(word)) return false;
    if (agent.nodes.opcode(word) == Opcode::tick_parallel) return false;
    word = agent.nodes.child_around(word, present);
  }
  return true;
}

}  // namespace

// Whatever else is in a block: which node is present in each active region says what is read of it. Counts and times
// may be any, and a state that a machine has not is taken for its first one.
bool check_ticking(const Tree& tree, const void* block, const void*) {
  const TickAgent agent(tree, const_cast<void*>(block));  // nothing is written through it
  if (agent.cursor(kRootRegion) == kNoWord) return true;
  std::uint32_t region = kRootRegion;
  do {
    if (!can_be_present(agent, region, agent.cursor(region))) return false;
    region = agent.next_region(region);
  } while (region != kRootRegion);
  return true;
}

}  // namespace espalier
