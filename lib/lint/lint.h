// Finds faults of trees without running them: results that nodes can never give, events that nothing handles, names
// that nothing reads. All findings are warnings and notes: engines run such trees.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tree.h"
#include "lint/shown.h"
#include "text/finding.h"

namespace espalier::lint {

// The events that trees send.
struct SentEvents {
  std::set<std::string> by_hosts;  // by nodes of the host, as declared
  std::set<std::string> sent, queued;
  friend bool operator==(const SentEvents&, const SentEvents&) = default;
};
// Adds those of a tree.
void add_sent(const ir::Tree& tree, SentEvents& events);

// What a project declares about its game.
struct Facts {
  std::vector<std::string> signal_only = {};               // variables that only signals set ("Var" or "Tree/Var")
  std::optional<std::uint32_t> agent_count = {};           // how many agents at most have the same tree
  std::vector<std::string> engine_events = {};             // that the engine of modular trees registers, sorted
  bool is_partial = false;                                 // the project may have other trees
  std::vector<std::string> events = {};                    // that the game sends, sorted; empty if it declares none
  std::optional<std::vector<std::string>> behaviors = {};  // of the game, sorted; none if it declares none
  std::string engine = {};                                 // of modular trees: "CRYENGINE 5.6"
  std::uint32_t thread_count = 1;                          // 0: all processors
  const SentEvents* sent_elsewhere = nullptr;              // by trees of the project that are left out; null: none
  std::size_t ticking_elsewhere = 0;                       // how many of these tick
  const text::Sources* sources = nullptr;                  // of the trees, for fixes; null: there are none
  // Is the result of this Lua certainly neither true, false nor nil? Null: not known.
  bool (*gives_no_boolean)(std::string_view script) = nullptr;
  Shown shown = Shown::all;     // of the findings
  bool hosts_give_any = false;  // what is declared of the results of the host's nodes is not used
};

// What can be an error, in trees that poll: their trees are compiled only if there is none. It comes before all else,
// as what is found counts as read.
void find_errors(const ir::Project& project, text::Findings& findings);

// The entries of main trees that poll which their nodes read or assign and nothing creates or writes, but for those
// whose names are nearly that of another one: what the program has to write. Of a tree with a node that nobody declares
// nothing is known.
struct ProgramEntries {
  std::vector<std::string> names;  // sorted
  bool are_all = false;            // there are main trees, and all are known
};
[[nodiscard]] ProgramEntries entries_of_program(const ir::Project& project);

// Analyses all trees but doubtful ones. They must have no errors. If the project lacks trees, nothing is claimed that
// rests on what other trees do.
void analyse(const ir::Project& project, const Facts& facts, text::Findings& findings);

}  // namespace espalier::lint
