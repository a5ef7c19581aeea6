// The behaviours that versions of a tree show after a tick, as functions of the state before it.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/select/system.h"

namespace espalier::explore {

// Of a behaviour; none: nothing is selected.
using ShownName = std::optional<std::string>;

class ShownBehaviors {
 public:
  ShownBehaviors(SelectingSystem& system, const World& world);

  // False if the version has no such behaviour.
  logic::Formula shows(std::size_t side, const ShownName& name) const;
  // What is shown in a state, which must be known.
  ShownName shown(std::size_t side, const std::vector<bool>& state) const;
  // Both versions show the same.
  logic::Formula is_same() const;

 private:
  logic::Circuit& circuit_;
  std::vector<std::map<ShownName, logic::Formula>> sides_;
};

}  // namespace espalier::explore
