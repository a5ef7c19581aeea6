// The recorder behind parameters of a ROS 2 node, so that a robot records without being built again:
//
//   recorder_ = espalier::record_by_parameters(*this, tree_);  // once the tree is made
//   ros2 run my_robot executor --ros-args -p espalier.record:=/tmp/runs
//
// C++17; needs BehaviorTree.CPP 4.6.2 or newer, and rclcpp.
#pragma once
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <rclcpp/logging.hpp>
#include <string>

#include "espalier_recorder.h"

namespace espalier {

// The value of a parameter, which is declared if it is not yet.
template <typename Value, typename RosNode>
Value parameter_of(RosNode& node, const std::string& name, const Value& value_if_unset) {
  if (!node.has_parameter(name)) node.declare_parameter(name, value_if_unset);
  Value value = value_if_unset;
  node.get_parameter(name, value);
  return value;
}

// Records the tree to FOLDER/NODE-MICROSECONDS.btrec if the node's parameters ask for it; else it is null:
//   espalier.record           the folder, which must exist; empty, the default: nothing is recorded
//   espalier.max_value_bytes  longer values are recorded as not known; default 4096
//   espalier.flush_ms         after this time what happened is in the file; default 100
// A file that cannot be written is a warning of the node and does not stop the robot. `RosNode` is rclcpp::Node or
// rclcpp_lifecycle::LifecycleNode. Halt the tree before the recorder is destroyed, as espalier_recorder.h says.
template <typename RosNode>
std::unique_ptr<TreeRecorder> record_by_parameters(RosNode& node, const BT::Tree& tree) {
  const auto folder = parameter_of(node, "espalier.record", std::string());
  RecorderOptions options;
  options.max_value_bytes =
      static_cast<std::size_t>(parameter_of<std::int64_t>(node, "espalier.max_value_bytes", 4096));
  options.flush_period = std::chrono::milliseconds(parameter_of<std::int64_t>(node, "espalier.flush_ms", 100));
  if (folder.empty()) return nullptr;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto time_us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  const std::string path = folder + "/" + node.get_name() + "-" + std::to_string(time_us) + ".btrec";
  try {
    auto recorder = std::make_unique<TreeRecorder>(tree, path, options);
    RCLCPP_INFO(node.get_logger(), "records the tree to %s", path.c_str());
    return recorder;
  } catch (const std::exception& fault) {
    RCLCPP_WARN(node.get_logger(), "nothing is recorded: %s", fault.what());
    return nullptr;
  }
}

}  // namespace espalier
