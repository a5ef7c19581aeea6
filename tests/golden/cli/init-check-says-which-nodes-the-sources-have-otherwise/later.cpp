#include "mill.hpp"

namespace mill
{
BT::PortsList IsWindy::providedPorts() { return {BT::InputPort<int>("beaufort", 4, "")}; }
}

BT_REGISTER_NODES(factory)
{
  factory.registerNodeType<mill::Grind>("Grind");
  factory.registerNodeType<mill::IsWindy>("IsWindy");
  factory.registerNodeType<mill::Sacks>("FillSacks");
  factory.registerNodeType<mill::Grind>("GrindFiner");
}
