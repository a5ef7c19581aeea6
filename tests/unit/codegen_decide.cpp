// How trees of deciders are laid out: units, records, masks, agents, and what exceeds the limits.
#include <cstring>

#include "codegen/compile.h"
#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "codegen_trees.h"
#include "payloads.h"
#include "rules/assets.h"
#include "runtime/decide/tree.h"
#include "runtime/format/opcodes/decide.h"
#include "unit.h"

namespace codegen_decide {

namespace {

using namespace espalier;
using namespace espalier::opcode;
using layout::SectionId;
using test::compiled;
using test::findings_of;

// A tree whose root has these children.
template <typename Make>
test::DraftTree tree_of(const Make& make) {
  test::DraftTree tree = test::decider_tree("T");
  std::vector<test::Draft> children = make(tree);
  tree.root = test::decider(decide_prioritized, "Root", std::move(children));
  return tree;
}

// A tree with one decider of this record below its root.
test::DraftTree tree_with(const ir::Decider& decider) {
  return tree_of(
      [&](test::DraftTree&) { return std::vector<test::Draft>{test::decider(decide_behavior, "Only", {}, decider)}; });
}

// Shared groups, each of which has the next one twice; at the end a decider.
test::DraftTree doubling(std::size_t depth, bool delegates) {
  test::DraftTree tree = test::decider_tree("T");
  tree.shared.push_back(test::decider(decide_behavior, "S0"));
  ir::Decider decider;
  decider.delegates = delegates;
  for (std::size_t i = 1; i <= depth; ++i) {
    const std::string below = tree.shared.back().name;
    tree.shared.push_back(test::decider(decide_prioritized, "S" + std::to_string(i),
                                        {test::share(tree, below), test::share(tree, below)}, decider));
  }
  tree.root = test::decider(decide_prioritized, "Root", {test::share(tree, tree.shared.back().name)});
  return tree;
}

// Nested groups, `per_unit` of them in each shared one.
test::DraftTree chain_of(std::size_t levels, std::size_t per_unit) {
  test::DraftTree tree = test::decider_tree("T");
  test::Draft node = test::decider(decide_behavior, "Last");
  for (std::size_t i = 2; i < levels; ++i) {
    node = test::decider(decide_prioritized, "G" + std::to_string(i), test::only(std::move(node)));
    if (i % per_unit != 0) continue;
    tree.shared.push_back(std::move(node));
    node = test::share(tree, tree.shared.back().name);
  }
  tree.root = test::decider(decide_prioritized, "Root", test::only(std::move(node)));
  return tree;
}

const layout::Decider* deciders(const Asset& asset) { return array<layout::Decider>(asset, SectionId::deciders); }

std::vector<std::string> strings(std::uint32_t count, std::string_view (*name)(const Asset&, std::uint32_t),
                                 const Asset& asset) {
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < count; ++i) all.emplace_back(name(asset, i));
  return all;
}

}  // namespace

TEST_CASE("a shared decider that the root reaches is a unit of its own, stored once, and the root's unit is the last") {
  const test::Compiled asset = compiled({test::creature()});
  const Tree creature = tree(asset.asset, 0);
  const DeciderTree record(creature);
  REQUIRE(record_count(asset.asset, SectionId::units) == 3);
  CHECK(record.record.first_unit == 0);
  CHECK(tree_record(creature).unit == 2);
  std::vector<std::string_view> roots;
  std::vector<std::uint32_t> shares;
  for (std::uint32_t unit = 0; unit < 3; ++unit) {
    roots.push_back(codegen::node_debug(asset.asset, unit_record(asset.asset, unit).first_word).name);
    codegen::visit_unit(asset.asset, unit, [&](const codegen::NodeView& node, std::size_t) {
      if (node.opcode == decide_share) shares.push_back(*codegen::operand(node, OperandKind::unit));
    });
  }
  CHECK(roots == std::vector<std::string_view>{"Rest", "Naps", "Root"});
  CHECK(shares == std::vector<std::uint32_t>{0, 0, 1, 0, 1});
}

TEST_CASE("what only an unreachable shared decider uses is not stored") {
  test::DraftTree tree = test::creature();
  ir::Decider nobody;
  nobody.decide = "AskedByNobody";
  tree.shared[1] = test::decider(decide_behavior, "Never", {}, nobody);
  const test::Compiled asset = compiled({tree});
  CHECK(
      strings(behavior_count(asset.asset), behavior_name, asset.asset) ==
      std::vector<std::string>{"Flee", "Growl", "Idle", "Jump", "North", "OnGuard", "Patrol", "Rest", "South", "Yawn"});
  CHECK(strings(host_condition_count(asset.asset), host_condition_name, asset.asset) ==
        std::vector<std::string>{"IntruderNear", "IsTired", "SeesIntruder", "ShouldFlee"});
}

