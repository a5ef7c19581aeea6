// The element table of modular trees: sections, nodes and their parts.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/element_table.h"
#include "runtime/format/records.h"

namespace espalier::dialects::modular {

// Sets of elements. Engines match node names with case, all others without.
enum Group : Groups {
  kSections = 1 << 0,
  kVariableEntries = 1 << 1,
  kSignalEntries = 1 << 2,
  kTimestampEntries = 1 << 3,
  kEventEntries = 1 << 4,
  kGameEventEntries = 1 << 5,
  kNodes = 1 << 6,
  kCases = 1 << 7,
  kStates = 1 << 8,
  kStateParts = 1 << 9,
  kTransitionEntries = 1 << 10,
  kReserved = 1 << 11,  // no host node has the name
};

// Children of nodes.
inline constexpr Content kOneNode{kNodes, 1, 1};
inline constexpr Content kManyNodes{kNodes, 1, 255};
inline constexpr Content kBranches{kNodes, 1, layout::kMaxBranches};

[[nodiscard]] const ElementTable& table();

// The row of a name within a group; case matters only for nodes. Null if there is none.
[[nodiscard]] const ElementRow* find_row(Groups group, std::string_view name);
[[nodiscard]] inline const ElementRow* find_core_node(std::string_view name) { return find_row(kNodes, name); }
[[nodiscard]] std::vector<std::string_view> core_node_names();

// Where a reserved element, which is never a node, belongs: "in 'Priority'". Empty: the name is not reserved.
[[nodiscard]] std::string place_of(std::string_view element);

}  // namespace espalier::dialects::modular
