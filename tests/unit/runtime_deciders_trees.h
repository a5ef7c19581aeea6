// Random decider trees, in printed form and as a reader would produce them. The same seed gives the same trees on every
// machine.
#pragma once
#include <string>

#include "payloads.h"
#include "runtime_deciders_model.h"
#include "runtime_random_trees.h"

namespace espalier::test {

// A tree of all policies, preconditions and attributes, with shared deciders, also several times in one group.
ModelDeciderTree random_deciders(Random& random);

// The tree as XML, one decider per line; and the tree read from such XML. Behaviours need no declaration there, and
// bits of `behaviorFlags` are in order of first use.
std::string text_of(const ModelDeciderTree& tree);
ModelDeciderTree deciders_of(const std::string& xml);

// A tree with this root, these shared deciders, and some flags, stimuli and behaviours.
ModelDeciderTree tree_of(const std::string& root, const std::string& shared = {}, int max_redecides = 16);

// The index of the stimulus with this name, which must exist.
std::size_t stimulus_of(const ModelDeciderTree& tree, const std::string& name);

// A project with only this tree.
DraftProject ir_of(const ModelDeciderTree& tree);

}  // namespace espalier::test
