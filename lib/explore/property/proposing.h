// Properties that hold in all runs of a tree, and would not of most others: a first file of properties to keep.
#pragma once
#include <string>
#include <vector>

#include "explore/results.h"

namespace espalier::explore {

struct Proposed {
  std::string tree = {};
  std::string name = {};   // "Wave only after Drive"
  std::string claim = {};  // the members of its object: "\"never\": {...}"
};

// What follows what, what has its inputs, what is done under which variables: only what can happen at all, and a few
// for each action. The asset must have names.
std::vector<Proposed> propose(const Asset& asset, const ChosenTrees& trees, const Options& options);

// The text of a file of properties.
std::string property_file_of(const std::vector<Proposed>& properties);

}  // namespace espalier::explore
