// The attributes of one node: its name, scripts and ports, and what is missing among them.
#pragma once
#include "dialects/btcpp/tree_reader.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

// The node has its kind; its ports and scripts are added to the tree, and names in it to the project.
void read_attributes(const Element& element, WrittenNode& node, WrittenTree& tree, TreeContext& context,
                     Reporter& reporter);

}  // namespace espalier::dialects::btcpp
