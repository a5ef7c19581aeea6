// The elements of synchronized trees with their attributes: a table. Names are exact. What may stand below an element
// follows from its opcode.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "dialects/decider/old_attributes.h"
#include "runtime/format/opcode.h"

namespace espalier::dialects::synchronized {
using decider::Attribute;
using decider::AttributeRow;
using decider::Element;
using decider::Rule;
using decider::Span;
using decider::AttributeRules;
using decider::Attributes;
using decider::did_you_mean;
using decider::Reporter;

inline constexpr std::string_view kRootElement = "SynchronizedTree";
inline constexpr AttributeRow kTreeAttributes[] = {{"name", true}, {"maxDepth"}, {"agents"}};

struct ElementRow {
  std::string_view name;
  Opcode opcode;
  std::span<const AttributeRow> attributes;
  bool may_be_watched = false;  // below a Monitor
};

// Of exactly this name; null: there is none.
[[nodiscard]] const ElementRow* find_element(std::string_view name);
// Those of nodes; of a Group `Role` alone.
[[nodiscard]] std::vector<std::string_view> elements_below(Opcode parent);
// Opcode::count: of the root element.
[[nodiscard]] Children children_of(Opcode opcode);

// An element that has the attribute; empty: none has.
[[nodiscard]] std::string_view element_with(std::string_view attribute);
inline constexpr AttributeRules kAttributeRules{Rule::SYN_unknown_attribute, Rule::SYN_missing_attribute, element_with};

// What somebody who knows other trees means by a name that there is not here: the hint; empty: nothing is known of it.
[[nodiscard]] std::string_view hint_of_element(std::string_view name);

}  // namespace espalier::dialects::synchronized
