// How trees of rules are laid out: units, instances, what is asked, agents' images.
#include <cstring>

#include "codegen/compile.h"
#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "codegen_trees.h"
#include "payloads.h"
#include "rules/assets.h"
#include "runtime/format/node.h"
#include "runtime/format/opcodes/rule.h"
#include "runtime/rule/tree.h"
#include "unit.h"

namespace codegen_rules {

namespace {

using namespace espalier;
using namespace espalier::opcode;
using layout::SectionId;
using test::compiled;
using test::findings_of;

// A tree of one file whose one rule `make` gives.
template <typename Make>
test::DraftTree tree_of(const Make& make) {
  test::DraftTree tree = test::rule_tree("T");
  test::Draft root = make();
  tree.root = test::rule(rule_file, "", test::only(std::move(root)));
  return tree;
}

test::DraftTree row_of(std::size_t count) {
  return tree_of([&] {
    std::vector<test::Draft> rules;
    for (std::size_t i = 0; i < count; ++i) rules.push_back(test::rule(rule_yield));
    return test::rule(rule_sequence, "", std::move(rules));
  });
}

test::DraftTree chain_of(std::size_t depth) {
  return tree_of([&] {
    test::Draft rule = test::rule(rule_yield);
    for (std::size_t i = 1; i < depth; ++i) rule = test::rule(rule_sequence, "", test::only(std::move(rule)));
    return rule;
  });
}

// An action that asks and gives.
test::Draft query(std::vector<std::string> conditions, layout::QueryMode mode,
                  std::vector<std::pair<std::string, std::string>> parameters = {}) {
  ir::Rule rule;
  rule.conditions = std::move(conditions);
  rule.mode = mode;
  for (auto& [name, text] : parameters) {
    rule.parameters.emplace_back();
    rule.parameters.back().name = name;
    rule.parameters.back().text = text;
  }
  return test::rule_action("act", "", std::move(rule));
}

std::vector<std::string_view> ids_of(const Tree& tree) {
  std::vector<std::string_view> ids;
  for (std::uint32_t rule = 0; rule < rule_count(tree); ++rule) ids.push_back(rule_id(tree, rule));
  return ids;
}

std::vector<unsigned> image_of(const Tree& tree) {
  const unsigned char* image = array<unsigned char>(*tree.asset, SectionId::images) + tree_record(tree).image;
  return {image, image + agent_bytes(tree)};
}

}  // namespace

TEST_CASE("the rules of a file are stored once in an asset, wherever they stand") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  CHECK(record_count(asset.asset, SectionId::units) == 3);
  CHECK(record_count(asset.asset, SectionId::references) == 4);
  CHECK(rule_count(tree(asset.asset, 0)) == 18);
  CHECK(rule_count(tree(asset.asset, 1)) == 5);
  std::uint32_t rules = 0;
  for (std::uint32_t unit = 0; unit < 3; ++unit) rules += unit_record(asset.asset, unit).node_count - 1;
  CHECK(rules == 2 + 3 + 6);
  const auto trees = records<layout::RuleTree>(asset.asset, SectionId::rule_trees);
  CHECK(trees[0].instance_count == 6);
  CHECK(trees[1].instance_count == 2);
}

TEST_CASE("rules are numbered file by file, breadth first, and each has its id") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  // Rows: guard.debt; idle.debt as "a"; wander.debt; idle.debt as "b"; wander.debt in "a", in "b".
  // clang-format off
  const std::vector<std::string_view> kIds = {"root", "a", "shoot", "wander", "b", "",
                                              "a.list", "a.idle", "a.wander",
                                              "walk", "",
                                              "b.list", "b.idle", "b.wander",
                                              "a.walk", "",
                                              "b.walk", ""};
  // clang-format on
  CHECK(ids_of(tree(asset.asset, 0)) == kIds);
  CHECK(ids_of(tree(asset.asset, 1)) == std::vector<std::string_view>{"list", "idle", "wander", "walk", ""});
}

