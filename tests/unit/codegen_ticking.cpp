// How trees that tick are laid out: nodes, records, agents' blocks.
#include <cstring>
#include <iterator>
#include <set>

#include "codegen/compile.h"
#include "codegen/dump/listing.h"
#include "codegen_trees.h"
#include "payloads.h"
#include "rules/assets.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/tick/agent.h"
#include "unit.h"

namespace codegen_ticking {

namespace {

using namespace espalier;
using namespace espalier::opcode;
using test::compiled;
using test::findings_of;

constexpr std::uint64_t kAlways = std::uint64_t{1} << 53;

test::Operands limited(std::uint32_t maximum, std::string scope = {}) { return {ir::Limit{maximum, std::move(scope)}}; }

// A tree whose root `make` gives.
template <typename Make>
test::DraftTree tree_of(const Make& make) {
  test::DraftTree tree = test::ticking_tree("T");
  tree.root = make();
  return tree;
}

test::DraftTree row_of(Opcode parent, std::size_t count, Opcode child) {
  return tree_of([&] {
    std::vector<test::Draft> children;
    for (std::size_t i = 0; i < count; ++i) children.push_back(test::tick_node(child, "Act"));
    return test::tick_node(parent, "Row", std::move(children));
  });
}

std::size_t agent_bytes_of(const test::DraftTree& tree) {
  const test::Compiled asset = compiled({tree});
  return agent_bytes(espalier::tree(asset.asset, 0));
}

std::uint32_t state_bytes_of(const test::DraftTree& tree) {
  const test::Compiled asset = compiled({tree});
  return unit_record(espalier::tree(asset.asset, 0)).state_bytes;
}

// The offsets of the states of the nodes with one opcode, in the order of the nodes.
std::vector<std::uint32_t> offsets_of(const test::Compiled& asset, Opcode opcode) {
  std::vector<std::uint32_t> offsets;
  codegen::visit_unit(asset.asset, 0, [&](const codegen::NodeView& node, std::size_t) {
    if (node.opcode == opcode) offsets.push_back(node.agent_offset);
  });
  return offsets;
}

}  // namespace

TEST_CASE("a tree with every node kind is compiled and verified") {
  const test::Compiled asset = compiled({test::soldier()});
  std::set<Opcode> seen;
  codegen::visit_unit(asset.asset, 0, [&](const codegen::NodeView& node, std::size_t) { seen.insert(node.opcode); });
  for (const OpcodeRow& row : OpcodesOf<EngineId::tick>::rows) {
    INFO(opcode_name(row.opcode));
    CHECK(seen.contains(row.opcode));
  }
  CHECK(seen.size() == std::size(OpcodesOf<EngineId::tick>::rows));
}

TEST_CASE("each node knows how many words back its parent begins") {
  const test::Compiled asset = compiled({test::soldier(), test::soldier()});
  for (std::uint32_t unit = 0; unit < 2; ++unit) {
    std::vector<std::uint32_t> path;
    codegen::visit_unit(asset.asset, unit, [&](const codegen::NodeView& node, std::size_t depth) {
      path.resize(depth);
      const std::uint32_t back = *codegen::operand(node, OperandKind::parent);
      CHECK(back == (path.empty() ? 0 : node.word - path.back()));
      path.push_back(node.word);
    });
  }
}

TEST_CASE("an agent of a sequence of a hundred actions has no more bytes than one of two") {
  for (const Opcode parent : {tick_sequence, tick_selector}) {
    CHECK(agent_bytes_of(row_of(parent, 100, tick_action)) == agent_bytes_of(row_of(parent, 2, tick_action)));
    CHECK(state_bytes_of(row_of(parent, 100, tick_wait)) == 8);
  }
}

TEST_CASE("nodes that are never active together keep their state in the same bytes") {
  const test::Compiled asset = compiled({tree_of([] {
    return test::tick_node(
        tick_selector, "",
        {test::tick_node(tick_loop, "", {test::tick_node(tick_wait, "")}, limited(2)), test::tick_node(tick_wait, ""),
         test::tick_node(tick_loop, "", {test::tick_node(tick_wait, "")}, limited(0))});
  })});
  CHECK(offsets_of(asset, tick_wait) == std::vector<std::uint32_t>{1, 0, 0});
  CHECK(unit_record(tree(asset.asset, 0)).state_bytes == 9);
}

TEST_CASE("the memory of actions begins at a multiple of eight bytes of the block, and is shared as other state is") {
  const auto action = [](const char* name, std::uint32_t memory_bytes) {
    test::Draft node = test::tick_node(tick_action, name);
    node.as<ir::Behavior>().memory_bytes = memory_bytes;
    return node;
  };
  const auto branch = [](test::Draft child) { return test::tick_node(tick_branch, "", {std::move(child)}); };
  const test::Compiled asset = compiled({tree_of([&] {
    return test::tick_node(
        tick_parallel, "",
        {branch(action("Long", 12)),
         branch(test::tick_node(tick_sequence, "",
                                {action("Short", 1), test::tick_node(tick_wait, ""), action("Long", 12)})),
         branch(action("None", 0))});
  })});
  const Tree tree = espalier::tree(asset.asset, 0);
  const std::uint32_t states = offset_bytes(part_of<EngineId::tick, PartKind::states>(tree));
  CHECK(states == 3);  // the cursor and the status come first
  // One byte of the parallel, then the memory in the block's second eight bytes; a cursor; memory in the fourth.
  CHECK(offsets_of(asset, tick_action) == std::vector<std::uint32_t>{8 - states, 24 - states, 24 - states, 0});
  CHECK(offsets_of(asset, tick_branch) == std::vector<std::uint32_t>{0, 20 - states, 0});
  CHECK(offsets_of(asset, tick_wait) == std::vector<std::uint32_t>{22 - states});
  CHECK(unit_record(tree).state_bytes == 36 - states);
  CHECK(agent_bytes(tree) == 40);
}

TEST_CASE("agents have room for the memory of actions up to the limit of a block and no more") {
  const auto many = [](std::size_t count, std::uint32_t memory_bytes) {
    return tree_of([&] {
      std::vector<test::Draft> branches;
      for (std::size_t i = 0; i < count; ++i) {
        test::Draft action = test::tick_node(tick_action, "Act");
        action.as<ir::Behavior>().memory_bytes = memory_bytes;
        branches.push_back(test::tick_node(tick_branch, "", {std::move(action)}));
      }
      return test::tick_node(tick_parallel, "", std::move(branches));
    });
  };
  CHECK(agent_bytes_of(many(1, layout::kMaxAgentBytes - 8)) == layout::kMaxAgentBytes);
  CHECK(agent_bytes_of(many(32, 2040)) == 8 + 32 * 2040);
  for (const test::DraftTree& tree :
       {many(1, layout::kMaxAgentBytes - 7), many(32, 2048), many(32, layout::kMaxMemoryBytes)}) {
    const text::Findings findings = findings_of(tree);
    REQUIRE(findings.all().size() == 1);
    CHECK(findings.all()[0].rule == rules::AST_too_large);
  }
}

TEST_CASE("branches of a parallel keep their state apart") {
  const test::Compiled asset = compiled({tree_of([] {
    const auto branch = [&](test::Draft child) { return test::tick_node(tick_branch, "", {std::move(child)}); };
    const auto wait = [&] { return test::tick_node(tick_wait, "Wait"); };
    return test::tick_node(
        tick_parallel, "Parallel",
        {branch(wait()), branch(test::tick_node(tick_sequence, "", {wait(), wait()})), branch(wait())});
  })});
  // One byte of the parallel, a wait, the cursor of the branch with a sequence, its waits in the same bytes, a wait.
  CHECK(offsets_of(asset, tick_parallel) == std::vector<std::uint32_t>{0});
  CHECK(offsets_of(asset, tick_branch) == std::vector<std::uint32_t>{0, 9, 0});
  CHECK(offsets_of(asset, tick_wait) == std::vector<std::uint32_t>{1, 11, 11, 19});
  CHECK(unit_record(tree(asset.asset, 0)).state_bytes == 27);
}

TEST_CASE("a cursor has two bytes as long as they can tell every word") {
  // A sequence has three words, and a result two.
  const struct {
    std::size_t results;
    std::uint32_t word_count;
    std::uint32_t cursor_bytes;
  } kCases[] = {{1, 5, 2}, {32765, 65533, 2}, {32766, 65535, 4}};
  for (const auto& row : kCases) {
    const test::Compiled asset = compiled({row_of(tick_sequence, row.results, tick_result)});
    CHECK(unit_record(asset.asset, 0).word_count == row.word_count);
    CHECK(find_part(tree(asset.asset, 0), PartKind::cursor)->bits == 8 * row.cursor_bytes);
  }
}

TEST_CASE("an agent keeps random numbers where a node draws, and nowhere else") {
  const struct {
    Opcode opcode;
    test::Operands operands;
    bool draws;
  } kCases[] = {
      {tick_chance_guard, {ir::Chance{0}}, false},          {tick_chance_guard, {ir::Chance{1}}, true},
      {tick_chance_guard, {ir::Chance{kAlways - 1}}, true}, {tick_chance_guard, {ir::Chance{kAlways}}, false},
      {tick_wait, {ir::Duration{1000000}}, false},          {tick_wait, {ir::Duration{1000000, 1}}, true},
      {tick_time_guard, {ir::TimeTest{{}, 1}}, false},
  };
  for (const auto& row : kCases) {
    const test::Compiled asset = compiled({tree_of([&] {
      std::vector<test::Draft> children;
      if (row.opcode != tick_wait) children.push_back(test::tick_node(tick_result, ""));
      return test::tick_node(row.opcode, "", std::move(children), row.operands);
    })});
    CHECK(find_part(tree(asset.asset, 0), PartKind::generator)->count == (row.draws ? 1 : 0));
  }
}

TEST_CASE("the parts of an agent's block lie one behind the other, the last one rounded up to eight bytes") {
  const test::Compiled asset = compiled({test::soldier()});
  const layout::Tree& record = tree_record(tree(asset.asset, 0));
  const auto offset_of = [&](PartKind kind) { return offset_bytes(*find_part(tree(asset.asset, 0), kind)); };
  CHECK(offset_of(PartKind::cursor) == 1);  // after two variables
  CHECK(offset_of(PartKind::status) == 3);
  CHECK(offset_of(PartKind::held) == 4);
  CHECK(offset_of(PartKind::generator) == 5);
  CHECK(offset_of(PartKind::timestamps) == 13);
  CHECK(offset_of(PartKind::states) == 29);
  CHECK(record.agent_bytes == (29 + unit_record(tree(asset.asset, 0)).state_bytes + 7) / 8 * 8);
  CHECK(record.shared_bytes == 8);
  CHECK(group_bytes(asset.asset) == 8);
}

TEST_CASE("an agent begins with nothing that runs and no timestamp that was ever set") {
  const test::Compiled asset = compiled({test::soldier()});
  const Tree tree = espalier::tree(asset.asset, 0);
  std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
  start(tree, block.data());
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(block.data());
  CHECK(bytes[0] == 2);  // the second variable
  for (std::uint32_t i = 1; i < block.size() * 8; ++i) {
    const bool is_cursor = i >= 1 && i < 3;
    const bool is_time = i >= 13 && i < 29;
    INFO(i);
    CHECK(bytes[i] == (is_cursor || is_time ? 0xFF : 0));
  }
  std::uint64_t time_us = 0;
  CHECK_FALSE(timestamp(tree, block.data(), 0, &time_us));
}

TEST_CASE("limits are numbered in the order of the nodes, two bytes of the shared block each") {
  const test::Compiled asset = compiled({tree_of([] {
    std::vector<test::Draft> children;
    for (int i = 0; i < 5; ++i) {
      children.push_back(test::tick_node(tick_limit, "", {test::tick_node(tick_result, "")}, limited(i + 1)));
    }
    return test::tick_node(tick_sequence, "", std::move(children));
  })});
  std::uint32_t next = 0;
  codegen::visit_unit(asset.asset, 0, [&](const codegen::NodeView& node, std::size_t) {
    if (node.opcode == tick_limit) CHECK(*codegen::operand(node, OperandKind::limit) == next++);
  });
  CHECK(next == 5);
  CHECK(shared_bytes(tree(asset.asset, 0)) == 16);
}

TEST_CASE("scopes of the whole asset are one by name, whatever the case of its letters") {
  const auto scope = [](const char* first, const char* second) {
    return tree_of([&] {
      return test::tick_node(tick_scope, "",
                             {test::tick_node(tick_scope, "", {test::tick_node(tick_result, "")}, limited(0, second))},
                             limited(0, first));
    });
  };
  test::DraftTree other = scope("COVER", "Rush");
  other.name = "U";
  const test::Compiled asset = compiled({scope("Cover", "cover"), other, row_of(tick_sequence, 1, tick_result)});
  REQUIRE(codegen::scope_count(asset.asset) == 2);
  CHECK(codegen::scope_name(asset.asset, 0) == "Cover");
  CHECK(codegen::scope_name(asset.asset, 1) == "Rush");
  CHECK(find_part(tree(asset.asset, 1), PartKind::held)->count == 2);
  CHECK(find_part(tree(asset.asset, 2), PartKind::held)->count == 0);
}

TEST_CASE("equal numbers, scripts and conditions stand in the asset once") {
  test::DraftTree second = test::soldier();
  second.name = "Soldier2";
  const test::Compiled one = compiled({test::soldier()});
  const test::Compiled two = compiled({test::soldier(), second});
  CHECK(script_count(one.asset) == 2);
  CHECK(script_count(two.asset) == 2);
  using layout::SectionId;
  for (const SectionId id : {SectionId::numbers, SectionId::conditions, SectionId::scopes, SectionId::behaviors}) {
    CHECK(record_count(one.asset, id) == record_count(two.asset, id));
  }
}

TEST_CASE("an asset of trees that select has no section of those that tick") {
  const test::Compiled asset = compiled({test::guard()});
  using layout::SectionId;
  CHECK(section_of(asset.asset, SectionId::leaves).records != nullptr);
  for (const SectionId id : {SectionId::ticking, SectionId::timestamps, SectionId::event_transitions,
                             SectionId::numbers, SectionId::parameters, SectionId::scripts, SectionId::scopes}) {
    CHECK(section_of(asset.asset, id).records == nullptr);
  }
}

TEST_CASE("trees of both engines stand in one asset") {
  test::DraftTree last = test::guard();
  last.name = "Watchman";
  const test::Compiled asset = compiled({test::guard(), test::soldier(), last});
  REQUIRE(tree_count(asset.asset) == 3);
  CHECK_FALSE(is_ticking(tree(asset.asset, 0)));
  CHECK(is_ticking(tree(asset.asset, 1)));
  CHECK(leaf_count(tree(asset.asset, 1)) == 0);
  CHECK_FALSE(is_ticking(tree(asset.asset, 2)));
  CHECK(leaf_count(tree(asset.asset, 2)) == leaf_count(tree(asset.asset, 0)));
}

TEST_CASE("a node with the payload of another kind does not compile silently") {
  test::DraftTree tree = row_of(tick_sequence, 1, tick_wait);
  CHECK(tree.root.children[0].as_if<ir::Limit>() == nullptr);
  tree.root.children[0].payload = ir::Limit{3, {}};
  CHECK_THROWS_AS(compiled({tree}), std::bad_variant_access);
}

TEST_CASE("trees that pass a limit are findings") {
  const auto nested = [](std::size_t depth) {
    return tree_of([&] {
      test::Draft node = test::tick_node(tick_result, "");
      for (std::size_t i = 1; i < depth; ++i) {
        std::vector<test::Draft> children;
        children.push_back(std::move(node));
        node = test::tick_node(tick_suppress, "", std::move(children));
      }
      return node;
    });
  };
  const auto nested_parallels = [](std::size_t depth) {
    return tree_of([&] {
      test::Draft node = test::tick_node(tick_result, "");
      for (std::size_t i = 0; i < 2 * depth; ++i) {
        std::vector<test::Draft> children;
        children.push_back(std::move(node));
        node = test::tick_node(i % 2 == 0 ? tick_branch : tick_parallel, "", std::move(children));
      }
      return node;
    });
  };
  CHECK(agent_bytes_of(nested(layout::kMaxTickDepth)) == 8);
  CHECK(state_bytes_of(nested_parallels(layout::kMaxRegions)) == 3 * layout::kMaxRegions - 2);
  CHECK(agent_bytes_of(row_of(tick_sequence, layout::kMaxNodes - 1, tick_result)) == 8);
  test::DraftTree much_to_know = row_of(tick_sequence, 1, tick_result);
  much_to_know.signals = {{"E", {}, {}}};
  much_to_know.as<ir::Ticking>().timestamps.resize(layout::kMaxAgentBytes / 8);
  const test::DraftTree kTrees[] = {nested(layout::kMaxTickDepth + 1),
                                    row_of(tick_sequence, layout::kMaxNodes, tick_result),
                                    nested_parallels(layout::kMaxRegions + 1), much_to_know};
  for (const test::DraftTree& tree : kTrees) {
    const text::Findings findings = findings_of(tree);
    REQUIRE(findings.all().size() == 1);
    CHECK(findings.all()[0].rule == rules::AST_too_large);
  }
}

}  // namespace codegen_ticking
