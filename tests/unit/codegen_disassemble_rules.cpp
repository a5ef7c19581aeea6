// The output of dump, sizes and the header of ids for trees of rules.
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
using test::compiled;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a tree of rules is printed with its units' places and every rule") {
  const std::string text = codegen::disassemble(compiled({test::guarding(), test::idle()}, true).asset);
  const char* kParts[] = {
      "\ntree 0 \"guard\" unit=2 agent_bytes=4 engine=rule dialect=selection\n  image 0: 00000700\n",
      "\n  part 1 offset_bits=0 count=1 kind=current_rule bits=16\n"
      "  part 2 offset_bits=16 count=1 kind=status bits=8\n"
      "  rule_tree 0 run_limit=100 rule_count=18 instance_count=6\n"
      "    unit_instance 0 first_rule=0 unit=2 first_below=1\n"
      "    unit_instance 1 first_rule=6 unit=1 parent=1 first_below=4\n",
      "\n    unit_instance 5 first_rule=16 unit=0 parent=13 first_below=6\n    rule_id 0 \"root\"\n",
      "\n    rule_id 0 \"root\"\n    rule_id 1 \"a\"\n",
      "\n    rule_id 15\n    rule_id 16 \"b.walk\"\n    rule_id 17\n\n",
      "\n  rule_tree 1 run_limit=7 rule_count=5 instance_count=2 flags=\"used\"\n",
      "\nhost_condition 0 \"near\"\nhost_condition 1 \"seen\"\nhost_condition 2 \"tired\"\n",
  };
  for (const char* part : kParts) {
    INFO(part << "\n" << text);
    CHECK(has(text, part));
  }
}

TEST_CASE("what a rule asks and gives is printed below it, in the order of the file") {
  const std::string text = codegen::disassemble(compiled({test::guarding(), test::idle()}, true).asset);
  const char* kUnits[] = {
      "\n"
      "unit 0 word_count=12 node_count=3\n"
      "  rule_file\n"
      "    rule_action does_not_fail=false behavior=1 \"walk\"\n"
      "      query 0 condition_count=1 mode=all_true parameter_count=1\n"
      "        query_condition 0 condition=2 \"tired\"\n"
      "        parameter 0 \"to\" type=text value=\"home\"\n"
      "    rule_yield\n",
      "\n"
      "unit 1 word_count=16 node_count=4 reference_count=1\n"
      "  rule_file\n"
      "    rule_choice does_not_fail=true begins_anew=false\n"
      "      rule_action does_not_fail=false behavior=1 \"walk\"\n"
      "        query 0 condition_count=1 mode=all_true parameter_count=1\n"
      "          query_condition 0 condition=2 \"tired\"\n"
      "          parameter 0 \"to\" type=text value=\"home\"\n"
      "      rule_subtree does_not_fail=false begins_anew=false\n"
      "        reference 0 unit=0 rule=2\n",
      "\n"
      "unit 2 word_count=28 node_count=7 reference_count=3\n"
      "  rule_file\n"
      "    rule_sequence does_not_fail=false begins_anew=true\n"
      "      rule_subtree does_not_fail=false begins_anew=false\n"
      "        reference 1 unit=1 rule=1\n"
      "      rule_action does_not_fail=true behavior=0 \"shoot\"\n"
      "        query 1 condition_count=3 mode=any_false parameter_count=0\n"
      "          query_condition 0 condition=1 \"seen\"\n"
      "          query_condition 1 condition=0 \"near\"\n"
      "          query_condition 2 condition=1 \"seen\"\n"
      "      rule_subtree does_not_fail=false begins_anew=false\n"
      "        reference 2 unit=0 rule=3\n"
      "      rule_subtree does_not_fail=false begins_anew=true\n"
      "        reference 3 unit=1 rule=4\n"
      "      rule_result result=success\n",
  };
  for (const char* unit : kUnits) {
    INFO(text);
    CHECK(has(text, unit));
  }
}

TEST_CASE("a rule's place in its file is printed behind it") {
  const std::string text = codegen::disassemble(compiled({test::guarding()}).asset);
  CHECK(has(text, "\n  rule_file at \"wander.debt\":1:1\n"));
  CHECK(has(text, "\n    rule_yield \"rule_yield\" at \"wander.debt\":3:1\n"));
}

TEST_CASE("the JSON has every number of trees of rules") {
  const json all = json::parse(codegen::disassemble_json(compiled({test::guarding(), test::idle()}).asset));
  const json& idle = all["trees"][1]["ruleTree"];
  CHECK(idle["runLimit"] == 7);
  CHECK(idle["flags"] == 1);
  CHECK(idle["flagsText"] == "used");
  CHECK(idle["ruleCount"] == 5);
  CHECK(idle["unitInstances"] == json::parse(R"~([{"firstRule": 0, "unit": 1, "parent": null, "firstBelow": 1},
                                               {"firstRule": 3, "unit": 0, "parent": 2, "firstBelow": 2}])~"));
  const json& ids = all["trees"][0]["ruleTree"]["ruleIds"];
  REQUIRE(ids.size() == 18);
  CHECK(ids[16]["name"] == "b.walk");
  CHECK(ids[17] == json::object());
  CHECK(all["hostConditions"] == json::parse(R"([{"name": "near"}, {"name": "seen"}, {"name": "tired"}])"));
  const json& action = all["units"][0]["nodes"][1];
  CHECK(action["opcode"] == "rule_action");
  CHECK(action["doesNotFail"] == false);
  CHECK(action["behaviorName"] == "walk");
  CHECK(action["query"]["mode"] == "all_true");
  CHECK(action["query"]["queryConditions"] == json::parse(R"([{"condition": 2, "conditionName": "tired"}])"));
  CHECK(action["query"]["parameters"] == json::parse(R"([{"name": "to", "type": "text", "value": "home"}])"));
  const json& use = all["units"][1]["nodes"][3];
  CHECK(use["opcode"] == "rule_subtree");
  CHECK(use["reference"] == json({{"index", 0}, {"unit", 0}, {"rule", 2}}));
}

TEST_CASE("sizes tell what an agent of rules costs, and what storing files once saves") {
  const std::string text = codegen::sizes_text(compiled({test::guarding(), test::idle()}).asset);
  CHECK(has(text,
            "tree \"guard\": 4 bytes an agent (current rule 2, status 1, unused 1), 0 shared by all agents; 18 rules\n"
            "tree \"idle\": 4 bytes an agent (current rule 2, status 1, unused 1), 0 shared by all agents; 5 rules\n"));
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
