// The XML that a program writes of its trees, with each use of a subtree as a tree of its own, as XML that a project
// can have: trees that are there several times are the same tree, and subtrees have the names by which their uses are
// known.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace espalier::live {

// Lines stay where they are. What is not well-formed is returned as it is: whoever reads it tells why.
[[nodiscard]] std::string as_project_xml(std::string_view program_xml);
// Its models alone, which declare the nodes of the program.
[[nodiscard]] std::string models_of(std::string_view program_xml);
// The names of the blackboards of its trees, as its publisher knows them: the path of a subtree, and of the main tree
// its ID.
[[nodiscard]] std::vector<std::string> boards_of(std::string_view program_xml);
// Does a subtree not say whether it is connected with all entries of the tree above? Programs do not tell it.
[[nodiscard]] bool has_unconnected_subtree(std::string_view program_xml);
// The ID of the first tree; empty: there is none.
[[nodiscard]] std::string main_tree_of(std::string_view program_xml);

}  // namespace espalier::live
