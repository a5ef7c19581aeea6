// Trees to units and records, and what their agents need: a function an engine, which writes all its trees in their
// order. Trees pass check_limits(); those of deciders and those that store are findings where they do not fit.
#pragma once
#include <cstdint>
#include <vector>

#include "codegen/pools.h"
#include "text/finding.h"

namespace espalier::codegen {

// Calls visit(tree, index) for the trees of an engine.
template <typename Visit>
void for_each_tree(const ir::Project& project, EngineId engine_id, const Visit& visit) {
  for (std::uint32_t i = 0; i < project.trees.size(); ++i) {
    if (project.trees[i].engine() == engine_id) visit(project.trees[i], i);
  }
}

// Identical subtrees are found and stored once. Two are the same when they were written in the same place and mean the
// same: a block that several references bring in, as far as their trees give its names one meaning.
void write_selecting(const ir::Project& project, Pools& pools);

// One unit a tree, with state that overlaps where nodes are never active together.
void write_ticking(const ir::Project& project, Pools& pools);

// The rules of a file once in the whole project, however often subtrees name it, and for each tree the instances
// of units that make it up, with the ids of its rules.
void write_rules(const ir::Project& project, Pools& pools);

// Shared deciders that the root reaches, each once and behind those it refers to, and last the root; a record for each
// decider. `false`: one does not fit, and what was written is of no use.
bool write_deciders(const ir::Project& project, Pools& pools, text::Findings& findings);
// Shared deciders that the root reaches, through others too: indices into Deciding::shared, in ascending order.
std::vector<std::uint32_t> stored_shared(const ir::Tree& tree);

// One unit a tree, which tells where each node keeps what it has in an instance, places and groups of the shared block;
// and slots with what they need, level by level. `false`: as above.
bool write_storing(const ir::Project& project, Pools& pools, text::Findings& findings);

}  // namespace espalier::codegen