TEST_CASE("every rule has its node, and knows the rule around it in another file too") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  const Tree guard = tree(asset.asset, 0);
  const std::pair<std::uint32_t, std::uint32_t> kParents[] = {
      {0, kNoRule}, {1, 0}, {5, 0}, {6, 1}, {7, 6}, {8, 6}, {9, 3}, {11, 4}, {13, 11}, {14, 8}, {16, 13}, {17, 13}};
  for (const auto& [rule, parent] : kParents) {
    INFO(rule);
    CHECK(rule_parent(guard, rule) == parent);
  }
  CHECK(rule_node(guard, 9) == rule_node(guard, 14));
  CHECK(codegen::node_at(asset.asset, rule_node(guard, 9)).opcode == rule_action);
  CHECK(codegen::node_at(asset.asset, rule_node(guard, 8)).opcode == rule_subtree);
}

TEST_CASE("nodes of rules know how many words back their parent begins, and are found by their numbers") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  for (std::uint32_t unit = 0; unit < 3; ++unit) {
    std::vector<std::uint32_t> path;
    std::uint32_t number = 0;
    codegen::visit_unit(asset.asset, unit, [&](const codegen::NodeView& node, std::size_t depth) {
      const std::uint32_t* words = nodes_of(asset.asset) + node.word;
      CHECK(numbered_node(asset.asset, unit_record(asset.asset, unit), number) == words);
      CHECK(node_number(words) == number++);
      path.resize(depth);
      const std::uint32_t back = *codegen::operand(node, OperandKind::parent);
      CHECK(back == (path.empty() ? 0 : node.word - path.back()));
      path.push_back(node.word);
    });
  }
}

TEST_CASE("what rules ask and give alike is kept once") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  CHECK(record_count(asset.asset, SectionId::queries) == 2);
  CHECK(record_count(asset.asset, SectionId::query_conditions) == 1 + 3);
  CHECK(record_count(asset.asset, SectionId::parameters) == 1);
  CHECK(host_condition_count(asset.asset) == 3);
  CHECK(host_condition_name(asset.asset, 0) == "near");
  CHECK(host_condition_name(asset.asset, 2) == "tired");
}

TEST_CASE("rules that differ in a mode, a condition's place or a parameter ask something else") {
  using enum layout::QueryMode;
  const test::Compiled asset = compiled({tree_of([] {
    return test::rule(rule_sequence, "",
                      {query({"a", "b"}, all_true), query({"b", "a"}, all_true), query({"a", "b"}, any_true),
                       query({"a", "b"}, all_true, {{"x", "1"}}), query({"a", "b"}, all_true, {{"x", "2"}}),
                       query({"a", "b"}, all_true), query({}, any_true, {{"x", "1"}}),
                       query({}, all_false, {{"x", "1"}}), query({}, any_true)});
  })});
  std::vector<std::uint32_t> operands;
  codegen::visit_unit(asset.asset, 0, [&](const codegen::NodeView& node, std::size_t depth) {
    if (depth == 2) operands.push_back(*codegen::operand(node, OperandKind::query));
  });
  // Without conditions there is no mode.
  CHECK(operands == std::vector<std::uint32_t>{1, 2, 3, 4, 5, 1, 6, 6, 0});
}

TEST_CASE("an action and a condition of one name are two") {
  const test::Compiled asset = compiled({tree_of([] { return query({"act"}, layout::QueryMode::all_true); })});
  CHECK(behavior_count(asset.asset) == 1);
  CHECK(behavior_name(asset.asset, 0) == "act");
  CHECK(host_condition_count(asset.asset) == 1);
  CHECK(host_condition_name(asset.asset, 0) == "act");
}

