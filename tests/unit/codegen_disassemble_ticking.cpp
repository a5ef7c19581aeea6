// The output of dump for trees that tick.
#include <nlohmann/json.hpp>

#include "codegen/compile.h"
#include "codegen/dump/disassemble.h"
#include "codegen/sizes.h"
#include "codegen_trees.h"
#include "unit.h"

namespace codegen_disassemble_ticking {

namespace {

using namespace espalier;
using nlohmann::json;

test::Compiled compiled_soldier(bool strip = false) {
  ir::Project project;
  project.trees = {test::soldier()};
  test::Compiled compiled;
  test::compile(project, compiled, strip);
  return compiled;
}

// A tree of one node that has this number.
std::string printed_number(Opcode opcode, std::uint64_t number) {
  ir::Project project;
  ir::Tree& tree = project.trees.emplace_back(test::ticking_tree("T"));
  test::Operands operands = {ir::Duration{number, 0}};
  if (opcode == Opcode::tick_chance_guard) operands.payload = ir::Chance{number};
  if (opcode == Opcode::tick_time_guard) operands.payload = ir::TimeTest{{}, number};
  std::vector<ir::Node> children;
  if (opcode != Opcode::tick_wait) children.push_back(test::tick_node(Opcode::tick_result, ""));
  tree.root = test::tick_node(opcode, "", std::move(children), operands);
  test::Compiled compiled;
  test::compile(project, compiled);
  const std::string text = codegen::disassemble(compiled.asset);
  const std::size_t begin = text.find(" number=") + 8;
  return text.substr(begin, text.find(' ', begin) - begin);
}

const json& node_of(const json& all, const std::string& opcode) {
  for (const json& node : all["units"][0]["nodes"]) {
    if (node["opcode"] == opcode) return node;
  }
  FAIL("there is no " << opcode);
  return all;
}

}  // namespace

TEST_CASE("flags, events, texts and times of a node are printed in words") {
  const std::string text = codegen::disassemble(compiled_soldier().asset);
  const char* kLines[] = {
      " shared_bytes=8 ",
      "\n  ticking 0 limit_count=1\n",
      "\n    timestamp 0 \"Heard\" signal=0 \"Noise\" exclusive_to=1 \"Calm\"\n"
      "    timestamp 1 \"Calm\" signal=1 \"Quiet\"\n",
      "\n  tick_parallel \"Parallel\" success=any failure=any agent_offset=0 at",
      "\n    tick_branch number=1 agent_offset=13 at",
      " text=\"Stand\" event_transition_count=2 at",
      "\n          event_transition 0 signal=0 \"Noise\" state=1\n          event_transition 1 signal=1 \"Quiet\" "
      "state=0\n",
      "tick_result \"Fail\" result=failure at",
      "tick_message \"Log\" text=\"hello\" at",
      "tick_time \"AssertTime\" result=failure compares=more never_set=false timestamp=none number=-1.25s at",
      "tick_time_guard \"IfTime\" compares=less never_set=true timestamp=0 \"Heard\" number=5s at",
      "tick_send \"SendEvent\" result=success signal=0 \"Noise\" at",
      "tick_queue \"Signal\" result=success receivers=group signal=1 \"Quiet\" at",
      "tick_script \"AssertLua\" decides=true script=0 \"return true\" at",
      "tick_script_wrapper \"LuaWrapper\" script=none script=1 \"leave()\" at",
      "tick_action \"Move\" behavior=1 \"Move\" parameter_count=8 at",
      "\n              parameter 0 \"to\" type=choice value=1 \"Cover\"\n"
      "              parameter 1 \"speed\" type=number value=0.3\n",
      " \"steps\" type=whole value=-3\n",
      " \"quiet\" type=boolean value=true\n",
      " \"offset\" type=vector value=0, -1.5, 1e+300\n",
      " \"note\" type=text value=\"a \\\"b\\\"\"\n",
      " \"then\" type=event value=\"Noise\"\n",
      " \"check\" type=script value=\"return 1\"\n",
      "tick_wrapper \"HoldFormation\" keeps=true behavior=0 \"HoldFormation\" parameter_count=0 at",
      "tick_loop \"Loop\" until=failure count=3 agent_offset=4 at",
      "tick_limit \"LimitConcurrentUsers\" limit=0 maximum=3 at",
      "tick_scope \"GroupScope\" scope=0 \"Cover\" maximum=2 at",
      "tick_log text=\"begins\" text=\"\" text=\"ends\" at",
      "tick_wait \"Wait\" result=success number=2.5s number=0s agent_offset=",
      "\nscript 0 \"return true\"\nscript 1 \"leave()\"\n\nscope 0 \"Cover\"\n",
  };
  for (const char* line : kLines) {
    INFO(line);
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(text.find("parent") == std::string::npos);
}

TEST_CASE("times are printed in seconds, chances as a part of one") {
  const struct {
    Opcode opcode;
    std::uint64_t number;
    const char* printed;
  } kCases[] = {
      {Opcode::tick_wait, 0, "0s"},
      {Opcode::tick_wait, 1, "0.000001s"},
      {Opcode::tick_wait, 1000000, "1s"},
      {Opcode::tick_wait, 90500000, "90.5s"},
      {Opcode::tick_time_guard, static_cast<std::uint64_t>(-1), "-0.000001s"},
      {Opcode::tick_time_guard, std::uint64_t{1} << 63, "-9223372036854.775808s"},
      {Opcode::tick_chance_guard, 0, "0"},
      {Opcode::tick_chance_guard, std::uint64_t{1} << 53, "1"},
      {Opcode::tick_chance_guard, 900719925474099, "0.1"},
  };
  for (const auto& row : kCases) CHECK(printed_number(row.opcode, row.number) == row.printed);
}

TEST_CASE("JSON tells what operands lead to") {
  const json all = json::parse(codegen::disassemble_json(compiled_soldier().asset));
  const json& wait = node_of(all, "tick_wait");
  CHECK(wait["number"] == 2500000);
  CHECK(wait["number2"] == 0);
  const json& log = node_of(all, "tick_log");
  CHECK(log["text"] == "begins");
  CHECK(log["text2"] == "");
  CHECK(log["text3"] == "ends");
  const json& wrapper = node_of(all, "tick_script_wrapper");
  CHECK(wrapper["script"].is_null());
  CHECK(wrapper["script2"] == 1);
  CHECK(wrapper["script2Name"] == "leave()");
  CHECK(node_of(all, "tick_time_guard")["compares"] == "less");
  CHECK(node_of(all, "tick_time_guard")["neverSet"] == true);
  CHECK(node_of(all, "tick_branch")["number"] == 0);
  CHECK(node_of(all, "tick_state")["eventTransitions"][1] ==
        json::parse(R"({"signal": 1, "signalName": "Quiet", "state": 0})"));
  const json parameters = json::parse(R"~([
      {"name": "to", "type": "choice", "value": {"index": 1, "word": "Cover"}},
      {"name": "speed", "type": "number", "value": 0.3},
      {"name": "steps", "type": "whole", "value": -3},
      {"name": "quiet", "type": "boolean", "value": true},
      {"name": "offset", "type": "vector", "value": [0.0, -1.5, 1e300]},
      {"name": "note", "type": "text", "value": "a \"b\""},
      {"name": "then", "type": "event", "value": "Noise"},
      {"name": "check", "type": "script", "value": "return 1"}])~");
  CHECK(node_of(all, "tick_action")["parameters"] == parameters);
  const json timestamps = json::parse(R"~([
      {"name": "Heard", "signal": 0, "signalName": "Noise", "exclusiveTo": 1, "exclusiveToName": "Calm"},
      {"name": "Calm", "signal": 1, "signalName": "Quiet", "exclusiveTo": null}])~");
  CHECK(all["trees"][0]["parts"][5]["timestamps"] == timestamps);
  CHECK(all["scripts"] == json::parse(R"~([{"text": "return true"}, {"text": "leave()"}])~"));
  CHECK(all["scopes"] == json::parse(R"([{"name": "Cover"}])"));
}

