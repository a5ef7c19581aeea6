// Agents of trees of deciders: updates, their end, decision flags, stimuli, the active path.
#include "decide/decide.h"

#include "decide/walk.h"

namespace espalier {
namespace {

// The interface has functions that only look at a block.
DeciderAgent agent_of(const DeciderTree& tree, const void* block) { return {tree, const_cast<void*>(block)}; }

// A name among `count` of them.
template <typename NameOf>
Status find_name(std::uint32_t count, const NameOf& name_of, std::string_view name, std::uint32_t* found) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (name_of(i) != name) continue;
    *found = i;
    return Status::ok;
  }
  return Status::not_found;
}

}  // namespace

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
  if (present == 0 || tree_.record.timeout_count == 0) return;
  for (std::uint32_t i = 0; i < tree_.record.stimulus_count; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if ((present & bit) == 0) continue;
    const layout::Stimulus& stimulus = tree_.stimulus(i);
    if (stimulus.timeout != layout::kNone && timeout(stimulus) <= clock_us) present &= ~bit;
  }
  set_stimuli(present);
}

Result update_deciders(const Tree& view, void* blocks, std::size_t stride_bytes, std::size_t count, const Host& host) {
  const DeciderTree tree(view);
  const DeciderScratch scratch(tree, host);
  if (scratch.bytes() == nullptr) return Result::error;
  auto* block = static_cast<unsigned char*>(blocks);
  Result result = Result::error;
  for (std::size_t i = 0; i < count; ++i, block += stride_bytes) {
    result = DeciderWalk<NoDecideWatch>(view, tree, block, host, scratch.bytes(), {}).update();
  }
  return result;
}

void stop_deciders(const Tree& view, void* block, const Host& host) {
  const DeciderTree tree(view);
  DeciderHost functions(view, tree, block, host);
  DeciderPath<NoDecideWatch>(tree, functions, {}).deactivate(0);
}

