// Updates of agents of deciders. Most only tick a behaviour that goes on: see PreparedDeciders::resume().
#include <optional>

#include "core/check.h"
#include "core/resume.h"
#include "decide/decide.h"
#include "format/node.h"
#include "format/opcodes/decide.h"

namespace espalier {
namespace {

// The private members of a prepared tree of deciders.
class PreparedDeciders {
 public:
  // `prepared` must outlive this.
  explicit PreparedDeciders(const Prepared& prepared) : prepared_(prepared) {}

  static void prepare(const Tree& view, Prepared* prepared) {
    const DeciderTree tree(view);
    const std::uint32_t* first_node = unit_root(tree.asset, tree.record.first_unit);
    const bool is_timed = tree.part<PartKind::timeouts>().count > 0;
    const bool needs_scratch = tree.record.scratch_bytes > kStackScratchBytes;
    prepared->internal[kFirstNode] = first_node;
    prepared->internal[kDeciders] = array<layout::Decider>(tree.asset, layout::SectionId::deciders);
    prepared->internal[kTimedBehaviors] = array<std::uint32_t>(tree.asset, layout::SectionId::timed_behaviors);
    const bool has_memory = tree.part<PartKind::memory>().count > 0 || prepared->internal[kTimedBehaviors] != nullptr;
    prepared->internal_numbers[kNeeds] =
        (is_timed ? kAgesStimuli : 0) | (needs_scratch ? kNeedsScratch : 0) | (has_memory ? kHasMemory : 0);
    prepared->internal_numbers[kFirstWord] = static_cast<std::uint32_t>(first_node - tree.nodes);
    prepared->internal_numbers[kStimuli] = offset_bytes(tree.part<PartKind::stimuli>());
    prepared->internal_numbers[kLevelCount] = offset_bytes(tree.part<PartKind::level_count>());
    prepared->internal_numbers[kPath] = offset_bytes(tree.part<PartKind::path>());
    prepared->internal_numbers[kMemory] = offset_bytes(tree.part<PartKind::memory>());
  }

  // Ticks the active behaviour of an agent, if an update does nothing else as long as that is running: no stimulus may
  // be too old, all levels above do nothing (see DeciderAgent::idle_from()), the behaviour's decider is not shared, and
  // it keeps no times. See update_each(). `activation`: that of the caller.
  Resumed resume(unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Activation* activation,
                 Result* result) const {
    const std::uint32_t needs = number(kNeeds);
    if (needs != 0 && !has_needs(agent, caller.host())) return Resumed::nothing;
    // With idle_from() 1, which is above the number of levels; of a path without levels this is also too large.
    const std::uint32_t last = load_u16(agent + number(kLevelCount)) - ((1u << kLevelCountBits) + 1);
    if (last >= kLevelCountMask) return Resumed::nothing;
    const std::uint64_t entry = load_u64(agent + number(kPath) + std::size_t{8} * last);
    const auto word = static_cast<std::uint32_t>(entry & kPathNodeMask) * kDeciderWords;
    const std::uint32_t* node = words(kFirstNode) + word;
    if (opcode_of(node) != opcode::decide_behavior) return Resumed::nothing;
    const layout::Decider& decider = deciders()[decider_record(node)];
    if (decider.behavior == 0) return Resumed::nothing;
    const std::uint32_t behavior = decider.behavior - 1;
    const BoundBehavior bound = caller.plain_behavior(behaviors[behavior], behavior, number(kFirstWord) + word);
    caller.set_active_us(active_us(caller.host().clock_us, entry >> kPathClockShift));
    activation->behavior_flags = decider.behavior_flags;
    if (needs == 0) {
      *result = bound.tick(Result::running);
    } else {
      if (words(kTimedBehaviors) != nullptr && words(kTimedBehaviors)[behavior] != 0) return Resumed::nothing;
      *activation = untimed_activation_of(decider, agent + number(kMemory));
      caller.set_memory(activation->memory, activation->memory_bytes);
      *result = bound.tick(Result::running);
      *activation = {};
      caller.set_memory(nullptr, 0);
    }
    return *result == Result::running ? Resumed::goes_on : Resumed::ended;
  }

 private:
  enum Pointer : std::uint8_t { kFirstNode, kDeciders, kTimedBehaviors };
  // The first two are those of trees that select.
  enum Number : std::uint8_t { kNeeds = 2, kFirstWord, kStimuli, kLevelCount, kPath, kMemory };
  // What an update of some trees needs.
  static constexpr std::uint32_t kAgesStimuli = 1;
  static constexpr std::uint32_t kNeedsScratch = 2;
  static constexpr std::uint32_t kHasMemory = 4;  // or times

  // Is no stimulus there that may be too old, and has the host scratch memory, without which an update is an error?
  bool has_needs(const unsigned char* agent, const Host& host) const {
    if ((number(kNeeds) & kAgesStimuli) != 0 && load_u64(agent + number(kStimuli)) != 0) return false;
    return (number(kNeeds) & kNeedsScratch) == 0 || host.scratch != nullptr;
  }

  std::uint32_t number(Number which) const { return prepared_.internal_numbers[which]; }
  const std::uint32_t* words(Pointer which) const {
    return static_cast<const std::uint32_t*>(prepared_.internal[which]);
  }
  const layout::Decider* deciders() const { return static_cast<const layout::Decider*>(prepared_.internal[kDeciders]); }

  const Prepared& prepared_;
};

espalier_result update_prepared(const Prepared* prepared, void* block, const Host* host) {
  if (!Check("espalier_update_prepared").agent(prepared->tree, block).host(host)) return Result::error;
  bool has_failed = false;
  if (host->behaviors != nullptr) {
    HostCaller caller(prepared->tree, block, *host);
    Activation activation = {};
    caller.set_activation(&activation);
    Result result = Result::running;
    const Resumed resumed = PreparedDeciders(*prepared).resume(static_cast<unsigned char*>(block), host->behaviors,
                                                               caller, &activation, &result);
    if (resumed == Resumed::goes_on) return Result::running;
    has_failed = resumed == Resumed::ended;
  }
  return walk_deciders(prepared->tree, DeciderTree(prepared->tree), block, *host, nullptr, has_failed);
}

}  // namespace

void prepare_deciders(const Tree& view, Prepared* prepared) {
  PreparedDeciders::prepare(view, prepared);
  prepared->internal_evaluate = update_prepared;
}

Result update_deciders(const Tree& view, const Batch& agents, const Watcher* watcher) {
  Prepared prepared;
  prepare_deciders(view, &prepared);
  const PreparedDeciders own(prepared);
  HostCaller own_caller(view, nullptr, agents.host());
  Activation activation = {};
  own_caller.set_activation(&activation);
  std::optional<DeciderTree> tree;
  const auto resume = [&](unsigned char* agent, const Behavior* behaviors, HostCaller& caller, Result* result) {
    return own.resume(agent, behaviors, caller, &activation, result);
  };
  const auto walk = [&](unsigned char* agent, const HostCaller& caller, Resumed resumed, Result) {
    if (!tree) tree.emplace(view);
    return walk_deciders(view, *tree, agent, caller.host(), watcher, resumed == Resumed::ended);
  };
  return update_each(agents, watcher, own_caller, resume, walk);
}

}  // namespace espalier
