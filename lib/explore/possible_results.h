// The results that nodes can give at all: by their kinds, their children, and what is declared of the host.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>

#include "explore/by_node.h"
#include "explore/results.h"

namespace espalier::explore {

// Bits.
using PossibleResults = std::uint8_t;
inline constexpr PossibleResults kMaySucceed = 1;
inline constexpr PossibleResults kMayFail = 2;
inline constexpr PossibleResults kMaySkip = 4;  // of trees that poll

// Of the nodes of a tree that ticks, stores or polls; more than they really give is possible, never less. The asset
// must have places.
ByNode<PossibleResults> possible_results(const Tree& tree, const HostFacts& host);

}  // namespace espalier::explore
