// Checks trees against the limits of the format.
#pragma once
#include <cstdint>

#include "ir/tree.h"
#include "text/finding.h"

namespace espalier::codegen {

// The first node that exceeds a limit.
struct Excess {
  enum class Kind : std::uint8_t {
    count,      // of nodes
    depth,      // of nested nodes
    parallels,  // nested
    levels,     // of nested active deciders
    memory,     // of one path of deciders
    agent,      // bytes of the whole block
    scratch,    // answers kept while a group chooses
    asked,      // deciders that are asked when one is
  };
  const ir::Node* node = nullptr;  // null: the tree fits
  Kind kind = Kind::count;
};

// What can be checked before anything is written: the variables of all trees, and the nodes of trees that tick or store
// and of trees of rules. Each tree that is too large becomes a finding. False: there was one.
bool check_limits(const ir::Project& project, text::Findings& findings);
// The same for the nodes of one tree: of one that polls, when it is placed.
bool check_nodes(const ir::Tree& tree, text::Findings& findings);

// Reports it as a finding.
void report(const ir::Tree& tree, const Excess& excess, text::Findings& findings);

// For trees that store: one whose agent would take too many bytes, and one whose index is too large for a slot.
void report_large_agent(const ir::Tree& tree, std::uint64_t agent_bytes, text::Findings& findings);
void report_many_trees(const ir::Tree& tree, text::Findings& findings);

}  // namespace espalier::codegen
