// The sizes of an asset: bytes per agent, by part, and the savings from storing subtrees once.
#pragma once
#include <espalier/espalier.hpp>
#include <string>

namespace espalier::codegen {

// One line per tree, one for the whole asset, and one for a group of agents where trees share scopes.
std::string sizes_text(const Asset& asset);

}  // namespace espalier::codegen
