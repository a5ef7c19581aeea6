// What an asset costs: bytes for each agent, by part, and what storing subtrees once saves.
#pragma once
#include <espalier/espalier.hpp>
#include <string>

namespace espalier::codegen {

// One line a tree and one for the whole.
std::string sizes_text(const Asset& asset);

}  // namespace espalier::codegen
