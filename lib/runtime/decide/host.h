// Calls the host's functions of deciders, and asks what comes before them: preconditions.
#pragma once
#include "decide/tree.h"

namespace espalier {

struct NoDecideWatch {
  static constexpr bool kWatches = false;
  void step(const DecideStep&) const {}
};

struct DecideWatch {
  static constexpr bool kWatches = true;
  const Watcher* watcher;
  void step(const DecideStep& step) const {
    if (watcher->decide != nullptr) watcher->decide(watcher->user, step);
  }
};

// Is a precondition's test of these bits true?
inline bool holds_all(const layout::MaskTest& test, std::uint64_t bits) { return (bits & test.mask) == test.value; }
inline bool holds_any(const layout::MaskTest& test, std::uint64_t bits) {
  return test.mask == 0 || (bits & test.mask) != (test.value ^ test.mask);
}

class DeciderHost {
 public:
  DeciderHost(const Tree& view, const DeciderTree& tree, void* block, const Host& host)
      : tree_(tree), agent_(tree, block), host_(host), call_{view,    block, 0, 0,       host.user,
                                                             nullptr, 0,     0, nullptr, nullptr} {}

  // `asked` when all preconditions hold, else which one does not.
  DecideStepKind check(const layout::Decider& decider) const {
    if (decider.timer != layout::kNone) {
      const std::uint64_t last = agent_.timer(decider);
      if (last != 0 && host_.clock_us - (last - 1) < decider.every_us) return DecideStepKind::every_failed;
    }
    if (decider.precondition == 0) return DecideStepKind::asked;
    const layout::Precondition& wanted =
        records<layout::Precondition>(tree_.asset, layout::SectionId::preconditions)[decider.precondition - 1];
    const std::uint64_t flags = agent_.flags();
    if (!holds_all(wanted.flags_all, flags)) return DecideStepKind::flags_all_failed;
    if (!holds_any(wanted.flags_any, flags)) return DecideStepKind::flags_any_failed;
    const std::uint64_t stimuli = agent_.stimuli();
    if (!holds_all(wanted.stimuli_all, stimuli)) return DecideStepKind::stimuli_all_failed;
    if (!holds_any(wanted.stimuli_any, stimuli)) return DecideStepKind::stimuli_any_failed;
    return DecideStepKind::asked;
  }

  // It counts as called now.
  void restart_timer(const layout::Decider& decider) const {
    if (decider.timer != layout::kNone) agent_.set_timer(decider, host_.clock_us + 1);
  }

  // Calls the Decide of one that has it; it finds its block, of block_bytes, all 0 at `block`.
  double decide(const Placed& placed, unsigned char* block) {
    const layout::Decider& decider = *placed.decider;
    restart_timer(decider);
    if (decider.block_bytes > 0) std::memset(block, 0, decider.block_bytes);
    if (host_.conditions == nullptr) return 0;
    const Behavior& bound = host_.conditions[decider.decide - 1];
    if (bound.decide == nullptr) return 0;
    Activation activation;
    activation.behavior_flags = decider.behavior_flags;
    activation.block_bytes = decider.block_bytes;
    if (decider.block_bytes > 0) activation.block = block;
    return bound.decide(call(placed, decider.decide - 1, bound, &activation));
  }

  // The functions of a decider's behaviour, if it has one; `place` is that of its level.
  bool activate(const Placed& placed, unsigned char* place) {
    const Behavior* bound = behavior(placed);
    if (bound == nullptr || bound->gate == nullptr) return true;
    const Activation activation = activation_of(*placed.decider, place);
    return bound->gate(call(placed, placed.decider->behavior - 1, *bound, &activation));
  }
  bool tick(const Placed& placed, unsigned char* place) {
    const Behavior* bound = behavior(placed);
    if (bound == nullptr || bound->action == nullptr) return true;
    const Activation activation = activation_of(*placed.decider, place);
    return bound->action(call(placed, placed.decider->behavior - 1, *bound, &activation)) == Result::running;
  }
  void deactivate(const Placed& placed, unsigned char* place) {
    const Behavior* bound = behavior(placed);
    if (bound == nullptr || bound->destruct == nullptr) return;
    const Activation activation = activation_of(*placed.decider, place);
    bound->destruct(call(placed, placed.decider->behavior - 1, *bound, &activation));
  }

  const DeciderAgent& agent() const { return agent_; }
  std::uint64_t clock_us() const { return host_.clock_us; }

 private:
  const Behavior* behavior(const Placed& placed) const {
    if (placed.decider->behavior == 0 || host_.behaviors == nullptr) return nullptr;
    return host_.behaviors + (placed.decider->behavior - 1);
  }
  const Call& call(const Placed& placed, std::uint32_t behavior, const Behavior& bound, const Activation* activation) {
    call_.behavior = behavior;
    call_.user = bound.user;
    call_.node_word = tree_.word_of(placed);
    call_.activation = activation;
    return call_;
  }

  const DeciderTree& tree_;
  const DeciderAgent agent_;
  const Host& host_;
  Call call_;
};

}  // namespace espalier
