// The element table of decider trees, and the policies of groups. Names are exact.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "dialects/reading/element_table.h"

namespace espalier::dialects::decider {

inline constexpr std::string_view kRootElement = "DeciderTree";

// Rows of the table. The row of a section that declares things and the row of its entries are kEntryOfSection apart.
enum Row : std::uint8_t {
  kTree,
  kFlags,
  kStimuli,
  kSignals,
  kBehaviors,
  kDeciders,
  kRoot,  // the root group: a 'Group' with fewer attributes
  kFlag,
  kStimulus,
  kSignal,
  kBehavior,
  kDecider,
  kGroup,
  kReference,
  kRowCount,
};
inline constexpr unsigned kEntryOfSection = kFlag - kFlags;

[[nodiscard]] const ElementTable& table();
[[nodiscard]] const ElementRow& row(Row row);
// The row with exactly this name; kRowCount if there is none. For 'Group' it is kGroup.
[[nodiscard]] Row find_row(std::string_view name);
constexpr bool is_section(Row row) { return row >= kFlags && row <= kDeciders; }
constexpr bool is_entry(Row row) { return row >= kFlag && row <= kBehavior; }
constexpr bool is_decider(Row row) { return row >= kDecider && row <= kReference; }
constexpr Row section_of(Row entry) { return static_cast<Row>(entry - kEntryOfSection); }
constexpr Row entry_of(Row section) { return static_cast<Row>(section + kEntryOfSection); }

// ---- Policies. kNoOpcode means that there is none.

[[nodiscard]] std::span<const std::string_view> policy_names();
[[nodiscard]] Opcode find_policy(std::string_view name);
[[nodiscard]] std::string_view policy_name(Opcode policy);  // of one that exists
// Can a group with this policy ask a child and then not choose it?
[[nodiscard]] bool asks_without_choosing(Opcode policy);

}  // namespace espalier::dialects::decider
