// Trees that store their results, made by hand for the tests of codegen.
#pragma once
#include <string>
#include <vector>

#include "ir/tree.h"
#include "payloads.h"

namespace espalier::test {

// Still without nodes.
DraftTree store_tree(std::string name, std::uint32_t max_depth = 8);

// A node of it; `name`: of a behaviour, condition or barrier.
Draft store_node(Opcode opcode, std::string name = {}, std::vector<Draft> children = {}, Operands operands = {});
Draft store_slot(std::string slot, std::string default_tree = {});
// Around one child.
Draft store_around(Opcode opcode, Draft child, Operands operands = {});

Operands limit_of(std::uint32_t maximum, std::string label = {});
Operands microseconds(std::uint64_t time_us);

// A slot that accepts all trees, or only these.
ir::Slot open_slot(std::string name);
ir::Slot slot_for(std::string name, std::vector<std::string> accepts);
ir::Slot slot_of_budget(std::string name, std::uint32_t budget_bytes);

// Three trees and three slots. "Fight" has every node kind of the engine, two named gates, and a group within a role of
// another group; it runs other trees in the slots "any", "hands" and "pocket". "Hide" has a slot and a gate, "Rest"
// neither.
DraftProject fighters();

}  // namespace espalier::test
