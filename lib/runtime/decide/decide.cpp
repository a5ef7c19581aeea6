// Agents of trees of deciders: stopping, decision flags, stimuli, the active path.
#include "decide/decide.h"

#include "core/check.h"
#include "core/watch.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {
namespace {

// Some functions of the interface only read a block.
DeciderAgent agent_of(const DeciderTree& tree, const void* block) { return {tree, const_cast<void*>(block)}; }

}  // namespace

void tell(const Watcher& watcher, const DeciderTree& tree, DecideStepKind kind, std::uint32_t depth,
          const std::uint32_t* node, const std::uint32_t* other, double value) {
  const auto word_of = [&](const std::uint32_t* at) { return static_cast<std::uint32_t>(at - tree.nodes); };
  tell_decide(watcher, {kind, depth, word_of(node), other == nullptr ? 0 : word_of(other), value});
}

void DeciderAgent::set_stimulus(std::uint32_t number, std::uint64_t clock_us, const StimulusData* data) const {
  const layout::Stimulus& stimulus = tree_.stimulus(number);
  set_stimuli(stimuli() | std::uint64_t{1} << number);
  if (stimulus.timeout != layout::kNone) set_timeout(stimulus, clock_us + stimulus.timeout_us);
  const std::uint32_t given = data == nullptr ? 0 : data->size_bytes;
  const std::uint32_t size_bytes = given < kStimulusDataBytes ? given : kStimulusDataBytes;
  std::memset(this->data(number), 0, kStimulusDataBytes);
  if (size_bytes > 0) std::memcpy(this->data(number), data->bytes, size_bytes);
  data_bytes(number) = static_cast<unsigned char>(size_bytes);
}

void DeciderAgent::age_stimuli(std::uint64_t clock_us) const {
  std::uint64_t present = stimuli();
  if (present == 0 || tree_.part<PartKind::timeouts>().count == 0) return;
  for (std::uint32_t i = 0; i < tree_.part<PartKind::stimuli>().count; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if ((present & bit) == 0) continue;
    const layout::Stimulus& stimulus = tree_.stimulus(i);
    if (stimulus.timeout != layout::kNone && timeout(stimulus) <= clock_us) present &= ~bit;
  }
  set_stimuli(present);
}

std::uint32_t DeciderAgent::found_idle() const {
  std::uint32_t from = level_count();
  if (from == 0) return 0;
  for (Placed active = level(from - 1); from > 1; --from) {
    const Placed group = level(from - 2);
    const bool asks = group.opcode() == opcode::decide_scored ||
                      (group.opcode() == opcode::decide_prioritized && active.placement != group.first_child());
    if (asks || group.decider->behavior != 0 || level_bytes(*group.decider) != 0) break;
    active = group;
  }
  return from >> (16 - kLevelCountBits) == 0 ? from : 0;
}

void stop_deciders(const Tree& view, void* block, const Host& host) { deactivate(view, block, host, 0); }

namespace {

// Is the node with this number a child of the group?
bool is_child(const DeciderTree& tree, const Placed& group, std::uint64_t number) {
  if (number >= tree.record.node_count) return false;
  const std::uint32_t* placement = tree.placed(number).placement;
  return !is_root(placement) && parent_of(placement) == group.node;
}

// Is the path a chain of children from the root, not longer than the tree allows?
bool is_path(const DeciderTree& tree, const DeciderAgent& agent) {
  const std::uint32_t count = agent.level_count();
  if (count > tree.root().decider->level_count) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t number = agent.number_at(i);
    if (i == 0 ? number != tree.number_of(tree.root().placement) : !is_child(tree, agent.level(i - 1), number)) {
      return false;
    }
  }
  return true;
}

