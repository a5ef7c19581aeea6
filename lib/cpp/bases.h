// The classes from which nodes derive that are in other packages than the robot's own: BehaviorTree.CPP, its wrapper
// for ROS 2, Nav2, MoveIt Pro.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace espalier::cpp {

enum class Kind : std::uint8_t { unknown, sync_action, action, condition, control, decorator };

enum class Direction : std::uint8_t { input, output, inout };

struct BasePort {
  std::string_view name;
  std::string_view type;  // empty: that of the template's argument, or not known
  Direction direction = Direction::input;
};

struct BaseRow {
  std::string_view name;  // the last part
  Kind kind = Kind::unknown;
  std::span<const BasePort> ports = {};  // of providedPorts() and providedBasicPorts()
  bool has_other_ports = false;          // which are not known
};

// Null: it is none of them.
[[nodiscard]] const BaseRow* find_base(std::string_view name);

}  // namespace espalier::cpp
