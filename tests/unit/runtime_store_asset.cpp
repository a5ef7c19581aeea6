// A small asset of trees that store their results, with every kind of node and record that they have, for tests of the
// verifier.
#include <utility>

#include "runtime_assets.h"

namespace espalier::test {
namespace {

class StorePartsMaker {
 public:
  explicit StorePartsMaker(const char* name) {
    tree.name = name;
    tree.max_depth = 3;
  }
  ir::Node node(Opcode opcode, std::vector<ir::Node> children, ir::Details details = {}, const char* behavior = "") {
    ir::Node made;
    made.opcode = opcode;
    made.name = "n";
    made.behavior = behavior;
    made.details = static_cast<ir::DetailsIndex>(tree.details.size());
    made.children = std::move(children);
    tree.details.push_back(std::move(details));
    return made;
  }
  ir::Node around(Opcode opcode, ir::Node child, ir::Details details = {}) {
    std::vector<ir::Node> children;
    children.push_back(std::move(child));
    return node(opcode, std::move(children), std::move(details));
  }
  ir::Node condition() { return node(Opcode::store_condition, {}, with_parameter(), "c"); }
  ir::Node action() { return node(Opcode::store_action, {}, with_parameter(), "a"); }
  ir::Node barrier(const char* name) { return node(Opcode::store_barrier, {}, {}, name); }
  ir::Node child(const char* slot, const char* tree_name) {
    ir::Details details;
    details.slot = slot;
    details.default_tree = tree_name;
    return node(Opcode::store_child, {}, std::move(details));
  }

  ir::Tree tree;

 private:
  static ir::Details with_parameter() {
    ir::Details details;
    details.parameters.emplace_back().name = "p";
    details.parameters.back().text = "v";
    return details;
  }
};

ir::Details count_of(std::uint32_t count) {
  ir::Details details;
  details.count = count;
  return details;
}

ir::Details microseconds(std::uint64_t time_us) {
  ir::Details details;
  details.numbers[0] = time_us;
  return details;
}

ir::Node group_of_two(StorePartsMaker& make) {
  ir::Details details;
  details.count = 2;
  details.timeout_us = 200;
  details.on_leave = layout::OnLeave::ignore;
  std::vector<ir::Node> roles;
  roles.push_back(make.node(Opcode::store_role, {make.condition(), make.barrier("b")}));
  roles.push_back(make.around(
      Opcode::store_role, make.node(Opcode::store_sequence, {make.action(), make.barrier("b"), make.barrier("x")})));
  return make.node(Opcode::store_group, std::move(roles), std::move(details));
}

ir::Tree stored_tree_of_everything() {
  StorePartsMaker make("T");
  ir::Details parallel;
  parallel.flags = kFailsWithAll;
  ir::Details until = count_of(3);
  until.flags = kUntilFailure;
  std::vector<ir::Node> children;
  children.push_back(make.around(Opcode::store_monitor, make.around(Opcode::store_invert, make.condition())));
  children.push_back(make.around(Opcode::store_fail, make.around(Opcode::store_gate, make.action(), count_of(2))));
  children.push_back(
      make.node(Opcode::store_parallel,
                {make.around(Opcode::store_cooldown, make.action(), microseconds(100)),
                 make.around(Opcode::store_cooldown_all, make.action(), microseconds(50)), make.child("hand", "U")},
                std::move(parallel)));
  children.push_back(group_of_two(make));
  children.push_back(
      make.around(Opcode::store_succeed, make.around(Opcode::store_repeat, make.child("foot", ""), until)));
  make.tree.root = make.node(Opcode::store_selector, std::move(children));
  return std::move(make.tree);
}

ir::Tree smaller_tree() {
  StorePartsMaker make("U");
  make.tree.root = make.node(Opcode::store_sequence,
                             {make.around(Opcode::store_gate, make.action(), count_of(1)), group_of_two(make)});
  return std::move(make.tree);
}

}  // namespace

Bytes small_store_asset(bool strip) {
  ir::Project project;
  project.trees.push_back(stored_tree_of_everything());
  project.trees.push_back(smaller_tree());
  project.slots = {{"foot", {}, 64, {}}, {"hand", {{"U"}}, {}, {}}};
  return compiled_bytes(project, strip);
}

}  // namespace espalier::test
