// Agents of deciders as text: their flags, stimuli and active path, and a line a decider. See core/print.h.
#include "core/print.h"
#include "decide/words.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {
namespace {

DeciderAgent agent_of(const DeciderTree& tree, const Printing& printing) {
  return {tree, const_cast<void*>(printing.block)};
}

// Data of a stimulus: as text, a byte that is not printable as '?'.
void write_data(const Printing& printing, const unsigned char* data, std::uint32_t size_bytes) {
  (printing.out << " '").name({reinterpret_cast<const char*>(data), size_bytes}) << "'";
}

void write_stimuli(const Printing& printing, const DeciderTree& tree, const DeciderAgent& agent) {
  if (tree.part<PartKind::stimuli>().count == 0) return;
  printing.out << "  stimuli:";
  if (agent.stimuli() == 0) printing.out << " none";
  bool is_first = true;
  for (std::uint32_t i = 0; i < tree.part<PartKind::stimuli>().count; ++i) {
    if ((agent.stimuli() >> i & 1) == 0) continue;
    (printing.out << (is_first ? " " : "; ")).name(stimulus_name(printing.view, i));
    if (agent.data_bytes(i) != 0) write_data(printing, agent.data(i), agent.data_bytes(i));
    const layout::Stimulus& stimulus = tree.stimulus(i);
    if (stimulus.timeout != layout::kNone) printing.left(agent.timeout(stimulus));
    is_first = false;
  }
  printing.out << "\n";
}

void write_agent(const Printing& printing) {
  const DeciderTree tree(printing.view);
  const DeciderAgent agent = agent_of(tree, printing);
  const DeciderWords words(printing.view, tree, printing.out);
  printing.out << "\n";
  if (tree.part<PartKind::variables>().count > 0) {
    printing.out << "  flags:";
    words.names(ESPALIER_VARIABLES, agent.flags());
    printing.out << "\n";
  }
  write_stimuli(printing, tree, agent);
  printing.out << "  path:";
  if (agent.level_count() == 0) printing.out << " none";
  for (std::uint32_t i = 0; i < agent.level_count(); ++i) {
    printing.out << (i == 0 ? " " : " > ");
    words.name(agent.level(i));
  }
  printing.out << "\n";
}

// The root of a shared decider's unit: its line is that of the place where it is used.
bool is_shared_root(const DeciderTree& tree, const std::uint32_t* node) {
  return is_root(node) && node != tree.root().node;
}

// A decider is active if the path goes through this place. Its level in the path is the depth of its line.
void look_at(const Printing& printing, PrintPlace* place) {
  const DeciderTree tree(printing.view);
  place->is_hidden = is_shared_root(tree, place->node);
  if (place->is_hidden || !place->is_active) return;
  const DeciderAgent agent = agent_of(tree, printing);
  place->is_active = place->depth < agent.level_count() && agent.level(place->depth).placement == place->node;
}

const std::uint32_t* enter_shared(const Printing& printing, const PrintPlace& place, PrintPlace*) {
  if (opcode_of(place.node) != opcode::decide_share) return nullptr;
  return DeciderTree(printing.view).placed(place.node).node;
}

// What the decider keeps between updates, active or not.
void write_kept(const Printing& printing, const DeciderTree& tree, const DeciderAgent& agent, const Placed& placed) {
  const layout::Decider& decider = *placed.decider;
  if (decider.timer != layout::kNone) {
    (printing.out << ", every ").seconds(decider.every_us);
    if (const std::uint64_t stored = agent.timer(decider); stored != 0) printing.left(stored - 1 + decider.every_us);
  }
  if (placed.opcode() == opcode::decide_sequential && agent.ran_last(decider) != 0) {
    const std::uint32_t* last = tree.placed(std::uint64_t{agent.ran_last(decider) - 1}).placement;
    printing.out << ", last child " << std::uint64_t{child_index(placed.node, last)};
  }
  if (placed.opcode() != opcode::decide_shuffle) return;
  const unsigned char* order = agent.order(decider);
  if (order[0] == 0) return;
  printing.out << ", order";
  for (std::uint32_t i = 0; i < decider.child_count; ++i) printing.out << " " << std::uint64_t{order[1 + i]};
  printing.out << ", position " << std::uint64_t{order[0] - 1u};
}

void write_name(const Printing& printing, const PrintPlace& place) {
  const DeciderTree tree(printing.view);
  const Placed placed = tree.placed(place.node);
  printing.out << std::uint64_t{place.index} << " ";
  DeciderWords(printing.view, tree, printing.out).name(placed);
  const bool is_shared = placed.placement != placed.node;
  printing.out << (is_shared ? ", shared " : ", ") << (placed.is_group() ? "group, " : "decider") << policy_of(placed);
}

void write_state(const Printing& printing, const PrintPlace& place) {
  const DeciderTree tree(printing.view);
  const DeciderAgent agent = agent_of(tree, printing);
  const Placed placed = tree.placed(place.node);
  if (place.is_active && printing.has_clock()) {
    printing.active_for(active_us(printing.host->clock_us, agent.since_us(place.depth)));
  } else if (place.is_active) {
    printing.out << ", active";
  }
  if (placed.decider->behavior != 0) {
    printing.out << ", behavior ";
    DeciderWords(printing.view, tree, printing.out).behavior(*placed.decider);
  }
  if (place.is_active && placed.is_group() && place.depth + 1 < agent.level_count()) {
    printing.out << ", active child "
                 << std::uint64_t{child_index(placed.node, agent.level(place.depth + 1).placement)};
  }
  write_kept(printing, tree, agent, placed);
}

}  // namespace

const PrintRow kDecidePrint = {write_agent, look_at, enter_shared, write_name, write_state, nullptr};

}  // namespace espalier
