// The verifier, rule by rule: assets that are correct except for one record, made by hand. Each row breaks one promise
// that updates rely on.
#include <functional>
#include <string>
#include <vector>

#include "payloads.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/select.h"
#include "runtime/format/short_condition.h"
#include "runtime_assets.h"
#include "runtime_breaches.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_verify {

namespace {

using namespace espalier;
using namespace espalier::test;
using layout::SectionId;
using test::Records;

std::function<void(Parts&)> test_record(std::function<void(layout::Test&)> change) {
  return record(SectionId::tests, std::move(change));
}

// Adds a separate condition; returns it as an operand.
std::uint32_t add_condition(Parts& parts, const std::vector<layout::Test>& made, std::uint32_t variable_count) {
  Records<layout::Condition> conditions(parts, SectionId::conditions);
  Records<layout::Test> tests(parts, SectionId::tests);
  conditions->push_back(
      {static_cast<std::uint32_t>(tests->size()), static_cast<std::uint32_t>(made.size()), variable_count});
  tests->insert(tests->end(), made.begin(), made.end());
  return static_cast<std::uint32_t>(conditions->size());
}

constexpr auto kAll = static_cast<std::uint8_t>(layout::TestOp::all);
constexpr auto kCombine = static_cast<std::uint8_t>(layout::TestOp::combine);
constexpr auto kSet = static_cast<std::uint8_t>(layout::CombineOp::set);
constexpr auto kDiffer = static_cast<std::uint8_t>(layout::CombineOp::differ);
constexpr auto kAside = static_cast<std::uint8_t>(layout::CombineOp::aside);

void drop_last_variable(Parts& parts) {
  Records<layout::Variable>(parts, SectionId::variables)->pop_back();
  --Records<layout::Part>(parts, SectionId::parts)[0].count;
}

void assign_from_variable_beyond(Parts& parts) {
  const std::uint32_t condition = add_condition(parts, {{kAll, kSet, 1, 4, 4}}, 35);
  Records<layout::Assignment>(parts, SectionId::assignments)[0].condition = condition;
}

void begin_with_a_leaf(Parts& parts) {
  const std::uint32_t offset_bits = Records<layout::Part>(parts, SectionId::parts)[1].offset_bits;
  parts[SectionId::images].at(offset_bits / 8) = 0;
}

void turn_places_around(Parts& parts) {
  Records<layout::NodeLocation> places(parts, SectionId::node_locations);
  std::swap(places[0], places[1]);
}

std::vector<Breach> all_breaches() {
  constexpr std::uint32_t kFar = 0x00FFFFFF;
  const auto add_one = [](std::uint32_t& word) { ++word; };
  return {
      {"names without an end", [](Parts& parts) { parts[SectionId::names].back() = 'x'; }},
      {"no names", [](Parts& parts) { parts[SectionId::names].clear(); }},
      {"a section that is missing", [](Parts& parts) { parts.erase(SectionId::leaves); }},
      {"half a record", [](Parts& parts) { parts[SectionId::tests].push_back(0); }},
      {"a record too many", test::one_more<layout::Test>(SectionId::tests)},
      {"a behaviour without a name", record<layout::Behavior>(SectionId::behaviors, [](auto& r) { r.name = kFar; })},
      {"a leaf without a behaviour", record<std::uint16_t>(SectionId::leaves, [](auto& r) { r = 0xFFFF; })},
      {"a variable without a name", record<layout::Variable>(SectionId::variables, [](auto& r) { r.name = kFar; })},
      {"a variable that begins with 2", record<layout::Variable>(SectionId::variables, [](auto& r) { r.initial = 2; })},
      {"a signal without a name", record<layout::Signal>(SectionId::signals, [](auto& r) { r.name = kFar; })},
      {"a signal with the next one's assignments",
       record<layout::Signal>(SectionId::signals, [](auto& r) { ++r.first_assignment; })},
      {"a signal with too many assignments",
       record<layout::Signal>(SectionId::signals, [](auto& r) { r.assignment_count = kFar; })},
      {"an assignment of no variable",
       record<layout::Assignment>(SectionId::assignments, [](auto& r) { r.variable = 34; })},
      {"an assignment of no condition",
       record<layout::Assignment>(SectionId::assignments, [](auto& r) { r.condition = 100; })},

      {"a tree without a name", tree([](auto& r) { r.name = kFar; })},
      {"a tree without a unit", tree([](auto& r) { r.unit = 100; })},
      {"a tree with the root of another", tree([](auto& r) { r.unit = 0; })},
      {"a tree with a leaf too many", tree([](auto& r) { ++r.leaf_count; })},
      {"a tree with a variable too few", part(PartKind::variables, [](auto& r) { --r.count; })},
      {"a tree with a variable too many", part(PartKind::variables, [](auto& r) { ++r.count; })},
      {"a tree with the next one's variables", part(PartKind::variables, [](auto& r) { ++r.first_name; })},
      {"a tree with the next one's parts", tree([](auto& r) { ++r.first_part; })},
      {"a tree without parts", [](Parts& parts) { parts[SectionId::parts].clear(); }},
      {"a part of no tree", test::one_more<layout::Part>(SectionId::parts)},
      {"a part of another kind", part(PartKind::leaf, [](auto& r) { r.kind = 0; })},
      {"a part with a reserved field", part(PartKind::leaf, [](auto& r) { r.reserved = 1; })},
      {"a part with names that it cannot have", part(PartKind::leaf, [](auto& r) { r.first_name = 1; })},
      {"two leaves", part(PartKind::leaf, [](auto& r) { r.count = 2; })},
      {"a leaf of 14 bits", part(PartKind::leaf, [](auto& r) { r.bits = 14; })},
      {"a leaf of 16 bits over the bit behind it", part(PartKind::leaf, [](auto& r) { r.bits = 16; })},
      {"an agent of no bytes", tree([](auto& r) { r.agent_bytes = 0; })},
      {"an agent of half a word", tree([](auto& r) { r.agent_bytes -= 4; })},
      {"an agent of more bytes than its image", tree([](auto& r) { r.agent_bytes += 8; })},
      {"a leaf among the variables", part(PartKind::leaf, [](auto& r) { r.offset_bits = 0; })},
      {"a leaf elsewhere", part(PartKind::leaf, [](auto& r) { r.offset_bits += 8; })},
      {"a leaf that leaves the block", part(PartKind::leaf, [](auto& r) { r.offset_bits = kFar; })},
      {"states among the variables", part(PartKind::states, [](auto& r) { r.offset_bits = 0; })},
      {"states that leave the block", part(PartKind::states, [](auto& r) { r.count = kFar; })},
      {"a state too few", part(PartKind::states, [](auto& r) { --r.count; })},
      {"a tree of no engine", tree([](auto& r) { r.engine = 6; })},
      {"a tree of another engine", tree([](auto& r) { r.engine = 1; })},
      {"a tree of no dialect", tree([](auto& r) { r.dialect = 6; })},
      {"a tree with a reserved field", tree([](auto& r) { r.reserved = 1; })},
      {"a status that is a variable", part(PartKind::status, [](auto& r) { r.offset_bits = 33; })},
      {"a status in the leaf", part(PartKind::status, [](auto& r) { --r.offset_bits; })},
      {"no image of an agent that does not begin with zeros", tree([](auto& r) { r.image = layout::kNone; })},
      {"an agent that begins with a leaf", begin_with_a_leaf},
      {"a tree with a shared block", tree([](auto& r) { r.shared_bytes = 8; })},
      {"a tree with a record of an engine that has none", tree([](auto& r) { r.record = 1; })},

      {"a unit with a word too many", unit([](auto& r) { ++r.word_count; })},
      {"a unit with a node too many", unit([](auto& r) { ++r.node_count; })},
      {"a unit with a leaf too many", unit([](auto& r) { ++r.leaf_count; })},
      {"a unit with a state too many", unit([](auto& r) { ++r.state_bytes; })},
      {"a unit with a region too many", unit([](auto& r) { ++r.region_count; })},
      {"a unit with a variable too few", unit([](auto& r) { --r.variable_count; })},
      {"a unit of one tree", unit([](auto& r) { r.tree = 0; })},
      {"a unit with another first use", unit([](auto& r) { r.first_reference = 1; })},
      {"a unit with uses", unit([](auto& r) { r.reference_count = 1; })},

      {"no such opcode", node_word(opcode::select_leaf, 0, [](auto& word) { word |= 0xFF; })},
      {"flags of a node that has none", node_word(opcode::select_leaf, 0, [](auto& word) { word |= 0x100; })},
      {"a state of another number", node_word(opcode::select_state, 0, [](auto& word) { word ^= 0x100; })},
      {"a state offset of another machine", node_word(opcode::select_machine, 0, [](auto& word) { word += 0x10000; })},
      {"a state offset of a node that has none",
       node_word(opcode::select_priority, 0, [](auto& word) { word |= 0x10000; })},
      {"an extent of nothing", test::extent(opcode::select_state, 0)},
      {"an extent that is too short", node_word(opcode::select_priority, 2, [](auto& word) { --word; })},
      {"an extent that is too long", node_word(opcode::select_priority, 2, add_one)},
      {"a state that is longer than its machine", test::extent(opcode::select_state, kFar)},
      {"no such condition", operand(opcode::select_leaf, 0, 100)},
      {"a short condition without a table", operand(opcode::select_leaf, 0, kShortCondition)},
      {"a short condition of always", operand(opcode::select_leaf, 0, kShortCondition | 0xFF << kShortTableShift)},
      {"a short condition that is no row of operators",
       operand(opcode::select_leaf, 0, kShortCondition | 0xE8 << kShortTableShift)},
      {"a short condition with a reserved bit",
       operand(opcode::select_leaf, 0, kShortCondition | 1 << 26 | 0xAA << kShortTableShift)},
      {"a short condition of one variable and a second",
       operand(opcode::select_leaf, 0, kShortCondition | 1 << 6 | 0xAA << kShortTableShift)},
      {"a short condition of a variable that its tree has not",
       operand(opcode::select_leaf, 0, kShortCondition | 63 | 0xAA << kShortTableShift)},
      {"a leaf of another number", node_word(opcode::select_leaf, 0, [](auto& word) { word += 0x10000; })},
      {"a machine that begins with another leaf", node_word(opcode::select_machine, 2, add_one)},
      {"a machine with a leaf too many", node_word(opcode::select_machine, 3, add_one)},
      {"a state with other transitions", node_word(opcode::select_state, 1, add_one)},
      {"a state with too many transitions", operand(opcode::select_state, 1, kFar)},
      {"no such unit", operand(opcode::select_share, 1, 100)},
      {"a unit that stands in itself", operand(opcode::select_share, 1, 1)},
      {"a share of another leaf", node_word(opcode::select_share, 3, add_one)},
      {"a transition to no state", record<layout::Transition>(SectionId::transitions, [](auto& r) { r.state = 2; })},
      {"a transition to a state beyond all",
       record<layout::Transition>(SectionId::transitions, [](auto& r) { r.state = 32; })},
      {"a transition of no condition",
       record<layout::Transition>(SectionId::transitions, [](auto& r) { r.condition = 100; })},

      {"a condition of no tests", record<layout::Condition>(SectionId::conditions, [](auto& r) { r.test_count = 0; })},
      {"a condition of too many tests",
       record<layout::Condition>(SectionId::conditions, [](auto& r) { r.test_count = kFar; })},
      {"a condition of the next one's tests",
       record<layout::Condition>(SectionId::conditions, [](auto& r) { ++r.first_test; })},
      {"a condition with a variable too few",
       record<layout::Condition>(SectionId::conditions, [](auto& r) { --r.variable_count; })},
      {"a variable that a node reads and its tree has not", drop_last_variable},
      {"a variable that a signal reads and its tree has not", assign_from_variable_beyond},
      {"a test of nothing in a word beyond the agent",
       [](Parts& parts) {
         add_condition(parts, {{kAll, kSet, 0xFFFF, 0, 0}}, 0);
       }},
      {"a result taken before it is put aside",
       [](Parts& parts) {
         add_condition(parts, {{kAll, kSet, 0, 1, 1}, {kCombine, kDiffer, 0, 0, 0}, {kAll, kAside, 0, 1, 1}}, 1);
       }},
      {"a result that is put aside and left there",
       [](Parts& parts) {
         add_condition(parts, {{kAll, kSet, 0, 1, 1}, {kAll, kAside, 0, 1, 1}}, 1);
       }},
      {"a condition that begins twice",
       [](Parts& parts) {
         add_condition(parts, {{kAll, kSet, 0, 1, 1}, {kAll, kSet, 0, 1, 1}}, 1);
       }},
      {"no such test", test_record([](auto& r) { r.test = 3; })},
      {"no such combination", test_record([](auto& r) { r.combine = 6; })},
      {"a first test that combines", test_record([](auto& r) { r.combine = 1; })},
      {"a value outside the mask", test_record([](auto& r) { r.value = ~r.mask; })},
      {"a test of a word beyond the agent", test_record([](auto& r) { r.word = 0xFFFF; })},
      {"a result that was never put aside", test_record([](auto& r) {
         r = {static_cast<std::uint8_t>(layout::TestOp::combine), 0, 0, 0, 0};
       })},

      {"a file without a name", record<layout::File>(SectionId::files, [](auto& r) { r.name = kFar; })},
      {"a place of no node", record<layout::NodeLocation>(SectionId::node_locations, [](auto& r) { r.word = kFar; })},
      {"a place without a name",
       record<layout::NodeLocation>(SectionId::node_locations, [](auto& r) { r.name = kFar; })},
      {"a place in no file", record<layout::NodeLocation>(SectionId::node_locations, [](auto& r) { r.file = 1; })},
      {"debug names without an end", [](Parts& parts) { parts[SectionId::debug_names].back() = 'x'; }},
      {"places out of order", turn_places_around},
      {"half of the debug data", [](Parts& parts) { parts.erase(SectionId::files); }},
  };
}

// ---- Assets made of words
// --------------------------------------------------------------------------------------------------

// A tree without variables whose only unit is these nodes.
Parts parts_of(const std::vector<std::uint32_t>& words, const layout::Unit& sums) {
  DraftProject project;
  project.trees.emplace_back();
  project.trees[0].name = "T";
  project.trees[0].root.opcode = opcode::select_priority;
  test::Compiled compiled;
  test::compile(project, compiled, true);
  const auto* bytes = reinterpret_cast<const unsigned char*>(compiled.words.data());
  Parts parts = test::take_apart(Bytes(bytes, bytes + compiled.size_bytes));
  *Records<std::uint32_t>(parts, SectionId::nodes) = words;
  Records<layout::Unit> units(parts, SectionId::units);
  units[0] = sums;
  units[0].tree = layout::kNone;
  units[0].word_count = static_cast<std::uint32_t>(words.size());
  return parts;
}

// Nested priorities.
Parts nested_priorities(std::uint32_t depth) {
  constexpr std::uint32_t kWords = own_words<opcode::select_priority>();
  std::vector<std::uint32_t> words;
  for (std::uint32_t i = 0; i < depth; ++i) {
    words.insert(words.end(), {static_cast<std::uint32_t>(opcode::select_priority), 0, (depth - i) * kWords});
  }
  layout::Unit sums = {};
  sums.node_count = depth;
  return parts_of(words, sums);
}

// A unit without nodes, and `count` more that each refer `width` times to the one before.
Parts shared_units(std::uint32_t count, std::uint32_t width) {
  Parts parts = nested_priorities(1);
  std::uint32_t nodes = 1;
  {
    Records<std::uint32_t> words(parts, SectionId::nodes);
    Records<layout::Unit> units(parts, SectionId::units);
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto first = static_cast<std::uint32_t>(words->size());
      words->insert(words->end(), {static_cast<std::uint32_t>(opcode::select_priority), 0, 3 + 4 * width});
      for (std::uint32_t j = 0; j < width; ++j) {
        words->insert(words->end(), {static_cast<std::uint32_t>(opcode::select_share), 0, i, 0});
      }
      nodes = nodes * width + 1;
      units->push_back({first, 3 + 4 * width, nodes, 0, 0, i + 1, 0, layout::kNone, 0, 0, 0});
    }
    Records<layout::Tree>(parts, SectionId::trees)[0].unit = count;
  }
  return parts;
}

