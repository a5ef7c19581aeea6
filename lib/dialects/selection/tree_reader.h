// Reads one selection tree: its element to IR, with its findings.
#pragma once
#include <optional>

#include "dialects/selection/expander.h"
#include "ir/tree.h"

namespace espalier::dialects::selection {

// Returns the tree, or nothing if it has errors. The caller checks that its name is unique.
[[nodiscard]] std::optional<ir::Tree> read_tree(const Element& element, World& world, text::Findings& findings);

// Reports those faults in global blocks that no reference includes that do not depend on the place of the reference.
void check_unused(World& world, text::Findings& findings);

}  // namespace espalier::dialects::selection