// For a decide_shuffle: either no order was drawn, or the order has each child once.
bool is_order(const unsigned char* order, std::uint32_t child_count) {
  if (order[0] == 0) return true;
  if (order[0] > 1 + child_count) return false;
  std::uint64_t seen = 0;
  for (std::uint32_t i = 1; i <= child_count; ++i) {
    if (order[i] >= child_count || (seen >> order[i] & 1) != 0) return false;
    seen |= std::uint64_t{1} << order[i];
  }
  return true;
}

}  // namespace

bool check_deciders(const Tree& view, const void* block, const void*) {
  const DeciderTree tree(view);
  const DeciderAgent agent = agent_of(tree, block);
  if (!is_path(tree, agent) || (agent.flags() & ~bits_below(tree.part<PartKind::variables>().count)) != 0 ||
      (agent.stimuli() & ~bits_below(tree.part<PartKind::stimuli>().count)) != 0) {
    return false;
  }
  if (agent.idle_from() != 0 && agent.idle_from() != agent.found_idle()) return false;
  for (std::uint32_t i = 0; i < tree.part<PartKind::stimuli>().count; ++i) {
    if (agent.data_bytes(i) > kStimulusDataBytes) return false;
  }
  for (std::uint32_t i = 0; i < tree.record.node_count; ++i) {
    const Placed placed = tree.placed(std::uint64_t{i});
    if (placed.placement != placed.node) continue;  // shared: it is checked at its own node
    const layout::Decider& decider = *placed.decider;
    if (placed.opcode() == opcode::decide_shuffle && !is_order(agent.order(decider), decider.child_count)) return false;
    if (placed.opcode() != opcode::decide_sequential) continue;
    const std::uint32_t ran_last = agent.ran_last(decider);
    if (ran_last != 0 && !is_child(tree, placed, ran_last - 1)) return false;
  }
  return true;
}

void raise_stimuli(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                   const Watcher*) {
  const Asset& asset = *tree.asset;
  const layout::Signal& entry =
      records<layout::Signal>(asset, layout::SectionId::signals)[tree_record(tree).first_signal + signal];
  const layout::Assignment* sets = array<layout::Assignment>(asset, layout::SectionId::assignments);
  for (std::uint32_t i = 0; i < entry.assignment_count; ++i) {
    set_stimulus(tree, block, sets[entry.first_assignment + i].variable, host.clock_us,
                 static_cast<const StimulusData*>(data));
  }
}

void visit_deciders(const Tree& view, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                    void* user) {
  const DeciderTree tree(view);
  const DeciderAgent agent = agent_of(tree, block);
  for (std::uint32_t i = 0; i < agent.level_count(); ++i) visit(user, tree.word_of(agent.level(i)));
}

}  // namespace espalier

using namespace espalier;

size_t espalier_scratch_bytes(espalier_tree tree) {
  if (!Check(__func__).tree(tree)) return 0;
  if (!is_decider_tree(tree)) return 0;
  const std::uint32_t size_bytes = DeciderTree(tree).record.scratch_bytes;
  return size_bytes <= kStackScratchBytes ? 0 : size_bytes;
}

// ---- Flags and stimuli

uint64_t espalier_flags(espalier_tree view, const void* block) {
  if (!Check(__func__).block(view, block)) return 0;
  return is_decider_tree(view) ? agent_of(DeciderTree(view), block).flags() : 0;
}

void espalier_set_flags(espalier_tree view, void* block, uint64_t flags) {
  if (!Check(__func__).tree_of(view, EngineId::decide).block(view, block)) return;
  const std::uint32_t count = variable_count(view);
  DeciderAgent(DeciderTree(view), block).set_flags(flags & bits_below(count));
}

void espalier_set_stimulus(espalier_tree view, void* block, uint32_t stimulus, uint64_t clock_us,
                           const espalier_stimulus_data* data) {
  if (!Check(__func__).block(view, block).id(view, ESPALIER_STIMULI, stimulus)) return;
  const DeciderTree tree(view);
  DeciderAgent(tree, block).set_stimulus(stimulus, clock_us, data);
}

