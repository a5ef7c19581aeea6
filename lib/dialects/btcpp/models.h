// Reads TreeNodesModel: the nodes of the host and the ports of trees, as files declare them.
#pragma once
#include "dialects/btcpp/nodes.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

// Adds what `element` declares to `nodes`.
void read_model(const Element& element, Nodes& nodes, Reporter& reporter);

}  // namespace espalier::dialects::btcpp
