// The element table of BehaviorTree.CPP: what the manual, editors and the XSD know of its files.
#pragma once
#include <cstdint>
#include <string_view>

#include "dialects/reading/element_table.h"

namespace espalier::dialects::btcpp {

inline constexpr std::string_view kRootElement = "root";
inline constexpr std::string_view kTreeElement = "BehaviorTree";
inline constexpr std::string_view kModelElement = "TreeNodesModel";
inline constexpr std::string_view kIncludeElement = "include";
inline constexpr std::string_view kSubTreeElement = "SubTree";
inline constexpr Groups kNodeGroup = 2;          // elements that are nodes
inline constexpr std::uint32_t kMaxDepth = 256;  // elements below a tree, and subtrees in one another, together

[[nodiscard]] const ElementTable& table();

}  // namespace espalier::dialects::btcpp
