// Random decider trees, a form to print them in, and as a reader would give them. The same seed gives the same trees on
// every machine.
#pragma once
#include <string>

#include "runtime_deciders_model.h"
#include "runtime_random_trees.h"

namespace espalier::test {

// A tree of all policies, preconditions and attributes, with shared deciders, also several times in one group.
ModelDeciderTree random_deciders(Random& random);

// The tree as XML, a decider a line; and such a tree again. Behaviours need no declaration there, and bits of
// `behaviorFlags` are in order of first use.
std::string text_of(const ModelDeciderTree& tree);
ModelDeciderTree deciders_of(const std::string& xml);

// A tree of this root and these shared deciders, with some flags, stimuli and behaviours for all of them.
ModelDeciderTree tree_of(const std::string& root, const std::string& shared = {}, int max_redecides = 16);

// The index of a stimulus of this name, which the tree has.
std::size_t stimulus_of(const ModelDeciderTree& tree, const std::string& name);

// A project of this tree alone.
ir::Project ir_of(const ModelDeciderTree& tree);

}  // namespace espalier::test
