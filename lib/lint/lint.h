// What can be known of trees without running them: results that nodes can never give, events that nothing hears, names
// that nothing reads. All findings are warnings and notes: engines run such trees.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ir/tree.h"
#include "text/finding.h"

namespace espalier::lint {

// What a project says about its game.
struct Facts {
  std::vector<std::string> signal_only = {};      // variables that only signals set ("Var" or "Tree/Var")
  std::optional<std::uint32_t> agent_count = {};  // at most so many agents have one tree
  std::vector<std::string> engine_events = {};    // that the engine of modular trees registers itself, sorted
  bool is_partial = false;                        // other trees of the project are perhaps not given
  std::vector<std::string> events = {};           // that the game sends, sorted; empty: it declares none
};

// Of trees that tick, are made of rules, of deciders, or store their results; they have no errors.
void analyse(const ir::Project& project, const Facts& facts, text::Findings& findings);

}  // namespace espalier::lint
