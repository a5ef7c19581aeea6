// Attributes of elements. See attributes.h.
#include "dialects/modular/attributes.h"

#include <unordered_map>

#include "text/names.h"

namespace espalier::dialects::modular {
namespace {

void report_case(const Attribute& attribute, std::string_view name, Reporter& reporter) {
  if (attribute.name() == name) return;
  text::Finding& finding = reporter.report(Rule::MBT_attribute_case, attribute.name_span(),
                                           text::quoted(attribute.name()) + " is mostly written " + text::quoted(name),
                                           "write " + text::quoted(name));
  finding.fixes = {{attribute.name_span(), std::string(name)}};
}

void report_repeated(const Attribute& attribute, const Attribute& first, Reporter& reporter) {
  reporter.report(Rule::MBT_repeated_attribute, attribute.name_span(),
                  text::quoted(attribute.name()) + " is not read: this element has " + text::quoted(first.name()) +
                      " already, and case does not count",
                  {}, {first.name_span(), "the one that counts"});
}

std::vector<std::string_view> names_of(std::span<const AttributeRow> rows) {
  std::vector<std::string_view> names;
  for (const AttributeRow& row : rows) names.push_back(row.name);
  return names;
}

Rule rule_of(Need need) {
  if (need == Need::recommended) return Rule::MBT_recommended_attribute;
  return need == Need::required ? Rule::MBT_missing_attribute : Rule::MBT_empty_name;
}

}  // namespace

Attributes::Attributes(const Element& element, std::span<const AttributeRow> rows, Logs logs, Reporter& reporter)
    : rows_(rows), values_(rows.size()) {
  std::vector<Attribute> unknown;
  for (const Attribute& attribute : element.attributes()) {
    std::size_t i = 0;
    while (i < rows.size() && !text::equal_any_case(rows[i].name, attribute.name())) ++i;
    if (i == rows.size()) {
      if (!take_log(attribute, logs, reporter)) unknown.push_back(attribute);
    } else if (values_[i]) {
      report_repeated(attribute, values_[i], reporter);
    } else {
      values_[i] = attribute;
      report_case(attribute, rows[i].name, reporter);
    }
  }
  report_missing(element, unknown, reporter);
  for (const Attribute& attribute : unknown) {
    reporter.report(
        Rule::MBT_unknown_attribute, attribute.name_span(),
        text::quoted(element.name()) + " has no attribute " + text::quoted(attribute.name()) + ": it is not read",
        text::did_you_mean(attribute.name(), names_of(rows)));
  }
}

// An element may have very many, so that earlier ones of a name are not searched for.
Attributes::Attributes(const Element& element, Reporter& reporter) {
  std::unordered_map<std::string, Attribute> first_of_name;
  for (const Attribute& attribute : element.attributes()) {
    if (take_log(attribute, Logs::read, reporter)) continue;
    const auto [first, is_new] = first_of_name.try_emplace(text::lower_case(attribute.name()), attribute);
    if (is_new) {
      values_.push_back(attribute);
    } else {
      report_repeated(attribute, first->second, reporter);
    }
  }
}

bool Attributes::take_log(const Attribute& attribute, Logs logs, Reporter& reporter) {
  if (logs == Logs::none) return false;
  for (std::size_t i = 0; i < std::size(kLogNames); ++i) {
    if (!text::equal_any_case(kLogNames[i], attribute.name())) continue;
    if (log_attributes_[i]) {
      report_repeated(attribute, log_attributes_[i], reporter);
      return true;
    }
    log_attributes_[i] = attribute;
    report_case(attribute, kLogNames[i], reporter);
    if (logs == Logs::read) {
      logs_[i] = attribute.value();
    } else {
      reporter.report(Rule::MBT_log_ignored, attribute.name_span(),
                      "this element does not read " + text::quoted(kLogNames[i]) + ": nothing is logged");
    }
    return true;
  }
  return false;
}

// A misspelt attribute that is missed is one fault: it is told in the hint, and taken out of `unknown`.
void Attributes::report_missing(const Element& element, std::vector<Attribute>& unknown, Reporter& reporter) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto& [name, need] = rows_[i];
    if (need == Need::optional || !values_[i].value().empty()) continue;
    const Rule rule = rule_of(need);
    if (values_[i]) {
      reporter.report(rule, values_[i].value_span(),
                      "the attribute " + text::quoted(name) + " of " + text::quoted(element.name()) + " is empty");
      continue;
    }
    std::string hint;
    for (auto other = unknown.begin(); other != unknown.end() && hint.empty(); ++other) {
      if (text::nearest(other->name(), names_of(rows_)) != name) continue;
      hint = text::quoted(other->name()) + " is not read: did you mean " + text::quoted(name) + "?";
      unknown.erase(other);
      break;
    }
    const std::string_view verb = need == Need::recommended ? " should have" : " needs";
    reporter.report(rule, element.span(),
                    text::quoted(element.name()) + std::string(verb) + " the attribute " + text::quoted(name),
                    std::move(hint));
  }
}

const Attribute& Attributes::operator[](std::string_view name) const {
  static const Attribute kNone;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name == name) return values_[i];
  }
  return kNone;
}

Attribute Attributes::filled(std::string_view name) const {
  const Attribute& attribute = (*this)[name];
  return attribute.value().empty() ? Attribute() : attribute;
}

}  // namespace espalier::dialects::modular
