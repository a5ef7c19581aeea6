// An asset as readable, diffable text or JSON: every section, every record. Works on verified assets, stripped ones
// too.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::codegen {

std::string disassemble(const Asset& asset);
std::string disassemble_json(const Asset& asset);

// A condition in the notation of the XML, with the tree's names for its variables: "Alerted and !Hurt". `condition` is
// an operand: 0 gives "true".
std::string condition_text(const Tree& tree, std::uint32_t condition);

// Debug data of a node, by its first word in NODES. Empty and 0 when the asset is stripped.
struct NodeDebug {
  std::string_view name;
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
NodeDebug node_debug(const Asset& asset, std::uint32_t node_word);

// Names of the nodes from the root to each leaf of a tree, joined by '/': "Root/Combat/Attack". Empty when stripped.
std::vector<std::string> leaf_paths(const Tree& tree);

}  // namespace espalier::codegen
