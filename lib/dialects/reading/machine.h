// State machines: states by name, and transitions whose targets are looked up when all states are known.
#pragma once
#include <vector>

#include "dialects/reading/name_table.h"

namespace espalier::dialects {

class MachineNames {
 public:
  explicit MachineNames(const NameRules& rules) : states(rules) {}

  // The transition `transition` of the state `state` goes to the state that `target` names.
  void add_jump(std::size_t state, std::size_t transition, const Attribute& target, UseIndex use = kInPlace) {
    jumps_.push_back({state, transition, target, use});
  }

  // Calls `set(state, transition, number of the target)` for each target that exists; others are reported.
  template <typename Set>
  void resolve(Reporter& reporter, Set&& set) {
    for (const Jump& jump : jumps_) {
      const auto target =
          states.find_or_report(jump.target.value(), Where(jump.target.value_span(), jump.use), reporter);
      if (target) set(jump.state, jump.transition, *target);
    }
  }

  NameTable states;

 private:
  struct Jump {
    std::size_t state;
    std::size_t transition;
    Attribute target;
    UseIndex use;
  };
  std::vector<Jump> jumps_;
};

}  // namespace espalier::dialects
