// A first espalier.json for a folder that has none.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/poll.h"

namespace espalier::project {

// "1 node", "3 nodes".
[[nodiscard]] std::string counted(std::size_t count, std::string_view what);

struct FirstConfiguration {
  std::string text;
  // Nodes of BehaviorTree.CPP that have to be declared beside those of Nav2, which the text declares; sorted by name.
  std::vector<dialects::btcpp::Declaration> nodes = {};
  std::vector<std::string> found;  // what the folder holds, for people: "3 modular trees"
};

// For `folder`: has the options of the dialects of its files, with their defaults. Each file that cannot be read is a
// line in `errors`. `configuration`: the espalier.json that it has, whose excluded files are not looked at; empty:
// none.
FirstConfiguration first_configuration(const std::string& folder, const std::string& configuration,
                                       std::vector<std::string>& errors);

}  // namespace espalier::project
