// The verifier on trees that store their results, promise by promise: each row breaks one promise of a correct asset,
// and names the expected reason.
#include <map>
#include <string>

#include "payloads.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/format/records.h"
#include "runtime_breaches.h"

namespace runtime_verify_store {

namespace {

using namespace espalier;
using namespace espalier::test;
using layout::SectionId;
using test::Records;

constexpr std::uint32_t kFar = 0x00FFFFFF;

std::function<void(Parts&)> storing(std::function<void(layout::StoreTree&)> change) {
  return record(SectionId::store_trees, std::move(change));
}
std::function<void(Parts&)> group(std::function<void(layout::Group&)> change) {
  return record(SectionId::groups, std::move(change));
}
std::function<void(Parts&)> slot(std::function<void(layout::Slot&)> change) {
  return record(SectionId::slots, std::move(change));
}
std::uint32_t need_count_of(Parts& parts) {
  return Records<layout::StoreTree>(parts, SectionId::store_trees)[0].need_count;
}
// The opcode of the first node with this one becomes another.
std::function<void(Parts&)> becomes(Opcode opcode, Opcode other) {
  return node_word(opcode, 0, [=](auto& word) { word = (word & ~0xFFu) | static_cast<std::uint32_t>(other); });
}

std::multimap<std::string, Breach> breaches_of_nodes() {
  using namespace espalier::opcode;
  const char* misplaced = "a node is not allowed below its parent";
  const char* elsewhere = "a node's state has the wrong offset";
  const char* wrong_extent = "a node's extent does not match its children";
  const char* wrong_count = "a node has the wrong number of children";
  return {
      {"unknown opcode", {"an opcode beyond all", head(store_child, 0xFF)}},
      {"a node has another engine than its unit", {"a child that selects", becomes(store_child, select_leaf)}},
      {"a node's flags are wrong", {"flags of an action", head(store_action, 0x100)}},
      {"a node's flags are wrong", {"a parallel's third flag", head(store_parallel, 0x400)}},
      {"a node's number is not its position",
       {"another number", node_word(store_gate, 0, [](auto& word) { word += 0x10000; })}},
      {"a unit's nodes are at the wrong offset",
       {"another place of a node", record<std::uint32_t>(SectionId::node_words, [](auto& r) { ++r; })}},
      {elsewhere, {"a monitor's number", operand(store_monitor, 1, 0)}},
      {elsewhere, {"a cooldown's time", operand(store_cooldown, 1, 8)}},
      {elsewhere, {"a repeat's count", operand(store_repeat, 1, kFar)}},
      {elsewhere, {"a barrier's arrival", operand(store_barrier, 1, 0)}},
      {elsewhere, {"a slot's tree and place", operand(store_child, 1, 0)}},
      {elsewhere, {"a group's seat", operand(store_group, 1, 0)}},
      {elsewhere, {"a group's time", operand(store_group, 3, 0)}},
      {wrong_extent, {"an extent of nothing", extent(store_gate, 0)}},
      {wrong_extent, {"an extent of no whole node", extent(store_gate, 13)}},
      {wrong_extent, {"an extent beyond the parent's", extent(store_gate, 6000)}},
      {"a unit has more than one root", {"a root that ends early", extent(store_selector, 3)}},
      {"a node's parent is wrong", {"a parent elsewhere", operand(store_gate, 0, 12)}},
      {"a node's parent is wrong", {"a root with a parent", operand(store_selector, 0, 6)}},
      {misplaced, {"a role of a sequence", becomes(store_fail, store_role)}},
      {misplaced, {"a group that is a sequence", becomes(store_role, store_sequence)}},
      {wrong_count, {"many below one that has one", becomes(store_selector, store_succeed)}},
      {"a node has another engine than its unit", {"one below one that has none", becomes(store_group, store_action)}},
      {"condition index out of range", {"a condition beyond all", operand(store_condition, 1, 1)}},
      {"behaviour index out of range", {"a behaviour beyond all", operand(store_action, 1, 1)}},
      {"parameter index out of range", {"parameters beyond all", operand(store_action, 2, kFar)}},
      {"parameter index out of range", {"too many parameters", operand(store_condition, 2, kFar)}},
      {"a maximum is too large", {"a gate for too many", operand(store_gate, 2, 65536)}},
      {"a maximum is too large", {"too many rounds", operand(store_repeat, 2, 65536)}},
      {"number index out of range", {"a time of nothing", operand(store_cooldown, 2, kFar)}},
      {"shared values are not consecutive", {"another gate's value", operand(store_gate, 1, 1)}},
      {"shared values are not consecutive", {"a value beyond all", operand(store_cooldown_all, 1, kFar)}},
      {"groups are not consecutive", {"another group", operand(store_group, 2, 1)}},
      {"a group's time is wrong",
       {"a time that nobody keeps", group([](auto& r) { r.timeout_us = ~std::uint64_t{0}; })}},
      {"barrier index out of range", {"a barrier of another group", operand(store_barrier, 2, 2)}},
      {"slot index out of range", {"a slot beyond all", operand(store_child, 2, 2)}},
      {"tree index out of range", {"a default beyond all", operand(store_child, 3, 3)}},
      {"the totals of a unit do not match its nodes", {"a node too many", unit([](auto& r) { ++r.node_count; })}},
      {"the totals of a unit do not match its nodes", {"state of a unit", unit([](auto& r) { ++r.state_bytes; })}},
      {"a unit belongs to another tree", {"a unit of no tree", unit([](auto& r) { r.tree = layout::kNone; })}},
  };
}

std::multimap<std::string, Breach> breaches_of_trees() {
  const char* apart = "tree records are not consecutive";
  const char* wrong_group = "a group's flags are wrong";
  const char* elsewhere = "a node's state has the wrong offset";
  const char* parts = "the parts of an instance have the wrong offsets";
  const char* wrong_size = "an agent's size is wrong";
  const char* other_tree = "a slot's tree has another engine";
  return {
      {apart, {"a record of another tree", storing([](auto& r) { r.tree = 1; })}},
      {"the flags of a tree that stores do not match its nodes",
       {"no levels at all", storing([](auto& r) { r.level_count = 0; })}},
      {"the flags of a tree that stores do not match its nodes",
       {"too many levels", storing([](auto& r) { r.level_count = 65; })}},
      {elsewhere, {"a time too many", more_of(PartKind::times)}},
      {elsewhere, {"a count too few", fewer_of(PartKind::counts)}},
      {parts, {"a seat's place too few", fewer_of(PartKind::group_seats)}},
      {parts, {"a result too many", more_of(PartKind::results)}},
      {wrong_size, {"a room too large", more_of(PartKind::rooms, 8)}},
      {wrong_size, {"a slot too few in the block", fewer_of(PartKind::slots)}},
      {"the totals of a unit do not match its nodes", {"a slot too few", storing([](auto& r) { --r.child_count; })}},
      {"shared values are not consecutive",
       {"the next one's values", storing([](auto& r) { ++r.first_shared_value; })}},
      {"the totals of a unit do not match its nodes",
       {"a value too few", storing([](auto& r) { --r.shared_value_count; })}},
      {"groups are not consecutive", {"the next one's groups", storing([](auto& r) { ++r.first_group; })}},
      {"the totals of a unit do not match its nodes", {"a group too few", storing([](auto& r) { --r.group_count; })}},
      {apart, {"the next one's needs", storing([](auto& r) { ++r.first_need; })}},
      {apart, {"needs beyond all", storing([](auto& r) { r.first_need = kFar; })}},
      {"an agent's size is wrong",
       {"a need of other bytes",
        [](Parts& all) { Records<std::uint32_t>(all, SectionId::tree_needs)[need_count_of(all) - 1] = 8; }}},
      {"the rooms of slots are wrong", {"needs of no level", storing([](auto& r) { r.need_count = 0; })}},
      {"the rooms of slots are wrong", {"needs of another level", storing([](auto& r) { --r.need_count; })}},
      {"the needs of a tree do not match its nodes",
       {"a room of other bytes",
        [](Parts& all) { Records<std::uint32_t>(all, SectionId::slot_rooms)[need_count_of(all) - 1] += 8; }}},
      {"the needs of a tree do not match its nodes",
       {"a need of other bytes at the first level",
        [](Parts& all) { Records<std::uint32_t>(all, SectionId::tree_needs)[0] += 8; }}},
      {"a slot's room is wrong", {"another budget", slot([](auto& r) { r.budget_bytes = 8; })}},
      {"the rooms of slots are wrong", {"a room of no slot", one_more<std::uint32_t>(SectionId::slot_rooms)}},
      {wrong_group, {"no roles at all", group([](auto& r) { r.role_count = 0; })}},
      {wrong_group, {"too many roles", group([](auto& r) { r.role_count = 17; })}},
      {"a group's roles do not match its node", {"a role too many", group([](auto& r) { ++r.role_count; })}},
      {wrong_group, {"another way to leave", group([](auto& r) { r.on_leave = 3; })}},
      {wrong_group, {"a time beyond all", group([](auto& r) { r.timeout_us = layout::kMaxTimeUs + 1; })}},
      {wrong_group, {"a reserved field", group([](auto& r) { r.reserved = 1; })}},
      {"barriers are not consecutive", {"the next one's barriers", group([](auto& r) { ++r.first_barrier; })}},
      {"barriers are not consecutive", {"barriers beyond all", group([](auto& r) { r.barrier_count = kFar; })}},
      {"barriers are not consecutive", {"a group of nobody", one_more<layout::Group>(SectionId::groups)}},
      {"records are not referenced by anything",
       {"a barrier of nobody", one_more<layout::Barrier>(SectionId::barriers)}},
      {"role number of a barrier out of range",
       {"a third role", record<layout::Barrier>(SectionId::barriers, [](auto& r) { r.roles = 4; })}},
      {"name offset out of range",
       {"a barrier without a name", record<layout::Barrier>(SectionId::barriers, [](auto& r) { r.name = kFar; })}},
      {"name offset out of range", {"a slot without a name", slot([](auto& r) { r.name = kFar; })}},
      {"the trees that slots accept are not consecutive",
       {"another slot's trees", slot([](auto& r) { ++r.first_accepted; })}},
      {"the trees that slots accept are not consecutive",
       {"trees beyond all", slot([](auto& r) { r.accepted_count = kFar; })}},
      {"records are not referenced by anything", {"a tree too many", one_more<std::uint32_t>(SectionId::accepts)}},
      {other_tree, {"a tree beyond all", record<std::uint32_t>(SectionId::accepts, [](auto& r) { r = 2; })}},
      {wrong_size, {"a larger agent", tree([](auto& r) { r.agent_bytes += 8; })}},
      {"a shared block's size is wrong", {"a smaller shared block", tree([](auto& r) { r.shared_bytes -= 8; })}},
      {"a shared block's size is wrong", {"a tree of nobody", one_more<layout::StoreTree>(SectionId::store_trees)}},
      {"a shared block's size is wrong", {"a group elsewhere", group([](auto& r) { r.shared_offset += 8; })}},
      {"barriers are not consecutive", {"a group of nobody", one_more<layout::Group>(SectionId::groups)}},
      {"records are not referenced by anything", {"needs of nobody", one_more<std::uint32_t>(SectionId::tree_needs)}},
  };
}

// A monitor of a node with one child.
Parts watching(Opcode opcode, test::Operands operands) {
  DraftProject project;
  DraftTree& tree = project.trees.emplace_back();
  tree.name = "T";
  tree.parts = ir::Storing{8, {}};
  ir::Behavior action;
  action.name = "a";
  Draft watched =
      test::node_of(opcode, {}, std::move(operands), {test::node_of(opcode::store_action, {}, {std::move(action)})});
  tree.root = test::node_of(opcode::store_monitor, {}, {}, {std::move(watched)});
  return test::take_apart(test::unopened_bytes(project));
}

}  // namespace

TEST_CASE("what holds something stands below no monitor") {
  CHECK(reason_of(watching(opcode::store_invert, {})).empty());
  const char* misplaced = "a node is not allowed below its parent";
  CHECK(reason_of(watching(opcode::store_gate, {ir::Limit{1, {}}})) == misplaced);
  CHECK(reason_of(watching(opcode::store_cooldown_all, {ir::Duration{50, 0}})) == misplaced);
}

TEST_CASE("each promise of the format about nodes that store is held") {
  test::hold(test::small_store_asset(true), breaches_of_nodes());
}

TEST_CASE("each promise of the format about trees that store is held") {
  test::hold(test::small_store_asset(true), breaches_of_trees());
}

}  // namespace runtime_verify_store
