// The output of dump, sizes and the header of ids for trees of deciders.
#include <nlohmann/json.hpp>

#include "codegen/compile.h"
#include "codegen/dump/disassemble.h"
#include "codegen/sizes.h"
#include "codegen_trees.h"
#include "runtime/decide/layout.h"
#include "unit.h"

namespace codegen_disassemble_deciders {

namespace {

using namespace espalier;
using nlohmann::json;
using test::compiled;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A group that keeps the decider blocks of so many children.
ir::Tree keeping(std::size_t count) {
  ir::Tree tree = test::decider_tree("T");
  ir::Decider decider;
  decider.decide = "Likes";
  decider.block_bytes = 64;
  std::vector<ir::Node> children;
  for (std::size_t i = 0; i < count; ++i) {
    children.push_back(test::decider(Opcode::decide_behavior, "D", {}, decider));
  }
  tree.root = test::decider(Opcode::decide_random, "Root", std::move(children));
  return tree;
}

}  // namespace

TEST_CASE("a tree of deciders is printed with its signals, the parts of its agents, flags and stimuli") {
  const std::string text = codegen::disassemble(compiled({test::creature()}, true).asset);
  INFO(text);
  CHECK(has(text,
            " agent_bytes=184 engine=decide dialect=selection\n"
            "  signal 0 \"OnDamage\" assignment_count=1\n    assignment 0 variable=0 \"TookHit\" condition=\"true\"\n"
            "  signal 1 \"OnNoise\" assignment_count=2\n    assignment 0 variable=2 \"Heard\" condition=\"true\"\n"
            "    assignment 1 variable=0 \"TookHit\" condition=\"true\"\n"
            "  part 0 offset_bits=0 count=2 kind=variables bits=1\n"
            "    variable 0 \"Dead\"\n    variable 1 \"Night\"\n"
            "  part 1 offset_bits=64 count=3 kind=stimuli bits=1\n"
            "    stimulus 0 \"TookHit\" timeout_us=2s timeout=0\n    stimulus 1 \"Smell\"\n"
            "    stimulus 2 \"Heard\" timeout_us=0.5s timeout=1\n"
            "  part 2 offset_bits=128 count=1 kind=generator bits=64\n"));
  CHECK(has(text, " kind=stimulus_data bits=128\n  part 8 "));  // whose names are above
  CHECK(
      has(text,
          "\n  decider_tree 0 max_redecides=16 node_count=19 decider_count=14 behavior_flag_count=2 scratch_bytes=240\n"
          "    behavior_flag 0 \"run\"\n    behavior_flag 1 \"walk\"\n\n"));
}

TEST_CASE("what is asked of a decider, its behaviour and its sums are printed below it") {
  const std::string text = codegen::disassemble(compiled({test::creature()}, true).asset);
  INFO(text);
  const std::string sums = " level_count=1 answer_bytes=16 scratch_bytes=16 asked_count=1\n";
  CHECK(
      has(text,
          "  decide_behavior weight=1\n"
          "    decider 0 decide=1 \"IsTired\" behavior=7 \"Rest\" memory_bytes=4 state=0 level_count=1 path_bytes=8 "));
  CHECK(has(text,
            "  decide_shuffle delegates=false decides_again=false weight=1\n"
            "    decider 1 state=0 child_count=2 level_count=2 path_bytes=8 answer_bytes=16 scratch_bytes=16 "
            "asked_count=1\n"
            "    decide_share unit=0 weight=1\n"
            "    decide_behavior weight=1\n"
            "      decider 2 behavior=9 \"Yawn\" state=0" +
                sums));
  CHECK(has(text,
            " behavior=0 \"Flee\" behavior_flags=\"run walk\" memory_bytes=20 block_bytes=12 state=0 level_count=1 "
            "path_bytes=40 answer_bytes=32 scratch_bytes=32 asked_count=1\n"
            "        precondition 0 flags_all=\"!Dead\" stimuli_any=\"TookHit Heard\"\n"
            "    decide_scored delegates=false decides_again=true weight=1\n"));
  CHECK(has(text,
            "      decide_behavior weight=1\n"
            "        decider 6 every_us=30s timer=0 decide=0 \"IntruderNear\" behavior=1 \"Growl\" state=0" +
                sums + "      decide_share unit=0 weight=1\n"));
  CHECK(has(text, "\n          precondition 1 flags_any=\"!Dead Night\" stimuli_all=\"!Smell\"\n"));
  CHECK(has(text, "\n      decide_share unit=1 weight=65535\n      decide_share unit=0 weight=1\n"));
}

TEST_CASE("names of deciders are debug data, all that a host binds to stays") {
  const std::string named = codegen::disassemble(compiled({test::creature()}).asset);
  CHECK(has(named, "\n  decide_behavior \"Rest\" weight=1 at \"trees.xml\":1:1\n"));
  CHECK(has(named, "\n    decide_share \"Rest\" unit=0 weight=1 at "));
  const std::string stripped = codegen::disassemble(compiled({test::creature()}, true).asset);
  for (const char* name : {"\"Root\"", "\"Guard\"", "\"Naps\"", "\"Tour\""}) CHECK(!has(stripped, name));
  for (const char* name : {"Creature", "Night", "Smell", "OnNoise", "walk", "IsTired", "Yawn"}) {
    CHECK(has(stripped, name));
  }
}

TEST_CASE("the JSON has every number of trees of deciders") {
  const json all = json::parse(codegen::disassemble_json(compiled({test::creature()}).asset));
  const json& tree = all["trees"][0];
  CHECK(!tree.contains("imageBytes"));
  CHECK(tree["image"].is_null());
  CHECK(tree["signals"][1]["assignments"][0]["variableName"] == "Heard");
  const json& record = tree["deciderTree"];
  CHECK(record["index"] == 0);
  CHECK(record["maxRedecides"] == 16);
  CHECK(record["deciderCount"] == 14);
  CHECK(tree["parts"][1]["stimuli"][1] == json({{"name", "Smell"}, {"timeoutUs", 0}, {"timeout", nullptr}}));
  CHECK(record["behaviorFlags"] == json::parse(R"([{"name": "run"}, {"name": "walk"}])"));
  const json& flee = all["units"][2]["nodes"][1];
  CHECK(flee["opcode"] == "decide_behavior");
  CHECK(flee["weight"] == 1);
  CHECK(flee["name"] == "Flee");
  CHECK(flee["decider"] == json::parse(R"~({"index": 4, "everyUs": 0, "timer": null, "decide": 3,
    "decideName": "ShouldFlee", "behavior": 0, "behaviorName": "Flee", "behaviorFlags": 3, "behaviorFlagsText": "run walk",
    "memoryBytes": 20, "blockBytes": 12, "state": 0, "childCount": 0, "levelCount": 1, "pathBytes": 40,
    "answerBytes": 32, "scratchBytes": 32, "askedCount": 1, "precondition": {"index": 0,
      "flagsAll": {"mask": 1, "value": 0, "text": "!Dead"}, "flagsAny": {"mask": 0, "value": 0, "text": ""},
      "stimuliAll": {"mask": 0, "value": 0, "text": ""},
      "stimuliAny": {"mask": 5, "value": 5, "text": "TookHit Heard"}}})~"));
}

TEST_CASE("sizes tell what an agent of deciders costs, and how many places shared ones have") {
  const std::string text = codegen::sizes_text(compiled({test::creature()}).asset);
  INFO(text);
  CHECK(
      has(text,
          "tree \"Creature\": 184 bytes an agent (variables 1, stimuli 1, generator 8, timeouts 16, timers 8, path 32, "
          "memory 40, stimulus data 48, level count 2, ran last 2, data sizes 3, orders 3, unused 20), 0 shared by all "
          "agents; 14 deciders, 2 of them shared, in 5 places\n"));
  CHECK(has(text, "1 tree, 3 units, 10 behaviours, 4 host conditions\n"));
}

TEST_CASE("sizes tell of scratch memory where an update needs the host's") {
  CHECK(!has(codegen::sizes_text(compiled({keeping(10)}).asset), "scratch"));
  const std::string text = codegen::sizes_text(compiled({keeping(40)}).asset);
  CHECK(has(text, "; 41 deciders; " + std::to_string(kFrameBytes + 41 * 80) + " bytes of scratch memory an update\n"));
}

TEST_CASE("the header of ids has flags as masks, and stimuli by number") {
  const test::Compiled asset = compiled({test::creature()});
  const std::string text = codegen::header_of_ids(asset.words.data(), asset.size_bytes, "ids");
  INFO(text);
  CHECK(has(
      text,
      "\n// Tree \"Creature\"\nnamespace Creature {\n"
      "namespace variables {\ninline constexpr ::std::uint32_t Dead = 0;\ninline constexpr ::std::uint32_t Night = 1;\n"
      "}  // namespace variables\n"
      "namespace signals {\ninline constexpr ::std::uint32_t OnDamage = 0;\n"
      "inline constexpr ::std::uint32_t OnNoise = 1;\n}  // namespace signals\n"
      "namespace flags {\ninline constexpr ::std::uint64_t Dead = ::std::uint64_t{1} << 0;\n"
      "inline constexpr ::std::uint64_t Night = ::std::uint64_t{1} << 1;\n}  // namespace flags\n"
      "namespace stimuli {\ninline constexpr ::std::uint32_t TookHit = 0;\n"
      "inline constexpr ::std::uint32_t Smell = 1;\ninline constexpr ::std::uint32_t Heard = 2;\n"
      "}  // namespace stimuli\n"
      "namespace behavior_flags {\ninline constexpr ::std::uint32_t run = ::std::uint32_t{1} << 0;\n"
      "inline constexpr ::std::uint32_t walk = ::std::uint32_t{1} << 1;\n}  // namespace behavior_flags\n"
      "}  // namespace Creature\n"));
  CHECK(has(text, "inline constexpr ::std::uint32_t IsTired = 1;\n"));
}

}  // namespace codegen_disassemble_deciders