TEST_CASE("a stripped tree that ticks is printed without names of nodes, and with its events") {
  const std::string text = codegen::disassemble(compiled_soldier(true).asset);
  CHECK(text.find("\"Fail\"") == std::string::npos);
  CHECK(text.find("tick_send result=success signal=0 \"Noise\"\n") != std::string::npos);
}

TEST_CASE("sizes tell each part of an agent that ticks, and what agents share") {
  const std::string text = codegen::sizes_text(compiled_soldier().asset);
  CHECK(text.find("tree \"Soldier\": 72 bytes an agent (variables 1, cursor 2, status 1, held 1, generator 8, "
                  "timestamps 16, states 41, unused 2), 8 shared by all agents; 45 nodes\n") == 0);
  CHECK(text.find("\ngroup: 8 bytes shared by the agents of a group, for 1 scope\n") != std::string::npos);
}

TEST_CASE("the header of ids has a tree's timestamps") {
  const test::Compiled compiled = compiled_soldier();
  const std::string header = codegen::header_of_ids(compiled.words.data(), compiled.size_bytes, "ids");
  CHECK(header.find("namespace timestamps {\ninline constexpr ::std::uint32_t Heard = 0;\n"
                    "inline constexpr ::std::uint32_t Calm = 1;\n}") != std::string::npos);
}

}  // namespace codegen_disassemble_ticking