TEST_CASE("an agent of rules has four bytes, and begins with the root, run first") {
  test::DraftTree empty = test::rule_tree("empty");
  empty.root = test::rule(rule_file, "", {}, test::of_file(4));
  const test::Compiled asset = compiled({empty, test::guarding(), row_of(5000)});
  CHECK(image_of(tree(asset.asset, 0)) == std::vector<unsigned>{0xFF, 0xFF, 7, 0});
  CHECK(image_of(tree(asset.asset, 1)) == std::vector<unsigned>{0, 0, 7, 0});
  CHECK(image_of(tree(asset.asset, 2)) == std::vector<unsigned>{0, 0, 7, 0});
  for (std::uint32_t i = 0; i < 3; ++i) {
    CHECK(tree_record(tree(asset.asset, i)).image == 8 * i);
    CHECK(shared_bytes(tree(asset.asset, i)) == 0);
  }
}

TEST_CASE("a tree's limit of runs, and whether another file names it, are kept") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  CHECK(run_limit(tree(asset.asset, 0)) == 100);
  CHECK(run_limit(tree(asset.asset, 1)) == 7);
  CHECK(rule_tree_record(tree(asset.asset, 0)).flags == 0);
  CHECK(rule_tree_record(tree(asset.asset, 1)).flags == layout::kIsUsed);
}

TEST_CASE("a subtree's file may be empty, and may be used in one tree alone") {
  const test::Compiled asset = compiled({tree_of([] {
    test::Draft before = test::rule(rule_subtree, "a", {}, test::of_file(1));
    return test::rule(rule_sequence, "", {std::move(before), test::rule(rule_subtree, "b", {}, test::of_file(1))});
  })});
  CHECK(record_count(asset.asset, SectionId::units) == 2);
  CHECK(unit_record(asset.asset, 0).word_count == own_words<opcode::rule_file>());
  CHECK(rule_count(tree(asset.asset, 0)) == 3);
}

TEST_CASE("trees of all engines stand in one asset, those of rules behind the others") {
  const test::Compiled asset =
      compiled({test::guard(), test::soldier(), test::guarding(), test::guard(), test::idle()});
  const EngineId kEngines[] = {EngineId::select, EngineId::tick, EngineId::rule, EngineId::select, EngineId::rule};
  for (std::uint32_t i = 0; i < std::size(kEngines); ++i) CHECK(engine_id_of(tree(asset.asset, i)) == kEngines[i]);
  CHECK(tree_record(tree(asset.asset, 2)).unit == record_count(asset.asset, SectionId::units) - 1);
  CHECK(tree_record(tree(asset.asset, 4)).record == 1);
}

TEST_CASE("a place is known of every node, in its own file") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  const Tree guard = tree(asset.asset, 0);
  const auto place = [&](std::uint32_t rule) { return codegen::node_debug(asset.asset, rule_node(guard, rule)); };
  CHECK(place(0).file == "guard.debt");
  CHECK(place(0).line == 2);
  CHECK(place(0).name == "rule_sequence");
  CHECK(place(7).file == "idle.debt");
  CHECK(place(9).file == "wander.debt");
  CHECK(place(9).line == 2);
}

TEST_CASE("a tree of as many rules as there may be is compiled, and one more is told of") {
  CHECK(rule_count(tree(compiled({row_of(layout::kMaxRules - 1)}).asset, 0)) == layout::kMaxRules);
  const text::Findings findings = findings_of(row_of(layout::kMaxRules));
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].rule == rules::AST_too_large);
  CHECK(findings.all()[0].message == "tree 'T' has more than 65535 rules; this is the first one over the limit");
}

TEST_CASE("rules within rules are compiled up to a depth, and told of beyond it") {
  CHECK(rule_count(tree(compiled({chain_of(layout::kMaxTickDepth - 1)}).asset, 0)) == layout::kMaxTickDepth - 1);
  const text::Findings findings = findings_of(chain_of(layout::kMaxTickDepth));
  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all()[0].message == "more than 4096 rules of tree 'T' are nested here");
}

}  // namespace codegen_rules
