// Actions and conditions of the host. See host_rules.h.
#include "dialects/dragengine/host_rules.h"

#include <algorithm>

#include "dialects/dragengine/elements.h"
#include "dialects/dragengine/options.h"
#include "rules/dragengine.h"

namespace espalier::dialects::dragengine {
namespace {

using Declarations = std::vector<HostDeclaration>;

using ir::kFails;
using ir::kRuns;
using ir::kSucceeds;

HostAttribute text(std::string_view name, bool is_required = false) {
  HostAttribute attribute;
  attribute.name = name;
  attribute.is_required = is_required;
  return attribute;
}

HostAttribute number(std::string_view name, bool is_required = false) {
  HostAttribute attribute = text(name, is_required);
  attribute.type = ir::ParameterType::number;
  return attribute;
}

HostAttribute presence(std::string_view name) {
  HostAttribute attribute = text(name);
  attribute.is_presence = true;
  return attribute;
}

HostDeclaration host(std::string_view name, ir::Results results, std::vector<HostAttribute> attributes) {
  HostDeclaration declaration;
  declaration.name = name;
  declaration.results = results;
  declaration.attributes = std::move(attributes);
  return declaration;
}

constexpr std::string_view kStart = "timer.start";
constexpr std::string_view kTimeout = "timeout";
constexpr std::string_view kLower = "timeout.lower";
constexpr std::string_view kUpper = "timeout.upper";
constexpr std::string_view kCheck = "flags.check";
constexpr std::string_view kWait = "wait";

HostDeclaration start(bool has_bounds) {
  return host(kStart, kSucceeds,
              {text("timer"), number(kTimeout), number(kLower, has_bounds), number(kUpper, has_bounds)});
}

HostDeclaration check(ir::Results results) {
  return host(kCheck, results, {text("flag", true), presence("cleared"), presence(kWait), presence("reset")});
}

// Sorted by name.
const Declarations& known_actions() {
  static const Declarations known = {
      check(kSucceeds | kFails),
      host("flags.set", kSucceeds, {text("flag", true), presence("clear")}),
      host("timer.finished", kSucceeds | kFails, {text("timer")}),
      host("timer.running", kSucceeds | kFails, {text("timer")}),
      start(false),
      host("timer.stop", kSucceeds, {text("timer")}),
      host("timer.wait", kRuns | kSucceeds, {text("timer")}),
  };
  return known;
}

// Sorted by name.
const Declarations& known_conditions() {
  static const Declarations known = {
      host("flags.state", ir::kAnyResult, {text("flag", true), presence("flags.cleared")}),
      host("timer.finished", ir::kAnyResult, {text("timer")}),
      host("timer.running", ir::kAnyResult, {text("timer")}),
  };
  return known;
}

}  // namespace

void declare(const Options& options, DeclaredRows& rows) {
  const Declarations& actions = options.of<DragengineOptions>().actions;
  const Declarations& conditions = options.of<DragengineOptions>().conditions;
  if (!actions.empty()) rows.limit(table(), "action", "name", names_of_hosts(actions, known_actions()));
  if (!conditions.empty()) rows.limit(table(), "condition", {}, names_of_hosts(conditions, known_conditions()));
}

HostRules::HostRules(const Options& options)
    : actions("action", rules::DRA_unknown_action, rules::DRA_name_is_a_call, options.of<DragengineOptions>().actions,
              known_actions()),
      conditions("condition", rules::DRA_unknown_condition, rules::DRA_name_is_a_call,
                 options.of<DragengineOptions>().conditions, known_conditions()) {}

// A timer without a timeout gets a random one between two bounds; either bound requires the other. A check that waits
// does not fail.
const HostDeclaration* HostRules::find_action(std::string_view name, Span span,
                                              const std::vector<GivenParameter>& given, Reporter& reporter) {
  static const HostDeclaration kStartBetween = start(true);
  static const HostDeclaration kWaitingCheck = check(kSucceeds | kRuns);
  const HostDeclaration* const action = actions.find(name, span, reporter);
  if (!actions.is_known(action)) return action;
  const auto has = [&](std::string_view parameter) {
    return std::any_of(given.begin(), given.end(), [&](const GivenParameter& each) { return each.name == parameter; });
  };
  if (name == kStart && !has(kTimeout) && (has(kLower) || has(kUpper))) return &kStartBetween;
  if (name == kCheck && has(kWait)) return &kWaitingCheck;
  return action;
}

}  // namespace espalier::dialects::dragengine