// One more condition: `depth` results are stored, then used.
Parts put_aside(std::uint32_t depth) {
  Parts parts = test::take_apart(test::small_asset(true));
  std::vector<layout::Test> tests = {{kAll, kSet, 0, 1, 1}};
  tests.insert(tests.end(), depth, {kAll, kAside, 0, 1, 1});
  tests.insert(tests.end(), depth, {kCombine, kDiffer, 0, 0, 0});
  add_condition(parts, tests, 1);
  return parts;
}

}  // namespace

TEST_CASE("an asset that is taken apart and put together is the same") {
  const Bytes whole = test::small_asset(false);
  CHECK(test::assemble(test::take_apart(whole)) == whole);
}

TEST_CASE("each promise of the format is held") {
  const Parts whole = test::take_apart(test::small_asset(false));
  for (const Breach& breach : all_breaches()) {
    INFO(breach.name);
    Parts parts = whole;
    breach.make(parts);
    const Bytes bytes = test::assemble(parts);
    REQUIRE(parts != whole);
    CHECK(test::open_and_run(bytes) == Status::malformed);
  }
}

TEST_CASE("bytes between sections must be 0") {
  Bytes bytes = test::small_asset(true);
  REQUIRE(bytes.back() == 0);  // padding after the names
  REQUIRE(test::take_apart(bytes)[SectionId::names].size() % 8 != 0);
  bytes.back() = 1;
  test::mend_hash(bytes);
  CHECK(test::open_and_run(bytes) == Status::malformed);
}

