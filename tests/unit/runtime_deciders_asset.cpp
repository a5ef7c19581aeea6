// A small asset of trees of deciders with every kind of node and record that they have, for tests of the verifier.
#include <utility>

#include "payloads.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime_assets.h"

namespace espalier::test {
namespace {

struct DeciderPartsMaker {
  DraftTree tree;

  explicit DeciderPartsMaker(const char* name) {
    tree.name = name;
    ir::Deciding& deciding = tree.parts.emplace<ir::Deciding>();
    deciding.max_redecides = 3;
    tree.variables = {{"F", false, {}}, {"G", false, {}}};
    deciding.stimuli = {{"S", 100, {}}, {"L", 0, {}}};
    tree.signals = {{"s", {{0, 0, {}}, {1, 0, {}}}, {}}};
    deciding.behavior_flags = {"b"};
  }
  static Draft decider(Opcode opcode, const char* name, ir::Decider decider, std::vector<Draft> children = {},
                       const char* behavior = "a") {
    decider.behavior = behavior;
    const ir::PlacedDecider place = {1, std::make_shared<const ir::Decider>(std::move(decider))};
    return node_of(opcode, name, {place}, std::move(children));
  }
  static Draft share(std::uint32_t shared, const char* name) {
    return node_of(opcode::decide_share, name, {ir::DeciderShare{2, shared}});
  }
};

ir::Decider delegating() {
  ir::Decider decider;
  decider.delegates = true;
  return decider;
}

ir::Decider query() {
  ir::Decider decider;
  decider.decide = "d";
  decider.block_bytes = 12;
  decider.memory_bytes = 4;
  decider.behavior_flags = 1;
  return decider;
}

ir::Decider careful() {
  ir::Decider decider;
  decider.flags_all.words = {{0, true, {}}, {1, false, {}}};
  decider.stimuli_any.words = {{0, true, {}}, {1, false, {}}};
  decider.every_us = 100;
  return decider;
}

DraftTree deciding_tree_of_everything() {
  DeciderPartsMaker make("T");
  ir::Decider again = query();
  again.decides_again = true;
  make.tree.shared = {
      make.decider(opcode::decide_behavior, "shared", careful()),
      make.decider(opcode::decide_random, "any", delegating(),
                   {DeciderPartsMaker::share(0, "shared"), make.decider(opcode::decide_behavior, "r", query())}, "")};
  std::vector<Draft> children;
  children.push_back(
      make.decider(opcode::decide_sequential, "turns", std::move(again),
                   {DeciderPartsMaker::share(1, "any"), make.decider(opcode::decide_behavior, "x", {})}));
  children.push_back(make.decider(opcode::decide_shuffle, "mixed", delegating(),
                                  {DeciderPartsMaker::share(0, "shared"), DeciderPartsMaker::share(1, "any")}, ""));
  children.push_back(make.decider(opcode::decide_scored, "best", {},
                                  {make.decider(opcode::decide_behavior, "y", query()),
                                   make.decider(opcode::decide_behavior, "z", query(), {}, "c")}));
  make.tree.root = make.decider(opcode::decide_prioritized, "root", {}, std::move(children));
  return std::move(make.tree);
}

// Another version of it, to move agents to and from.
DraftTree shorter_deciding_tree() {
  DeciderPartsMaker make("U");
  make.tree.as<ir::Deciding>().stimuli.pop_back();
  make.tree.signals[0].assignments.pop_back();
  Draft turns =
      make.decider(opcode::decide_sequential, "turns", query(), {make.decider(opcode::decide_behavior, "x", {})});
  make.tree.root = make.decider(opcode::decide_prioritized, "root", {}, {std::move(turns)});
  return std::move(make.tree);
}

}  // namespace

Bytes small_deciders_asset(bool strip) {
  DraftProject project;
  project.trees.push_back(deciding_tree_of_everything());
  project.trees.push_back(shorter_deciding_tree());
  return compiled_bytes(project, strip);
}

}  // namespace espalier::test
