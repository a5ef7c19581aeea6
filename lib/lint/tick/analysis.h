// The data of the analyses of one tree. Each looks for a few kinds of findings; lint.cpp runs them all, in an order in
// which a fault is found before its consequences.
#pragma once
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "lint/tick/outline.h"
#include "text/finding.h"
#include "text/name_index.h"
#include "text/names.h"

namespace espalier::lint {

using text::Finding;
using text::Happens;
using text::quote;
using text::Rule;

// The events of all trees, collected once. The names point into the project and the facts.
struct ProjectEvents {
  std::unordered_set<std::string_view> by_hosts;      // those that hosts are said to send
  std::unordered_set<std::string_view> sent, queued;  // by nodes
  std::unordered_set<std::string_view> declared;
  text::NameIndex known;  // all of these
  bool lacks_trees;       // others may send more

  ProjectEvents(const ir::Project& project, const Facts& facts);
  // By a node or a host's node.
  bool is_sent(std::string_view event) const;
  // By the game or the engine, or by a declared host, whether a tree uses it or not.
  bool is_declared(std::string_view event) const { return declared.contains(event); }
};

struct UnsentWords {
  Rule rule;
  std::string_view thing;  // "event"
};
// Reports an event that nothing sends or declares. `known`: the names of ProjectEvents.
void report_unsent(const ir::Signal& signal, const UnsentWords& words, const ProjectEvents& events,
                   text::NameIndex& known, const Facts& facts, text::Findings& findings);

struct TickAnalysis {
  const ProjectEvents& events;
  text::NameIndex& known_events;  // of ProjectEvents, for one thread
  const TickOutline& outline;
  text::Findings& findings;
  const text::Sources* sources;             // for fixes; null: there are none
  std::vector<bool> is_faulty;              // of each place: the consequences of its results are not reported again
  std::set<std::string> meant_events = {};  // by misspelt names, which have been reported

  const ir::Tree& tree() const { return outline.tree; }
  const ir::Node& node(PlaceIndex place) const { return outline.node(place); }
  const ir::Ticking& ticking() const { return outline.tree.as<ir::Ticking>(); }
  std::uint32_t signal(PlaceIndex place) const { return node(place).as<ir::Event>().signal; }
  std::string name(PlaceIndex place) const { return outline.name(place); }
  text::Span span(PlaceIndex place) const { return node(outline.shown(place)).span; }
  // Does it compare a timestamp, or test a variable, that is not declared? That has been reported.
  bool tests_unknown(PlaceIndex place) const;
  const std::string& event(std::uint32_t signal) const { return tree().signals[signal].name; }
  Finding& report(Rule rule, PlaceIndex place, std::string message, std::string hint = {});
  // The same, for a fault that has consequences.
  Finding& report_fault(Rule rule, PlaceIndex place, std::string message, std::string hint = {});
  bool has_fault_below(PlaceIndex place) const;  // or at the place
  text::Claim claim(std::string shows, std::vector<text::Claim::At> nodes) const {
    return {std::move(shows), tree().name, std::move(nodes)};
  }

  // Calls `look` with each place of an opcode that is ever ticked, in the order of the file.
  template <typename Look>
  void each(Opcode wanted, Look look) {
    for (PlaceIndex place = 0; place < outline.places.size(); ++place) {
      if (!outline.places[place].is_idle && outline.opcode(place) == wanted) look(place);
    }
  }
};

// Values at nodes: comparisons, limits, waits.
void analyse_values(TickAnalysis& analysis);
// The possible effects of loops, parallels and timeouts.
void analyse_effects(TickAnalysis& analysis);
// States, transitions, and the nodes that request them.
void analyse_machines(TickAnalysis& analysis);
// Events that nothing sends, or that nothing can receive.
void analyse_events(TickAnalysis& analysis);
// What depends on a difference between the engine and its documentation: one note a tree for each.
void analyse_engine(TickAnalysis& analysis);
// Variables, signals and timestamps.
void analyse_names(TickAnalysis& analysis);
// Branches and events without effect, and states that are never left.
void analyse_habits(TickAnalysis& analysis);
// Conditions that are always true or always false, and what depends on that.
void analyse_conditions(TickAnalysis& analysis);
// Consequences of results: nodes that are never ticked, roots that end.
void analyse_results(TickAnalysis& analysis);

}  // namespace espalier::lint
