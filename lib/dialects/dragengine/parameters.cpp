// Actions, conditions and parameters, held against what is known of the host. See file_reader.h.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "dialects/dragengine/file_reader.h"
#include "dialects/reading/host_rows.h"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

using text::quote;

// Whether a value is one of its declared type, as the engine's readers see it.
bool fits(const HostAttribute& declared, std::string_view value, ValueFault& fault) {
  if (declared.is_presence) return true;
  if (declared.type != ir::ParameterType::boolean) return read_value(declared, value, fault).has_value();
  if (value == "true" || value == "false") return true;
  fault = {quote(value) + " is neither true nor false", "'true' or 'false'"};
  return false;
}

}  // namespace

void FileReader::check_hosts(const Parts& parts, bool asks, FileRule& rule) {
  Readers readers;
  const bool is_action = rule.opcode == Opcode::rule_action;
  readers.has_unknown = (is_action && rule.rule.behavior.empty()) || (asks && parts.lacks_condition);
  std::unordered_set<const HostDeclaration*> seen;
  auto add = [&](const HostDeclaration* host, Span span) {
    if (host == nullptr) readers.has_unknown = true;
    if (host != nullptr && seen.insert(host).second) readers.known.push_back({host, span});
  };
  if (is_action && !rule.rule.behavior.empty()) {
    const HostDeclaration* const action = hosts_.find_action(rule.rule.behavior);
    if (action == nullptr && hosts_.knows_actions()) {
      report(Rule::DRA_unknown_action, rule.action_span, "no action " + quote(rule.rule.behavior) + " is declared",
             hosts_.hint_of_action(rule.rule.behavior));
    }
    rule.rule.results = hosts_.results(rule.rule.behavior, rule.rule.parameters);
    add(action, rule.action_span);
  }
  for (std::size_t i = 0; asks && i < parts.conditions.size(); ++i) {
    const WrittenCondition& condition = parts.conditions[i];
    const HostDeclaration* const known = hosts_.find_condition(condition.name);
    if (known == nullptr && hosts_.knows_conditions()) {
      report(Rule::DRA_unknown_condition, condition.span, "no condition " + quote(condition.name) + " is declared",
             hosts_.hint_of_condition(condition.name));
    }
    add(known, condition.span);
  }
  if (!readers.known.empty()) check_parameters(parts, readers);
}

void FileReader::check_parameters(const Parts& parts, const Readers& readers) {
  std::vector<const WrittenParameter*> unread;
  for (const std::size_t i : parts.counting) check_parameter(parts.parameters[i], readers, unread);
  if (!parts.lacks_parameter) check_needed(parts, readers, unread);
  if (readers.has_unknown) return;
  for (const WrittenParameter* const parameter : unread) report_unread(*parameter, readers);
}

// What one parameter is to those that read it.
void FileReader::check_parameter(const WrittenParameter& parameter, const Readers& readers,
                                 std::vector<const WrittenParameter*>& unread) {
  bool is_read = false;
  for (const Reader& reader : readers.known) {
    for (const HostAttribute& declared : reader.host->attributes) {
      if (declared.name != parameter.name) continue;
      is_read = true;
      if (declared.deprecated_in != 0) {
        report(Rule::DRA_deprecated, parameter.name_span, quote(parameter.name) + " is deprecated", declared.doc);
      }
      ValueFault fault;
      if (fits(declared, parameter.value, fault)) continue;
      report(Rule::DRA_bad_value, parameter.value_span, std::move(fault.message), std::move(fault.hint));
    }
  }
  if (!is_read) unread.push_back(&parameter);
}

// One that an action and a condition lack is told once, and one that is misspelt is one fault.
void FileReader::check_needed(const Parts& parts, const Readers& readers,
                              std::vector<const WrittenParameter*>& unread) {
  std::unordered_set<std::string_view> there;
  for (const std::size_t i : parts.counting) there.insert(parts.parameters[i].name);
  for (const Reader& reader : readers.known) {
    for (const HostAttribute& declared : reader.host->attributes) {
      const bool is_needed = declared.is_required || hosts_.is_needed_beside(*reader.host, declared.name, there);
      if ((!is_needed && !declared.is_recommended) || !there.insert(declared.name).second) continue;
      const auto slip = std::find_if(unread.begin(), unread.end(), [&](const WrittenParameter* parameter) {
        return may_guess(1) && !text::nearest(parameter->name, {declared.name}).empty();
      });
      std::string hint;
      if (slip != unread.end()) {
        hint = quote((*slip)->name) + " is not read: did you mean " + quote(declared.name) + "?";
        unread.erase(slip);
      }
      report(
          is_needed ? Rule::DRA_missing_parameter : Rule::DRA_recommended_parameter, reader.span,
          quote(reader.host->name) + (is_needed ? " needs" : " should have") + " the parameter " + quote(declared.name),
          std::move(hint));
    }
  }
}

void FileReader::report_unread(const WrittenParameter& parameter, const Readers& readers) {
  std::vector<std::string_view> names;
  for (const Reader& reader : readers.known) {
    for (const HostAttribute& declared : reader.host->attributes) names.push_back(declared.name);
  }
  report(Rule::DRA_parameter_never_read, parameter.name_span,
         "nothing that the rule calls or asks reads the parameter " + quote(parameter.name),
         guess(parameter.name, names));
}

}  // namespace espalier::dialects::dragengine
