// Actions, conditions and parameters, held against what is known of the host. See file_reader.h.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "dialects/dragengine/file_reader.h"
#include "dialects/host_value.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

using text::quoted;

}  // namespace

void FileReader::check_hosts(const Parts& parts, bool asks, FileRule& rule) {
  std::vector<const HostDeclaration*> readers;
  if (rule.opcode == Opcode::rule_action && !rule.action.empty()) {
    const HostDeclaration* const action = hosts_.find_action(rule.action);
    if (action == nullptr && hosts_.knows_actions()) {
      report(Rule::DRA_unknown_action, rule.action_span, "no action " + quoted(rule.action) + " is declared",
             guess(rule.action, hosts_.action_names()));
    }
    rule.details.results = hosts_.results(rule.action, rule.details.parameters);
    readers.push_back(action);
    if (action != nullptr) check_parameters(parts, *action, rule.action_span);
  }
  if (asks) {
    for (const WrittenCondition& condition : parts.conditions) {
      const HostDeclaration* const known = hosts_.find_condition(condition.name);
      if (known == nullptr && hosts_.knows_conditions()) {
        report(Rule::DRA_unknown_condition, condition.span, "no condition " + quoted(condition.name) + " is declared",
               guess(condition.name, hosts_.condition_names()));
      }
      readers.push_back(known);
      if (known != nullptr) check_parameters(parts, *known, condition.span);
    }
  }
  const bool all_known = std::find(readers.begin(), readers.end(), nullptr) == readers.end();
  if (!readers.empty() && all_known) check_never_read(parts, readers);
}

// Those that one of the host's functions needs and reads.
void FileReader::check_parameters(const Parts& parts, const HostDeclaration& host, Span span) {
  static_cast<void>(parts);
  static_cast<void>(host);
  static_cast<void>(span);
}

void FileReader::check_never_read(const Parts& parts, const std::vector<const HostDeclaration*>& hosts) {
  static_cast<void>(parts);
  static_cast<void>(hosts);
}

}  // namespace espalier::dialects::dragengine