TEST_CASE("records of deciders are in the order of the nodes, numbered through all trees") {
  test::DraftTree second = test::creature();
  second.name = "Second";
  const test::Compiled asset = compiled({test::creature(), second});
  std::uint32_t next = 0;
  for (std::uint32_t unit = 0; unit < 6; ++unit) {
    CHECK(unit_record(asset.asset, unit).tree == unit / 3);
    codegen::visit_unit(asset.asset, unit, [&](const codegen::NodeView& node, std::size_t) {
      if (node.opcode != decide_share) CHECK(*codegen::operand(node, OperandKind::decider) == next++);
    });
  }
  CHECK(next == record_count(asset.asset, SectionId::deciders));
  CHECK(DeciderTree(tree(asset.asset, 1)).record.first_decider * 2 == next);
  // What both share is stored once.
  CHECK(record_count(asset.asset, SectionId::preconditions) == 2);
}

TEST_CASE("preconditions are masks; words that say nothing new leave none") {
  const struct {
    const char* flags_all;
    const char* flags_any;
    std::vector<std::uint64_t> expected;  // of all, of any: mask and value; empty if there is no precondition
  } kCases[] = {
      {"", "", {}},
      {"Dead", "", {1, 1, 0, 0}},
      {"!Dead Night", "", {3, 2, 0, 0}},
      {"Night Night", "", {2, 2, 0, 0}},
      {"", "!Dead Night", {0, 0, 3, 2}},
      {"", "!Dead !Dead", {0, 0, 1, 0}},
      {"", "Dead !Dead", {}},
      {"", "Night Dead !Night", {}},
      {"Dead", "Night !Night", {1, 1, 0, 0}},
  };
  for (const auto& row : kCases) {
    INFO(row.flags_all << " | " << row.flags_any);
    const test::DraftTree names = test::decider_tree("T");
    ir::Decider decider;
    decider.flags_all = test::wanted_flags(names, row.flags_all);
    decider.flags_any = test::wanted_flags(names, row.flags_any);
    const test::Compiled asset = compiled({tree_with(decider)});
    CHECK(deciders(asset.asset)[1].precondition == (row.expected.empty() ? 0 : 1));
    REQUIRE(record_count(asset.asset, SectionId::preconditions) == (row.expected.empty() ? 0 : 1));
    if (row.expected.empty()) continue;
    const layout::Precondition& stored = array<layout::Precondition>(asset.asset, SectionId::preconditions)[0];
    CHECK(std::vector<std::uint64_t>{stored.flags_all.mask, stored.flags_all.value, stored.flags_any.mask,
                                     stored.flags_any.value} == row.expected);
    CHECK((stored.stimuli_all.mask | stored.stimuli_any.mask) == 0);
  }
}

TEST_CASE("flags and stimuli may be 64, and each has its bit") {
  test::DraftTree tree = test::decider_tree("T");
  for (std::size_t i = 2; i < 64; ++i) tree.variables.push_back({"F" + std::to_string(i), false, {}});
  for (std::size_t i = 3; i < 64; ++i) tree.as<ir::Deciding>().stimuli.push_back({"S" + std::to_string(i), 0, {}});
  ir::Decider decider;
  decider.flags_all = test::wanted_flags(tree, "F63");
  decider.stimuli_any = test::wanted_stimuli(tree, "!S63 S62");
  tree.root = test::decider(decide_prioritized, "Root", {test::decider(decide_behavior, "Only", {}, decider)});
  const test::Compiled asset = compiled({tree});
  const layout::Precondition& stored = array<layout::Precondition>(asset.asset, SectionId::preconditions)[0];
  CHECK(stored.flags_all.mask == std::uint64_t{1} << 63);
  CHECK(stored.stimuli_any.mask == std::uint64_t{3} << 62);
  CHECK(stored.stimuli_any.value == std::uint64_t{1} << 62);
}

