// What dump prints of conditions, of units that trees share, and of trees at the limits. The rest is shown in
// tests/golden/dump.
#include "codegen/dump/disassemble.h"

#include <nlohmann/json.hpp>

#include "codegen/dump/listing.h"
#include "codegen_trees.h"
#include "payloads.h"
#include "runtime/core/condition.h"
#include "runtime/format/opcodes/select.h"
#include "unit.h"

namespace codegen_disassemble {

namespace {

using namespace espalier;
using nlohmann::json;

// A tree of one leaf that has this condition.
test::DraftProject project_of(const std::string& condition, std::uint32_t variable_count) {
  test::DraftProject project;
  test::DraftTree& tree = project.trees.emplace_back();
  tree.name = "T";
  tree.variables = test::letters(variable_count);
  tree.root = test::node(tree, opcode::select_leaf, "L", condition, 0);
  return project;
}

std::uint32_t root_condition(const Asset& asset) {
  return *codegen::operand(codegen::node_at(asset, 0), OperandKind::condition);
}

std::string round_trip(const std::string& condition, std::uint32_t variable_count = 8) {
  test::Compiled compiled;
  test::compile(project_of(condition, variable_count), compiled);
  return codegen::condition_text(tree(compiled.asset, 0), root_condition(compiled.asset));
}

// SplitMix64.
struct Random {
  std::uint64_t state;
  std::uint32_t below(std::uint32_t count) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return static_cast<std::uint32_t>(((z ^ (z >> 31)) >> 32) * count >> 32);
  }
};

std::string random_condition(Random& random, std::uint32_t depth, std::uint32_t variable_count) {
  if (depth == 0 || random.below(5) == 0) {
    const std::uint32_t choice = random.below(20);
    if (choice < 2) return choice == 0 ? "true" : "false";
    const std::string name = test::letters(variable_count)[random.below(variable_count)].name;
    return choice % 3 == 0 ? "!" + name : name;
  }
  const char* kWords[] = {" and ", " or ", " xor ", " == ", " != "};
  const std::string left = "(" + random_condition(random, depth - 1, variable_count) + ")";
  const std::string right = "(" + random_condition(random, depth - 1, variable_count) + ")";
  return (random.below(4) == 0 ? "!" : "") + left + kWords[random.below(5)] + right;
}

bool evaluate(const ir::Condition& condition, const std::vector<bool>& values) {
  std::vector<bool> done;
  for (const ir::Term& term : condition.terms) {
    const bool left = term.kind > ir::TermKind::variable && done[term.left];
    const bool right = term.kind > ir::TermKind::negation && done[term.right];
    switch (term.kind) {
      case ir::TermKind::constant:
        done.push_back(term.left != 0);
        break;
      case ir::TermKind::variable:
        done.push_back(values[term.left]);
        break;
      case ir::TermKind::negation:
        done.push_back(!left);
        break;
      case ir::TermKind::conjunction:
        done.push_back(left && right);
        break;
      case ir::TermKind::disjunction:
        done.push_back(left || right);
        break;
      case ir::TermKind::exclusive:
      case ir::TermKind::unequal:
        done.push_back(left != right);
        break;
      case ir::TermKind::equal:
        done.push_back(left == right);
        break;
    }
  }
  return done.back();
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace

TEST_CASE("a condition is printed in the notation it was written in") {
  const struct {
    const char* written;
    const char* printed;
  } kCases[] = {
      {"true", "true"},
      {"false", "false"},
      {"A", "A"},
      {"!A", "!A"},
      {"!(!A)", "A"},
      {"B and !A", "!A and B"},  // one masked test, in the order of the variables
      {"!(A and B)", "!A or !B"},
      {"!(A or B) and C", "!A and !B and C"},
      {"A xor B", "A xor B"},
      {"A != B", "A xor B"},
      {"A == !B", "A == !B"},
      {"!(A xor B)", "!(A xor B)"},
      {"(A or B) and C", "(A or B) and C"},
      {"A and B or C", "(A and B) or C"},
      {"A == (B or C)", "A == (B or C)"},
      {"(A xor B) or (C xor D)", "(A xor B) or (C xor D)"},
      {"(A xor B) xor (C xor D)", "A xor B xor C xor D"},
      {"(A == B) and C", "A == B and C"},
      {"(A == B) == C", "(A == B) == C"},
      {"A or B == C", "B == C or A"},
      {"A and true or false", "A"},
  };
  for (const auto& row : kCases) {
    INFO(row.written);
    CHECK(round_trip(row.written) == row.printed);
  }
}

TEST_CASE("a printed condition, read again, means what the asset decides") {
  Random random{7};
  for (int i = 0; i < 400; ++i) {
    const std::uint32_t variable_count = 1 + random.below(40);
    const std::string written = random_condition(random, 1 + random.below(5), variable_count);
    test::Compiled compiled;
    test::compile(project_of(written, variable_count), compiled);
    const std::uint32_t condition = root_condition(compiled.asset);
    test::DraftTree again;
    again.variables = test::letters(variable_count);
    const std::string printed = codegen::condition_text(tree(compiled.asset, 0), condition);
    INFO(written << "  ->  " << printed);
    const ir::ConditionIndex read = test::add_condition(again, printed);
    for (int j = 0; j < 40; ++j) {
      std::vector<bool> values(variable_count);
      alignas(8) unsigned char agent[8] = {};
      for (std::uint32_t v = 0; v < variable_count; ++v) {
        values[v] = random.below(2) != 0;
        if (values[v]) agent[v / 8] = static_cast<unsigned char>(agent[v / 8] | 1 << v % 8);
      }
      REQUIRE(evaluate(again.conditions[read], values) == holds(compiled.asset, condition, agent));
    }
  }
}

TEST_CASE("paths of leaves name nodes, not states, through shared units") {
  test::DraftProject project;
  project.trees.push_back(test::guard());
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::vector<std::string> expected = {"Root/Stance/Weapons/Shoot", "Root/Stance/Weapons/Reload",
                                             "Root/Stance/Weapons/Wait",  "Root/Stance/Weapons/Look",
                                             "Root/Stance/Run",           "Root/Weapons/Shoot",
                                             "Root/Weapons/Reload",       "Root/Weapons/Wait",
                                             "Root/Weapons/Look",         "Root/Idle"};
  CHECK(codegen::leaf_paths(tree(compiled.asset, 0)) == expected);
}

TEST_CASE("a unit calls a variable as its trees do where they agree, and by its number where they do not") {
  test::DraftProject project;
  project.trees.push_back(test::guard());
  project.trees.push_back(test::guard());
  project.trees[1].name = "Scout";
  test::Compiled compiled;
  SECTION("they agree on all") {
    test::compile(project, compiled);
    const std::string text = codegen::disassemble(compiled.asset);
    CHECK(count_of(text, "select_machine \"Stance\" condition=\"Alerted and (Hurt or Far)\"") == 1);
    CHECK(count_of(text, "select_leaf \"Shoot\" condition=\"!Hurt\"") == 1);
  }
  SECTION("they do not agree on one") {
    project.trees[1].variables[2].name = "Near";
    test::compile(project, compiled);
    const std::string text = codegen::disassemble(compiled.asset);
    CHECK(count_of(text, "select_leaf \"Look\" condition=\"!Hurt or v2\"") == 1);
    CHECK(count_of(text, " variable=2 \"Far\" condition=\"Alerted == Hurt\"") == 1);  // signals belong to the tree
    CHECK(count_of(text, " variable=2 \"Near\" condition=\"Alerted == Hurt\"") == 1);
  }
  SECTION("a third tree uses a unit inside") {
    test::DraftTree& third = project.trees.emplace_back();
    third.name = "Tower";
    third.variables = {{"Alerted", false, {}}, {"Pained", false, {}}, {"Far", false, {}}};
    third.root = project.trees[0].root.children[1];
    third.conditions = project.trees[0].conditions;
    test::compile(project, compiled);
    const std::string text = codegen::disassemble(compiled.asset);
    CHECK(count_of(text, "select_leaf \"Look\" condition=\"!v1 or Far\"") == 1);
    CHECK(count_of(text, "select_machine \"Stance\" condition=\"Alerted and (Hurt or Far)\"") == 1);
  }
}

TEST_CASE("control characters, quotes and backslashes in a name are escaped") {
  test::DraftProject project = project_of("", 0);
  project.trees[0].name = "a\"b\\c\nd\x1b[31m\x7F \xC3\xBC";
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::string text = codegen::disassemble(compiled.asset);
  CHECK(count_of(text, "\ntree 0 \"a\\\"b\\\\c\\x0ad\\x1b[31m\\x7f \xC3\xBC\" unit=0 ") == 1);
}

TEST_CASE("JSON replaces bytes that are not UTF-8") {
  test::DraftProject project = project_of("", 0);
  project.trees[0].name = "a\xFF";
  test::Compiled compiled;
  test::compile(project, compiled);
  CHECK(json::parse(codegen::disassemble_json(compiled.asset))["trees"][0]["name"] == "a\xEF\xBF\xBD");
}

TEST_CASE("a tree as deep and as wide as the format allows is printed") {
  test::DraftProject project;
  test::DraftTree& tree = project.trees.emplace_back();
  tree.name = "Large";
  tree.root = test::node(tree, opcode::select_priority, "P", "", 0);
  test::Draft* parent = &tree.root;
  for (int i = 0; i < 900; ++i) {
    parent->children.push_back(test::node(tree, opcode::select_priority, "P", "", 0));
    parent = &parent->children.back();
  }
  for (int i = 0; i < 64000; ++i) {
    tree.root.children.push_back(test::node(tree, opcode::select_leaf, "L" + std::to_string(i), "", 0));
  }
  test::Compiled compiled;
  test::compile(project, compiled);
  CHECK(count_of(codegen::disassemble(compiled.asset), "\n    select_leaf ") == 64000);
  CHECK(codegen::leaf_paths(espalier::tree(compiled.asset, 0))[63999] == "P/L63999");
}

}  // namespace codegen_disassemble
