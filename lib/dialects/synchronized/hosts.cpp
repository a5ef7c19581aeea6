// What conditions and actions are to the host: parameters, and what espalier.json declares of them. See tree_reader.h.
#include <algorithm>
#include <utility>

#include "dialects/reading/host_rows.h"
#include "dialects/synchronized/tree_reader.h"

namespace espalier::dialects::synchronized {
namespace {

using text::quote;

const HostDeclaration* find(const std::vector<HostDeclaration>& hosts, std::string_view name) {
  const auto found =
      std::lower_bound(hosts.begin(), hosts.end(), name,
                       [](const HostDeclaration& each, std::string_view key) { return each.name < key; });
  return found != hosts.end() && found->name == name ? &*found : nullptr;
}

std::vector<std::string_view> names_of(const auto& things) {
  std::vector<std::string_view> names;
  names.reserve(things.size());
  for (const auto& thing : things) names.push_back(thing.name);
  return names;
}

}  // namespace

HostNames::HostNames(const Options& options)
    : actions(names_of(options.store_actions)), conditions(names_of(options.store_conditions)) {}

ir::Behavior TreeReader::read_host(const Attributes& attributes, Opcode opcode) {
  const Attribute name = attributes.filled("name");
  ir::Behavior behavior;
  behavior.name = name.value();
  for (const Attribute& other : attributes.others()) {
    ir::Parameter& parameter = behavior.parameters.emplace_back();
    parameter.name = other.name();
    parameter.text = other.value();
  }
  const bool is_action = opcode == Opcode::store_action;
  const std::vector<HostDeclaration>& hosts = is_action ? options_.store_actions : options_.store_conditions;
  if (!name || hosts.empty()) return behavior;
  const HostDeclaration* const host = find(hosts, name.value());
  if (host == nullptr) {
    reporter_.report(is_action ? Rule::SYN_unknown_action : Rule::SYN_unknown_condition, name.value_span(),
                     std::string(is_action ? "no action " : "no condition ") + quote(name.value()) + " is declared",
                     (is_action ? host_names_.actions : host_names_.conditions).did_you_mean(name.value()));
    return behavior;
  }
  if (is_action) behavior.results = host->results;
  check_parameters(attributes, *host);
  return behavior;
}

// A parameter that is missed and stands there misspelt is one fault.
void TreeReader::check_parameters(const Attributes& attributes, const HostDeclaration& host) {
  std::vector<Attribute> unread;
  std::vector<const HostAttribute*> missing;
  for (const HostAttribute& declared : host.attributes) {
    if (declared.is_required) missing.push_back(&declared);
  }
  for (const Attribute& other : attributes.others()) {
    const auto declared = std::find_if(host.attributes.begin(), host.attributes.end(),
                                       [&](const HostAttribute& each) { return each.name == other.name(); });
    if (declared == host.attributes.end()) {
      unread.push_back(other);
      continue;
    }
    missing.erase(std::remove(missing.begin(), missing.end(), &*declared), missing.end());
    if (declared->deprecated_in != 0) {
      reporter_.report(Rule::SYN_deprecated, other.name_span(), quote(other.name()) + " is deprecated", declared->doc);
    }
    ValueFault fault;
    if (declared->is_presence || read_value(*declared, other.value(), fault)) continue;
    reporter_.report(Rule::SYN_bad_value, other.value_span(), std::move(fault.message), std::move(fault.hint));
  }
  for (const HostAttribute* const each : missing) {
    const auto slip = std::find_if(unread.begin(), unread.end(), [&](const Attribute& attribute) {
      return !reporter_.nearest(attribute.name(), {each->name}).empty();
    });
    std::string hint;
    if (slip != unread.end()) {
      hint = quote(slip->name()) + " is not read: did you mean " + quote(each->name) + "?";
      unread.erase(slip);
    }
    reporter_.report(Rule::SYN_missing_parameter, attributes["name"].value_span(),
                     quote(host.name) + " needs the parameter " + quote(each->name), std::move(hint));
  }
  for (const Attribute& each : unread) {
    reporter_.report(Rule::SYN_parameter_never_read, each.name_span(),
                     quote(host.name) + " does not read the parameter " + quote(each.name()),
                     did_you_mean(reporter_.nearest(each.name(), names_of(host.attributes))));
  }
}

}  // namespace espalier::dialects::synchronized
