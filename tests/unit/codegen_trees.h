// Trees made by hand for the tests of codegen, and compiled.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tree.h"
#include "payloads.h"
#include "text/finding.h"

namespace espalier::test {

// The variables "A" to "Z", followed by "V26", "V27", ...
std::vector<ir::Variable> letters(std::uint32_t count);

// Adds a condition in the notation of the XML to a tree that has all its variables.
ir::ConditionIndex add_condition(DraftTree& tree, std::string_view text);

// A node written at byte `place` of file 0; without a condition if `condition` is empty.
Draft node(DraftTree& tree, Opcode opcode, std::string name, std::string_view condition, std::uint32_t place,
           std::vector<Draft> children = {});

// A node of a tree that ticks; a behaviour has its name.
Draft tick_node(Opcode opcode, std::string name, std::vector<Draft> children = {}, Operands operands = {});

// A tree that ticks, still without nodes.
DraftTree ticking_tree(std::string name);

// A rule, without an id if `id` is empty.
// The children of a node with one child, which is moved: braces would copy all that is below it.
std::vector<Draft> only(Draft child);
Draft rule(Opcode opcode, std::string id = {}, std::vector<Draft> children = {}, Operands operands = {});
Draft rule_action(std::string behavior, std::string id = {}, ir::Rule rule = {}, std::uint32_t flags = 0);
Operands of_file(text::FileId file, std::uint32_t flags = 0);

// A tree of rules, still without nodes.
DraftTree rule_tree(std::string name);

// A tree of deciders, still without any: the flags Dead and Night, the stimuli TookHit, Smell and Heard.
DraftTree decider_tree(std::string name);
// A decider; one without children has a behaviour with its name.
Draft decider(Opcode opcode, std::string name, std::vector<Draft> children = {}, ir::Decider decider = {});
// A reference to a decider of Deciding::shared.
Draft share(const DraftTree& tree, const std::string& name, std::uint32_t weight = 1);
// "Dead !Night", of the tree's flags or stimuli.
ir::WantedList wanted_flags(const DraftTree& tree, const std::string& words);
ir::WantedList wanted_stimuli(const DraftTree& tree, const std::string& words);

// A compiled project. `asset` is a view of `words`; neither may move.
struct Compiled {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
};

// Compiles and opens with source files of many lines, the first being "trees.xml"; fails the test if either fails.
void compile(const ir::Project& project, Compiled& compiled, bool strip = false);
Compiled compiled(std::vector<DraftTree> trees, bool strip = false);

// The findings of a tree that cannot be compiled.
text::Findings findings_of(const DraftTree& tree);

// A guard with a machine, a block that is used at two places, and a signal.
DraftTree guard();

// A tree that ticks, with every node kind of its engine.
DraftTree soldier();

// Two trees of rules, one of which is a subtree of the other at two places. A third file is used by both and is not a
// tree. guard.debt: a sequence of idle.debt as "a", an action, wander.debt, idle.debt again, and a success. idle.debt:
// a choice of an action and wander.debt. wander.debt: an action like it, and a yield.
DraftTree guarding();
DraftTree idle();

// A tree of deciders, with every node kind of its engine, and a shared decider that its root does not reach.
DraftTree creature();

}  // namespace espalier::test
