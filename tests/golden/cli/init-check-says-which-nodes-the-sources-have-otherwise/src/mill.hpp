#pragma once
#include "behaviortree_cpp/bt_factory.h"

namespace mill
{
// Turns the stones. Takes minutes.
class Grind : public BT::StatefulActionNode
{
public:
  using BT::StatefulActionNode::StatefulActionNode;
  static BT::PortsList providedPorts()
  {
    return {BT::InputPort<std::string>("grain"), BT::InputPort<double>("speed", 0.5, "turns a second"),
            BT::OutputPort<double>("flour", "kilograms")};
  }
};

class IsWindy : public BT::ConditionNode
{
public:
  using BT::ConditionNode::ConditionNode;
  static BT::PortsList providedPorts();
};

class Sacks : public other::SackBase
{
public:
  static BT::PortsList providedPorts() { return with_defaults({BT::InputPort<int>("count")}); }
};
}  // namespace mill
