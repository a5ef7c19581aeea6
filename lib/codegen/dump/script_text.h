// Scripts of trees that poll as text, from their instructions.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>

namespace espalier::codegen {

// In the notation of the XML, with no more parentheses than are needed: "tries += 1; done := tries > 2 ? 1 : 0".
// `true`, `false` and names of numbers are numbers. `script` counts from 0 in the tree.
std::string script_text(const Tree& tree, std::uint32_t script);

}  // namespace espalier::codegen
