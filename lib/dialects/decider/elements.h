// The elements of decider trees with their attributes, and the policies of groups: tables. Names are exact.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dialects/decider/old_attributes.h"
#include "runtime/format/opcode.h"

namespace espalier::dialects::decider {

inline constexpr std::string_view kRootElement = "DeciderTree";

inline constexpr AttributeRow kTreeAttributes[] = {{"name", true}, {"maxRedecides"}};

// The five sections of a tree; each but the last holds elements of one name.
enum Section : std::uint8_t { kFlags, kStimuli, kSignals, kBehaviors, kDeciders, kSectionCount };

struct SectionRow {
  std::string_view name;
  std::string_view entry;
  std::span<const AttributeRow> attributes;  // of an entry
};
[[nodiscard]] const SectionRow& section_row(Section section);
// Of exactly this name; kSectionCount: there is none.
[[nodiscard]] Section find_section(std::string_view name);
// The section that holds elements of exactly this name; kSectionCount: there is none.
[[nodiscard]] Section section_of_entry(std::string_view entry);

enum Kind : std::uint8_t { kDecider, kGroup, kReference, kKindCount };

struct KindRow {
  std::string_view name;
  std::span<const AttributeRow> attributes;
};
[[nodiscard]] const KindRow& kind_row(Kind kind);
// Of exactly this name; kKindCount: there is none.
[[nodiscard]] Kind find_kind(std::string_view name);

// An element that has the attribute; empty: none has.
[[nodiscard]] std::string_view element_with(std::string_view attribute);
inline constexpr AttributeRules kAttributeRules{Rule::DEC_unknown_attribute, Rule::DEC_missing_attribute, element_with};
// Attributes that the root may not have.
[[nodiscard]] std::span<const std::string_view> not_for_root();

struct PolicyRow {
  std::string_view name;
  Opcode opcode;
};
[[nodiscard]] std::span<const PolicyRow> policies();
[[nodiscard]] std::string_view policy_name(Opcode opcode);
// Of a group: does it ask children that it does not choose then?
[[nodiscard]] bool asks_without_choosing(Opcode policy);

// What somebody who knows other trees means by a name that there is not here: the hint; empty: nothing is known of it.
[[nodiscard]] std::string_view hint_of_element(std::string_view name);
// The same: the policy.
[[nodiscard]] std::string_view policy_meant_by(std::string_view name);

}  // namespace espalier::dialects::decider
