// Trees that poll: what their nodes can give, and what is on their blackboards. They are analysed as they are written,
// so that what is wrong with a tree is found once, wherever it is used; trees that are known by their names alone, and
// those with errors, are left out.
#pragma once
#include <string>

#include "ir/poll/written.h"
#include "text/finding.h"
#include "text/wording.h"

namespace espalier::lint {

using namespace ir::poll;  // what trees consist of, by its short names
using text::did_you_mean;
using text::Finding;
using text::list_of;
using text::quote;
using text::Related;
using text::Rule;
using text::Span;
using text::with_commas;

struct PollAnalysis {
  const WrittenProject& project;
  text::Findings& findings;

  // The finding may be an earlier one with the same rule and place.
  Finding& report(Rule rule, Span span, std::string message, std::string hint = {}) const;
  // The same, with a related place before others.
  Finding& report(Rule rule, Span span, std::string message, std::string hint, Related related) const;
};

// Calls `look` with each node of the trees that can be judged.
template <typename Look>
void for_each_node(const WrittenProject& project, const Look& look) {
  for (const WrittenTree& tree : project.trees) {
    if (!tree.is_sound()) continue;
    for (const WrittenNode& node : tree.nodes) look(node);
  }
}

// Blackboards: which entries are made with which types, written and read, in the trees below each root.
void analyse_entries(const PollAnalysis& analysis);
// What nodes can give: children that are never ticked, or that would halt each other.
void analyse_outcomes(const PollAnalysis& analysis);
// Conditions that fail whenever they begin anew, and are reset before they are ticked again.
void analyse_idle_conditions(const PollAnalysis& analysis);
// Conditions whose entries the node before has just written.
void analyse_neighbours(const PollAnalysis& analysis);

}  // namespace espalier::lint
