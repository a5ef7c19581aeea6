// The results that nodes can give at all: by their kinds, their children, and what is declared of the host.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>

#include "explore/by_node.h"
#include "explore/results.h"
#include "ir/results.h"

namespace espalier::explore {

// Of the nodes of a tree that ticks, stores or polls; more than they really give is possible, never less. The asset
// must have places.
ByNode<ir::Results> possible_results(const Tree& tree, const HostFacts& host);

}  // namespace espalier::explore
