// The entries of an agent's blackboards as MessagePack, as the protocol's request 'B' gets them. Trees that do not poll
// have one board, with their variables.
#pragma once
#include "asset/view.h"
#include "serving/output.h"

namespace espalier::serving {

std::uint32_t board_count(const Tree& tree);
// {board: {entry: value}}, sorted, of the boards with these names, with ';' between them: the path of a subtree, or the
// name of the tree. `marks`: board_count() bytes to work with.
void write_entries(const Tree& tree, const void* block, std::string_view names, unsigned char* marks, Output& output);

}  // namespace espalier::serving
