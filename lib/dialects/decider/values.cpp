// Values of attributes, as deciders have them. See tree_reader.h.
#include <algorithm>

#include "dialects/attribute_values.h"
#include "dialects/decider/tree_reader.h"

namespace espalier::dialects::decider {

using text::quoted;

std::optional<std::uint32_t> TreeReader::read_whole(const Attribute& attribute, std::uint32_t least,
                                                    std::uint32_t most) {
  return dialects::read_whole(attribute, least, most, Rule::DEC_bad_value, reporter_);
}

std::optional<std::uint64_t> TreeReader::read_seconds_us(const Attribute& attribute) {
  return dialects::read_seconds_us(attribute, Rule::DEC_bad_value, reporter_);
}

bool TreeReader::read_boolean(const Attribute& attribute) {
  return dialects::read_boolean(attribute, Rule::DEC_bad_value, reporter_);
}

// Of one that may be left out.
void TreeReader::report_empty(const Attribute& attribute) {
  reporter_.report(Rule::DEC_bad_value, attribute.value_span(), quoted(attribute.name()) + " is empty",
                   "name something, or leave it out");
}

// Of names that are declared by use, unless espalier.json lists them.
void TreeReader::warn_of_undeclared(Rule rule, std::string_view what,
                                    const std::optional<std::vector<std::string>>& declared, std::string_view name,
                                    Span span) {
  if (!declared || std::binary_search(declared->begin(), declared->end(), name)) return;
  reporter_.report(rule, span, "espalier.json declares no " + std::string(what) + ' ' + quoted(name),
                   did_you_mean(reporter_.nearest(name, {declared->begin(), declared->end()})));
}

}  // namespace espalier::dialects::decider
