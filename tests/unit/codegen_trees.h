// Trees made by hand for the tests of codegen, and compiled.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tree.h"

namespace espalier::test {

// The variables "A" to "Z", and numbered ones behind them: "V26", "V27", ...
std::vector<ir::Variable> letters(std::uint32_t count);

// Adds a condition in the notation of the XML to a tree that has all its variables.
ir::ConditionIndex add_condition(ir::Tree& tree, std::string_view text);

// A node written at byte `place` of file 0; `condition` empty: none.
ir::Node node(ir::Tree& tree, Opcode opcode, std::string name, std::string_view condition, std::uint32_t place,
              std::vector<ir::Node> children = {});

// A node of a tree that ticks, with its details.
ir::Node tick_node(ir::Tree& tree, Opcode opcode, std::string name, std::vector<ir::Node> children = {},
                   ir::Details details = {});

// A tree that ticks, still without nodes.
ir::Tree ticking_tree(std::string name);

// A compiled project. `asset` is a view of `words`; neither may move.
struct Compiled {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
};

// Compiles and opens with one source file, "trees.xml", of many lines; fails the test when either does not succeed.
void compile(const ir::Project& project, Compiled& compiled, bool strip = false);

// A guard with a machine, a block that stands in two places, and a signal.
ir::Tree guard();

// A tree that ticks, with every node kind of its family.
ir::Tree soldier();

}  // namespace espalier::test