TEST_CASE("timers, timeouts, orders and what ran last are numbered in the order of their owners") {
  const test::Compiled asset = compiled({tree_of([](test::DraftTree& tree) {
    ir::Decider timed;
    timed.every_us = 5;
    const auto leaf = [&](const char* name, const ir::Decider& decider = {}) {
      return test::decider(decide_behavior, name, {}, decider);
    };
    tree.shared.push_back(test::decider(decide_shuffle, "S", {leaf("A", timed), leaf("B"), leaf("C")}, timed));
    std::vector<test::Draft> rows;
    rows.push_back(test::decider(decide_sequential, "Q", {leaf("D")}));
    rows.push_back(test::decider(decide_sequential, "R", {leaf("E", timed), test::share(tree, "S")}));
    rows.push_back(test::decider(decide_shuffle, "T", {test::share(tree, "S")}));
    return rows;
  })});
  // S, A, B, C; Root, Q, D, R, E, T
  const std::uint32_t kTimers[] = {
      0, 1, layout::kNone, layout::kNone, layout::kNone, layout::kNone, layout::kNone, layout::kNone, 2, layout::kNone};
  const std::uint32_t kStates[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 4};
  for (std::uint32_t i = 0; i < 10; ++i) {
    INFO(i);
    CHECK(deciders(asset.asset)[i].timer == kTimers[i]);
    CHECK(deciders(asset.asset)[i].state == kStates[i]);
  }
  const auto count_of = [&asset](PartKind kind) { return find_part(tree(asset.asset, 0), kind)->count; };
  CHECK(count_of(PartKind::timers) == 3);
  CHECK(count_of(PartKind::ran_last) == 2);
  CHECK(count_of(PartKind::orders) == 4 + 2);
  CHECK(count_of(PartKind::generator) == 1);
  CHECK(count_of(PartKind::timeouts) == 2);
  const auto stimuli = records<layout::Stimulus>(asset.asset, SectionId::stimuli);
  CHECK(stimuli[0].timeout == 0);
  CHECK(stimuli[1].timeout == layout::kNone);
  CHECK(stimuli[2].timeout == 1);
}

TEST_CASE("an agent has room for the path that takes most, and begins with zeros") {
  ir::Decider small;
  small.memory_bytes = 1;
  ir::Decider large;
  large.memory_bytes = 65535;
  large.block_bytes = 64;
  const test::Compiled asset = compiled({tree_of([&](test::DraftTree&) {
    test::Draft deep = test::decider(decide_behavior, "Small", {}, small);
    for (const char* name : {"A", "B"}) {
      small.behavior = name;
      deep = test::decider(decide_prioritized, name, test::only(std::move(deep)), small);
    }
    return std::vector<test::Draft>{std::move(deep), test::decider(decide_behavior, "Large", {}, large)};
  })});
  const layout::Decider& root = deciders(asset.asset)[0];
  CHECK(root.level_count == 4);
  CHECK(root.path_bytes == 65536 + 64);
  const layout::Tree& record = tree_record(tree(asset.asset, 0));
  const std::uint32_t kEnd = 16 + 2 * 8 + 4 * 8 + (65536 + 64) + 3 * 16 + 2 + 3;
  CHECK(record.agent_bytes == (kEnd + 7) / 8 * 8);
  CHECK(array<layout::Tree>(asset.asset, SectionId::trees)[0].image == layout::kNone);
  CHECK(record_count(asset.asset, SectionId::images) == 0);
}

TEST_CASE("a group without a behaviour has neither its memory nor its flags, and one without Decide asks none again") {
  ir::Decider group;
  group.memory_bytes = 16;
  group.behavior_flags = 1;
  group.decides_again = true;
  const test::Compiled asset = compiled({tree_of([&](test::DraftTree& tree) {
    tree.as<ir::Deciding>().behavior_flags = {"walk"};
    return std::vector<test::Draft>{
        test::decider(decide_prioritized, "G", {test::decider(decide_behavior, "B")}, group)};
  })});
  const layout::Decider& stored = deciders(asset.asset)[1];
  CHECK(stored.behavior == 0);
  CHECK(stored.memory_bytes == 0);
  CHECK(stored.behavior_flags == 0);
  CHECK(codegen::node_at(asset.asset, kDeciderWords).flags == 0);
}

TEST_CASE("the weights of a shared decider's own element and of the root are not stored") {
  test::DraftTree tree = test::creature();
  for (test::Draft& shared : tree.shared) shared.as<ir::PlacedDecider>().weight = 7;
  tree.root.as<ir::PlacedDecider>().weight = 9;
  const test::Compiled weighted = compiled({tree});
  CHECK(weighted.words == compiled({test::creature()}).words);
}

TEST_CASE("a shared decider is stored once however often it is placed") {
  const test::Compiled asset = compiled({doubling(40, false)});
  CHECK(record_count(asset.asset, SectionId::units) == 42);
  CHECK(DeciderTree(tree(asset.asset, 0)).record.node_count == 1 + 40 * 3 + 2);
  CHECK(DeciderTree(tree(asset.asset, 0)).record.decider_count == 42);
  CHECK(deciders(asset.asset)[41].level_count == 42);
}

