// What analyses of trees that store their results work on. See lint.cpp.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lint/store/outline.h"
#include "text/finding.h"

namespace espalier::lint {

using text::Finding;
using text::Happens;
using text::Rule;

struct StoreAnalysis {
  const StoreOutline& outline;
  text::Findings& findings;

  std::string name(PlaceIndex place) const { return outline.name(place); }
  Finding& report(Rule rule, PlaceIndex place, std::string message, std::string hint = {}) {
    return findings.add(rule, outline.span(place), std::move(message), std::move(hint));
  }
  text::Claim claim(std::string shows, std::vector<text::Claim::At> nodes) const {
    return {std::move(shows), outline.tree.name, std::move(nodes)};
  }
};

// Children that are never evaluated, because of those before them.
void analyse_store_reach(StoreAnalysis& analysis);
// Conditions that are asked again although their answer is known.
void analyse_store_conditions(StoreAnalysis& analysis);
// Barriers that are missing in roles, and those that roles reach in different orders.
void analyse_barriers(StoreAnalysis& analysis);
// Monitors that are never asked again. A monitor belongs to the agent, even if its tree is a child of another, so
// `outlines` covers all trees.
void analyse_monitors(const ir::Project& project, std::span<const StoreOutline> outlines, text::Findings& findings);
// Child trees whose defaults, without another tree in their slots, start their own tree again.
void analyse_store_cycles(std::span<const StoreOutline> outlines, text::Findings& findings);
// Slots that accept every tree of the project, where that makes agents large.
void analyse_store_sizes(const ir::Project& project, text::Findings& findings);

}  // namespace espalier::lint
