// Names of selection and decider trees that the game does not have: signals that nothing sends, and behaviours. See
// names.h.
#include "lint/select/names.h"

#include <algorithm>
#include <set>
#include <utility>

#include "rules/decider.h"
#include "rules/selection.h"
#include "text/names.h"

namespace espalier::lint {
namespace {

using text::quote;
using text::Rule;

class Names {
 public:
  Names(ProjectEvents& events, const Facts& facts, text::Findings& findings)
      : events_(events), facts_(facts), findings_(findings) {
    if (facts.behaviors) behaviors_ = text::NameIndex({facts.behaviors->begin(), facts.behaviors->end()});
  }

  void check_signals(const ir::Tree& tree, Rule rule) {
    for (const ir::Signal& signal : tree.signals) {
      if (signal.name.empty() || events_.is_sent(signal.name) || events_.is_declared(signal.name)) continue;
      if (!told_.insert(signal.span).second) continue;  // in a block that several trees use
      report_unsent(signal, {rule, "signal"}, events_, events_.known, facts_, findings_);
    }
  }

  void check_behavior(const ir::Node& node) {
    if (const auto* leaf = node.as_if<ir::Leaf>()) {
      const bool is_known = std::binary_search(facts_.behaviors->begin(), facts_.behaviors->end(), leaf->behavior);
      if (!is_known && told_.insert(leaf->behavior_span).second) {
        const std::string near = behaviors_.nearest(leaf->behavior);
        text::Finding& finding =
            findings_.add(rules::SEL_undeclared_behavior, leaf->behavior_span,
                          "behaviour " + quote(leaf->behavior) + " is not declared in espalier.json",
                          near.empty() ? std::string() : "did you mean " + quote(near) + "?");
        text::propose(finding, {text::Guess::Of::name, leaf->behavior, near}, text::FixGrade::unsafe);
      }
    }
  }

 private:
  ProjectEvents& events_;
  const Facts& facts_;
  text::Findings& findings_;
  text::NameIndex behaviors_;
  std::set<text::Span> told_;
};

}  // namespace

void analyse_select_names(const ir::Project& project, ProjectEvents& events, const Facts& facts,
                          text::Findings& findings) {
  Names names(events, facts, findings);
  for (const ir::Tree& tree : project.trees) {
    if (!facts.events.empty() && tree.engine() == EngineId::decide) names.check_signals(tree, rules::DEC_event_unknown);
    if (tree.engine() != EngineId::select) continue;
    if (!facts.events.empty()) names.check_signals(tree, rules::SEL_event_unknown);
    if (!facts.behaviors) continue;
    for (const ir::Node& node : ir::nodes_from(tree.root())) names.check_behavior(node);
  }
}

}  // namespace espalier::lint
