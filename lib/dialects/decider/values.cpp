// Values of attributes, as deciders have them. See tree_reader.h.
#include <algorithm>

#include "dialects/decider/old_values.h"
#include "dialects/decider/tree_reader.h"

namespace espalier::dialects::decider {

using text::quote;

namespace {

std::vector<std::string_view> names_of(const std::optional<std::vector<std::string>>& names) {
  return names ? std::vector<std::string_view>(names->begin(), names->end()) : std::vector<std::string_view>();
}

}  // namespace

std::optional<std::uint32_t> TreeReader::read_whole(const Attribute& attribute, std::uint32_t least,
                                                    std::uint32_t most) {
  return decider::read_whole(attribute, least, most, Rule::DEC_bad_value, reporter_);
}

std::optional<std::uint64_t> TreeReader::read_seconds_us(const Attribute& attribute) {
  return decider::read_seconds_us(attribute, Rule::DEC_bad_value, reporter_);
}

bool TreeReader::read_boolean(const Attribute& attribute) {
  return decider::read_boolean(attribute, Rule::DEC_bad_value, reporter_);
}

// Of one that may be left out.
void TreeReader::report_empty(const Attribute& attribute) {
  reporter_.report(Rule::DEC_bad_value, attribute.value_span(), quote(attribute.name()) + " is empty",
                   "name something, or leave it out");
}

HostNames::HostNames(const Options& options)
    : decide_functions(names_of(options.decide_functions)), behavior_flags(names_of(options.behavior_flags)) {}

// Of names that are declared by use, unless espalier.json lists them.
void TreeReader::warn_of_undeclared(Rule rule, std::string_view what,
                                    const std::optional<std::vector<std::string>>& declared, text::NameIndex& names,
                                    std::string_view name, Span span) {
  if (!declared || std::binary_search(declared->begin(), declared->end(), name)) return;
  reporter_.report(rule, span, "espalier.json declares no " + std::string(what) + ' ' + quote(name),
                   names.did_you_mean(name));
}

}  // namespace espalier::dialects::decider
