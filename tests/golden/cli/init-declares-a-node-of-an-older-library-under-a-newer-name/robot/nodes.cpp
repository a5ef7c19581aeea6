#include "behaviortree_cpp_v3/bt_factory.h"

class Sleep : public BT::SyncActionNode {
 public:
  static BT::PortsList providedPorts() { return {BT::InputPort<double>("seconds")}; }
};

// As the library has it.
class Delay : public BT::DecoratorNode {
 public:
  static BT::PortsList providedPorts() { return {BT::InputPort<unsigned>("delay_msec")}; }
};

namespace BT {
class RepeatNode : public DecoratorNode {
 public:
  static PortsList providedPorts() { return {InputPort<int>("num_cycles"), InputPort<int>("of_a_copy_of_the_library")}; }
};
}  // namespace BT

void register_nodes(BT::BehaviorTreeFactory& factory) {
  factory.registerNodeType<Sleep>("Sleep");
  factory.registerNodeType<Delay>("Delay");
  factory.registerNodeType<BT::RepeatNode>("Repeat");
}
