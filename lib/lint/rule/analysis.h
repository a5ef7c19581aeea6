// What analyses of one tree of rules work on. See lint.cpp.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lint/rule/outline.h"
#include "text/finding.h"

namespace espalier::lint {

using text::Finding;
using text::Happens;
using text::Rule;

// A place where an agent cannot be saved.
struct UnsavedPlace {
  std::string name;
  text::Claim claim;
};

// Those of a file, which may be part of many trees.
struct UnsavedPlaces {
  std::vector<text::Span> all;  // some more than once
  std::map<text::Span, UnsavedPlace> first;
};
using Unsaved = std::map<text::FileId, UnsavedPlaces>;

struct RuleAnalysis {
  const RuleOutline& outline;
  text::Findings& findings;
  Unsaved& unsaved;

  std::string name(PlaceIndex place) const { return outline.name(place); }
  text::Span span(PlaceIndex place) const { return outline.node(place).span; }
  Finding& report(Rule rule, PlaceIndex place, std::string message, std::string hint = {}) {
    return findings.add(rule, span(place), std::move(message), std::move(hint));
  }
  text::Claim claim(std::string shows, std::vector<text::Claim::At> nodes) const {
    return {std::move(shows), outline.tree.name, std::move(nodes)};
  }
};

// Checks rules one by one and in their lists.
void analyse_rules(RuleAnalysis& analysis);
// Rules of choices that others leave no place.
void analyse_choices(RuleAnalysis& analysis);
// Checks the root and its updates in a tree that is not part of another. True: every update is a run-away.
bool analyse_rule_root(RuleAnalysis& analysis);
// Loops that can start again in the same update. `is_whole`: the tree is not part of another, so its root is the root.
// `is_root_told`: its run-aways have been reported.
void analyse_rule_loops(RuleAnalysis& analysis, bool is_whole, bool is_root_told);
// Rules at which an update can end.
void find_unsaved(RuleAnalysis& analysis);
void report_unsaved(Unsaved& unsaved, text::Findings& findings);

}  // namespace espalier::lint
