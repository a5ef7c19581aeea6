// Updates of agents of deciders. Most only tick a behaviour that goes on: see PreparedDeciders::resume().
#include <optional>

#include "core/check.h"
#include "decide/decide.h"
#include "format/node.h"

namespace espalier {
namespace {

// The private members of a prepared tree of deciders.
class PreparedDeciders {
 public:
  explicit PreparedDeciders(const Prepared& prepared)
      : nodes_(static_cast<const std::uint32_t*>(prepared.internal[kNodes])),
        first_node_(static_cast<const std::uint32_t*>(prepared.internal[kFirstNode])),
        deciders_(static_cast<const layout::Decider*>(prepared.internal[kDeciders])),
        timed_behaviors_(static_cast<const std::uint32_t*>(prepared.internal[kTimedBehaviors])),
        stimuli_(prepared.internal_numbers[kStimuli]),
        level_count_(prepared.internal_numbers[kLevelCount]),
        path_(prepared.internal_numbers[kPath]),
        memory_(prepared.internal_numbers[kMemory]),
        scratch_(prepared.internal_numbers[kScratch]) {}

  static void prepare(const Tree& view, Prepared* prepared) {
    const DeciderTree tree(view);
    const bool is_timed = tree.part<PartKind::timeouts>().count > 0;
    prepared->internal[kNodes] = tree.nodes;
    prepared->internal[kFirstNode] = unit_root(tree.asset, tree.record.first_unit);
    prepared->internal[kDeciders] = array<layout::Decider>(tree.asset, layout::SectionId::deciders);
    prepared->internal[kTimedBehaviors] = array<std::uint32_t>(tree.asset, layout::SectionId::timed_behaviors);
    prepared->internal_numbers[kStimuli] = is_timed ? offset_bytes(tree.part<PartKind::stimuli>()) : layout::kNone;
    prepared->internal_numbers[kLevelCount] = offset_bytes(tree.part<PartKind::level_count>());
    prepared->internal_numbers[kPath] = offset_bytes(tree.part<PartKind::path>());
    prepared->internal_numbers[kScratch] = tree.record.scratch_bytes <= kStackScratchBytes ? 0 : 1;
    prepared->internal_numbers[kMemory] = offset_bytes(tree.part<PartKind::memory>());
  }

  // Ticks the active behaviour of an agent, and returns its result, if an update does nothing else as long as that is
  // running: no stimulus may be too old, all levels above do nothing (see DeciderAgent::idle_from()), the behaviour's
  // decider is not shared, and it keeps no times. Else returns false. `caller` has the agent.
  bool resume(unsigned char* agent, const Host& host, HostCaller& caller, Result* result) const {
    if (stimuli_ != layout::kNone && load_u64(agent + stimuli_) != 0) return false;
    const std::uint32_t levels = load_u16(agent + level_count_);
    if (levels >> kLevelCountBits != 1 || host.behaviors == nullptr) return false;
    if (scratch_ != 0 && host.scratch == nullptr) return false;  // an update is an error then
    const std::uint32_t last = (levels & kLevelCountMask) - 1;
    const std::uint64_t entry = load_u64(agent + path_ + std::size_t{8} * last);
    const std::uint32_t* node = first_node_ + (entry & kPathNodeMask) * kDeciderWords;
    if (opcode_of(node) != Opcode::decide_behavior) return false;
    const layout::Decider& decider = deciders_[decider_record(node)];
    if (decider.behavior == 0 || (timed_behaviors_ != nullptr && timed_behaviors_[decider.behavior - 1] != 0))
      return false;
    const Activation activation = untimed_activation_of(decider, agent + memory_);
    caller.set_activation(&activation);
    const Memory memory = {activation.memory, activation.memory_bytes,
                           active_us(host.clock_us, entry >> kPathClockShift), kNoTime};
    *result =
        caller.behavior(decider.behavior - 1, static_cast<std::uint32_t>(node - nodes_), memory).tick(Result::running);
    return true;
  }

 private:
  enum Pointer : std::uint8_t { kNodes, kFirstNode, kDeciders, kTimedBehaviors };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kStimuli = 2, kLevelCount, kPath, kMemory, kScratch };

  const std::uint32_t* const nodes_;
  const std::uint32_t* const first_node_;
  const layout::Decider* const deciders_;
  const std::uint32_t* const timed_behaviors_;
  const std::uint32_t stimuli_;
  const std::uint32_t level_count_;
  const std::uint32_t path_;
  const std::uint32_t memory_;
  const std::uint32_t scratch_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  HostCaller caller(prepared->tree, block, *host);
  Result result = Result::running;
  const bool has_ticked =
      PreparedDeciders(*prepared).resume(static_cast<unsigned char*>(block), *host, caller, &result);
  if (has_ticked && result == Result::running) return result;
  return walk_deciders(prepared->tree, DeciderTree(prepared->tree), block, *host, nullptr, has_ticked);
}

}  // namespace

void prepare_deciders(const Tree& view, Prepared* prepared) {
  PreparedDeciders::prepare(view, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_deciders(const Tree& view, const Batch& batch, const Watcher* watcher) {
  Prepared prepared;
  PreparedDeciders::prepare(view, &prepared);
  const PreparedDeciders own(prepared);
  const Batch agents = batch;  // the compiler knows that the host's calls do not change it
  HostCaller caller(view, nullptr, agents.host());
  std::optional<DeciderTree> tree;
  Result result = Result::running;
  for (std::size_t i = 0; i < agents.count(); ++i) {
    unsigned char* agent = agents.block(i);
    const Host& host = agents.host(i);
    caller.look_at(agent, host.first_agent);
    const bool has_ticked = watcher == nullptr && own.resume(agent, host, caller, &result);
    if (has_ticked && result == Result::running) continue;
    if (!tree) tree.emplace(view);
    result = walk_deciders(view, *tree, agent, host, watcher, has_ticked);
  }
  return result;
}

}  // namespace espalier
