// Releases of Nav2, and what each of them has: nodes, ports, and entries that its navigators write.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::ir::poll {

// In their order. The last one is the branch of development.
enum class Nav2Release : std::uint8_t { foxy, galactic, humble, iron, jazzy, kilted, lyrical, main };
inline constexpr std::string_view kNav2Releases[] = {"foxy",  "galactic", "humble",  "iron",
                                                     "jazzy", "kilted",   "lyrical", "main"};
inline constexpr Nav2Release kOldestDeclared = Nav2Release::humble;  // of earlier ones not all nodes are known

// From one release to another one; all of them unless said.
struct Nav2Releases {
  Nav2Release first = Nav2Release::foxy;
  Nav2Release last = Nav2Release::main;

  [[nodiscard]] bool has(Nav2Release release) const { return first <= release && release <= last; }
};

// "Nav2 up to 'galactic'", "Nav2 from 'kilted' on"; of some, not all.
[[nodiscard]] std::string shown(const Nav2Releases& releases);

// An entry that Nav2's navigators write before they tick a tree.
struct Nav2Entry {
  std::string name;
  Nav2Releases releases = {};
  bool is_in_each_tree = false;  // on the blackboard of each subtree; else on that of the main tree
};

}  // namespace espalier::ir::poll
