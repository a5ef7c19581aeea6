// What of a tree is more than an asset can hold.
#pragma once
#include <cstdint>

#include "ir/tree.h"
#include "text/finding.h"

namespace espalier::codegen {

// The first node that is too much.
struct Excess {
  enum class Kind : std::uint8_t {
    count,      // of nodes
    depth,      // nodes within nodes
    parallels,  // within one another
    levels,     // active deciders within one another
    memory,     // of one path of deciders
    agent,      // bytes of the whole block
    scratch,    // answers kept while a group chooses
    asked,      // deciders that are asked when one is
  };
  const ir::Node* node = nullptr;  // null: the tree fits
  Kind kind = Kind::count;
};

// What can be told before anything is written: variables of all trees, and nodes of those that tick or store and of
// rules. Each tree that is too large becomes a finding, and then the answer is `false`.
bool check_limits(const ir::Project& project, text::Findings& findings);

// Makes it a finding.
void report(const ir::Tree& tree, const Excess& excess, text::Findings& findings);

// A tree that stores: one whose agent would take so many bytes, or with an index that no slot can hold.
void report_large_agent(const ir::Tree& tree, std::uint64_t agent_bytes, text::Findings& findings);
void report_many_trees(const ir::Tree& tree, text::Findings& findings);

}  // namespace espalier::codegen
