#include <behaviortree_cpp/bt_factory.h>

template <typename Message>
class OnServer : public BT::SyncActionNode {
 public:
  OnServer(const std::string& name, const BT::NodeConfig& config) : BT::SyncActionNode(name, config) {
    std::string server;
    if (getInput<std::string>("server", server)) connect(server);
  }
};

class Drive : public OnServer<Goal> {
 public:
  using OnServer<Goal>::OnServer;

  static BT::PortsList providedPorts() {
    return {BT::InputPort<std::string>("goal"),
            BT::InputPort<double>("speed"),
            BT::InputPort<double>("braking"),
            BT::InputPort<double>("distance"),
            BT::InputPort<int>("lane"),
            BT::InputPort<std::string>("note", "Optional: what to write into the log"),
            BT::InputPort<std::string>("side"),
            BT::InputPort<std::string>("horn"),
            BT::InputPort<std::string>("server"),
            BT::OutputPort<double>("reached", "optional")};
  }

  BT::NodeStatus tick() override {
    std::string goal;
    if (!getInput("goal", goal)) return BT::NodeStatus::FAILURE;
    if (getInput("speed", speed_)) limit();
    const double braking = getInput<double>("braking").value_or(1.0);
    const auto distance = getInput<double>("distance");
    if (distance) {
      stop_after(*distance, braking);
    }
    // Needed: without it the node fails.
    if (getInput("lane", lane_)) return BT::NodeStatus::SUCCESS;
    if (getInput("side", side_)) {
      turn();
    } else {
      throw BT::RuntimeError("no side");
    }
    getInput("horn", horn_);
    return BT::NodeStatus::FAILURE;
  }
};

void add_nodes(BT::BehaviorTreeFactory& factory) { factory.registerNodeType<Drive>("Drive"); }
