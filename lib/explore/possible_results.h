// What nodes can do at all: by their kinds, those around them and below, and what is declared of the host.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>

#include "explore/by_node.h"
#include "explore/results.h"
#include "ir/results.h"

namespace espalier::explore {

struct Possible {
  ir::Results results = 0;
  bool begins = true;  // nothing before it in its parent keeps it from beginning
};

// Of the nodes of a tree that ticks, stores or polls; more than they really do is possible, never less. The asset must
// have places.
ByNode<Possible> possible_nodes(const Tree& tree, const HostFacts& host);

}  // namespace espalier::explore
