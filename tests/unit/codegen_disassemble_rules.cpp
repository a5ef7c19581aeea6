// What dump, sizes and the header of ids tell of trees of rules.
#include <nlohmann/json.hpp>

#include "codegen/compile.h"
#include "codegen/dump/disassemble.h"
#include "codegen/sizes.h"
#include "codegen_trees.h"
#include "unit.h"

namespace codegen_disassemble_rules {

namespace {

using namespace espalier;
using nlohmann::json;

test::Compiled compiled(std::vector<ir::Tree> trees, bool strip = false) {
  ir::Project project;
  project.trees = std::move(trees);
  test::Compiled result;
  test::compile(project, result, strip);
  return result;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a tree of rules is printed with its units' places and every rule") {
  const std::string text = codegen::disassemble(compiled({test::guarding(), test::idle()}, true).asset);
  const char* kParts[] = {
      "\ntree 0 \"guard\": dialect selection, engine rule, unit 2\n  agent: bytes 4, run limit 100\n  image: bytes 4\n "
      "   00000700\n  occurrences: 6\n",
      "\n    0 unit=2 first_rule=0 first_below=1\n    1 unit=1 first_rule=6 first_below=4 parent=1\n"
      "    2 unit=0 first_rule=9 first_below=5 parent=3\n    3 unit=1 first_rule=11 first_below=5 parent=4\n"
      "    4 unit=0 first_rule=14 first_below=6 parent=8\n    5 unit=0 first_rule=16 first_below=6 parent=13\n"
      "  rules: 18\n    0 rule_sequence id=\"root\"\n    1 rule_subtree id=\"a\"\n",
      "\n    15 rule_yield\n    16 rule_action id=\"b.walk\"\n    17 rule_yield\n\n",
      "\n  agent: bytes 4, run limit 7, used\n",
      "\nhost_conditions: 3\n  0 \"near\"\n  1 \"seen\"\n  2 \"tired\"\n",
  };
  for (const char* part : kParts) {
    INFO(part << "\n" << text);
    CHECK(has(text, part));
  }
}

TEST_CASE("what a rule asks and gives is printed below it, in the order of the file") {
  const std::string text = codegen::disassemble(compiled({test::guarding(), test::idle()}, true).asset);
  const char* kUnits[] = {
      "\nunit 0: nodes 3, leaves 0, state 0, regions 0, uses 0, variables 0\n"
      "  rule_file\n"
      "    rule_action does_not_fail=false asking=0 mode=all_true behavior=1 \"walk\"\n"
      "      ? 2 \"tired\"\n"
      "      - \"to\" text = \"home\"\n"
      "    rule_yield asking=none\n",
      "\nunit 1: nodes 4, leaves 0, state 0, regions 0, uses 1, variables 0\n"
      "  rule_file\n"
      "    rule_choice does_not_fail=true begins_anew=false asking=none\n"
      "      rule_action does_not_fail=false asking=0 mode=all_true behavior=1 \"walk\"\n"
      "        ? 2 \"tired\"\n"
      "        - \"to\" text = \"home\"\n"
      "      rule_subtree does_not_fail=false begins_anew=false use=0 unit=0\n",
      "\nunit 2: nodes 7, leaves 0, state 0, regions 0, uses 3, variables 0\n"
      "  rule_file\n"
      "    rule_sequence does_not_fail=false begins_anew=true asking=none\n"
      "      rule_subtree does_not_fail=false begins_anew=false use=1 unit=1\n"
      "      rule_action does_not_fail=true asking=1 mode=any_false behavior=0 \"shoot\"\n"
      "        ? 1 \"seen\"\n"
      "        ? 0 \"near\"\n"
      "        ? 1 \"seen\"\n"
      "      rule_subtree does_not_fail=false begins_anew=false use=2 unit=0\n"
      "      rule_subtree does_not_fail=false begins_anew=true use=3 unit=1\n"
      "      rule_result result=success asking=none\n",
  };
  for (const char* unit : kUnits) {
    INFO(text);
    CHECK(has(text, unit));
  }
}

TEST_CASE("a rule's place in its file is printed behind it") {
  const std::string text = codegen::disassemble(compiled({test::guarding()}).asset);
  CHECK(has(text, "\n  rule_file at \"wander.debt\":1:1\n"));
  CHECK(has(text, "\n    rule_yield \"rule_yield\" asking=none at \"wander.debt\":3:1\n"));
}

TEST_CASE("the JSON has every number of trees of rules") {
  const json all = json::parse(codegen::disassemble_json(compiled({test::guarding(), test::idle()}).asset));
  CHECK(all["trees"][1]["ruleTree"] ==
        json({{"runLimit", 7}, {"isUsed", true}, {"ruleCount", 5}, {"occurrenceCount", 2}}));
  CHECK(all["occurrences"].size() == 8);
  CHECK(all["occurrences"][0]["parent"].is_null());
  CHECK(all["occurrences"][7] ==
        json({{"tree", 1}, {"occurrence", 1}, {"unit", 0}, {"firstRule", 3}, {"firstBelow", 2}, {"parent", 2}}));
  CHECK(all["rules"].size() == 18 + 5);
  CHECK(all["rules"][16]["id"] == "b.walk");
  CHECK(all["rules"][17]["id"].is_null());
  CHECK(all["rules"][16]["word"] == all["rules"][14]["word"]);
  CHECK(all["hostConditions"] == json({"near", "seen", "tired"}));
  const json& action = all["nodes"][1];
  CHECK(action["opcode"] == "rule_action");
  CHECK(action["flags"]["does_not_fail"] == false);
  CHECK(action["operands"] == json({{"parent", 5}, {"asking", 1}, {"behavior", 1}}));
  CHECK(action["asking"] == json({{"mode", "all_true"}, {"conditions", {{{"hostCondition", 2}, {"name", "tired"}}}}}));
  CHECK(action["parameters"] == json({{{"name", "to"}, {"type", "text"}, {"value", "home"}}}));
  const json& use = all["nodes"][6];
  CHECK(use["opcode"] == "rule_subtree");
  CHECK(use["operands"] == json({{"parent", 10}, {"use", 0}}));
  CHECK(use["values"]["use"] == 0);
}

TEST_CASE("sizes tell what an agent of rules costs, and what storing files once saves") {
  const std::string text = codegen::sizes_text(compiled({test::guarding(), test::idle()}).asset);
  CHECK(has(text,
            "tree \"guard\": 4 bytes an agent (rule 2, status 1, unused 1), 0 shared by all agents; 18 rules\n"
            "tree \"idle\": 4 bytes an agent (rule 2, status 1, unused 1), 0 shared by all agents; 5 rules\n"));
  CHECK(has(text, "2 trees, 3 units, 2 behaviours, 3 host conditions; 11 rules stored, which stand for 23\n"));
}

TEST_CASE("sizes count nodes and rules apart") {
  const std::string text = codegen::sizes_text(compiled({test::soldier(), test::idle()}).asset);
  CHECK(has(text, "; 45 nodes stored, which stand for 45; 5 rules stored, which stand for 5\n"));
}

TEST_CASE("the header of ids has the rules that can be jumped to, and the host's conditions") {
  const test::Compiled asset = compiled({test::guarding(), test::idle()});
  const std::string text = codegen::header_of_ids(asset.words.data(), asset.size_bytes, "ids");
  CHECK(has(text,
            "namespace host_conditions {\ninline constexpr ::std::uint32_t near_ = 0;  // \"near\"\n"
            "inline constexpr ::std::uint32_t seen = 1;\n"));
  CHECK(has(text,
            "// Tree \"idle\"\nnamespace idle {\nnamespace rules {\n"
            "inline constexpr ::std::uint32_t list = 0;\ninline constexpr ::std::uint32_t idle = 1;\n"
            "inline constexpr ::std::uint32_t wander = 2;\ninline constexpr ::std::uint32_t walk = 3;\n"
            "}  // namespace rules\n}  // namespace idle\n"));
  CHECK(has(text, "inline constexpr ::std::uint32_t a_list = 6;  // \"a.list\"\n"));
}

TEST_CASE("the header of an asset without rules has no conditions") {
  const test::Compiled asset = compiled({test::guard()});
  CHECK(!has(codegen::header_of_ids(asset.words.data(), asset.size_bytes, "ids"), "host_conditions"));
}

}  // namespace codegen_disassemble_rules
