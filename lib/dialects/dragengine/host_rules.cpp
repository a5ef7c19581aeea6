// Actions and conditions of the host. See host_rules.h.
#include "dialects/dragengine/host_rules.h"

#include <algorithm>

namespace espalier::dialects::dragengine {
namespace {

constexpr ir::Results bit(Result result) { return static_cast<ir::Results>(1u << static_cast<unsigned>(result)); }
constexpr ir::Results kRuns = bit(Result::running);
constexpr ir::Results kFails = bit(Result::failure);
constexpr ir::Results kSucceeds = bit(Result::success);

HostAttribute text(std::string_view name, bool is_required = false) {
  HostAttribute attribute;
  attribute.name = name;
  attribute.is_required = is_required;
  return attribute;
}

HostAttribute number(std::string_view name) {
  HostAttribute attribute = text(name);
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
constexpr std::string_view kWait = "wait";
constexpr std::string_view kFlagsCheck = "flags.check";

const std::vector<HostDeclaration>& known_actions() {
  static const std::vector<HostDeclaration> known = {
      host(kFlagsCheck, ir::kAnyResult, {text("flag", true), presence("cleared"), presence(kWait), presence("reset")}),
      host("flags.set", kSucceeds, {text("flag", true), presence("clear")}),
      host("timer.finished", kSucceeds | kFails, {text("timer")}),
      host("timer.running", kSucceeds | kFails, {text("timer")}),
      host(kStart, kSucceeds, {text("timer"), number(kTimeout), number(kLower), number(kUpper)}),
      host("timer.stop", kSucceeds, {text("timer")}),
      host("timer.wait", kRuns | kSucceeds, {text("timer")}),
  };
  return known;
}

const std::vector<HostDeclaration>& known_conditions() {
  static const std::vector<HostDeclaration> known = {
      host("flags.state", ir::kAnyResult, {text("flag", true), presence("flags.cleared")}),
      host("timer.finished", ir::kAnyResult, {text("timer")}),
      host("timer.running", ir::kAnyResult, {text("timer")}),
  };
  return known;
}

// Both are sorted by name.
const HostDeclaration* find(const std::vector<HostDeclaration>& hosts, std::string_view name) {
  const auto found =
      std::lower_bound(hosts.begin(), hosts.end(), name,
                       [](const HostDeclaration& each, std::string_view key) { return each.name < key; });
  return found != hosts.end() && found->name == name ? &*found : nullptr;
}

std::vector<std::string_view> names(const std::vector<HostDeclaration>& declared,
                                    const std::vector<HostDeclaration>& known) {
  std::vector<std::string_view> result;
  result.reserve(declared.size() + known.size());
  for (const HostDeclaration& each : declared) result.push_back(each.name);
  for (const HostDeclaration& each : known) result.push_back(each.name);
  return result;
}

}  // namespace

HostRules::HostRules(const Options& options)
    : options_(options),
      action_names_(names(options.rule_actions, known_actions())),
      condition_names_(names(options.rule_conditions, known_conditions())) {}

const HostDeclaration* HostRules::find_action(std::string_view name) const {
  const HostDeclaration* const declared = find(options_.rule_actions, name);
  return declared != nullptr ? declared : find(known_actions(), name);
}

const HostDeclaration* HostRules::find_condition(std::string_view name) const {
  const HostDeclaration* const declared = find(options_.rule_conditions, name);
  return declared != nullptr ? declared : find(known_conditions(), name);
}

// A timer started without a timeout has one between two bounds; one of them alone is none.
bool HostRules::is_needed_beside(const HostDeclaration& host, std::string_view parameter,
                                 const std::unordered_set<std::string_view>& there) const {
  if (host.name != kStart || find(options_.rule_actions, kStart) != nullptr || there.count(kTimeout) != 0) return false;
  return (parameter == kLower && there.count(kUpper) != 0) || (parameter == kUpper && there.count(kLower) != 0);
}

ir::Results HostRules::results(std::string_view action, const std::vector<ir::Parameter>& parameters) const {
  const HostDeclaration* const known = find_action(action);
  if (known == nullptr) return ir::kAnyResult;
  if (action != kFlagsCheck || find(options_.rule_actions, action) != nullptr) return known->results;
  const bool waits = std::any_of(parameters.begin(), parameters.end(),
                                 [](const ir::Parameter& parameter) { return parameter.name == kWait; });
  return static_cast<ir::Results>(kSucceeds | (waits ? kRuns : kFails));
}

}  // namespace espalier::dialects::dragengine
