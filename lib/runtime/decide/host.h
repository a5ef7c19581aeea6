// Calls the host's functions of deciders, and evaluates their preconditions.
#pragma once
#include "decide/tree.h"

namespace espalier {

// Is a precondition's test true for these bits?
inline bool holds_all(const layout::MaskTest& test, std::uint64_t bits) { return (bits & test.mask) == test.value; }
inline bool holds_any(const layout::MaskTest& test, std::uint64_t bits) {
  return test.mask == 0 || (bits & test.mask) != (test.value ^ test.mask);
}

class DeciderHost {
 public:
  DeciderHost(const Tree& view, const DeciderTree& tree, void* block, const Host& host)
      : tree_(tree), agent_(tree, block), host_(host), caller_(view, block, host) {}

  // `asked` if all preconditions are met, else the first one that is not.
  DecideStepKind check(const layout::Decider& decider) const {
    if (decider.timer != layout::kNone) {
      const std::uint64_t last = agent_.timer(decider);
      if (last != 0 && host_.clock_us - (last - 1) < decider.every_us) return DecideStepKind::every_failed;
    }
    if (decider.precondition == 0) return DecideStepKind::asked;
    const layout::Precondition& wanted =
        array<layout::Precondition>(tree_.asset, layout::SectionId::preconditions)[decider.precondition - 1];
    const std::uint64_t flags = agent_.unmasked<PartKind::variables>();
    if (!holds_all(wanted.flags_all, flags)) return DecideStepKind::flags_all_failed;
    if (!holds_any(wanted.flags_any, flags)) return DecideStepKind::flags_any_failed;
    const std::uint64_t stimuli = agent_.unmasked<PartKind::stimuli>();
    if (!holds_all(wanted.stimuli_all, stimuli)) return DecideStepKind::stimuli_all_failed;
    if (!holds_any(wanted.stimuli_any, stimuli)) return DecideStepKind::stimuli_any_failed;
    return DecideStepKind::asked;
  }

  // Stores the current clock as the time of its last call.
  void restart_timer(const layout::Decider& decider) const {
    if (decider.timer != layout::kNone) agent_.set_timer(decider, host_.clock_us + 1);
  }

  // Calls the Decide of a decider that has one. `block` is its decider block, with block_bytes of zeros.
  double decide(const Placed& placed, unsigned char* block) {
    begin_asking();
    return ask(placed, block);
  }
  // The same as begin_asking(), and ask() for each of several deciders.
  void begin_asking() {
    caller_.forget_memory();
    caller_.set_activation(&asked_);
  }
  double ask(const Placed& placed, unsigned char* block) {
    const layout::Decider& decider = *placed.decider;
    restart_timer(decider);
    asked_.behavior_flags = decider.behavior_flags;
    asked_.block_bytes = decider.block_bytes;
    asked_.block = decider.block_bytes > 0 ? std::memset(block, 0, decider.block_bytes) : nullptr;
    if (host_.conditions == nullptr) return 0;
    const std::uint32_t condition = decider.decide - 1;
    return caller_.plain_behavior(host_.conditions[condition], condition, tree_.word_of(placed)).decide();
  }

  // Call the functions of a decider's behaviour, if it has one. `place` is the memory of its level.
  bool activate(const Placed& placed, unsigned char* place) {
    if (placed.decider->behavior == 0) return true;
    Times times(nullptr);
    const Activation activation = activation_of(tree_.asset, *placed.decider, place, &times);
    times.begin(host_.clock_us);
    return behavior(placed, activation, times, 0).activate();
  }
  bool tick(const Placed& placed, unsigned char* place, std::uint32_t level) {
    if (placed.decider->behavior == 0) return true;
    Times times(nullptr);
    const Activation activation = activation_of(tree_.asset, *placed.decider, place, &times);
    const Result result = behavior(placed, activation, times, active_us(level)).tick(Result::running);
    times.called(host_.clock_us);
    return result == Result::running;
  }
  void deactivate(const Placed& placed, unsigned char* place, std::uint32_t level) {
    if (placed.decider->behavior == 0) return;
    Times times(nullptr);
    const Activation activation = activation_of(tree_.asset, *placed.decider, place, &times);
    behavior(placed, activation, times, active_us(level)).deactivate();
  }

  const DeciderAgent& agent() const { return agent_; }
  std::uint64_t clock_us() const { return host_.clock_us; }

 private:
  // How long a level of the path has been active.
  std::uint64_t active_us(std::uint32_t level) const {
    return espalier::active_us(host_.clock_us, agent_.since_us(level));
  }
  // The path has the time since when it is active, for all behaviours.
  BoundBehavior behavior(const Placed& placed, const Activation& activation, const Times& times,
                         std::uint64_t active_us) {
    caller_.set_activation(&activation);
    Memory memory = times.of({activation.memory, activation.memory_bytes, kNoTime, kNoTime}, host_.clock_us);
    memory.active_us = active_us;
    return caller_.behavior(placed.decider->behavior - 1, tree_.word_of(placed), memory);
  }

  const DeciderTree& tree_;
  const DeciderAgent agent_;
  const Host& host_;
  HostCaller caller_;
  Activation asked_ = {};  // of calls of Decide
};

}  // namespace espalier