espalier_status espalier_set_stimulus_for(espalier_tree view, void* block, uint32_t stimulus, uint64_t clock_us,
                                          uint64_t timeout_us, const espalier_stimulus_data* data) {
  if (!Check(__func__).block(view, block).id(view, ESPALIER_STIMULI, stimulus)) return Status::not_found;
  const DeciderTree tree(view);
  const layout::Stimulus& record = tree.stimulus(stimulus);
  if (record.timeout == layout::kNone) return Status::not_found;
  const DeciderAgent agent(tree, block);
  agent.set_stimulus(stimulus, clock_us, data);
  agent.set_timeout(record, timeout_us > UINT64_MAX - clock_us ? UINT64_MAX : clock_us + timeout_us);
  return Status::ok;
}

void espalier_clear_stimulus(espalier_tree view, void* block, uint32_t stimulus) {
  if (!Check(__func__).block(view, block).id(view, ESPALIER_STIMULI, stimulus)) return;
  const DeciderTree tree(view);
  const DeciderAgent agent(tree, block);
  agent.set_stimuli(agent.stimuli() & ~(std::uint64_t{1} << stimulus));
}

bool espalier_stimulus(espalier_tree view, const void* block, uint32_t stimulus, espalier_stimulus_data* data) {
  if (!Check(__func__).block(view, block).id(view, ESPALIER_STIMULI, stimulus)) return false;
  const DeciderTree tree(view);
  const DeciderAgent agent = agent_of(tree, block);
  if ((agent.stimuli() >> stimulus & 1) == 0) return false;
  if (data == nullptr) return true;
  *data = {};
  data->size_bytes = agent.data_bytes(stimulus);
  std::memcpy(data->bytes, agent.data(stimulus), kStimulusDataBytes);
  return true;
}

uint32_t espalier_active_count(espalier_tree view, const void* block) {
  if (!Check(__func__).block(view, block)) return 0;
  return is_decider_tree(view) ? agent_of(DeciderTree(view), block).level_count() : 0;
}

espalier_active_decider espalier_active_decider_at(espalier_tree view, void* block, uint32_t level) {
  if (!Check(__func__).tree_of(view, EngineId::decide).agent(view, block)) return {};
  if (!Check(__func__).below(level, espalier_active_count(view, block), "the path has no such level")) return {};
  const DeciderTree tree(view);
  const DeciderAgent agent(tree, block);
  unsigned char* place = agent.memory();
  for (std::uint32_t i = 0; i < level; ++i) place += level_bytes(*agent.level(i).decider);
  const Placed placed = agent.level(level);
  ActiveDecider active = {};
  active.node_word = tree.word_of(placed);
  active.since_us = agent.since_us(level);
  active.activation = activation_of(tree.asset, *placed.decider, place);
  active.behavior = placed.decider->behavior != 0 ? placed.decider->behavior - 1 : kNoBehavior;
  return active;
}

espalier_decider_memory espalier_decider_memory_of(espalier_tree view) {
  if (!Check(__func__).tree(view)) return {};
  if (!is_decider_tree(view)) return {};
  const auto size_of = [&view](PartKind kind) {
    const layout::Part& part = *find_part(view, kind);
    return static_cast<std::uint32_t>((end_bits(part) - part.offset_bits + 7) / 8);
  };
  DeciderMemory memory = {};
  memory.flags_bytes = 8;
  memory.stimuli_bytes =
      8 + size_of(PartKind::timeouts) + size_of(PartKind::stimulus_data) + size_of(PartKind::data_sizes);
  memory.timers_bytes = size_of(PartKind::timers);
  memory.path_bytes = size_of(PartKind::path) + size_of(PartKind::level_count);
  memory.behaviors_bytes = size_of(PartKind::memory);
  memory.orders_bytes = size_of(PartKind::ran_last) + size_of(PartKind::orders);
  memory.generator_bytes = size_of(PartKind::generator);
  return memory;
}
