// The element table of BehaviorTree.CPP: what the manual, editors and the XSD know of its files.
#pragma once
#include <cstdint>
#include <string_view>

#include "dialects/reading/element_table.h"
#include "text/xml.h"

namespace espalier::dialects::btcpp {

inline constexpr std::string_view kRootElement = "root";
inline constexpr std::string_view kTreeElement = "BehaviorTree";
inline constexpr std::string_view kModelElement = "TreeNodesModel";
inline constexpr std::string_view kIncludeElement = "include";
inline constexpr std::string_view kSubTreeElement = "SubTree";
inline constexpr std::string_view kPathAttribute = "_fullpath";  // of instances, in what the library writes
inline constexpr Groups kNodeGroup = 2;                          // elements that are nodes

[[nodiscard]] const ElementTable& table();

// The element below the root that is meant by a name: that of the name, or one that it is nearly the name of; else
// empty.
[[nodiscard]] std::string_view meant_part(std::string_view name);

// "Action", "Condition", "Control", "Decorator" or "SubTree": the element's name, or the one that is meant by an
// element with an 'ID' and another name, since no other element has an 'ID'. Empty if it is none. A node that is
// declared by the element's name is for the caller to look for.
[[nodiscard]] std::string_view tag_of(const text::Element& element);

}  // namespace espalier::dialects::btcpp
