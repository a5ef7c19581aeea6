// What analyses of trees that store their results work on. See lint.cpp.
#pragma once
#include <span>

#include "lint/store_outline.h"
#include "text/finding.h"

namespace espalier::lint {

using text::Finding;
using text::Rule;

struct StoreAnalysis {
  const StoreOutline& outline;
  text::Findings& findings;

  std::string name(PlaceIndex place) const { return outline.name(place); }
  Finding& report(Rule rule, PlaceIndex place, std::string message, std::string hint = {}) {
    return findings.add(rule, outline.span(place), std::move(message), std::move(hint));
  }
};

// Children that those before them leave nothing for.
void analyse_store_reach(StoreAnalysis& analysis);
// Barriers that roles lack, and those that roles come to in different orders.
void analyse_barriers(StoreAnalysis& analysis);
// Monitors that are never asked again. They are of the agent, wherever their tree is a child: `outlines` are of all
// trees.
void analyse_monitors(const ir::Project& project, std::span<const StoreOutline> outlines, text::Findings& findings);

}  // namespace espalier::lint
