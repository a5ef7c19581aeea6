// See codegen_store_trees.h.
#include "codegen_store_trees.h"

#include "codegen_trees.h"
#include "runtime/format/opcode_words.h"

namespace espalier::test {
namespace {

using enum Opcode;  // out of the way of rule_action()

}  // namespace

ir::Tree store_tree(std::string name, std::uint32_t max_depth) {
  ir::Tree tree;
  tree.name = std::move(name);
  tree.max_depth = max_depth;
  return tree;
}

ir::Node store_node(ir::Tree& tree, Opcode opcode, std::string behavior, std::vector<ir::Node> children,
                    ir::Details details) {
  const std::string name = std::string(opcode_name(opcode)).substr(std::string("store_").size());
  ir::Node made = tick_node(tree, opcode, name, std::move(children), std::move(details));
  made.behavior = std::move(behavior);
  return made;
}

ir::Node store_slot(ir::Tree& tree, std::string slot, std::string default_tree) {
  ir::Details details;
  details.slot = std::move(slot);
  details.default_tree = std::move(default_tree);
  return store_node(tree, store_child, {}, {}, std::move(details));
}

ir::Node store_around(ir::Tree& tree, Opcode opcode, ir::Node child, ir::Details details) {
  return store_node(tree, opcode, {}, {std::move(child)}, std::move(details));
}

ir::Details count_of(std::uint32_t count, std::string label) {
  ir::Details details;
  details.count = count;
  details.label = std::move(label);
  return details;
}

ir::Details microseconds(std::uint64_t time_us) {
  ir::Details details;
  details.numbers[0] = time_us;
  return details;
}

ir::Slot open_slot(std::string name) { return {std::move(name), {}, {}, {}}; }

ir::Slot slot_for(std::string name, std::vector<std::string> accepts) {
  return {std::move(name), std::move(accepts), {}, {}};
}

ir::Slot slot_of_budget(std::string name, std::uint32_t budget_bytes) {
  return {std::move(name), {}, budget_bytes, {}};
}

namespace {

ir::Details with_flags(std::uint32_t flags) {
  ir::Details details;
  details.flags = static_cast<std::uint8_t>(flags);
  return details;
}

// Decoy, who may hide behind a group of his own, and Hitter, who must have a knife.
ir::Node flank(ir::Tree& tree) {
  const auto barrier = [&](const char* name) { return store_node(tree, store_barrier, name); };
  ir::Details feint_details;
  feint_details.on_leave = layout::OnLeave::ignore;
  ir::Node feint = store_node(tree, store_group, {},
                              {store_around(tree, store_role, barrier("ready")),
                               store_around(tree, store_role, store_node(tree, store_action, "Feint"))},
                              std::move(feint_details));
  ir::Node decoy = store_node(tree, store_sequence, {}, {barrier("ready"), std::move(feint), barrier("gone")});
  ir::Node hitter = store_node(tree, store_sequence, {}, {barrier("ready"), store_node(tree, store_action, "Strike")});
  ir::Details details;
  details.label = "Flank";
  details.timeout_us = 5000000;
  details.on_leave = layout::OnLeave::reset;
  return store_node(
      tree, store_group, {},
      {store_around(tree, store_role, std::move(decoy)),
       store_node(tree, store_role, {}, {store_node(tree, store_condition, "HasKnife"), std::move(hitter)})},
      std::move(details));
}

ir::Tree fight() {
  ir::Tree tree = store_tree("Fight", 3);
  const auto action = [&](const char* name) { return store_node(tree, store_action, name); };
  const auto condition = [&](const char* name) { return store_node(tree, store_condition, name); };
  ir::Details walk;
  walk.parameters.emplace_back();
  walk.parameters[0].name = "to";
  walk.parameters[0].text = "home";
  ir::Details near;
  near.parameters.emplace_back();
  near.parameters[0].name = "metres";
  near.parameters[0].text = "3";
  ir::Node heard = store_node(tree, store_sequence, {},
                              {store_around(tree, store_monitor, condition("HeardNoise")),
                               store_around(tree, store_repeat, action("Investigate"), [] {
                                 ir::Details details = with_flags(kUntilFailure);
                                 details.count = 3;
                                 return details;
                               }())});
  ir::Node grenade = store_around(
      tree, store_gate, store_around(tree, store_cooldown_all, action("ThrowGrenade"), microseconds(10000000)),
      count_of(2, "Grenade"));
  ir::Node both = store_node(
      tree, store_parallel, {},
      {store_around(tree, store_invert, store_node(tree, store_condition, "IsNear", {}, std::move(near))),
       store_around(tree, store_succeed, store_node(tree, store_action, "Walk", {}, std::move(walk))),
       store_around(tree, store_fail, store_around(tree, store_cooldown, action("Shout"), microseconds(2500000)))},
      with_flags(kSucceedsWithAny | kFailsWithAll));
  ir::Node slots =
      store_node(tree, store_selector, {},
                 {store_slot(tree, "any", "Rest"), store_slot(tree, "pocket"), store_slot(tree, "any", "Hide")});
  ir::Node unnamed = store_around(tree, store_gate, action("Walk"), count_of(65535));
  ir::Node group = flank(tree);
  tree.root = store_node(tree, store_selector, {},
                         {std::move(heard), std::move(grenade), std::move(both), std::move(group), std::move(slots),
                          std::move(unnamed), store_slot(tree, "hands")});
  return tree;
}

}  // namespace

ir::Project fighters() {
  ir::Tree hide = store_tree("Hide");
  hide.root = store_node(hide, store_sequence, {},
                         {store_around(hide, store_gate, store_node(hide, store_action, "Duck"), count_of(1, "Cover")),
                          store_slot(hide, "hands", "Rest")});
  ir::Tree rest = store_tree("Rest");
  rest.root = store_node(rest, store_action, "Sleep");
  ir::Project project;
  project.trees = {fight(), std::move(hide), std::move(rest)};
  project.slots = {open_slot("any"), slot_for("hands", {"Hide", "Rest"}), slot_of_budget("pocket", 60)};
  return project;
}

}  // namespace espalier::test