TEST_CASE("nodes may be nested to the limit and no deeper") {
  CHECK(test::open_and_run(test::assemble(nested_priorities(layout::kMaxDepth))) == Status::ok);
  CHECK(test::open_and_run(test::assemble(nested_priorities(layout::kMaxDepth + 1))) == Status::malformed);
}

TEST_CASE("units may be entered within one another to the limit and no deeper") {
  CHECK(test::open_and_run(test::assemble(shared_units(layout::kMaxRegions, 1))) == Status::ok);
  CHECK(test::open_and_run(test::assemble(shared_units(layout::kMaxRegions + 1, 1))) == Status::malformed);
}

TEST_CASE("units that double one another are held to the limit of nodes") {
  CHECK(test::open_and_run(test::assemble(shared_units(14, 2))) == Status::ok);         // 32,767 nodes
  CHECK(test::open_and_run(test::assemble(shared_units(15, 2))) == Status::malformed);  // 65,535 nodes
  CHECK(test::open_and_run(test::assemble(shared_units(31, 2))) == Status::malformed);  // more than 32 bits count
}

TEST_CASE("a unit that is only itself is refused") {
  const std::vector<std::uint32_t> words = {static_cast<std::uint32_t>(opcode::select_share), 0, 0, 0};
  CHECK(test::open_and_run(test::assemble(parts_of(words, {}))) == Status::malformed);
}

TEST_CASE("results may be put aside to the limit and no further") {
  CHECK(test::open_and_run(test::assemble(put_aside(layout::kMaxBits))) == Status::ok);
  CHECK(test::open_and_run(test::assemble(put_aside(layout::kMaxBits + 1))) == Status::malformed);
}

}  // namespace runtime_verify
