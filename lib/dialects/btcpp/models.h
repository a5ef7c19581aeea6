// Reads TreeNodesModel: the nodes of the host and the ports of trees, as files declare them.
#pragma once
#include "dialects/btcpp/nodes.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

// Adds what the models of a file declare to `nodes`.
void read_models(const Element& root, Nodes& nodes, Reporter& reporter);

}  // namespace espalier::dialects::btcpp
