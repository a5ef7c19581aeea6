// The host's nodes in files of modular trees, for a first espalier.json.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "dialects/reading/host.h"
#include "text/xml.h"

namespace espalier::dialects::modular {

// What all values of an attribute look like.
enum class ValueLook : std::uint8_t { whole, number, boolean, text };

// A node of the game.
struct OwnNode {
  std::size_t child_count = 0;  // the most that it has anywhere
  std::map<std::string, ValueLook, std::less<>> attributes;
};

struct UsedNodes {
  std::set<std::string> of_engines;  // declared in the program
  EngineSet engines = kAllEngines;   // those that have all of them
  std::map<std::string, OwnNode, std::less<>> own;
};

// Adds the nodes of a file. `engine_nodes`: sorted by name. A name that is near another one is probably misspelt, and
// is left out.
void find_host_nodes(const text::Element& root, std::span<const HostDeclaration> engine_nodes, UsedNodes& used);

}  // namespace espalier::dialects::modular
