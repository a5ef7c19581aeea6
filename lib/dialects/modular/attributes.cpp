// Attributes of elements. See attributes.h.
#include "dialects/modular/attributes.h"

#include <algorithm>
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

// "'a', 'b' and 'c'".
std::string list_of(const std::vector<std::string_view>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + text::quoted(names[i]);
  }
  return list;
}

Rule rule_of(Need need) {
  if (need == Need::recommended) return Rule::MBT_recommended_attribute;
  return need == Need::required ? Rule::MBT_missing_attribute : Rule::MBT_empty_name;
}

}  // namespace

Attributes::Attributes(const Element& element, std::span<const AttributeRow> rows, Logs logs, Reporter& reporter)
    : rows_(rows), values_(rows.size()) {
  std::vector<Unknown> unknown;
  for (const Attribute& attribute : element.attributes()) {
    std::size_t i = 0;
    while (i < rows.size() && !text::equal_any_case(rows[i].name, attribute.name())) ++i;
    if (i == rows.size()) {
      if (take_log(attribute, logs, reporter)) continue;
      const bool may_guess = reporter.may_guess(rows.size());
      unknown.push_back({attribute, may_guess ? text::nearest(attribute.name(), names_of(rows)) : std::string()});
    } else if (values_[i]) {
      report_repeated(attribute, values_[i], reporter);
    } else {
      values_[i] = attribute;
      report_case(attribute, rows[i].name, reporter);
    }
  }
  report_missing(element, unknown, reporter);
  for (const auto& [attribute, meant] : unknown) {
    reporter.report(
        Rule::MBT_unknown_attribute, attribute.name_span(),
        text::quoted(element.name()) + " has no attribute " + text::quoted(attribute.name()) + ": it is not read",
        meant.empty() ? std::string() : "did you mean " + text::quoted(meant) + "?");
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
void Attributes::report_missing(const Element& element, std::vector<Unknown>& unknown, Reporter& reporter) const {
  for (const Need need : {Need::required, Need::taken_as_none, Need::recommended}) {
    std::vector<std::string_view> missing;
    std::string hint;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::string_view name = rows_[i].name;
      if (rows_[i].need != need || !values_[i].value().empty()) continue;
      if (values_[i]) {
        reporter.report(rule_of(need), values_[i].value_span(),
                        "the attribute " + text::quoted(name) + " of " + text::quoted(element.name()) + " is empty");
        continue;
      }
      missing.push_back(name);
      const auto slip = std::find_if(unknown.begin(), unknown.end(), [&](const Unknown& u) { return u.meant == name; });
      if (slip == unknown.end()) continue;
      hint += (hint.empty() ? "" : "; ") + text::quoted(slip->attribute.name()) + " is not read: did you mean " +
              text::quoted(name) + "?";
      unknown.erase(slip);
    }
    if (missing.empty()) continue;
    reporter.report(rule_of(need), element.span(),
                    text::quoted(element.name()) + (need == Need::recommended ? " should have" : " needs") +
                        (missing.size() == 1 ? " the attribute " : " the attributes ") + list_of(missing),
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
