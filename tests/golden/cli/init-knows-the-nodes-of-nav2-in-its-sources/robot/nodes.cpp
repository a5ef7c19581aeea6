#include "behaviortree_cpp/bt_factory.h"

namespace nav2_behavior_tree {

class TruncatePath : public BT::ActionNodeBase {
 public:
  static BT::PortsList providedPorts() {
    return {BT::InputPort<nav_msgs::msg::Path>("input_path"), BT::OutputPort<nav_msgs::msg::Path>("output_path"),
            BT::InputPort<double>("distance", 1.0, "")};
  }
};

class GoalUpdatedCondition : public BT::ConditionNode {
 public:
  static BT::PortsList providedPorts() { return {BT::InputPort<geometry_msgs::msg::PoseStamped>("goal")}; }
};

class Follow : public BT::ActionNodeBase {
 public:
  static BT::PortsList providedPorts() { return {BT::InputPort<nav_msgs::msg::Path>("path")}; }
};

}  // namespace nav2_behavior_tree

BT_REGISTER_NODES(factory) {
  factory.registerNodeType<nav2_behavior_tree::TruncatePath>("TruncatePath");
  factory.registerNodeType<nav2_behavior_tree::GoalUpdatedCondition>("GoalUpdated");
  factory.registerNodeType<nav2_behavior_tree::Follow>("FollowCarefully");
}
