// Attributes of elements. See attributes.h.
#include "dialects/decider/old_attributes.h"

#include <algorithm>

namespace espalier::dialects::decider {
namespace {

using text::quote;

// "'a', 'b' and 'c'".
std::string list_of(const std::vector<std::string_view>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + quote(names[i]);
  }
  return list;
}

std::string hint_of(std::string_view attribute, std::string_view meant, const AttributeRules& rules) {
  const std::string_view owner = rules.element_with(attribute);
  return owner.empty() ? did_you_mean(meant) : quote(owner) + " has one";
}

}  // namespace

Attributes::Attributes(const Element& element, std::span<const AttributeRow> rows, const AttributeRules& rules,
                       Reporter& reporter, bool takes_others)
    : rows_(rows), values_(rows.size()) {
  std::vector<Unknown> unknown;
  for (const Attribute& attribute : element.attributes()) {
    std::size_t i = 0;
    while (i < rows.size() && rows[i].name != attribute.name()) ++i;
    if (i < rows.size()) {
      values_[i] = attribute;
    } else {
      unknown.push_back({attribute, {}});
    }
  }
  std::vector<std::string_view> lacking;  // one of them may be meant
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!values_[i]) lacking.push_back(rows[i].name);
  }
  for (Unknown& each : unknown) {
    each.meant = reporter.nearest(each.attribute.name(), lacking);
    misspelt_.push_back(each.meant);
  }
  report_missing(element, rules.missing, unknown, reporter);
  for (const Unknown& each : unknown) {
    if (takes_others) {
      others_.push_back(each.attribute);
      continue;
    }
    reporter.report(rules.unknown, each.attribute.name_span(),
                    quote(element.name()) + " has no attribute " + quote(each.attribute.name()),
                    hint_of(each.attribute.name(), each.meant, rules));
  }
}

// A misspelt attribute that is missed is one fault: it is told in the hint, and taken out of `unknown`.
void Attributes::report_missing(const Element& element, Rule rule, std::vector<Unknown>& unknown,
                                Reporter& reporter) const {
  std::vector<std::string_view> missing;
  std::string hint;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::string_view name = rows_[i].name;
    if (!rows_[i].is_required || !values_[i].value().empty()) continue;
    if (values_[i]) {
      reporter.report(rule, values_[i].value_span(),
                      "the attribute " + quote(name) + " of " + quote(element.name()) + " is empty");
      continue;
    }
    missing.push_back(name);
    const auto slip = std::find_if(unknown.begin(), unknown.end(), [&](const Unknown& u) { return u.meant == name; });
    if (slip == unknown.end()) continue;
    hint +=
        (hint.empty() ? "" : "; ") + quote(slip->attribute.name()) + " is unknown: did you mean " + quote(name) + "?";
    unknown.erase(slip);
  }
  if (missing.empty()) return;
  reporter.report(
      rule, element.span(),
      quote(element.name()) + " needs the attribute" + (missing.size() == 1 ? " " : "s ") + list_of(missing),
      std::move(hint));
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

bool Attributes::is_meant(std::string_view name) const {
  return (*this)[name] || std::find(misspelt_.begin(), misspelt_.end(), name) != misspelt_.end();
}

}  // namespace espalier::dialects::decider
