// Flattens trees to units and records, and computes the needs of their agents: one function per engine, which writes
// all trees of that engine in their order. The trees have passed check_limits(); further limits of deciders and of
// trees that store are reported as findings here.
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

// Finds identical subtrees and stores them once. Two are identical when they come from the same place in the source and
// mean the same: a block that several references include, if their trees give its names the same meaning.
void write_selecting(const ir::Project& project, Pools& pools);

// One unit per tree; the state of nodes that are never active together overlaps.
void write_ticking(const ir::Project& project, Pools& pools);

// Writes the rules of a file once for the whole project, however often subtrees use it, and for each tree the instances
// of units that make it up, with the ids of its rules.
void write_rules(const ir::Project& project, Pools& pools);

// Writes the shared deciders that the root reaches, each once and after those it refers to, and last the root; and a
// record for each decider. False: a tree exceeds a limit, and what was written is not valid.
bool write_deciders(const ir::Project& project, Pools& pools, text::Findings& findings);
// The shared deciders that the root reaches, also indirectly: indices into Deciding::shared, in ascending order.
std::vector<std::uint32_t> stored_shared(const ir::Tree& tree);

// One unit per tree, with the offsets of the state of its nodes in an instance; the values and groups of the shared
// block; and the slots with their needs, level by level. False: as above.
bool write_storing(const ir::Project& project, Pools& pools, text::Findings& findings);

// One unit per tree, with the records of its nodes, blackboards and scripts, and the entries that agents start with.
// False: as above.
bool write_polling(const ir::Project& project, Pools& pools, text::Findings& findings);

}  // namespace espalier::codegen
