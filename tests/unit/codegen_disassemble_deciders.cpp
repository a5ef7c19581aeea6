// What dump, sizes and the header of ids tell of trees of deciders.
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

test::Compiled compiled(std::vector<ir::Tree> trees, bool strip = false) {
  ir::Project project;
  project.trees = std::move(trees);
  test::Compiled result;
  test::compile(project, result, strip);
  return result;
}

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

TEST_CASE("a tree of deciders is printed with the parts of its agents, flags, stimuli and signals") {
  const std::string text = codegen::disassemble(compiled({test::creature()}, true).asset);
  INFO(text);
  CHECK(has(
      text,
      "\ntree 0 \"Creature\": dialect selection, engine decide, unit 2\n"
      "  agent: bytes 184, flags 8 at 0, stimuli 8 at 8, generator 8 at 16, timeouts 16 at 24, timers 8 at 40, "
      "path 32 at 48, memory 40 at 80, data 48 at 120, level_count 2 at 168, sequential 2 at 170, data_sizes 3 at "
      "172, shuffle 3 at 175, scratch 240\n"
      "  deciders: 14 from 0, units from 0, nodes 19, redecides 16\n"
      "  flags: 2\n    0 \"Dead\"\n    1 \"Night\"\n"
      "  stimuli: 3\n    0 \"TookHit\" timeout=2s number=0\n    1 \"Smell\"\n    2 \"Heard\" timeout=0.5s number=1\n"
      "  signals: 2\n    0 \"OnDamage\"\n      0 \"TookHit\"\n"
      "    1 \"OnNoise\"\n      2 \"Heard\"\n      0 \"TookHit\"\n"
      "  behavior_flags: 2\n    0 \"run\"\n    1 \"walk\"\n\n"));
}

TEST_CASE("a part of the agent that has no bytes is not printed") {
  ir::Tree tree = test::decider_tree("T");
  tree.variables.clear();
  tree.as<ir::Deciding>().stimuli.clear();
  tree.root = test::decider(Opcode::decide_prioritized, "Root", {test::decider(Opcode::decide_behavior, "Only")});
  CHECK(has(codegen::disassemble(compiled({tree}).asset),
            "\n  agent: bytes 40, flags 8 at 0, stimuli 8 at 8, path 16 at 16, level_count 2 at 32, scratch 96\n"));
}

TEST_CASE("what is asked of a decider, its behaviour and its sums are printed below it") {
  const std::string text = codegen::disassemble(compiled({test::creature()}, true).asset);
  INFO(text);
  CHECK(has(text,
            "\nunit 0: nodes 1, leaves 0, state 0, regions 0, uses 0, variables 0\n"
            "  decide_behavior decider=0 weight=1\n"
            "    ? decide=1 \"IsTired\"\n"
            "    - behavior=7 \"Rest\" memory=4\n"
            "    = children 0, levels 1, path 8, answer 16, scratch 16, asked 1\n\n"
            "unit 1: nodes 3, leaves 0, state 0, regions 0, uses 0, variables 0\n"
            "  decide_shuffle delegates=false decides_again=false decider=1 weight=1\n"
            "    = children 2, state 0, levels 2, path 8, answer 16, scratch 16, asked 1\n"
            "    decide_share unit=0 weight=1\n"
            "    decide_behavior decider=2 weight=1\n"));
  CHECK(has(text,
            "\n  decide_prioritized delegates=false decides_again=false decider=3 weight=1\n"
            "    = children 6, levels 4, path 40, answer 16, scratch 16, asked 1\n"
            "    decide_behavior decider=4 weight=1\n"
            "      ? precondition=0 flags_all=\"!Dead\" stimuli_any=\"TookHit Heard\"\n"
            "      ? decide=3 \"ShouldFlee\"\n"
            "      - block=12\n"
            "      - behavior=0 \"Flee\" memory=20 flags=\"run walk\"\n"
            "      = children 0, levels 1, path 40, answer 32, scratch 32, asked 1\n"
            "    decide_scored delegates=false decides_again=true decider=5 weight=1\n"
            "      ? decide=2 \"SeesIntruder\"\n"
            "      - behavior=5 \"OnGuard\" memory=8\n"
            "      = children 3, levels 2, path 16, answer 16, scratch 16, asked 1\n"
            "      decide_behavior decider=6 weight=1\n"
            "        ? every=30s timer=0\n"
            "        ? decide=0 \"IntruderNear\"\n"));
  CHECK(has(text, "\n        ? precondition=1 flags_any=\"!Dead Night\" stimuli_all=\"!Smell\"\n"));
  CHECK(has(text,
            "\n    decide_random delegates=true decides_again=false decider=8 weight=1\n"
            "      = children 3, levels 3, path 8, answer 32, scratch 160, asked 4\n"
            "      decide_behavior decider=9 weight=3\n"));
  CHECK(has(text, "\n      decide_share unit=1 weight=65535\n      decide_share unit=0 weight=1\n"));
}

TEST_CASE("names of deciders are debug data, all that a host binds to stays") {
  const std::string named = codegen::disassemble(compiled({test::creature()}).asset);
  CHECK(has(named, "\n  decide_behavior \"Rest\" decider=0 weight=1 at \"trees.xml\":1:1\n"));
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
  CHECK(tree["image"] == "");
  CHECK(tree["dirtyBit"].is_null());
  CHECK(tree["signals"][1]["assignments"] == json({{{"stimulus", 2}}, {{"stimulus", 0}}}));
  const json& record = tree["deciderTree"];
  CHECK(record["maxRedecides"] == 16);
  CHECK(record["deciderCount"] == 14);
  CHECK(record["block"]["shuffle"] == json({{"offset", 175}, {"bytes", 3}}));
  CHECK(record["stimuli"][1] == json({{"name", "Smell"}, {"timeoutUs", 0}, {"timeout", nullptr}}));
  CHECK(record["behaviorFlags"] == json({"run", "walk"}));
  const json& flee = all["nodes"][5];
  CHECK(flee["opcode"] == "decide_behavior");
  CHECK(flee["operands"] == json({{"parent", 5}, {"decider", 4}, {"weight", 1}}));
  CHECK(flee["name"] == "Flee");
  CHECK(flee["decider"] ==
        json({{"everyUs", 0},
              {"timer", nullptr},
              {"precondition", 0},
              {"asks",
               {{"flagsAll", {{"mask", 1}, {"value", 0}, {"text", "!Dead"}}},
                {"stimuliAny", {{"mask", 5}, {"value", 5}, {"text", "TookHit Heard"}}}}},
              {"decide", {{"hostCondition", 3}, {"name", "ShouldFlee"}}},
              {"behavior",
               {{"behavior", 0}, {"name", "Flee"}, {"memoryBytes", 20}, {"flags", 3}, {"flagsText", "run walk"}}},
              {"blockBytes", 12},
              {"state", 0},
              {"childCount", 0},
              {"levelCount", 1},
              {"pathBytes", 40},
              {"answerBytes", 32},
              {"scratchBytes", 32},
              {"askedCount", 1}}));
}

TEST_CASE("sizes tell what an agent of deciders costs, and how many places shared ones have") {
  const std::string text = codegen::sizes_text(compiled({test::creature()}).asset);
  INFO(text);
  CHECK(has(text,
            "tree \"Creature\": 184 bytes an agent (flags 8, stimuli 75, timers 8, path 34, behaviours 40, orders 5, "
            "generator 8, unused 6), 0 shared by all agents; 14 deciders, 2 of them shared, in 5 places\n"));
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
