// Reads TreeNodesModel: the nodes of the host and the ports of trees, as files declare them.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "dialects/btcpp/poll.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

// What a file declares, in its order.
struct Models {
  std::vector<Declaration> nodes;  // of the host
  std::vector<std::pair<std::string, SubtreeModel>> subtrees;
};

// Those of a project of Groot2, which has no trees.
struct EditorModels {
  std::string path;  // absolute
  std::string text;
  Models models;
};

// `reporter`: null: faults are reported elsewhere.
[[nodiscard]] Models read_models(const Element& root, Reporter* reporter = nullptr);
// Only reports the faults.
void check_models(const Element& root, Reporter& reporter);

// Adds them to those of other files. What any of them says of a node is there.
void add_models(const Models& models, Declarations& nodes);

}  // namespace espalier::dialects::btcpp
