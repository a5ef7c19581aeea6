// What dump prints, from trees made by hand.
#include "codegen/dump/disassemble.h"

#include <nlohmann/json.hpp>

#include "codegen/dump/listing.h"
#include "codegen_trees.h"
#include "runtime/core/condition.h"
#include "unit.h"

namespace codegen_disassemble {

namespace {

using namespace espalier;
using nlohmann::json;

// A tree of one leaf that has this condition.
ir::Project project_of(const std::string& condition, std::uint32_t variable_count) {
  ir::Project project;
  ir::Tree& tree = project.trees.emplace_back();
  tree.name = "T";
  tree.variables = test::letters(variable_count);
  tree.root = test::node(tree, Opcode::select_leaf, "L", condition, 0);
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
    ir::Tree again;
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

TEST_CASE("an asset is printed section by section") {
  ir::Project project;
  project.trees.push_back(test::guard());
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::string text = codegen::disassemble(compiled.asset);
  const char* kTrees = R"~(
tree 0 "Guard" unit=1 signal_count=1 leaf_count=10 agent_bytes=8 engine=select dialect=selection
  signal 0 "Noise" assignment_count=2
    assignment 0 variable=0 "Alerted" condition="true"
    assignment 1 variable=2 "Far" condition="Alerted == Hurt"
  leaf 0 behavior=4 "DoShoot"
  leaf 1 behavior=2 "DoReload"
  leaf 2 behavior=5 "DoWait"
  leaf 3 behavior=1 "DoLook"
  leaf 4 behavior=3 "DoRun"
  leaf 5 behavior=4 "DoShoot"
  leaf 6 behavior=2 "DoReload"
  leaf 7 behavior=5 "DoWait"
  leaf 8 behavior=1 "DoLook"
  leaf 9 behavior=0 "DoIdle"
  image 0: 02ff7f0000000000
  part 0 offset_bits=0 count=3 kind=variables bits=1
    variable 0 "Alerted"
    variable 1 "Hurt" initial=true
    variable 2 "Far"
  part 1 offset_bits=8 count=1 kind=leaf bits=15
  part 2 offset_bits=23 count=1 kind=status bits=1
  part 3 offset_bits=24 count=1 kind=states bits=8

unit 0 word_count=19 node_count=5 leaf_count=4 variable_count=3
  select_priority "Weapons" condition="Alerted" at "trees.xml":21:1
    select_leaf "Shoot" condition="!Hurt" leaf=0 at "trees.xml":22:1
    select_leaf "Reload" condition="Far" leaf=1 at "trees.xml":23:1
    select_leaf "Wait" condition="true" leaf=2 at "trees.xml":24:1
    select_leaf "Look" condition="!Hurt or Far" leaf=3 at "trees.xml":25:1

unit 1 word_count=34 node_count=16 leaf_count=10 state_bytes=1 region_count=2 variable_count=3
  select_priority "Root" condition="true" at "trees.xml":2:1
    select_machine "Stance" condition="Alerted and (Hurt or Far)" leaf=0 leaf_count=5 agent_offset=0 at "trees.xml":3:1
      select_state "Near" number=0 transition_count=1 at "trees.xml":4:1
        transition 0 condition="Far" state=1
        select_share "Weapons" condition="true" unit=0 leaf=0 agent_offset=1 at "trees.xml":21:1
      select_state "Away" number=1 transition_count=2 at "trees.xml":5:1
        transition 0 condition="!Far" state=0
        transition 1 condition="true" state=0
        select_leaf "Run" condition="true" leaf=4 at "trees.xml":6:1
    select_share "Weapons" condition="true" unit=0 leaf=5 agent_offset=1 at "trees.xml":21:1
    select_leaf "Idle" condition="true" leaf=9 at "trees.xml":10:1

condition 0 test_count=1 variable_count=2
  test 0 test=any combine=set word=0 mask=0x2 value=0x2
condition 1 test_count=1 variable_count=3
  test 0 test=all combine=set word=0 mask=0x4 value=0x4
condition 2 test_count=1 variable_count=3
  test 0 test=any combine=set word=0 mask=0x6 value=0x2
condition 3 test_count=1 variable_count=1
  test 0 test=all combine=set word=0 mask=0x1 value=0x1
condition 4 test_count=2 variable_count=3
  test 0 test=all combine=set word=0 mask=0x1 value=0x1
  test 1 test=any combine=both word=0 mask=0x6 value=0x0
condition 5 test_count=1 variable_count=3
  test 0 test=any combine=set word=0 mask=0x4 value=0x4
condition 6 test_count=2 variable_count=2
  test 0 test=all combine=set word=0 mask=0x1 value=0x1
  test 1 test=all combine=same word=0 mask=0x2 value=0x2

behavior 0 "DoIdle"
behavior 1 "DoLook"
behavior 2 "DoReload"
behavior 3 "DoRun"
behavior 4 "DoShoot"
behavior 5 "DoWait"

file 0 "trees.xml"
)~";
  CHECK(text.substr(text.find("\ntree 0")) == kTrees);
  CHECK(text.starts_with("asset version 2.1 size_bytes=" + std::to_string(compiled.size_bytes) + " hash="));
  CHECK(count_of(text, "\nsection 12 \"images\" record_count=8 record_bytes=1 ") == 1);
  CHECK(count_of(text, "\nsection 40 \"files\" optional=true record_count=1 record_bytes=4 ") == 1);
}

TEST_CASE("a stripped asset is printed without what was stripped, and otherwise the same") {
  ir::Project project;
  project.trees.push_back(test::guard());
  test::Compiled whole;
  test::Compiled stripped;
  test::compile(project, whole);
  test::compile(project, stripped, true);
  json a = json::parse(codegen::disassemble_json(whole.asset));
  const json b = json::parse(codegen::disassemble_json(stripped.asset));
  CHECK(codegen::disassemble(stripped.asset).find("Weapons") == std::string::npos);
  CHECK(codegen::leaf_paths(tree(stripped.asset, 0)).empty());
  CHECK(codegen::node_debug(stripped.asset, 0).line == 0);
  CHECK(!b.contains("files"));
  for (json& unit : a["units"]) {
    for (json& node : unit["nodes"]) {
      for (const char* key : {"name", "file", "line", "column"}) node.erase(key);
    }
  }
  for (const char* key : {"trees", "units", "conditions", "behaviors"}) CHECK(a[key] == b[key]);
}

TEST_CASE("paths of leaves name nodes, not states, through shared units") {
  ir::Project project;
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
  ir::Project project;
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
    ir::Tree& third = project.trees.emplace_back();
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

TEST_CASE("names are printed on one line, whatever they hold") {
  ir::Project project = project_of("", 0);
  project.trees[0].name = "a\"b\\c\nd\x1b[31m\x7F \xC3\xBC";
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::string text = codegen::disassemble(compiled.asset);
  CHECK(count_of(text, "\ntree 0 \"a\\\"b\\\\c\\x0ad\\x1b[31m\\x7f \xC3\xBC\" unit=0 ") == 1);
  CHECK(json::parse(codegen::disassemble_json(compiled.asset))["trees"][0]["name"] == project.trees[0].name);
}

TEST_CASE("JSON replaces bytes that are not UTF-8") {
  ir::Project project = project_of("", 0);
  project.trees[0].name = "a\xFF";
  test::Compiled compiled;
  test::compile(project, compiled);
  CHECK(json::parse(codegen::disassemble_json(compiled.asset))["trees"][0]["name"] == "a\xEF\xBF\xBD");
}

TEST_CASE("JSON holds every record") {
  ir::Project project;
  project.trees.push_back(test::guard());
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::string text = codegen::disassemble_json(compiled.asset);
  const json all = json::parse(text);
  std::vector<std::string> keys;
  const auto ordered = nlohmann::ordered_json::parse(text);
  for (const auto& [key, value] : ordered.items()) keys.push_back(key);
  CHECK(keys ==
        std::vector<std::string>{"version", "asset", "sections", "trees", "units", "conditions", "behaviors", "files"});
  CHECK(all["version"] == 2);
  CHECK(all["sections"].size() == 17);
  CHECK(all["trees"][0]["leaves"].size() == 10);
  CHECK(all["units"][0]["nodes"].size() == 5);
  CHECK(all["units"][1]["nodes"].size() == 8);
  CHECK(all["conditions"].size() == record_count(compiled.asset, layout::SectionId::conditions));
  CHECK(all["conditions"][2]["tests"][0] ==
        json::parse(R"~({"test": "any", "combine": "set", "word": 0, "mask": 6, "value": 2})~"));
  CHECK(all["trees"][0]["imageBytes"] == json({"02ff7f0000000000"}));
  CHECK(all["units"][1]["nodes"][1] == json::parse(R"~({"word": 22, "depth": 1, "opcode": "select_machine",
    "extent": 22, "agentOffset": 0, "condition": 4, "conditionText": "Alerted and (Hurt or Far)", "leaf": 0,
    "leafCount": 5, "name": "Stance", "file": "trees.xml", "line": 3, "column": 1})~"));
  const json& state = all["units"][1]["nodes"][2];
  CHECK(state["opcode"] == "select_state");
  CHECK(state["transitions"] == json::parse(R"~([{"condition": 1, "conditionText": "Far", "state": 1}])~"));
}

TEST_CASE("JSON has one record a line") {
  ir::Project project;
  project.trees.push_back(test::guard());
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::string text = codegen::disassemble_json(compiled.asset);
  CHECK(count_of(text, "\n            {\"condition\": ") == 3);  // a state's transitions
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    INFO(line);
    CHECK(count_of(line, "{") <= 1);
  }
}

TEST_CASE("a tree as deep and as wide as the format allows is printed") {
  ir::Project project;
  ir::Tree& tree = project.trees.emplace_back();
  tree.name = "Large";
  tree.root = test::node(tree, Opcode::select_priority, "P", "", 0);
  ir::Node* parent = &tree.root;
  for (int i = 0; i < 900; ++i) {
    parent->children.push_back(test::node(tree, Opcode::select_priority, "P", "", 0));
    parent = &parent->children.back();
  }
  for (int i = 0; i < 64000; ++i) {
    tree.root.children.push_back(test::node(tree, Opcode::select_leaf, "L" + std::to_string(i), "", 0));
  }
  test::Compiled compiled;
  test::compile(project, compiled);
  CHECK(count_of(codegen::disassemble(compiled.asset), "\n    select_leaf ") == 64000);
  CHECK(codegen::leaf_paths(espalier::tree(compiled.asset, 0))[63999] == "P/L63999");
}

}  // namespace codegen_disassemble
