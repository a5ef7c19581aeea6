// The robot's own nodes, beside those of Nav2.
#include <behaviortree_cpp/bt_factory.h>

class IsBatteryOk : public BT::ConditionNode {
 public:
  using BT::ConditionNode::ConditionNode;

  static BT::PortsList providedPorts() { return {BT::InputPort<double>("minimum", 0.2, "A part of the full charge")}; }

  BT::NodeStatus tick() override;
};

class TakePicture : public BT::StatefulActionNode {
 public:
  using BT::StatefulActionNode::StatefulActionNode;

  static BT::PortsList providedPorts() {
    return {BT::InputPort<double>("exposure", 0.02, "Seconds"), BT::OutputPort<std::string>("file", "Where it is")};
  }

  BT::NodeStatus onStart() override;
  BT::NodeStatus onRunning() override;
  void onHalted() override;
};

BT_REGISTER_NODES(factory) {
  factory.registerNodeType<IsBatteryOk>("IsBatteryOk");
  factory.registerNodeType<TakePicture>("TakePicture");
}
