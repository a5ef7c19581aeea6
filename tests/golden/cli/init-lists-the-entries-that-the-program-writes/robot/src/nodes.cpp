#include <behaviortree_cpp/bt_factory.h>

class GoTo : public BT::SyncActionNode {
 public:
  using BT::SyncActionNode::SyncActionNode;
  static BT::PortsList providedPorts() { return {BT::InputPort<std::string>("goal"), BT::InputPort<double>("speed")}; }
  BT::NodeStatus tick() override;
};

class Plan : public BT::SyncActionNode {
 public:
  using BT::SyncActionNode::SyncActionNode;
  static BT::PortsList providedPorts() { return {BT::OutputPort<std::string>("route")}; }
  BT::NodeStatus tick() override;
};

void add(BT::BehaviorTreeFactory& factory) {
  factory.registerNodeType<GoTo>("GoTo");
  factory.registerNodeType<Plan>("Plan");
}