TEST_CASE("deciders that are asked through others are counted, not followed") {
  const test::Compiled asset = compiled({doubling(19, true)});
  CHECK(deciders(asset.asset)[19].asked_count == layout::kMaxAsked - 1);
  const test::DraftTree tree = doubling(40, true);
  const text::Findings findings = findings_of(tree);
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].rule == rules::AST_too_large);
  CHECK(findings.all()[0].message == "'S20' would ask more than 1048576 deciders at once");
  CHECK(findings.all()[0].span == tree.shared[20].span);
}

TEST_CASE("a path of as many deciders as there may be is compiled, and no longer one") {
  for (const std::size_t per_unit : {std::size_t{1}, std::size_t{7}, std::size_t{2000}}) {
    const test::Compiled asset = compiled({chain_of(layout::kMaxLevels, per_unit)});
    const layout::DeciderTree& record = DeciderTree(tree(asset.asset, 0)).record;
    CHECK(DeciderTree(tree(asset.asset, 0)).root().decider->level_count == layout::kMaxLevels);
    CHECK(record.decider_count == layout::kMaxLevels);
    const text::Findings findings = findings_of(chain_of(layout::kMaxLevels + 1, per_unit));
    REQUIRE(findings.all().size() == 1);
    CHECK(findings.all()[0].message == "a path from 'Root' would be longer than 1024 deciders");
  }
}

TEST_CASE("behaviours' memory of a path, answers and a whole agent have a limit") {
  ir::Decider large;
  large.memory_bytes = 65535;
  large.behavior = "B";
  const auto nested = [&](std::size_t count) {
    return tree_of([&](test::DraftTree&) {
      test::Draft node = test::decider(decide_behavior, "B", {}, large);
      for (std::size_t i = 1; i < count; ++i) {
        node = test::decider(decide_prioritized, "G" + std::to_string(i), test::only(std::move(node)), large);
      }
      return std::vector<test::Draft>{std::move(node)};
    });
  };
  const std::size_t kFits = layout::kMaxDecideBytes / 65536;
  CHECK(compiled({nested(kFits - 1)}).size_bytes > 0);
  CHECK(findings_of(nested(kFits)).all()[0].message == "an agent of tree 'T' would take more than 16777216 bytes");
  CHECK(findings_of(nested(kFits + 1)).all()[0].message ==
        "behaviours and decider blocks of one path from 'G256' would take more than 16777216 bytes");
}

TEST_CASE("answers that a random group keeps have a limit") {
  const auto keeping = [](std::size_t count, std::size_t depth) {
    return tree_of([&](test::DraftTree& tree) {
      ir::Decider delegating;
      delegating.delegates = true;
      delegating.block_bytes = 64;
      ir::Decider asked;
      asked.block_bytes = 64;
      test::Draft deep = test::decider(decide_behavior, "B", {}, asked);
      for (std::size_t i = 0; i < depth; ++i) {
        deep = test::decider(decide_prioritized, "D" + std::to_string(i), test::only(std::move(deep)), delegating);
      }
      tree.shared.push_back(std::move(deep));
      std::vector<test::Draft> shares(count, test::share(tree, tree.shared.back().name));
      return std::vector<test::Draft>{test::decider(decide_random, "Random", std::move(shares))};
    });
  };
  constexpr std::uint32_t kFrames = 1001 * kFrameBytes;
  constexpr std::uint32_t kFits = (layout::kMaxDecideBytes - kFrames) / (1001 * 80) - 1;
  const test::Compiled asset = compiled({keeping(kFits, 1000)});
  CHECK(DeciderTree(tree(asset.asset, 0)).record.scratch_bytes == kFrames + (kFits + 1) * 1001 * 80);
  CHECK(findings_of(keeping(kFits + 1, 1000)).all()[0].message ==
        "the answers that 'Random' keeps while it chooses would take more than 16777216 bytes");
}

TEST_CASE("as many nodes as a path can number are compiled, and no more") {
  const auto row = [](std::size_t count) {
    return tree_of([&](test::DraftTree& tree) {
      tree.shared.push_back(test::decider(decide_behavior, "B"));
      return std::vector<test::Draft>(count - 2, test::share(tree, "B"));
    });
  };
  CHECK(DeciderTree(tree(compiled({row(layout::kMaxNodes)}).asset, 0)).record.node_count == layout::kMaxNodes);
  const text::Findings findings = findings_of(row(layout::kMaxNodes + 1));
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].message == "tree 'T' has more than 65534 deciders; this is the first one over the limit");
}

TEST_CASE("trees of all engines stand in one asset") {
  const test::Compiled asset =
      compiled({test::creature(), test::guard(), test::guarding(), test::idle(), test::soldier()});
  CHECK(is_decider_tree(tree(asset.asset, 0)));
  for (std::uint32_t i = 1; i < 5; ++i) CHECK(!is_decider_tree(tree(asset.asset, i)));
}

}  // namespace codegen_decide
