// The element table of synchronized trees. Names are exact.
#pragma once
#include <string_view>

#include "dialects/reading/element_table.h"

namespace espalier::dialects::synchronized {

inline constexpr std::string_view kRootElement = "SynchronizedTree";
inline constexpr std::uint32_t kMaxDepthUnlessGiven = 8;

inline constexpr Groups kNodes = 1;
inline constexpr Groups kWatched = 2;  // nodes that are allowed below a Monitor
inline constexpr Groups kRoles = 4;

[[nodiscard]] const ElementTable& table();
// The row of a root element.
[[nodiscard]] const ElementRow& root_row();

}  // namespace espalier::dialects::synchronized
