// Names in properties, and their lines. See properties.h.
#include "explore/properties.h"

#include <algorithm>

#include "explore/property/about.h"
#include "explore/property/events.h"
#include "explore/property/steps.h"
#include "replay/compiled_expectation.h"
#include "replay/names.h"
#include "replay/session.h"
#include "replay/strategy.h"
#include "rules/rules.h"
#include "rules/traces.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

using rules::Rule;
using rules::Severity;

// Events without the number of an agent are those of the first one.
void name_agent(text::JsonValue& expectation) {
  for (std::size_t i = 0; i < expectation.keys.size(); ++i) {
    text::JsonValue* value = &expectation.values[i];
    if (expectation.keys[i].name == "event") {
      while (!value->values.empty()) value = &value->values.front();
      if (!split_event(value->string).agent) value->string = "0:" + value->string;
    } else {
      name_agent(*value);
    }
  }
}

// The faults of a step in a tree: it is run, and its names are found as those of any trace.
std::vector<replay::LineFault> faults_of_step(const Condition& step, const Property& property, const Tree& tree) {
  replay::ReplayOptions options;
  std::vector<replay::LineFault> of_step;
  replay::Listener listener;
  listener.severity = [](Rule) { return std::optional(Severity::error); };
  listener.warning = [&](const replay::LineFault& fault) { of_step.push_back(fault); };
  listener.run_fault = [](const replay::RunFault&) {};
  listener.failure = [&](const replay::LineFailure& failure) {
    of_step.push_back({rules::TRC_unknown_name, failure.span, failure.message, failure.hint});
  };
  replay::Session session(*tree.asset, options, std::move(listener));
  replay::Line line;
  const std::string header = "{\"trace\": 1, " + replay::tree_members(tree_name(tree)) +
                             ", \"agents\": " + std::to_string(property.agents.value_or(1)) + "}";
  std::optional<replay::LineFault> fault = replay::read_line(header, line);
  if (!fault) fault = session.begin(line);
  if (!fault) fault = replay::read_line(step.text, line);
  if (!fault && line.kind == replay::LineKind::signal && session.agents().strategy().has_signals) {  // of this tree
    std::uint32_t signal = 0;
    fault = replay::find_name(tree, ESPALIER_SIGNALS, "signal", line.value->string, line.value->span, &signal);
  }
  // An update would ask the host, of which nothing is known.
  if (!fault && line.kind != replay::LineKind::tick) fault = session.run(line);
  if (fault) of_step.push_back(*fault);
  const text::Span& at = step.value.span;
  for (replay::LineFault& each : of_step) {
    each.span = {at.file, at.begin + each.span.begin, at.begin + each.span.end};
  }
  return of_step;
}

// The faults of a property in one tree; none: it can be proved.
std::vector<replay::LineFault> faults_in(const Property& property, const Tree& tree) {
  std::vector<replay::LineFault> faults;
  replay::ExpectationCompiler compiler;
  compiler.events_of_run.assets = {tree.asset};
  compiler.events_of_run.compared = replay::written_kinds();
  compiler.events_of_run.agent_count = property.agents.value_or(1);
  compiler.events_of_run.has_several_agents = property.agents.value_or(1) > 1;
  for (const Condition* condition : conditions_of(property)) {
    if (condition->kind == Condition::Kind::step) {
      std::vector<replay::LineFault> of_step = faults_of_step(*condition, property, tree);
      faults.insert(faults.end(), of_step.begin(), of_step.end());
      continue;
    }
    text::JsonValue value = condition->value;
    if (compiler.events_of_run.has_several_agents) name_agent(value);
    replay::Check check;
    if (auto fault = compiler.compile(value, tree, {&tree, 1}, &check)) faults.push_back(*fault);
  }
  // What is known of a kind says more than that a name in it is unknown.
  const std::vector<replay::LineFault> of_events = event_faults(property, tree);
  std::erase_if(compiler.unknown, [&](const replay::LineFault& unknown) {
    return std::any_of(of_events.begin(), of_events.end(),
                       [&](const auto& fault) { return fault.span == unknown.span; });
  });
  faults.insert(faults.end(), compiler.unknown.begin(), compiler.unknown.end());
  faults.insert(faults.end(), of_events.begin(), of_events.end());
  return faults;
}

// The trees that the property names: all if it names none.
std::vector<Tree> named_trees(const Property& property, const Asset& asset) {
  if (property.tree) return replay::trees_called(asset, *property.tree);
  std::vector<Tree> trees;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) trees.push_back(tree(asset, i));
  return trees;
}

}  // namespace

std::vector<const Condition*> conditions_of(const Property& property) {
  std::vector<const Condition*> conditions = {&property.claim};
  if (property.after) conditions.push_back(&*property.after);
  if (property.until) conditions.push_back(&*property.until);
  return conditions;
}

std::vector<Tree> trees_of(const Property& property, const Asset& asset) {
  std::vector<Tree> trees = named_trees(property, asset);
  if (property.tree && trees.size() > 1) return {};
  std::erase_if(trees, [&](const Tree& tree) { return !faults_in(property, tree).empty(); });
  return trees;
}

void check_names(const Property& property, const Asset& asset, text::Findings& findings) {
  const std::vector<Tree> trees = named_trees(property, asset);
  if (property.tree && trees.size() != 1) {
    const std::vector<std::string_view> names = replay::tree_names(asset);
    std::string hint = text::did_you_mean(*property.tree, names);
    if (hint.empty() || !trees.empty()) hint = "expected one of " + replay::listed(names);
    findings.add(rules::TRC_unknown_tree, property.tree_span,
                 (trees.empty() ? "unknown tree " : "several trees are called ") + text::quote(*property.tree),
                 std::move(hint));
    return;
  }
  // If no tree knows all names, the one that lacks the fewest is most likely the one that is meant.
  std::vector<replay::LineFault> fewest;
  for (const Tree& tree : trees) {
    std::vector<replay::LineFault> faults = faults_in(property, tree);
    if (faults.empty()) return;
    if (fewest.empty() || faults.size() < fewest.size()) fewest = std::move(faults);
  }
  for (replay::LineFault& fault : fewest) {
    // What a trace may name without effect, a property must have.
    const bool is_error = rules::info(fault.rule).severity == Severity::error;
    findings.add({is_error ? fault.rule : rules::TRC_unknown_name, Severity::error, fault.span,
                  std::move(fault.message), std::move(fault.hint)});
  }
}

std::string step_line(const Condition& step) { return line_of(step.value); }

std::string expect_line(const Condition& condition, bool is_negated, bool has_several_agents) {
  text::JsonValue expected = condition.value;
  if (has_several_agents) name_agent(expected);
  const std::string text = line_of(expected);
  return "{\"expect\": " + (is_negated ? "{\"not\": " + text + '}' : text) + '}';
}

}  // namespace espalier::explore
