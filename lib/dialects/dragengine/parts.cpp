// Parts of rules: parameters, conditions, their mode, and the path of a subtree. See file_reader.h.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dialects/dragengine/file_reader.h"
#include "dialects/reading/checks.h"
#include "dialects/reading/values.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/characters.h"

namespace espalier::dialects::dragengine {

namespace {

const ParameterRules kParameterRules{Rule::DRA_deprecated,
                                     Rule::DRA_bad_value,
                                     Rule::DRA_missing_parameter,
                                     Rule::DRA_parameter_never_read,
                                     Rule::DRA_recommended_parameter,
                                     true};

// Adds a piece; `*is_apart`: a blank comes before the next piece.
void append_collapsed(std::string_view piece, std::string& text, bool* is_apart) {
  for (const char c : piece) {
    if (text::is_space(c)) {
      *is_apart = true;
      continue;
    }
    if (*is_apart && !text.empty()) text += ' ';
    *is_apart = false;
    text += c;
  }
}

bool is_failure(const FileRule& rule) {
  return rule.opcode == Opcode::rule_result && rule.flags == static_cast<std::uint8_t>(Result::failure);
}

}  // namespace

// ---- Text ---------------------------------------------------------------------------------------

FileReader::RuleText FileReader::text_of(const Element& element) {
  RuleText result;
  const std::string_view source = element.document().source().text();
  const std::vector<text::TextPiece> pieces = element.text();
  bool is_apart = false;
  std::string first;
  for (const text::TextPiece& piece : pieces) {
    append_collapsed(piece.text, result.text, &is_apart);
    if (&piece == &pieces.front()) first = result.text;
    const Span span = visible(source, piece.span);
    if (span.begin == span.end) continue;
    if (result.span == Span()) result.span = span;
    result.span.end = span.end;
  }
  if (result.text.empty()) result.span = element.span();
  result.is_split = first != result.text;
  return result;
}

FileReader::RuleText FileReader::read_text(const Element& element) {
  RuleText text = text_of(element);
  const Element child = element.first_child();
  if (text.is_split) {
    report_split(element, text.span);
  } else if (child) {
    reporter_.findings()
        .add(Rule::DRA_unknown_element, child.span(),
             "element " + quote(child.name()) + " in the text of " + quote(element.name()) + " is ignored")
        .severity = rules::Severity::note;
  }
  return text;
}

void FileReader::report_split(const Element& element, Span span) {
  reporter_.report(Rule::DRA_split_text, span,
                   "the engine reads only the first piece of the text of " + quote(element.name()),
                   "write it in one piece");
}

// An element in a subtree splits its path; the element is reported separately.
void FileReader::read_path(const Element& element, FileRule& rule) {
  const Element first = element.first_child();
  for (Element child = first; child; child = child.next_sibling()) {
    reporter_.report(
        Rule::DRA_element_in_subtree, child.span(),
        "unexpected element " + quote(child.name()) + " in " + quote(element.name()) + ": the engine never reads it",
        "put the subtree in a 'sequence' that has it");
  }
  const RuleText text = text_of(element);
  rule.path = text.text;
  rule.path_span = text.span;
  if (first) return;
  if (text.is_split) report_split(element, text.span);
  if (!text.text.empty()) return;
  reporter_.report(Rule::DRA_subtree_path, element.span(), "the subtree has no path", "write the path as its text");
}

// ---- Elements -----------------------------------------------------------------------------------

void FileReader::read_part(const Element& element, const ElementRow& kind, Parts& parts) {
  if (kind.name == kParameter) return read_parameter(element, kind, parts);
  if (kind.name == kCondition) return read_condition(element, kind, parts);
  read_mode(element, kind, parts);
}

void FileReader::read_parameter(const Element& element, const ElementRow& kind, Parts& parts) {
  const Attributes attributes(element, kind, table(), reporter_);
  if (!parts.first_parameter) parts.first_parameter = element;
  const Attribute& name = attributes["name"];
  RuleText value = read_text(element);
  if (name) {
    parts.parameters.push_back({name.value(), name.value_span(), std::move(value)});
  } else {
    parts.lacks_parameter = true;
  }
}

void FileReader::read_condition(const Element& element, const ElementRow& kind, Parts& parts) {
  check_attributes(element, kind, table(), reporter_);
  if (!parts.first_condition) parts.first_condition = element;
  RuleText name = read_text(element);
  if (!name.text.empty()) {
    parts.conditions.push_back(std::move(name));
    return;
  }
  reporter_.report(Rule::DRA_bad_value, element.span(), "the condition has no name", "write the name as its text");
  parts.lacks_condition = true;
}

void FileReader::read_mode(const Element& element, const ElementRow& kind, Parts& parts) {
  check_attributes(element, kind, table(), reporter_);
  if (parts.mode) {
    reporter_.report(Rule::DRA_repeated_mode, element.span(), "duplicate " + quote(kind.name) + ": the last one counts",
                     {}, {parts.mode.span(), "ignored"});
  }
  parts.mode = element;
  const RuleText word = read_text(element);
  ValueFault fault;
  if (const auto mode = read_value(kind.name, *kind.content.text, word.text, NumberText::plain, fault)) {
    parts.ask_mode = static_cast<layout::QueryMode>(mode->whole);
    return;
  }
  parts.has_faulty_mode = true;
  report_fault(Rule::DRA_bad_value, word.span, word.text, std::move(fault), reporter_);
}

// ---- What depends on the whole rule -------------------------------------------------------------

void FileReader::finish_rule(Parts& parts, FileRule& rule) {
  const bool asks = parts.first_condition && !is_failure(rule);
  if (parts.first_condition && !asks) {
    reporter_.report(Rule::DRA_condition_never_asked, parts.first_condition.span(),
                     "'failure' always fails: its conditions are never asked");
  }
  rule.rule.mode = parts.ask_mode;
  if (parts.mode && !asks && !parts.has_faulty_mode) {
    reporter_.report(Rule::DRA_mode_without_conditions, parts.mode.span(),
                     "'conditionMode' has no effect: " + quote(rule.name) + " has no condition that is asked");
  }
  if (asks) {
    check_repeated_conditions(parts);
    for (const RuleText& condition : parts.conditions) rule.rule.conditions.push_back(condition.text);
  }
  drop_repeated_parameters(parts);
  if (parts.first_parameter && !asks && rule.opcode != Opcode::rule_action) {
    reporter_.report(
        Rule::DRA_parameter_never_read, parts.first_parameter.span(),
        "the parameters of " + quote(rule.name) + " are never read: it calls no action and asks no condition");
  } else {
    for (const Parameter& parameter : parts.parameters) {
      ir::Parameter& taken = rule.rule.parameters.emplace_back();
      taken.name = parameter.name;
      taken.text = parameter.value.text;
    }
  }
  check_hosts(parts, asks, rule);
}

// If several have the same name, the last one counts.
void FileReader::drop_repeated_parameters(Parts& parts) {
  std::unordered_map<std::string_view, const Parameter*> last;
  for (const Parameter& parameter : parts.parameters) {
    const auto [earlier, is_new] = last.try_emplace(parameter.name, &parameter);
    if (is_new) continue;
    reporter_.report(Rule::DRA_repeated_parameter, parameter.name_span,
                     "duplicate parameter " + quote(parameter.name) + ": the last one counts", {},
                     {earlier->second->name_span, "ignored"});
    earlier->second = &parameter;
  }
  if (last.size() == parts.parameters.size()) return;
  std::vector<Parameter> counting;
  for (Parameter& parameter : parts.parameters) {
    if (last.at(parameter.name) == &parameter) counting.push_back(std::move(parameter));
  }
  parts.parameters = std::move(counting);
}

void FileReader::check_repeated_conditions(const Parts& parts) {
  NameTable names({"condition", Rule::DRA_repeated_condition, Rule::DRA_repeated_condition});
  for (const RuleText& condition : parts.conditions) {
    names.declare(condition.text, 0, condition.span, reporter_, "it may be asked twice");
  }
}

// Two conditions that read one parameter get the same value, which may be meant for only one of them.
void FileReader::check_shared(const Parameter& parameter, std::span<const ParameterReader> conditions) {
  const ParameterReader* first = nullptr;
  for (const ParameterReader& condition : conditions) {
    const auto& declared = condition.host->attributes;
    const bool reads = std::any_of(declared.begin(), declared.end(),
                                   [&](const HostAttribute& each) { return each.name == parameter.name; });
    if (!reads) continue;
    if (first == nullptr) {
      first = &condition;
      continue;
    }
    text::Finding& finding = reporter_.report(
        Rule::DRA_shared_parameter, parameter.name_span,
        "conditions " + quote(first->host->name) + " and " + quote(condition.host->name) + " both read the parameter " +
            quote(parameter.name),
        "if they need different values, give the parameter another name in one of them, or use two rules");
    finding.related.push_back({first->span, "reads it"});
    finding.related.push_back({condition.span, "reads it, too"});
    return;
  }
}

// The action and the conditions get the same parameters.
void FileReader::check_hosts(const Parts& parts, bool asks, FileRule& rule) {
  std::vector<GivenParameter> given;
  for (const auto& [name, span, value] : parts.parameters) given.push_back({name, span, value.text, value.span});
  const bool is_action = rule.opcode == Opcode::rule_action;
  const std::string& action = rule.rule.behavior;
  bool has_unknown = (is_action && action.empty()) || (asks && parts.lacks_condition);
  std::vector<ParameterReader> readers;
  std::unordered_set<const HostDeclaration*> seen;
  const auto add = [&](const HostDeclaration* host, Span span) {
    has_unknown = has_unknown || host == nullptr;
    if (host != nullptr && seen.insert(host).second) readers.push_back({host, span});
  };
  if (is_action && !action.empty()) {
    const HostDeclaration* const host = hosts_.find_action(action, rule.action_span, given, reporter_);
    rule.rule.results = host == nullptr ? ir::kAnyResult : host->results;
    add(host, rule.action_span);
  }
  const std::size_t action_count = readers.size();
  for (const RuleText& condition : parts.conditions) {
    if (asks) add(hosts_.find_condition(condition.text, condition.span, reporter_), condition.span);
  }
  if (readers.empty()) return;
  for (const Parameter& parameter : parts.parameters) {
    check_shared(parameter, std::span(readers).subspan(action_count));
  }
  check_parameters(given, readers, kParameterRules, reporter_, has_unknown, parts.lacks_parameter);
}

}  // namespace espalier::dialects::dragengine
