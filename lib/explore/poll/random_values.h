// Values for entries and outputs of trees that poll, for random traces: other ones for each name, so that a test
// notices when a node is connected to another entry.
#pragma once
#include <espalier/espalier.hpp>
#include <map>
#include <string>
#include <vector>

#include "explore/results.h"

namespace espalier::explore {

struct RandomValues {
  std::map<std::string, std::string> entries;                         // of the main tree, with a value as JSON
  std::map<std::string, std::map<std::string, std::string>> outputs;  // of host nodes, by port
};

// Of trees of other engines: none.
RandomValues random_values(const Tree& tree, const HostFacts& host);

}  // namespace espalier::explore
