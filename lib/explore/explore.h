// Answers about all runs of trees: every state that an agent can be in is found by running the runtime on copies of the
// agent's block, one step of a trace at a time.
#pragma once
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "explore/properties.h"
#include "explore/results.h"

namespace espalier::explore {

// Has the asset the names and places of its nodes, which all of these need? Those that were stripped have none.
bool has_names(const Asset& asset);

// Each tells an answer when it is there, those of all trees being the result; the function may be empty. After an
// interruption (Budget::interruption) the answers that are not there yet are undecided, and are not told.

// The trees in the order of the asset. It must have names and places: see has_names(). `done` gets a cover of each tree
// alone, which it may change, and what is left of the tree's budget: what it takes of that is to be added to
// TreeCover::used_count. False: the other trees are left undecided. `kept_parts`: one of so many parts of each budget
// is left for it at least; 0: none.
using CoverDone = std::function<bool(Cover& of_tree, const Budget& left)>;
Cover cover(const Asset& asset, const ChosenTrees& trees, const Options& options, const CoverDone& done = {},
            std::uint64_t kept_parts = 0);

// Traces that reach the items of a tree, those that are found. `used_count` gets what the budget has paid.
std::vector<Trace> reaching_traces(const Tree& tree, const Options& options, std::uint64_t* used_count);

// Trees are paired by name. Signal-only variables are those of the new version. `done` gets each of
// the trees that are explored, and how many these are.
std::vector<TreeDiff> diff(const Asset& before, const Asset& after, const std::string& tree, const Options& options,
                           const std::function<void(const TreeDiff& tree, std::size_t count)>& done = {});

// One proof for each property and each of its trees; properties in order. Then those of the ready-made properties
// (property/ready_made.h) of the trees in `ready_made`; null: of none. What a first share of its tree's budget does not
// decide is told after the others of the tree.
struct ProofPlace {
  std::size_t number;  // in the order of the result, in which there may be fewer
  std::size_t count;   // of all
};
using ProofDone = std::function<void(const Proof& proof, const ProofPlace& place)>;
std::vector<Proof> prove(const Asset& asset, std::span<const Property> properties, const Options& options,
                         const ProofDone& done = {}, const ChosenTrees* ready_made = nullptr);

// A trace as text: its header and its steps, a line each.
std::string text_of(const Trace& trace);
// The trace of a proof, which must have one, with its expectation.
std::string text_of(const Proof& proof);

}  // namespace espalier::explore
