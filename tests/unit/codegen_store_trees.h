// Trees that store their results, made by hand for the tests of codegen.
#pragma once
#include <string>
#include <vector>

#include "ir/tree.h"

namespace espalier::test {

// Still without nodes.
ir::Tree store_tree(std::string name, std::uint32_t max_depth = 8);

// A node of it; `behavior` as ir::Node::behavior, empty for most.
ir::Node store_node(ir::Tree& tree, Opcode opcode, std::string behavior = {}, std::vector<ir::Node> children = {},
                    ir::Details details = {});
ir::Node store_slot(ir::Tree& tree, std::string slot, std::string default_tree = {});
// Around one child.
ir::Node store_around(ir::Tree& tree, Opcode opcode, ir::Node child, ir::Details details = {});

ir::Details count_of(std::uint32_t count, std::string label = {});
ir::Details microseconds(std::uint64_t time_us);

// A slot that accepts all trees, or these alone.
ir::Slot open_slot(std::string name);
ir::Slot slot_for(std::string name, std::vector<std::string> accepts);
ir::Slot slot_of_budget(std::string name, std::uint32_t budget_bytes);

// Three trees and three slots. "Fight" has every node kind of the family, two named gates, and a group within a role of
// another one; it runs others in the slots "any", "hands" and "pocket". "Hide" has a slot and a gate, "Rest" neither.
ir::Project fighters();

}  // namespace espalier::test
