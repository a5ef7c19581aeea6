// The verifier on trees of deciders, promise by promise: each row breaks one promise of a correct asset, and names the
// expected reason.
#include <map>
#include <string>

#include "runtime/decide/layout.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/decide.h"
#include "runtime/format/records.h"
#include "runtime_breaches.h"

namespace runtime_verify_deciders {

namespace {

using namespace espalier;
using namespace espalier::test;
using layout::SectionId;
using test::Records;

constexpr std::uint32_t kFar = 0x00FFFFFF;

std::function<void(Parts&)> deciders(std::function<void(layout::DeciderTree&)> change) {
  return record(SectionId::decider_trees, std::move(change));
}
std::function<void(Parts&)> stimulus(std::function<void(layout::Stimulus&)> change) {
  return record(SectionId::stimuli, std::move(change));
}
// The record of the first node with this opcode.
std::function<void(Parts&)> decider(Opcode opcode, std::function<void(layout::Decider&)> change) {
  return [=](Parts& parts) {
    Records<std::uint32_t> nodes(parts, SectionId::nodes);
    const std::uint32_t index = nodes[find_node(*nodes, opcode) + operand_word(opcode, OperandKind::decider)];
    change(Records<layout::Decider>(parts, SectionId::deciders)[index]);
  };
}
std::function<void(Parts&)> sums(std::function<void(layout::Decider&)> change) {
  return decider(opcode::decide_random, std::move(change));
}

std::multimap<std::string, Breach> breaches_of_nodes() {
  using namespace espalier::opcode;
  const char* sums_differ = "the totals of a decider do not match its children";
  return {
      {"unknown opcode", {"an opcode beyond all", head(decide_share, 0xFF)}},
      {"a node has another engine than its unit",
       {"a child that selects", node_word(decide_share, 0, [](auto& word) { word = 1; })}},
      {"a node's flags are wrong", {"flags of a behaviour", head(decide_behavior, 0x100)}},
      {"a node's flags are wrong", {"a group's third flag", head(decide_scored, 0x400)}},
      {"a node's number is not its position",
       {"another number", node_word(decide_scored, 0, [](auto& word) { word += 0x10000; })}},
      {"a node's extent does not match its children", {"an extent of nothing", extent(decide_shuffle, 0)}},
      {"a node has another engine than its unit", {"an extent of no whole node", extent(decide_shuffle, 6)}},
      {"a node's extent does not match its children", {"an extent beyond the parent's", extent(decide_shuffle, 5000)}},
      {"a unit has more than one root", {"a root that ends early", extent(decide_prioritized, 5)}},
      {"a node has the wrong number of children", {"a group that is empty", extent(decide_sequential, 5)}},
      {"a node's parent is wrong", {"a parent elsewhere", operand(decide_scored, 0, 10)}},
      {"a node's parent is wrong", {"a root with a parent", operand(decide_prioritized, 0, 5)}},
      {"a weight is out of range", {"a weight of nothing", operand(decide_share, 2, 0)}},
      {"a weight is out of range", {"a weight beyond all", operand(decide_share, 2, 65536)}},
      {"a unit may only use units before it", {"a share of its own unit", operand(decide_share, 1, 1)}},
      {"a unit is only a reference to another unit",
       {"a shared decider that is a share",
        [](Parts& parts) {
          Records<std::uint32_t> nodes(parts, SectionId::nodes);
          nodes[0] = static_cast<std::uint32_t>(decide_share);
        }}},
      {"deciders are not consecutive", {"the next decider", operand(decide_scored, 1, kFar)}},
      {"deciders are not consecutive", {"another decider", operand(decide_scored, 1, 0)}},
      {"precondition index out of range",
       {"a precondition beyond all", decider(decide_behavior, [](auto& r) { r.precondition = kFar; })}},
      {"condition index out of range",
       {"a Decide beyond all", decider(decide_sequential, [](auto& r) { r.decide = kFar; })}},
      {"behaviour index out of range",
       {"a behaviour beyond all", decider(decide_scored, [](auto& r) { r.behavior = kFar; })}},
      {"a decider's time is wrong",
       {"a time beyond all", decider(decide_behavior,
                                     [](auto& r) {
                                       r.every_us = 1u << 31;
                                       r.every_us <<= 20;
                                     })}},
      {"a decider's time is wrong",
       {"a time that nobody keeps", decider(decide_scored, [](auto& r) { r.every_us = 1; })}},
      {"a decider's time is wrong", {"a time of nothing", decider(decide_behavior, [](auto& r) { r.every_us = 0; })}},
      {"a decider both delegates and decides", {"a Decide of one that delegates", sums([](auto& r) { r.decide = 1; })}},
      {"a decider has memory for no behaviour", {"flags for nobody", sums([](auto& r) { r.behavior_flags = 1; })}},
      {"a decider has memory for no behaviour", {"memory of nobody", sums([](auto& r) { r.memory_bytes = 1; })}},
      {"a decider activates nothing",
       {"a decider without behaviour", decider(decide_behavior, [](auto& r) { r.behavior = 0; })}},
      {"a decider's flags are wrong",
       {"a block too large", decider(decide_scored, [](auto& r) { r.block_bytes = 65; })}},
      {"a decider's flags are wrong", {"a reserved field", decider(decide_scored, [](auto& r) { r.reserved = 1; })}},
      {sums_differ, {"another number of children", sums([](auto& r) { ++r.child_count; })}},
      {sums_differ, {"another number of levels", sums([](auto& r) { ++r.level_count; })}},
      {sums_differ, {"another path", sums([](auto& r) { r.path_bytes -= 8; })}},
      {sums_differ, {"another answer", sums([](auto& r) { r.answer_bytes -= 8; })}},
      {sums_differ, {"other scratch memory", sums([](auto& r) { r.scratch_bytes -= 8; })}},
      {sums_differ, {"others asked", sums([](auto& r) { --r.asked_count; })}},
      {sums_differ, {"more memory", decider(decide_scored, [](auto& r) { r.memory_bytes = 64; })}},
      {"the totals of a unit do not match its nodes", {"a node too many", unit([](auto& r) { ++r.node_count; })}},
      {"the totals of a unit do not match its nodes", {"state of a unit", unit([](auto& r) { ++r.state_bytes; })}},
      {"a unit belongs to another tree", {"a unit of no tree", unit([](auto& r) { r.tree = layout::kNone; })}},
      {"a unit may only use units of its engine and tree",
       {"a unit of another tree", unit([](auto& r) { r.tree = 1; })}},
      {"records are not referenced by anything",
       {"a decider of nobody", one_more<layout::Decider>(SectionId::deciders)}},
  };
}

std::multimap<std::string, Breach> breaches_of_trees() {
  using namespace espalier::opcode;
  const char* counts_differ = "a tree's counts are not those of its deciders";
  const char* too_much = "a tree of deciders is over a limit";
  const char* apart = "tree records are not consecutive";
  const char* names = "a part has the wrong names";
  const char* wrong_size = "an agent's size is wrong";
  return {
      {too_much, {"no redecides at all", deciders([](auto& r) { r.max_redecides = 0; })}},
      {too_much, {"too many redecides", deciders([](auto& r) { r.max_redecides = 256; })}},
      {"unit index out of range", {"units behind the tree's own", deciders([](auto& r) { r.first_unit = kFar; })}},
      {"deciders are not consecutive", {"a unit too few", deciders([](auto& r) { ++r.first_unit; })}},
      {counts_differ, {"another number of nodes", deciders([](auto& r) { ++r.node_count; })}},
      {counts_differ, {"a decider too few", deciders([](auto& r) { --r.decider_count; })}},
      {counts_differ, {"a tree that draws nothing", fewer_of(PartKind::generator)}},
      {counts_differ, {"a time too few", fewer_of(PartKind::timers)}},
      {counts_differ, {"a turn too few", fewer_of(PartKind::ran_last)}},
      {counts_differ, {"an order too short", fewer_of(PartKind::orders)}},
      {counts_differ, {"a level too few", fewer_of(PartKind::path)}},
      {counts_differ, {"memory too small", fewer_of(PartKind::memory)}},
      {counts_differ, {"less scratch memory", deciders([](auto& r) { r.scratch_bytes -= 8; })}},
      {"the number of timeouts does not match the stimuli", {"a timeout too few", fewer_of(PartKind::timeouts)}},
      {"deciders are not consecutive", {"the next one's deciders", deciders([](auto& r) { ++r.first_decider; })}},
      {counts_differ, {"deciders beyond all", deciders([](auto& r) { r.decider_count = kFar; })}},
      {names, {"the next one's stimuli", part(PartKind::stimuli, [](auto& r) { ++r.first_name; })}},
      {names, {"data of other stimuli", part(PartKind::stimulus_data, [](auto& r) { ++r.first_name; })}},
      {apart, {"flags beyond all", deciders([](auto& r) { r.behavior_flag_count = kFar; })}},
      {"times are not consecutive",
       {"a time of another decider", decider(decide_behavior, [](auto& r) { r.timer = 1; })}},
      {"a decider's state has the wrong offset",
       {"the next turn", decider(decide_sequential, [](auto& r) { ++r.state; })}},
      {"a decider's state has the wrong offset",
       {"the next order", decider(decide_shuffle, [](auto& r) { ++r.state; })}},
      {"a decider's state has the wrong offset",
       {"state of one without", decider(decide_scored, [](auto& r) { ++r.state; })}},
      {"a test expects bits outside its mask",
       {"a bit that is masked out",
        record<layout::Precondition>(SectionId::preconditions, [](auto& r) { r.stimuli_any.value = 4; })}},
      {"a precondition tests flags that its tree does not have",
       {"a third flag", record<layout::Precondition>(SectionId::preconditions, [](auto& r) { r.flags_any.mask = 4; })}},
      {"a precondition tests flags that its tree does not have",
       {"a third stimulus",
        record<layout::Precondition>(SectionId::preconditions, [](auto& r) { r.stimuli_all.mask = 4; })}},
      {"a decider sets flags that its tree does not have",
       {"a second behaviour flag", decider(decide_scored, [](auto& r) { r.behavior_flags = 2; })}},
      {"a stimulus is wrong", {"a stimulus without a name", stimulus([](auto& r) { r.name = kFar; })}},
      {"a stimulus is wrong", {"a timeout of another one", stimulus([](auto& r) { r.timeout = 1; })}},
      {"a stimulus is wrong", {"a timeout that nobody keeps", stimulus([](auto& r) { r.timeout = layout::kNone; })}},
      {"name offset out of range",
       {"a flag without a name",
        record<layout::BehaviorFlag>(SectionId::behavior_flags, [](auto& r) { r.name = kFar; })}},
      {"the initial block has a running node",
       {"a flag that is set", record<layout::Variable>(SectionId::variables, [](auto& r) { r.initial = 1; })}},
      {"an assignment uses a variable or timestamp that its tree does not have",
       {"a third stimulus of a signal",
        record<layout::Assignment>(SectionId::assignments, [](auto& r) { r.variable = 2; })}},
      {"an assignment uses a variable or timestamp that its tree does not have",
       {"a signal with a condition",
        record<layout::Assignment>(SectionId::assignments, [](auto& r) { r.condition = 1; })}},
      {wrong_size, {"a larger agent", tree([](auto& r) { r.agent_bytes += 8; })}},
      {"a tree of deciders says what it is not", {"a shared block", tree([](auto& r) { r.shared_bytes = 8; })}},
      {"records are not referenced by anything",
       {"a stimulus of nobody", one_more<layout::Stimulus>(SectionId::stimuli)}},
      {"records are not referenced by anything",
       {"deciders of no tree", one_more<layout::DeciderTree>(SectionId::decider_trees)}},
      {"records are not referenced by anything",
       {"a flag of nobody", one_more<layout::BehaviorFlag>(SectionId::behavior_flags)}},
  };
}

}  // namespace

TEST_CASE("each promise of the format about nodes of deciders is held") {
  test::hold(test::small_deciders_asset(true), breaches_of_nodes());
}

TEST_CASE("each promise of the format about trees of deciders is held") {
  test::hold(test::small_deciders_asset(true), breaches_of_trees());
}

}  // namespace runtime_verify_deciders
