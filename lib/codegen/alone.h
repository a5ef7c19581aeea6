// Each tree of a project by itself, as bytes that do not depend on lines, files, names of nodes, its own name or other
// trees.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ir/tree.h"
#include "text/source.h"

namespace espalier::codegen {

// By name; trees with the same bytes do the same. Trees that may run in each other's slots are compiled together. One
// that cannot be compiled is left out.
std::map<std::string, std::vector<std::uint64_t>> compiled_alone(const ir::Project& project,
                                                                 const text::Sources& sources);

}  // namespace espalier::codegen
