// How trees that store their results are laid out: nodes, instances, groups, slots, what they need, and what does not
// fit.
#include <algorithm>

#include "codegen/compile.h"
#include "codegen/dump/listing.h"
#include "codegen_store_trees.h"
#include "codegen_trees.h"
#include "ir/store_needs.h"
#include "payloads.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/store/tree.h"
#include "unit.h"

namespace codegen_store {

namespace {

using namespace espalier;
using namespace espalier::opcode;
using layout::SectionId;

const layout::StoreTree& record_of(const Asset& asset, std::uint32_t tree) {
  return records<layout::StoreTree>(asset, SectionId::store_trees)[tree];
}

}  // namespace

TEST_CASE("an instance has its times first, then counts, places and results, and is a multiple of 8") {
  test::Compiled compiled;
  test::compile(test::fighters(), compiled);
  const layout::StoreTree& record = record_of(compiled.asset, 0);
  // A cooldown and a group with a timeout; repeat, monitor, four barriers and four slots; two groups.
  CHECK(unit_record(tree(compiled.asset, 0)).node_count == 39);
  const layout::Part* parts = parts_of(compiled.asset, tree_record(tree(compiled.asset, 0)));
  const std::uint32_t begin = instance_offset(parts);
  const auto offset_of = [&](PartKind kind) { return offset_bytes(*find_part(tree(compiled.asset, 0), kind)) - begin; };
  CHECK(offset_of(PartKind::results) == 2 * 8 + (1 + 1 + 4 + 4 * 2) * 2 + 2);
  CHECK(offset_of(PartKind::rooms) == 56);
  CHECK(record.child_count == 4);
}

TEST_CASE("what a tree needs counts the rooms of its slots, one level further down, to its maxDepth") {
  test::Compiled compiled;
  test::compile(test::fighters(), compiled);
  const Asset& asset = compiled.asset;
  const std::uint32_t* needs = array<std::uint32_t>(asset, SectionId::tree_needs);
  const std::uint32_t* fight = needs + record_of(asset, 0).first_need;
  // Twice the largest of all, a budget of 60 that holds 56, and Hide, which itself has a slot.
  CHECK(std::vector<std::uint32_t>(fight, fight + 3) ==
        std::vector<std::uint32_t>{56, 56 + 2 * 56 + 56 + 8, 56 + 2 * 232 + 56 + 16});
  CHECK(agent_bytes(tree(asset, 0)) == 16 + 592);
  CHECK(agent_bytes(tree(asset, 2)) == 16);
}

namespace {

// A tree with eight nodes of one slot, in which it and another tree can run.
test::DraftProject hydra(std::size_t node_count_of_other) {
  test::DraftProject project;
  test::DraftTree tree = test::store_tree("Hydra");
  std::vector<test::Draft> heads;
  heads.reserve(8);
  for (int i = 0; i < 8; ++i) heads.push_back(test::store_slot("s"));
  tree.root = test::store_node(store_selector, {}, std::move(heads));
  test::DraftTree other = test::store_tree("Other");
  std::vector<test::Draft> children;
  children.reserve(node_count_of_other);
  while (children.size() + 1 < node_count_of_other) {
    children.push_back(test::store_node(opcode::store_action, "Act"));
  }
  other.root = test::store_node(store_sequence, {}, std::move(children));
  project.trees = {std::move(tree), std::move(other)};
  project.slots = {test::open_slot("s")};
  return project;
}

}  // namespace

TEST_CASE("an agent has rooms for as many levels as 65,535 bytes hold, and never for more than its maxDepth") {
  test::Compiled compiled;
  test::DraftProject project = hydra(2);
  test::compile(project, compiled);
  CHECK(record_of(compiled.asset, 0).level_count == 4);
  CHECK(agent_bytes(tree(compiled.asset, 0)) == 8 + 40 * (1 + 8 + 8 * 8 + 8 * 8 * 8));
  CHECK(record_of(compiled.asset, 1).level_count == 8);
  project.trees[0].as<ir::Storing>().max_depth = 3;
  test::Compiled lower;
  test::compile(project, lower);
  CHECK(record_of(lower.asset, 0).level_count == 3);
}

TEST_CASE("an agent that has no room for two levels is an error that asks for a budget, and one of a budget is none") {
  test::DraftProject project = hydra(40000);
  text::Sources sources;
  sources.add("trees.xml", std::string(1000, '\n'));
  text::Findings findings;
  std::size_t size_bytes = 0;
  CHECK(codegen::compile(project, sources, {}, findings, &size_bytes).empty());
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].message.find("'Hydra' with the trees in its slots would take 80048 bytes") !=
        std::string::npos);
  CHECK(findings.all()[0].hint.find("'budget'") != std::string::npos);
  project.slots = {test::slot_of_budget("s", 1001)};
  test::Compiled compiled;
  test::compile(project, compiled);
  CHECK(agent_bytes(tree(compiled.asset, 0)) == 8 + 40 + 8 * 1000);
}

TEST_CASE("a budget of a slot is no larger for the levels below it, and nothing fits 0") {
  test::DraftProject project = hydra(2);
  project.slots = {test::slot_of_budget("s", 7)};
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::uint32_t* rooms = array<std::uint32_t>(compiled.asset, SectionId::slot_rooms);
  CHECK(std::all_of(rooms, rooms + need_count(compiled.asset), [](std::uint32_t room) { return room == 0; }));
  CHECK(agent_bytes(tree(compiled.asset, 0)) == 8 + 40);
}

TEST_CASE("with a tree go all that its slots can reach, and no other slots") {
  const ir::Project project = test::fighters();
  const ir::StoreNeeds needs = ir::store_needs(project);
  const auto reached = [&](std::uint32_t tree) { return ir::with_reached(project, needs, {&tree, 1}); };
  const ir::Project hide = reached(1);
  REQUIRE(hide.trees.size() == 2);
  CHECK(hide.trees[1].name == "Rest");
  REQUIRE(hide.slots.size() == 1);
  CHECK(hide.slots[0].name == "hands");
  CHECK(reached(0).trees.size() == 3);
  CHECK(reached(2).slots.empty());
}

}  // namespace codegen_store