namespace {

// Is there such a child of the group, where it is placed?
bool is_child(const DeciderTree& tree, const Placed& group, std::uint64_t number) {
  if (number >= tree.record.node_count) return false;
  const std::uint32_t* placement = tree.placed(number).placement;
  return placement[kDeciderParent] != 0 && placement - placement[kDeciderParent] == group.node;
}

// A chain from the root down, as long as there is room for it.
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

// Of a decide_shuffle: has it drawn no order, or does each child stand in it once?
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

std::uint64_t bits_below(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace

bool check_deciders(const Tree& view, const void* block, const void*) {
  const DeciderTree tree(view);
  const DeciderAgent agent = agent_of(tree, block);
  if (!is_path(tree, agent) || (agent.flags() & ~bits_below(tree.common.variable_count)) != 0 ||
      (agent.stimuli() & ~bits_below(tree.record.stimulus_count)) != 0) {
    return false;
  }
  for (std::uint32_t i = 0; i < tree.record.stimulus_count; ++i) {
    if (agent.data_bytes(i) > kStimulusDataBytes) return false;
  }
  for (std::uint32_t i = 0; i < tree.record.node_count; ++i) {
    const Placed placed = tree.placed(std::uint64_t{i});
    if (placed.placement != placed.node) continue;  // shared: it is looked at where it stands itself
    const layout::Decider& decider = *placed.decider;
    if (placed.opcode() == Opcode::decide_shuffle && !is_order(agent.order(decider), decider.child_count)) return false;
    if (placed.opcode() != Opcode::decide_sequential) continue;
    const std::uint32_t ran_last = agent.ran_last(decider);
    if (ran_last != 0 && !is_child(tree, placed, ran_last - 1)) return false;
  }
  return true;
}

void raise_stimuli(const Tree& tree, void* block, std::uint32_t signal, const Host& host, const void* data,
                   const ChangeListener&) {
  const Asset& asset = *tree.asset;
  const layout::Signal& entry =
      records<layout::Signal>(asset, layout::SectionId::signals)[tree_record(tree).first_signal + signal];
  const layout::Assignment* sets = array<layout::Assignment>(asset, layout::SectionId::assignments);
  for (std::uint32_t i = 0; i < entry.assignment_count; ++i) {
    set_stimulus(tree, block, sets[entry.first_assignment + i].variable, host.clock_us,
                 static_cast<const StimulusData*>(data));
  }
}

unsigned char* generator_of_deciders(const Tree& view, void* block) {
  const DeciderTree tree(view);
  return tree.record.draws != 0 ? static_cast<unsigned char*>(block) + tree.block.generator : nullptr;
}

std::size_t scratch_bytes(const Tree& tree) {
  if (!is_decider_tree(tree)) return 0;
  const std::uint32_t size_bytes = DeciderTree(tree).record.scratch_bytes;
  return size_bytes <= kStackScratchBytes ? 0 : size_bytes;
}

// ---- Flags and stimuli

std::uint64_t flags(const Tree& view, const void* block) {
  return is_decider_tree(view) ? agent_of(DeciderTree(view), block).flags() : 0;
}

void set_flags(const Tree& view, void* block, std::uint64_t flags) {
  const std::uint32_t count = variable_count(view);
  DeciderAgent(DeciderTree(view), block).set_flags(flags & bits_below(count));
}

std::uint32_t stimulus_count(const Tree& tree) {
  return is_decider_tree(tree) ? DeciderTree(tree).record.stimulus_count : 0;
}

std::string_view stimulus_name(const Tree& tree, std::uint32_t stimulus) {
  return name_at(*tree.asset, DeciderTree(tree).stimulus(stimulus).name);
}

Status find_stimulus(const Tree& tree, std::string_view name, std::uint32_t* stimulus) {
  const auto name_of = [&](std::uint32_t i) { return stimulus_name(tree, i); };
  return find_name(stimulus_count(tree), name_of, name, stimulus);
}

void set_stimulus(const Tree& view, void* block, std::uint32_t stimulus, std::uint64_t clock_us,
                  const StimulusData* data) {
  const DeciderTree tree(view);
  DeciderAgent(tree, block).set_stimulus(stimulus, clock_us, data);
}

void clear_stimulus(const Tree& view, void* block, std::uint32_t stimulus) {
  const DeciderTree tree(view);
  const DeciderAgent agent(tree, block);
  agent.set_stimuli(agent.stimuli() & ~(std::uint64_t{1} << stimulus));
}

bool stimulus(const Tree& view, const void* block, std::uint32_t stimulus, StimulusData* data) {
  const DeciderTree tree(view);
  const DeciderAgent agent = agent_of(tree, block);
  if ((agent.stimuli() >> stimulus & 1) == 0) return false;
  if (data == nullptr) return true;
  *data = {};
  data->size_bytes = agent.data_bytes(stimulus);
  std::memcpy(data->bytes, agent.data(stimulus), kStimulusDataBytes);
  return true;
}

std::uint32_t behavior_flag_count(const Tree& tree) {
  return is_decider_tree(tree) ? DeciderTree(tree).record.behavior_flag_count : 0;
}

std::string_view behavior_flag_name(const Tree& tree, std::uint32_t flag) {
  const auto all = records<layout::BehaviorFlag>(*tree.asset, layout::SectionId::behavior_flags);
  return name_at(*tree.asset, all[DeciderTree(tree).record.first_behavior_flag + flag].name);
}

Status find_behavior_flag(const Tree& tree, std::string_view name, std::uint32_t* flag) {
  const auto name_of = [&](std::uint32_t i) { return behavior_flag_name(tree, i); };
  return find_name(behavior_flag_count(tree), name_of, name, flag);
}

// ---- The active path

std::uint32_t active_count(const Tree& view, const void* block) {
  return is_decider_tree(view) ? agent_of(DeciderTree(view), block).level_count() : 0;
}

ActiveDecider active_decider(const Tree& view, void* block, std::uint32_t level) {
  const DeciderTree tree(view);
  const DeciderAgent agent(tree, block);
  unsigned char* place = agent.memory();
  for (std::uint32_t i = 0; i < level; ++i) place += level_bytes(*agent.level(i).decider);
  const Placed placed = agent.level(level);
  ActiveDecider active;
  active.node_word = tree.word_of(placed);
  active.since_us = agent.since_us(level);
  active.activation = activation_of(*placed.decider, place);
  if (placed.decider->behavior != 0) active.behavior = placed.decider->behavior - 1;
  return active;
}

void visit_deciders(const Tree& view, const void* block, void (*visit)(void* user, std::uint32_t node_word),
                    void* user) {
  const DeciderTree tree(view);
  const DeciderAgent agent = agent_of(tree, block);
  for (std::uint32_t i = 0; i < agent.level_count(); ++i) visit(user, tree.word_of(agent.level(i)));
}

DeciderMemory decider_memory(const Tree& view) {
  if (!is_decider_tree(view)) return {};
  const DeciderTree tree(view);
  const layout::DeciderTree& record = tree.record;
  const layout::Decider& root = *tree.root().decider;
  DeciderMemory memory;
  memory.flags_bytes = 8;
  memory.stimuli_bytes = 8 + 8 * record.timeout_count + (kStimulusDataBytes + 1) * record.stimulus_count;
  memory.timers_bytes = 8 * record.timer_count;
  memory.path_bytes = 8 * root.level_count + 2;
  memory.behaviors_bytes = root.path_bytes;
  memory.orders_bytes = 2 * record.sequential_count + record.shuffle_bytes;
  memory.generator_bytes = 8 * record.draws;
  return memory;
}

std::string_view decider_name(const Tree& tree, std::uint32_t node_word) {
  return node_debug_name(*tree.asset, node_word);
}

}  // namespace espalier
