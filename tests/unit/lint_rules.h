// Random trees of rules, and the findings of analyses.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "lint/lint.h"
#include "lint/places.h"
#include "payloads.h"
#include "rules/rules.h"
#include "runtime/format/opcodes/rule.h"

namespace drawn_rules {

// A rule. Members that are not set have the same value as for an element without the attribute.
struct DrawnRule {
  espalier::Opcode opcode;
  std::string element;
  std::uint8_t flags = 0;
  bool asks = false;
  std::string id = {};
  espalier::ir::Results results = espalier::ir::kAnyResult;
  std::vector<DrawnRule> below = {};

  DrawnRule with_id(std::string of_rule) const {
    return changed([&](DrawnRule& rule) { rule.id = std::move(of_rule); });
  }
  DrawnRule asking() const {
    return changed([](DrawnRule& rule) { rule.asks = true; });
  }
  DrawnRule looping() const {
    return changed([](DrawnRule& rule) { rule.flags |= espalier::kBeginsAnew; });
  }
  DrawnRule unfailing() const {
    return changed([](DrawnRule& rule) { rule.flags |= espalier::kDoesNotFail; });
  }

 private:
  template <typename Change>
  DrawnRule changed(Change change) const {
    DrawnRule rule = *this;
    change(rule);
    return rule;
  }
};

inline DrawnRule sequence(std::vector<DrawnRule> below) {
  DrawnRule rule{espalier::opcode::rule_sequence, "sequence"};
  rule.below = std::move(below);
  return rule;
}
inline DrawnRule choice(std::vector<DrawnRule> below) {
  DrawnRule rule{espalier::opcode::rule_choice, "choice"};
  rule.below = std::move(below);
  return rule;
}
inline DrawnRule subtree(std::vector<DrawnRule> below) {
  DrawnRule rule{espalier::opcode::rule_subtree, "subtree"};
  rule.below = std::move(below);
  return rule;
}
inline DrawnRule action(espalier::ir::Results results = espalier::ir::kAnyResult) {
  DrawnRule rule{espalier::opcode::rule_action, "action"};
  rule.results = results;
  return rule;
}
inline DrawnRule result_rule(espalier::Result result, const char* element) {
  return {espalier::opcode::rule_result, element, static_cast<std::uint8_t>(result)};
}
inline DrawnRule success() { return result_rule(espalier::Result::success, "success"); }
inline DrawnRule failure() { return result_rule(espalier::Result::failure, "failure"); }
inline DrawnRule running() { return result_rule(espalier::Result::running, "running"); }
inline DrawnRule yield() { return {espalier::opcode::rule_yield, "yield"}; }

// An action that is always done at once.
inline DrawnRule query() { return action(espalier::lint::kSucceeds | espalier::lint::kFails); }

namespace drawn {

inline void add(const DrawnRule& rule, espalier::test::DraftTree& tree, std::uint32_t& place,
                espalier::test::Draft& node) {
  node.opcode = rule.opcode;
  node.name = rule.element;
  node.span = {tree.root.span.file, place, place + 1};
  ++place;
  node.flags = rule.flags;
  node.label = rule.id;
  if (rule.opcode == espalier::opcode::rule_subtree) {
    node.payload = espalier::ir::RuleFile();
  } else {
    espalier::ir::Rule& own = node.payload.emplace<espalier::ir::Rule>();
    own.results = rule.results;
    if (rule.asks) own.conditions = {"ready"};
    if (rule.opcode == espalier::opcode::rule_action) own.behavior = "Act";
  }
  node.children.resize(rule.below.size());
  for (std::size_t i = 0; i < rule.below.size(); ++i) add(rule.below[i], tree, place, node.children[i]);
}

}  // namespace drawn

// The rules are at bytes 1, 2, ... of a file, in their order.
inline espalier::test::DraftTree rule_tree(const DrawnRule& root, espalier::text::FileId file = 0) {
  espalier::test::DraftTree tree;
  tree.name = "Tree" + std::to_string(file);
  tree.parts = espalier::ir::Ruling{100, false};
  tree.root.opcode = espalier::opcode::rule_file;
  tree.root.payload = espalier::ir::RuleFile();
  tree.root.span = {file, 0, 1};
  std::uint32_t place = 1;
  drawn::add(root, tree, place, tree.root.children.emplace_back());
  return tree;
}

// "3 unreachable-rule <- 2" for each finding, in the order of places; a note that is a warning elsewhere: "3 (note)
// ...".
inline std::vector<std::string> found_in(std::vector<espalier::test::DraftTree> trees) {
  using namespace espalier;
  text::Sources sources;
  for (std::size_t i = 0; i < trees.size(); ++i) sources.add(std::to_string(i), std::string(4096, ' '));
  text::Findings findings;
  espalier::test::DraftProject project;
  project.trees = std::move(trees);
  lint::analyse(project, {}, findings);
  findings.sort(sources);
  auto shown = [](const text::Span& span) {
    return (span.file == 0 ? std::string() : std::to_string(span.file) + ':') + std::to_string(span.begin);
  };
  std::vector<std::string> result;
  for (const text::Finding& finding : findings.all()) {
    const rules::RuleInfo& info = rules::info(finding.rule);
    std::string line = shown(finding.span) + (finding.severity == info.severity ? " " : " (note) ");
    line += info.name;
    for (const text::Related& related : finding.related) line += " <- " + shown(related.span);
    result.push_back(std::move(line));
  }
  return result;
}

}  // namespace drawn_rules
