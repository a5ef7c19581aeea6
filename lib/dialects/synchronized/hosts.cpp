// Conditions and actions of the host: parameters, and their declarations in espalier.json. See tree_reader.h.
#include <utility>

#include "dialects/reading/parameters.h"
#include "dialects/reading/wording.h"
#include "dialects/synchronized/synchronized.h"
#include "dialects/synchronized/tree_reader.h"

namespace espalier::dialects::synchronized {
namespace {

const ParameterRules kParameterRules{Rule::SYN_deprecated, Rule::SYN_bad_value, Rule::SYN_missing_parameter,
                                     Rule::SYN_parameter_never_read};

}  // namespace

HostNames::HostNames(const Options& options)
    : actions(names_of(options.store_actions)), conditions(names_of(options.store_conditions)) {}

void declare(const Options& options, DeclaredRows& rows) {
  if (!options.store_actions.empty()) rows.limit(table(), "Action", "name", names_of(options.store_actions));
  if (!options.store_conditions.empty()) rows.limit(table(), "Condition", "name", names_of(options.store_conditions));
}

ir::Behavior TreeReader::read_host(const Attributes& attributes, Opcode opcode) {
  const Attribute name = attributes.filled("name");
  ir::Behavior behavior;
  behavior.name = name.value();
  std::vector<GivenParameter> given;
  for (const Attribute& attribute : attributes.parameters()) {
    ir::Parameter& parameter = behavior.parameters.emplace_back();
    parameter.name = attribute.name();
    parameter.text = attribute.value();
    given.push_back({attribute.name(), attribute.name_span(), attribute.value(), attribute.value_span()});
  }
  const bool is_action = opcode == Opcode::store_action;
  const std::vector<HostDeclaration>& hosts = is_action ? options_.store_actions : options_.store_conditions;
  if (!name || hosts.empty()) return behavior;
  const HostDeclaration* const host = find_declaration(hosts, name.value());
  if (host == nullptr) {
    reporter_.report(is_action ? Rule::SYN_unknown_action : Rule::SYN_unknown_condition, name.value_span(),
                     (is_action ? "unknown action " : "unknown condition ") + quote(name.value()),
                     (is_action ? host_names_.actions : host_names_.conditions).did_you_mean(name.value()));
    return behavior;
  }
  if (is_action) behavior.results = host->results;
  const ParameterReader reader{host, name.value_span()};
  check_parameters(given, {&reader, 1}, kParameterRules, reporter_);
  return behavior;
}

}  // namespace espalier::dialects::synchronized
