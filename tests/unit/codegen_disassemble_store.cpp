// The output of dump, sizes and the header of ids for trees that store their results.
#include <nlohmann/json.hpp>

#include "codegen/compile.h"
#include "codegen/dump/disassemble.h"
#include "codegen/sizes.h"
#include "codegen_store_trees.h"
#include "codegen_trees.h"
#include "runtime/format/records.h"
#include "unit.h"

namespace codegen_disassemble_store {

namespace {

using namespace espalier;
using nlohmann::json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string dump_of(const ir::Project& project, bool strip = false) {
  test::Compiled compiled;
  test::compile(project, compiled, strip);
  return codegen::disassemble(compiled.asset);
}

const json& group_at(const json& all, std::size_t index) {
  for (const json& node : all["units"][0]["nodes"]) {
    if (node.contains("group") && node["group"]["index"] == index) return node["group"];
  }
  FAIL("there is no group " << index);
  return all;
}

}  // namespace

TEST_CASE("a tree that stores is printed with the parts of its agents and what it needs") {
  const std::string text = dump_of(test::fighters(), true);
  INFO(text);
  CHECK(has(text, "\ntree 0 \"Fight\" unit=0 agent_bytes=608 shared_bytes=144 engine=store dialect=selection\n"));
  CHECK(has(text, " kind=monitors bits=16\n"));
  CHECK(has(text, " kind=rooms bits=8\n  store_tree 0 tree=0 \"Fight\" level_count=3 "));
  CHECK(has(text, "\n    tree_need 0: 56 232 592 1320 "));
  CHECK(has(text, "\n  store_tree 2 tree=2 \"Rest\" level_count=8 "));
  CHECK(has(text, "\n    tree_need 48: 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8 8\n"));
}

TEST_CASE("each node that stores is printed with what it has, a group with its roles and barriers") {
  const std::string text = dump_of(test::fighters(), true);
  INFO(text);
  for (const char* line : {
           "\n      store_monitor state=16\n        store_condition host_condition=",
           "\n      store_repeat until_failure=true each_update=false state=18 maximum=3\n",
           "\n    store_gate shared_value=0 maximum=2\n      store_cooldown_all starts_at_entry=false shared_value=1 "
           "number=10s\n",
           "\n    store_parallel success=any failure=all\n      store_invert\n",
           "\n          parameter 0 \"metres\" type=text value=\"3\"\n",
           "\n          parameter 0 \"to\" type=text value=\"home\"\n",
           "\n        store_cooldown starts_at_entry=false state=0 number=2.5s\n",
           "\n    store_group state=44 time=8\n"
           "      group 0 timeout_us=5s role_count=2 on_leave=reset barrier_count=2 shared_offset=32\n"
           "        barrier 0 \"ready\" roles=0x3\n        barrier 1 \"gone\" roles=0x1\n"
           "      store_role\n        store_sequence\n          store_barrier state=20 barrier=0 \"ready\"\n",
           "\n          store_group state=45 time=none\n"
           "            group 1 role_count=2 on_leave=ignore barrier_count=1 shared_offset=88\n"
           "              barrier 0 \"ready\" roles=0x1\n            store_role\n",
           "\n      store_child state=28 slot=0 \"any\" tree=2 \"Rest\"\n",
           "\n      store_child state=32 slot=2 \"pocket\" tree=none\n",
       }) {
    INFO(line);
    CHECK(has(text, line));
  }
  CHECK(!has(text, "agent_offset"));
}

TEST_CASE("slots are printed with what they accept and their rooms") {
  const std::string text = dump_of(test::fighters());
  INFO(text);
  CHECK(has(text, "\nslot 0 \"any\"\nslot 1 \"hands\" accepted_count=2\n"));
  CHECK(has(text, "\n  accept 0 tree=1 \"Hide\"\n  accept 1 tree=2 \"Rest\"\nslot 2 \"pocket\" budget_bytes=60\n"));
  CHECK(has(text, "\nslot_room 0: 56 232 592 "));
  CHECK(has(text, "\nslot_room 64: 8 16 24 32 40 48 56 64 "));
  CHECK(has(text, "\nslot_room 128: 56 56 56 56 56 56 56 56 "));
  ir::Project none = test::fighters();
  none.slots[1].accepts->clear();
  CHECK(has(dump_of(none), "\nslot 1 \"hands\" accepted_count=0\nslot 2 "));
}

TEST_CASE("labels are debug data; slots, barriers, behaviours and conditions stay in a stripped asset") {
  const std::string named = dump_of(test::fighters());
  CHECK(has(named, " store_gate \"Grenade\" shared_value=0 maximum=2 at \"trees.xml\":"));
  CHECK(has(named, " store_group \"Flank\" "));
  CHECK(has(named, " store_role \"role\" "));
  const std::string stripped = dump_of(test::fighters(), true);
  for (const char* name : {"\"Grenade\"", "\"Flank\"", "\"Cover\"", "\"role\"", "trees.xml"}) {
    CHECK(!has(stripped, name));
  }
  for (const char* name : {"Fight", "\"any\"", "ready", "HeardNoise", "Investigate", "metres"}) {
    CHECK(has(stripped, name));
  }
}

TEST_CASE("the JSON has every number of trees that store") {
  test::Compiled compiled;
  test::compile(test::fighters(), compiled);
  const json all = json::parse(codegen::disassemble_json(compiled.asset));
  const json& tree = all["trees"][0];
  CHECK(!tree.contains("imageBytes"));
  CHECK(tree["image"].is_null());
  CHECK(tree["sharedBytes"] == 144);
  const json& record = tree["storeTree"];
  CHECK(record["levelCount"] == 3);
  CHECK(record["childCount"] == 4);
  CHECK(record["sharedValueCount"] == 3);
  CHECK(all["trees"][1]["storeTree"]["firstSharedValue"] == 3);
  REQUIRE(record["treeNeeds"].size() == layout::kMaxTreeLevels);
  CHECK(record["treeNeeds"][2] == 592);
  CHECK(all["trees"][2]["storeTree"]["treeNeeds"] == json(std::vector<int>(layout::kMaxTreeLevels, 8)));
  CHECK(group_at(all, 0)["barriers"] ==
        json::parse(R"([{"name": "ready", "roles": 3}, {"name": "gone", "roles": 1}])"));
  CHECK(group_at(all, 0)["timeoutUs"] == 5000000);
  CHECK(group_at(all, 0)["onLeave"] == "reset");
  CHECK(group_at(all, 1)["timeoutUs"].is_null());
  CHECK(all["slots"][0]["acceptedCount"].is_null());
  CHECK(all["slots"][0]["budgetBytes"].is_null());
  CHECK(all["slots"][1]["accepts"] ==
        json::parse(R"([{"tree": 1, "treeName": "Hide"}, {"tree": 2, "treeName": "Rest"}])"));
  CHECK(all["slots"][2]["budgetBytes"] == 60);
  REQUIRE(all["slotRooms"].size() == 3 * layout::kMaxTreeLevels);
  CHECK(all["slotRooms"][2 * layout::kMaxTreeLevels] == 56);
}

TEST_CASE("the JSON tells of nodes that store what their operands lead to") {
  test::Compiled compiled;
  test::compile(test::fighters(), compiled);
  const json all = json::parse(codegen::disassemble_json(compiled.asset));
  const auto first = [&](const char* opcode) {
    for (const json& node : all["units"][0]["nodes"]) {
      if (node["opcode"] == opcode) return node;
    }
    return json();
  };
  const json child = first("store_child");
  CHECK(child["state"] == 28);
  CHECK(child["slot"] == 0);
  CHECK(child["slotName"] == "any");
  CHECK(child["tree"] == 2);
  CHECK(child["treeName"] == "Rest");
  CHECK(!child.contains("parent"));
  CHECK(first("store_barrier")["barrierName"] == "ready");
  CHECK(first("store_cooldown_all")["number"] == 10000000);
  CHECK(first("store_group")["name"] == "Flank");
  CHECK(first("store_group")["time"] == 8);
  CHECK(first("store_repeat")["untilFailure"] == true);
  CHECK(first("store_condition")["hostConditionName"] == "HeardNoise");
  CHECK(!first("store_monitor").contains("agentOffset"));
}

TEST_CASE("sizes tell part by part what an agent that stores costs, and what all agents share") {
  test::Compiled compiled;
  test::compile(test::fighters(), compiled);
  const std::string text = codegen::sizes_text(compiled.asset);
  INFO(text);
  CHECK(has(
      text,
      "tree \"Fight\": 608 bytes an agent (monitors 2, seats 2, slots 6, times 16, counts 28, group seats 2, "
      "results 10, rooms 536, unused 6), 144 shared by all agents; 39 nodes, 3 shared values, 2 groups, 4 slot nodes "
      "down to level 3, no rooms overlap\n"));
  CHECK(has(text,
            "tree \"Rest\": 16 bytes an agent (monitors 2, seats 2, results 1, unused 11), 144 shared by all agents; "
            "1 node\n"));
  CHECK(has(text, "; 44 nodes stored, which stand for 44\n"));
}

TEST_CASE("the header of ids has slots, and the trees that they can hold") {
  test::Compiled compiled;
  test::compile(test::fighters(), compiled);
  const std::string text = codegen::header_of_ids(compiled.words.data(), compiled.size_bytes, "ids");
  INFO(text);
  CHECK(
      has(text,
          "namespace slots {\ninline constexpr ::std::uint32_t any = 0;\ninline constexpr ::std::uint32_t hands = 1;\n"
          "inline constexpr ::std::uint32_t pocket = 2;\n}  // namespace slots\n"
          "namespace trees {\ninline constexpr ::std::uint32_t Fight = 0;\n"
          "inline constexpr ::std::uint32_t Hide = 1;\ninline constexpr ::std::uint32_t Rest = 2;\n"
          "}  // namespace trees\n"));
  CHECK(has(text, "inline constexpr ::std::uint32_t HeardNoise = "));
  CHECK(!has(text, "// Tree"));  // they have no ids
}

TEST_CASE("only trees that store are in the header's list of what slots can hold") {
  ir::Project project = test::fighters();
  project.trees.insert(project.trees.begin(), test::guard());
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::string text = codegen::header_of_ids(compiled.words.data(), compiled.size_bytes, "ids");
  INFO(text);
  CHECK(has(text, "namespace trees {\ninline constexpr ::std::uint32_t Fight = 1;\n"));
  CHECK(has(text, "\n// Tree \"Guard\"\nnamespace Guard {\n"));
}

}  // namespace codegen_disassemble_store
