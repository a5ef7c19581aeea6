// Answers about all runs of trees: every state that an agent can be in is found by running the runtime on copies of the
// agent's block, one step of a trace at a time.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "explore/properties.h"
#include "explore/results.h"

namespace espalier::explore {

// Has the asset the names and places of its nodes, which all of these need? Those that were stripped have none.
bool has_names(const Asset& asset);

// The trees in the order of the asset. It must have names and places: see has_names(). `done` gets each tree when it is
// covered; it may be empty.
Cover cover(const Asset& asset, const ChosenTrees& trees, const Options& options,
            const std::function<void(const TreeCover& tree)>& done = {});

// Trees are paired by name. Signal-only variables are those of the new version.
std::vector<TreeDiff> diff(const Asset& before, const Asset& after, const std::string& tree, const Options& options);

// One proof for each property and each of its trees; properties in order.
std::vector<Proof> prove(const Asset& asset, std::span<const Property> properties, const Options& options);

// A trace as text: its header and its steps, a line each.
std::string text_of(const Trace& trace);

}  // namespace espalier::explore
