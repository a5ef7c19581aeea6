// Takes declarations of nodes of BehaviorTree.CPP from a file of models into espalier.json.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "dialects/btcpp/poll.h"

namespace espalier::project {

struct NodeDeclarations {
  std::vector<dialects::btcpp::Declaration> nodes;  // sorted by name; none of the library or of Nav2
  bool has_trees = false;                           // the file has models of trees too, which are left out
};

// What the TreeNodesModel of a file declares, as the library's writeTreeNodesModelXML() and editors write it. Faults
// are lines in `errors`; nothing is returned for a file that cannot be read.
std::optional<NodeDeclarations> read_node_declarations(const std::string& path, std::vector<std::string>& errors);

// The text of an espalier.json with these nodes in its `btcpp.nodes`. A node that it has already gets another kind and
// other ports, and keeps what models do not say: "as", "result", "uses" and "doc", and of a port "optional". Everything
// else stays as it is written. Nothing: `error` says why.
std::optional<std::string> with_node_declarations(const std::string& configuration,
                                                  const std::vector<dialects::btcpp::Declaration>& nodes,
                                                  std::string& error);

}  // namespace espalier::project
