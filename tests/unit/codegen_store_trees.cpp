// See codegen_store_trees.h.
#include "codegen_store_trees.h"

#include "codegen_trees.h"
#include "payloads.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/store.h"

namespace espalier::test {
namespace {

using namespace espalier::opcode;  // to avoid a conflict with rule_action()

}  // namespace

DraftTree store_tree(std::string name, std::uint32_t max_depth) {
  DraftTree tree;
  tree.name = std::move(name);
  tree.parts = ir::Storing{max_depth, {}};
  return tree;
}

Draft store_node(Opcode opcode, std::string name, std::vector<Draft> children, Operands operands) {
  Draft made = node_of(opcode, std::string(opcode_name(opcode)).substr(std::string("store_").size()),
                       std::move(operands), std::move(children));
  if (auto* behavior = std::get_if<ir::Behavior>(&made.payload)) behavior->name = std::move(name);
  if (auto* barrier = std::get_if<ir::Barrier>(&made.payload)) barrier->name = std::move(name);
  return made;
}

Draft store_slot(std::string slot, std::string default_tree) {
  return store_node(store_child, {}, {}, {ir::ChildTree{std::move(slot), std::move(default_tree)}});
}

Draft store_around(Opcode opcode, Draft child, Operands operands) {
  return store_node(opcode, {}, {std::move(child)}, std::move(operands));
}

Operands limit_of(std::uint32_t maximum, std::string label) { return {ir::Limit{maximum, {}}, 0, std::move(label)}; }
Operands microseconds(std::uint64_t time_us) { return {ir::Duration{time_us, 0}}; }

ir::Slot open_slot(std::string name) { return {std::move(name), {}, {}, {}}; }

ir::Slot slot_for(std::string name, std::vector<std::string> accepts) {
  return {std::move(name), std::move(accepts), {}, {}};
}

ir::Slot slot_of_budget(std::string name, std::uint32_t budget_bytes) {
  return {std::move(name), {}, budget_bytes, {}};
}

namespace {

// Decoy, which may hide behind its own group, and Hitter, which must have a knife.
Draft flank() {
  const auto barrier = [&](const char* name) { return store_node(store_barrier, name); };
  Draft feint = store_node(
      store_group, {},
      {store_around(store_role, barrier("ready")), store_around(store_role, store_node(store_action, "Feint"))},
      {ir::Group{{}, layout::OnLeave::ignore}});
  Draft decoy = store_node(store_sequence, {}, {barrier("ready"), std::move(feint), barrier("gone")});
  Draft hitter = store_node(store_sequence, {}, {barrier("ready"), store_node(store_action, "Strike")});
  return store_node(store_group, {},
                    {store_around(store_role, std::move(decoy)),
                     store_node(store_role, {}, {store_node(store_condition, "HasKnife"), std::move(hitter)})},
                    {ir::Group{5000000, layout::OnLeave::reset}, 0, "Flank"});
}

DraftTree fight() {
  DraftTree tree = store_tree("Fight", 3);
  const auto action = [&](const char* name) { return store_node(store_action, name); };
  const auto condition = [&](const char* name) { return store_node(store_condition, name); };
  ir::Behavior walk;
  walk.parameters.emplace_back();
  walk.parameters[0].name = "to";
  walk.parameters[0].text = "home";
  ir::Behavior near;
  near.parameters.emplace_back();
  near.parameters[0].name = "metres";
  near.parameters[0].text = "3";
  Draft heard = store_node(store_sequence, {},
                           {store_around(store_monitor, condition("HeardNoise")),
                            store_around(store_repeat, action("Investigate"), {ir::Limit{3, {}}, kUntilFailure})});
  Draft grenade =
      store_around(store_gate, store_around(store_cooldown_all, action("ThrowGrenade"), microseconds(10000000)),
                   limit_of(2, "Grenade"));
  Draft both =
      store_node(store_parallel, {},
                 {store_around(store_invert, store_node(store_condition, "IsNear", {}, {std::move(near)})),
                  store_around(store_succeed, store_node(store_action, "Walk", {}, {std::move(walk)})),
                  store_around(store_fail, store_around(store_cooldown, action("Shout"), microseconds(2500000)))},
                 with_flags(kSucceedsWithAny | kFailsWithAll));
  Draft slots =
      store_node(store_selector, {}, {store_slot("any", "Rest"), store_slot("pocket"), store_slot("any", "Hide")});
  Draft unnamed = store_around(store_gate, action("Walk"), limit_of(65535));
  Draft group = flank();
  tree.root = store_node(store_selector, {},
                         {std::move(heard), std::move(grenade), std::move(both), std::move(group), std::move(slots),
                          std::move(unnamed), store_slot("hands")});
  return tree;
}

}  // namespace

DraftProject fighters() {
  DraftTree hide = store_tree("Hide");
  hide.root = store_node(
      store_sequence, {},
      {store_around(store_gate, store_node(store_action, "Duck"), limit_of(1, "Cover")), store_slot("hands", "Rest")});
  DraftTree rest = store_tree("Rest");
  rest.root = store_node(store_action, "Sleep");
  DraftProject project;
  project.trees = {fight(), std::move(hide), std::move(rest)};
  project.slots = {open_slot("any"), slot_for("hands", {"Hide", "Rest"}), slot_of_budget("pocket", 60)};
  return project;
}

}  // namespace espalier::test
