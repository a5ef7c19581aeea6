// What stands in a rule beside rules: parameters, conditions, their mode, the path of a subtree. See file_reader.h.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "dialects/dragengine/file_reader.h"
#include "dialects/dragengine/rule_text.h"
#include "runtime/include/espalier/espalier.hpp"
#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

using text::quote;

constexpr std::string_view kParameterAttributes[] = {"name"};

// In the order of layout::QueryMode.
constexpr std::string_view kModes[] = {"allTrue", "anyTrue", "anyFalse", "allFalse"};
static_assert(std::size(kModes) == static_cast<std::size_t>(layout::QueryMode::count));

bool is_failure(const FileRule& rule) {
  return rule.opcode == Opcode::rule_result && rule.flags == static_cast<std::uint8_t>(Result::failure);
}

}  // namespace

// `name`: what the element is read as.
void FileReader::read_part(const Element& element, std::string_view name, Parts& parts) {
  if (name == kParameter) return read_parameter(element, parts);
  if (name == kCondition) return read_condition(element, parts);
  check_attributes(element, {});
  if (parts.mode) {
    report(Rule::DRA_repeated_mode, element.span(), "a second mode: the last one counts")
        .related.push_back({parts.mode.span(), "this one does not"});
  }
  parts.mode = element;
  read_mode(element, parts);
}

void FileReader::read_parameter(const Element& element, Parts& parts) {
  check_attributes(element, kParameterAttributes, kParameterAttributes[0]);
  if (!parts.first_parameter) parts.first_parameter = element;
  WrittenParameter parameter;
  parameter.value = read_text(element, &parameter.value_span);
  const Attribute name = element.attribute(kParameterAttributes[0]);
  if (!name) {
    parts.lacks_parameter = true;
    return;
  }
  parameter.name = name.value();
  parameter.name_span = name.value_span();
  parts.parameters.push_back(std::move(parameter));
}

void FileReader::read_condition(const Element& element, Parts& parts) {
  check_attributes(element, {});
  if (!parts.first_condition) parts.first_condition = element;
  WrittenCondition condition;
  condition.name = read_text(element, &condition.span);
  if (condition.name.empty()) {
    report(Rule::DRA_bad_value, element.span(), "the condition has no name", "its name stands in it as text");
    parts.lacks_condition = true;
    return;
  }
  parts.conditions.push_back(std::move(condition));
}

void FileReader::read_mode(const Element& element, Parts& parts) {
  Span span;
  const std::string word = read_text(element, &span);
  const auto* const mode = std::find(std::begin(kModes), std::end(kModes), word);
  if (mode != std::end(kModes)) {
    parts.ask_mode = static_cast<layout::QueryMode>(mode - std::begin(kModes));
    return;
  }
  parts.has_faulty_mode = true;
  const std::string near = text::did_you_mean(word, {std::begin(kModes), std::end(kModes)});
  report(Rule::DRA_bad_value, span,
         word.empty() ? "the mode of the conditions is empty" : "conditions have no mode " + quote(word),
         near.empty() ? "one of 'allTrue', 'anyTrue', 'anyFalse' or 'allFalse'" : near);
}

// When all that stands in the rule is known.
void FileReader::finish_rule(Parts& parts, FileRule& rule) {
  const bool asks = parts.first_condition && !is_failure(rule);
  if (parts.first_condition && !asks) {
    report(Rule::DRA_condition_never_asked, parts.first_condition.span(), "'failure' asks nothing: it fails always");
  }
  rule.rule.mode = parts.ask_mode;
  if (parts.mode && !asks && !parts.has_faulty_mode) {
    report(Rule::DRA_mode_without_conditions, parts.mode.span(),
           "the mode has no effect: " + quote(rule.name) + " has no condition that is asked");
  }
  if (asks) {
    check_repeated_conditions(parts);
    for (const WrittenCondition& condition : parts.conditions) rule.rule.conditions.push_back(condition.name);
  }
  take_parameters(parts, rule);
  if (parts.first_parameter && !asks && rule.opcode != Opcode::rule_action) {
    report(Rule::DRA_parameter_never_read, parts.first_parameter.span(),
           "nothing reads the parameters of " + quote(rule.name) + ": it calls no action and asks no condition");
    rule.rule.parameters.clear();
  }
  check_hosts(parts, asks, rule);
}

// Of several of one name the last counts.
void FileReader::take_parameters(Parts& parts, FileRule& rule) {
  std::unordered_map<std::string_view, std::size_t> place_of_name;
  for (std::size_t i = 0; i < parts.parameters.size(); ++i) {
    const WrittenParameter& parameter = parts.parameters[i];
    const auto [earlier, is_new] = place_of_name.try_emplace(parameter.name, i);
    if (is_new) continue;
    report(Rule::DRA_repeated_parameter, parameter.name_span,
           "the parameter " + quote(parameter.name) + " stands here twice: the last one counts")
        .related.push_back({parts.parameters[earlier->second].name_span, "this one does not"});
    earlier->second = i;
  }
  for (std::size_t i = 0; i < parts.parameters.size(); ++i) {
    const WrittenParameter& parameter = parts.parameters[i];
    if (place_of_name.at(parameter.name) != i) continue;
    parts.counting.push_back(i);
    ir::Parameter& taken = rule.rule.parameters.emplace_back();
    taken.name = parameter.name;
    taken.text = parameter.value;
  }
}

void FileReader::check_repeated_conditions(const Parts& parts) {
  std::unordered_map<std::string_view, Span> first_of_name;
  for (const WrittenCondition& condition : parts.conditions) {
    const auto [first, is_new] = first_of_name.try_emplace(condition.name, condition.span);
    if (is_new) continue;
    report(Rule::DRA_repeated_condition, condition.span,
           "the condition " + quote(condition.name) + " stands here twice: it may be asked twice")
        .related.push_back({first->second, "first here"});
  }
}

// An element in a subtree splits its path, and is told by itself.
void FileReader::read_path(const Element& element, FileRule& rule) {
  for (const Element& child : element.children()) {
    report(Rule::DRA_element_in_subtree, child.span(),
           "the engine never reads " + quote(child.name()) + ": a subtree holds a path and nothing else",
           "put the subtree in a sequence that has it");
  }
  const RuleText text = read_rule_text(element);
  rule.path = text.text;
  rule.path_span = text.span;
  if (text.is_split && !element.first_child()) report_split(element, text.span);
  if (!text.text.empty()) return;
  if (element.first_child()) return;
  report(Rule::DRA_subtree_path, element.span(), "the subtree names no file", "its path stands in it as text");
}

std::string FileReader::read_text(const Element& element, Span* span) {
  RuleText text = read_rule_text(element);
  if (text.is_split) report_split(element, text.span);
  const Element child = element.first_child();
  if (child && !text.is_split) {
    findings_
        .add(Rule::DRA_unknown_element, child.span(),
             "nothing reads an element in the text of " + quote(element.name()))
        .severity = rules::Severity::note;
  }
  *span = text.span;
  return std::move(text.text);
}

void FileReader::report_split(const Element& element, Span span) {
  report(Rule::DRA_split_text, span,
         "the engine reads the text of " + quote(element.name()) + " only up to what stands in it",
         "write it in one piece");
}

}  // namespace espalier::dialects::dragengine
