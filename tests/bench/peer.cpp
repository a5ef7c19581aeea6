// Trees of BehaviorTree.CPP 4. See peer.h.
#include "peer.h"

#include <behaviortree_cpp/bt_factory.h>

#include <string>

namespace bench {
namespace {

class Run : public BT::StatefulActionNode {
 public:
  Run(const std::string& name, const BT::NodeConfig& config) : BT::StatefulActionNode(name, config) {}
  static BT::PortsList providedPorts() { return {}; }
  BT::NodeStatus onStart() override { return BT::NodeStatus::RUNNING; }
  BT::NodeStatus onRunning() override { return BT::NodeStatus::RUNNING; }
  void onHalted() override {}
};

class Count : public BT::SyncActionNode {
 public:
  Count(const std::string& name, const BT::NodeConfig& config) : BT::SyncActionNode(name, config) {}
  static BT::PortsList providedPorts() { return {BT::InputPort<int>("from"), BT::OutputPort<int>("to")}; }
  BT::NodeStatus tick() override {
    const BT::Expected<int> number = getInput<int>("from");
    return number && setOutput("to", *number + 1) ? BT::NodeStatus::SUCCESS : BT::NodeStatus::FAILURE;
  }
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// The same tree in the library's own XML.
std::string translated(std::string_view xml) {
  std::string text(xml);
  replace_all(text, "<BehaviorTree>", "<root BTCPP_format=\"4\">");
  replace_all(text, "</BehaviorTree>", "</root>");
  replace_all(text, "<Root>", "<BehaviorTree ID=\"Main\">");
  replace_all(text, "</Root>", "</BehaviorTree>");
  replace_all(text, "Selector>", "Fallback>");
  return text;
}

}  // namespace

struct Peer {
  BT::BehaviorTreeFactory factory;
  BT::Tree tree;
};

std::shared_ptr<Peer> make_peer(std::string_view xml, const unsigned char* bytes) {
  auto peer = std::make_shared<Peer>();
  for (int i = 0; i < 8; ++i) {
    peer->factory.registerSimpleAction("Act" + std::to_string(i), [byte = bytes + i](BT::TreeNode&) {
      return *byte != 0 ? BT::NodeStatus::SUCCESS : BT::NodeStatus::FAILURE;
    });
  }
  peer->factory.registerNodeType<Run>("Run");
  peer->factory.registerNodeType<Count>("Count");
  const BT::Blackboard::Ptr blackboard = BT::Blackboard::create();
  for (const char* const name : kEntries) blackboard->set(name, 1);
  peer->tree = peer->factory.createTreeFromText(translated(xml), blackboard);
  return peer;
}

PeerResult tick(Peer& peer) {
  const BT::NodeStatus status = peer.tree.tickExactlyOnce();
  if (status == BT::NodeStatus::RUNNING) return PeerResult::running;
  return status == BT::NodeStatus::SUCCESS ? PeerResult::success : PeerResult::failure;
}

}  // namespace bench
