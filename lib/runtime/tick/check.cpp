// Checks blocks with any content of agents that tick.
#include "format/node.h"
#include "format/opcodes/tick.h"
#include "tick/tick.h"

namespace espalier {
namespace {

// Is this a node of the region, but not of a nested region?
bool can_be_present(const TickAgent& agent, std::uint32_t region, std::uint32_t present) {
  std::uint32_t word = region == kRootRegion ? 0 : agent.nodes.first_child(region);
  while (word != present) {
    if (present < agent.nodes.first_child(word) || present >= agent.nodes.end_of(word)) return false;
    if (agent.nodes.opcode(word) == opcode::tick_parallel) return false;
    word = agent.nodes.child_around(word, present);
  }
  return true;
}

}  // namespace

// Only the present node of each active region must be valid: it determines what else is read. Counts and times may have
// any value, and a state that does not exist in its machine is treated as the first one.
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
