// What analyses of one tree of deciders work on. See lint.cpp.
#pragma once
#include "lint/decide/outline.h"
#include "text/finding.h"

namespace espalier::lint {

using text::Finding;
using text::Rule;

struct DecideAnalysis {
  const DecideOutline& outline;
  text::Findings& findings;

  const ir::Tree& tree() const { return outline.tree; }
  const ir::Deciding& deciding() const { return outline.tree.as<ir::Deciding>(); }
  std::string name(PlaceIndex place) const { return outline.name(place); }
  Finding& report(Rule rule, PlaceIndex place, std::string message, std::string hint = {}) {
    return findings.add(rule, outline.span(place), std::move(message), std::move(hint));
  }
};

// Deciders that are never chosen, because of those before them.
void analyse_reach(DecideAnalysis& analysis);
// Groups that may accept when no child of theirs can.
void analyse_subsets(DecideAnalysis& analysis);
// Lists of words that always hold.
void analyse_lists(DecideAnalysis& analysis);
// Declarations that are not used.
void analyse_unused(DecideAnalysis& analysis);

}  // namespace espalier::lint
