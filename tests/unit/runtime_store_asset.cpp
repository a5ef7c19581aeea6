// A small asset of trees that store their results, with every kind of node and record that they have, for tests of the
// verifier.
#include <utility>

#include "payloads.h"
#include "runtime/format/opcodes/store.h"
#include "runtime_assets.h"

namespace espalier::test {
namespace {

class StorePartsMaker {
 public:
  explicit StorePartsMaker(const char* name) {
    tree.name = name;
    tree.parts = ir::Storing{3, {}};
  }
  static Draft node(Opcode opcode, std::vector<Draft> children, Operands operands = {}) {
    return node_of(opcode, "n", std::move(operands), std::move(children));
  }
  static Draft around(Opcode opcode, Draft child, Operands operands = {}) {
    return node(opcode, {std::move(child)}, std::move(operands));
  }
  static Draft condition() { return node(opcode::store_condition, {}, with_parameter("c")); }
  static Draft action() { return node(opcode::store_action, {}, with_parameter("a")); }
  static Draft barrier(const char* name) { return node(opcode::store_barrier, {}, {ir::Barrier{name}}); }
  static Draft child(const char* slot, const char* tree_name) {
    return node(opcode::store_child, {}, {ir::ChildTree{slot, tree_name}});
  }

  DraftTree tree;

 private:
  static Operands with_parameter(const char* name) {
    ir::Behavior behavior;
    behavior.name = name;
    behavior.parameters.emplace_back().name = "p";
    behavior.parameters.back().text = "v";
    return {std::move(behavior)};
  }
};

Operands limit_of(std::uint32_t maximum, std::uint32_t flags = 0) { return {ir::Limit{maximum, {}}, flags}; }
Operands microseconds(std::uint64_t time_us) { return {ir::Duration{time_us, 0}}; }

Draft group_of_two(StorePartsMaker& make) {
  std::vector<Draft> roles;
  roles.push_back(make.node(opcode::store_role, {make.condition(), make.barrier("b")}));
  roles.push_back(make.around(
      opcode::store_role, make.node(opcode::store_sequence, {make.action(), make.barrier("b"), make.barrier("x")})));
  return make.node(opcode::store_group, std::move(roles), {ir::Group{200, layout::OnLeave::ignore}});
}

DraftTree stored_tree_of_everything() {
  StorePartsMaker make("T");
  std::vector<Draft> children;
  children.push_back(make.around(opcode::store_monitor, make.around(opcode::store_invert, make.condition())));
  children.push_back(make.around(opcode::store_fail, make.around(opcode::store_gate, make.action(), limit_of(2))));
  children.push_back(
      make.node(opcode::store_parallel,
                {make.around(opcode::store_cooldown, make.action(), microseconds(100)),
                 make.around(opcode::store_cooldown_all, make.action(), microseconds(50)), make.child("hand", "U")},
                with_flags(kFailsWithAll)));
  children.push_back(group_of_two(make));
  children.push_back(make.around(
      opcode::store_succeed, make.around(opcode::store_repeat, make.child("foot", ""), limit_of(3, kUntilFailure))));
  make.tree.root = make.node(opcode::store_selector, std::move(children));
  return std::move(make.tree);
}

DraftTree smaller_tree() {
  StorePartsMaker make("U");
  make.tree.root = make.node(opcode::store_sequence,
                             {make.around(opcode::store_gate, make.action(), limit_of(1)), group_of_two(make)});
  return std::move(make.tree);
}

}  // namespace

Bytes small_store_asset(bool strip) {
  DraftProject project;
  project.trees.push_back(stored_tree_of_everything());
  project.trees.push_back(smaller_tree());
  project.slots = {{"foot", {}, 64, {}}, {"hand", {{"U"}}, {}, {}}};
  return compiled_bytes(project, strip);
}

Bytes overlapping_store_asset(bool strip) {
  const auto make_tree = [](const char* name, Draft root) {
    StorePartsMaker make(name);
    make.tree.root = std::move(root);
    return std::move(make.tree);
  };
  using Make = StorePartsMaker;
  std::vector<Draft> roles;
  roles.push_back(Make::around(opcode::store_role, Make::child("left", "Walk")));
  roles.push_back(Make::around(opcode::store_role, Make::child("right", "Walk")));
  DraftProject project;
  project.trees.push_back(make_tree(
      "All", Make::node(opcode::store_parallel,
                        {Make::child("left", "Walk"), Make::child("right", "Walk"), Make::child("talk", "Talk")})));
  project.trees.push_back(
      make_tree("One", Make::node(opcode::store_group, std::move(roles), {ir::Group{200, layout::OnLeave::fail}})));
  project.trees.push_back(make_tree("Talk", Make::action()));
  project.trees.push_back(
      make_tree("Walk", Make::node(opcode::store_sequence, {Make::action(), Make::child("talk", "Talk")})));
  project.slots = {{"left", {{"Walk"}}, {}, {}}, {"right", {{"Walk"}}, {}, {}}, {"talk", {{"Talk"}}, {}, {}}};
  return compiled_bytes(project, strip);
}

}  // namespace espalier::test
