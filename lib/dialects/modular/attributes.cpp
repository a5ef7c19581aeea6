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
                                           text::quote(attribute.name()) + " is mostly written " + text::quote(name),
                                           "write " + text::quote(name));
  finding.fixes = {text::make_fix(attribute.name_span(), attribute.name(), std::string(name), text::FixGrade::safe)};
}

void report_repeated(const Attribute& attribute, const Attribute& first, Reporter& reporter) {
  reporter.report(Rule::MBT_repeated_attribute, attribute.name_span(),
                  text::quote(attribute.name()) + " is not read: this element has " + text::quote(first.name()) +
                      " already, and case does not count",
                  {}, {first.name_span(), "the one that counts"});
}

// "'a', 'b' and 'c'".
std::string list_of(const std::vector<std::string_view>& names, std::string_view last_word) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? ' ' + std::string(last_word) + ' ' : std::string(", ");
    list += text::quote(names[i]);
  }
  return list;
}

Rule rule_of(Need need) {
  if (need == Need::recommended) return Rule::MBT_recommended_attribute;
  return need == Need::taken_as_none ? Rule::MBT_empty_name : Rule::MBT_missing_attribute;
}

// "'Wait' needs the attribute 'duration'".
std::string missing_message(const Element& element, Need need, const std::vector<std::string_view>& names) {
  const std::string name = text::quote(element.name());
  if (need == Need::one_of) return name + " needs " + list_of(names, "or");
  return name + (need == Need::recommended ? " should have" : " needs") +
         (names.size() == 1 ? " the attribute " : " the attributes ") + list_of(names, "and");
}

}  // namespace

Attributes::Attributes(const Element& element, std::span<const AttributeRow> rows, Logs logs, Reporter& reporter)
    : rows_(rows), values_(rows.size()) {
  std::vector<Unknown> unknown;
  for (const Attribute& attribute : element.attributes()) {
    std::size_t i = 0;
    while (i < rows.size() && !text::equal_any_case(rows[i].name, attribute.name())) ++i;
    if (i == rows.size()) {
      if (!take_log(attribute, logs, reporter)) unknown.push_back({attribute, {}});
    } else if (!rows[i].read_elsewhere.empty()) {
      reporter.report(Rule::MBT_unknown_attribute, attribute.name_span(),
                      reporter.engine() + " does not read the attribute " + text::quote(rows[i].name) + " of " +
                          text::quote(element.name()),
                      std::string(rows[i].read_elsewhere) + " does");
    } else if (values_[i]) {
      report_repeated(attribute, values_[i], reporter);
    } else {
      values_[i] = attribute;
      report_case(attribute, rows[i].name, reporter);
    }
  }
  guess_meant(unknown, reporter);
  report_missing(element, unknown, reporter);
  for (const Unknown& each : unknown) report_unknown(element, each, reporter);
}

bool Attributes::has_any(Need need) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].need == need && values_[i]) return true;
  }
  return false;
}

// One that the element has already cannot be meant.
void Attributes::guess_meant(std::vector<Unknown>& unknown, Reporter& reporter) {
  std::vector<std::string_view> absent;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!values_[i] && rows_[i].read_elsewhere.empty()) absent.push_back(rows_[i].name);
  }
  for (Unknown& each : unknown) {
    if (!reporter.may_guess(absent.size())) return;
    const std::string near = text::nearest(each.attribute.name(), absent);
    const auto meant = std::find(absent.begin(), absent.end(), near);
    if (meant == absent.end()) continue;
    each.meant = *meant;
    misspelt_.push_back(each);
  }
}

void Attributes::report_unknown(const Element& element, const Unknown& unknown, Reporter& reporter) const {
  reporter.report(
      Rule::MBT_unknown_attribute, unknown.attribute.name_span(),
      text::quote(element.name()) + " has no attribute " + text::quote(unknown.attribute.name()) + ": it is not read",
      unknown.meant.empty() ? std::string() : "did you mean " + text::quote(unknown.meant) + "?");
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
                      "this element does not read " + text::quote(kLogNames[i]) + ": nothing is logged");
    }
    return true;
  }
  return false;
}

// A misspelt attribute that is missed is one fault: the hint says so, and it is taken out of `unknown`.
void Attributes::report_missing(const Element& element, std::vector<Unknown>& unknown, Reporter& reporter) const {
  for (const Need need : {Need::required, Need::one_of, Need::taken_as_none, Need::recommended}) {
    std::vector<std::string_view> missing;
    std::string hint;
    if (need == Need::one_of && has_any(need)) continue;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::string_view name = rows_[i].name;
      if (rows_[i].need != need || !values_[i].value().empty()) continue;
      if (values_[i]) {
        reporter.report(rule_of(need), values_[i].value_span(),
                        "the attribute " + text::quote(name) + " of " + text::quote(element.name()) + " is empty");
        continue;
      }
      missing.push_back(name);
      const auto slip = std::find_if(unknown.begin(), unknown.end(), [&](const Unknown& u) { return u.meant == name; });
      if (slip == unknown.end()) continue;
      hint += (hint.empty() ? "" : "; ") + text::quote(slip->attribute.name()) + " is not read: did you mean " +
              text::quote(name) + "?";
      unknown.erase(slip);
    }
    if (missing.empty()) continue;
    reporter.report(rule_of(need), element.span(), missing_message(element, need, missing), std::move(hint));
  }
}

Attribute Attributes::misspelt(std::string_view name) const {
  const auto found =
      std::find_if(misspelt_.begin(), misspelt_.end(), [&](const Unknown& each) { return each.meant == name; });
  return found == misspelt_.end() ? Attribute() : found->attribute;
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
