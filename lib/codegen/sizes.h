// What an asset costs: bytes for each agent, by part, and what storing subtrees once saves.
#pragma once
#include <espalier/espalier.hpp>
#include <string>

namespace espalier::codegen {

// One line a tree, one for the whole, and one for a group of agents where trees share scopes.
std::string sizes_text(const Asset& asset);

}  // namespace espalier::codegen
