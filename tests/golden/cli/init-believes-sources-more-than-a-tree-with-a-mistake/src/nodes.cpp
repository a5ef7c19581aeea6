class TakePicture : public BT::StatefulActionNode {
 public:
  static BT::PortsList providedPorts() { return {BT::InputPort<double>("exposure")}; }
};

BT_REGISTER_NODES(factory) { factory.registerNodeType<TakePicture>("TakePicture"); }
