// What espalier.json says. Faults are shown in tests/golden/lint/configuration.
#include <nlohmann/json.hpp>

#include "configuration_reading.h"
#include "dialects/btcpp/options.h"
#include "dialects/decider/options.h"
#include "dialects/dragengine/options.h"
#include "ir/poll/built.h"
#include "rules/rules.h"
#include "rules/xml.h"
#include "source_folder.h"
#include "unit.h"

namespace project_configuration {

using namespace espalier;
using project::Configuration;

TEST_CASE("a configuration says what to read and how findings count") {
  const ConfigurationReading result = read(R"({
    "$schema": "https://example.org/configuration.schema.json",
    "paths": [".", "tree.xml"],
    "rules": {"XML016": "error", "Suppression-Without-Reason": "off", "malformed": "error"},
    "baseline": "accepted.json",
    "selection": {"signalOnly": ["Alerted", "Guard/Hurt"]}
  })");
  CHECK(result.findings == "");
  const Configuration& configuration = result.configuration;
  CHECK(configuration.paths == std::vector<std::string>{".", "tree.xml"});
  CHECK(configuration.baseline == "accepted.json");
  CHECK(configuration.dialects.signal_only == std::vector<std::string>{"Alerted", "Guard/Hurt"});
  REQUIRE(configuration.severities.size() == 3);
  CHECK(configuration.severities[0].first == rules::XML_unused_suppression);
  CHECK(configuration.severities[0].second == rules::Severity::error);
  CHECK(configuration.severities[1].first == rules::XML_suppression_without_reason);
  CHECK(configuration.severities[1].second == std::nullopt);
}

TEST_CASE("an error that may be lowered can be a warning, and nothing below") {
  std::size_t count = 0;
  for (const rules::RuleInfo& row : rules::all()) {
    if (!row.may_be_lowered) continue;
    ++count;
    CAPTURE(row.code);
    const std::string code(row.code);
    CHECK(row.severity == rules::Severity::error);
    const ConfigurationReading lowered = read("{\"rules\": {\"" + code + "\": \"warning\"}}");
    CHECK(lowered.findings == "");
    CHECK(lowered.configuration.dialects.lowered == std::vector<rules::Rule>{rules::find(code)});
    CHECK(read("{\"rules\": {\"" + code + "\": \"error\"}}").configuration.dialects.lowered.empty());
    CHECK(read("{\"rules\": {\"" + code + "\": \"off\"}}").findings ==
          "1:23-26 fixed-severity: '" + code +
              "' is an error and cannot be turned off (it can only be lowered to \"warning\")\n");
    CHECK(read("{\"rules\": {\"" + code + "\": \"note\"}}").configuration.severities.empty());
  }
  CHECK(count > 0);
}

TEST_CASE("what is right in a configuration counts beside what is wrong") {
  const ConfigurationReading result =
      read(R"({"path": 1, "paths": ["nope", "tree.xml"], "rules": {"XML016": "note", "XML999": "note"}})");
  CHECK(result.configuration.paths == std::vector<std::string>{"tree.xml"});
  CHECK(result.configuration.severities.size() == 1);
}

TEST_CASE("a configuration nested without end is refused, not followed") {
  const std::string deep(1000000, '[');
  CHECK(read("{\"paths\": " + deep).findings ==
        "1:74-75 malformed-json: lists and objects are nested more than 64 deep\n");
}

TEST_CASE("the configuration of a path is the nearest one above it") {
  const TemporaryFolder folder;
  folder.write("espalier.json", "{}");
  folder.write("a/espalier.json", "{}");
  folder.write("a/b/tree.xml", "");
  folder.write("c/tree.xml", "");
  CHECK(project::nearest_configuration("a/b/tree.xml") == folder.path() / "a/espalier.json");
  CHECK(project::nearest_configuration("a") == folder.path() / "a/espalier.json");
  CHECK(project::nearest_configuration("c") == folder.path() / "espalier.json");
  CHECK(project::nearest_configuration("-") == folder.path() / "espalier.json");
  CHECK(project::nearest_configuration("a/nope.xml") == folder.path() / "a/espalier.json");
}

TEST_CASE("every key that the schema offers to editors is read") {
  std::ifstream file(source_folder() / "schemas/configuration.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  REQUIRE(schema["properties"].contains("selection"));
  // A key that is read does not like null; one that is not read is unknown.
  const auto is_read = [](const nlohmann::json& configuration) {
    return read(configuration.dump()).findings.find("wrong-type") != std::string::npos;
  };
  for (const auto& [key, value] : schema["properties"].items()) {
    CAPTURE(key);
    CHECK(is_read({{key, nullptr}}));
    if (!value.contains("properties")) continue;
    for (const auto& [inner, unused] : value["properties"].items()) CHECK(is_read({{key, {{inner, nullptr}}}}));
  }
  CHECK_FALSE(is_read({{"nothing", nullptr}}));
  for (const auto& [key, unused] : schema["$defs"]["host"]["properties"].items()) {
    CAPTURE(key);
    CHECK(is_read({{"hosts", {{"H", {{key, nullptr}}}}}}));
  }
  for (const auto& [key, unused] : schema["$defs"]["attribute"]["properties"].items()) {
    CAPTURE(key);
    nlohmann::json attribute = {{"type", "float"}};
    attribute[key] = nullptr;
    CHECK(is_read({{"hosts", {{"H", {{"attributes", {{"a", attribute}}}}}}}}));
  }
  for (const std::string kind : {"actions", "conditions"}) {
    const nlohmann::json& host = schema["properties"]["dragengine"]["properties"][kind]["additionalProperties"];
    const auto declared = [&](const nlohmann::json& member) {
      return nlohmann::json{{"dragengine", {{kind, {{"H", member}}}}}};
    };
    for (const auto& [key, unused] : host["properties"].items()) {
      CAPTURE(kind, key);
      CHECK(is_read(declared({{key, nullptr}})));
    }
    CHECK_FALSE(is_read(declared({{"attributes", nullptr}})));
    CHECK(is_read(declared({{"parameters", {{"p", {{"type", nullptr}}}}}})));
  }
  const auto is_read_of_node = [&](const nlohmann::json& node) {
    return is_read({{"btcpp", {{"nodes", {{"N", node}}}}}});
  };
  for (const auto& [key, unused] : schema["$defs"]["nodes"]["additionalProperties"]["properties"].items()) {
    CAPTURE(key);
    CHECK(is_read_of_node({{key, nullptr}}));
  }
  for (const auto& [key, unused] : schema["$defs"]["port"]["properties"].items()) {
    CAPTURE(key);
    CHECK(is_read_of_node({{"ports", {{"p", {{key, nullptr}}}}}}));
  }
}

TEST_CASE("the host of BehaviorTree.CPP's trees declares nodes, entries, names of numbers and packages") {
  const TemporaryFolder folder;
  folder.write("robot/trees/dock.xml", "");
  const ConfigurationReading result = read(R"({"btcpp": {
    "tick": "exactlyOnce", "enums": {"RED": 1, "NONE": -1}, "entries": ["pose", "goal"], "textBytes": 200,
    "packages": {"my_robot": "robot/../robot/"},
    "nodes": {
      "MoveBase": {"kind": "Action", "doc": "Drives", "result": ["running", "skipped"],
                   "ports": {"goal": {"direction": "input", "type": "std::string", "default": "home"},
                             "distance": {"direction": "output", "type": "double", "default": "{=}"}, "any": {}}},
      "Say": {"as": "sync"},
      "Patrol": {"as": "Fallback", "kind": "Control"},
      "Choose": {"kind": "Control"},
      "Near": {"kind": "Condition"}
    }
  }})",
                                           folder);
  CHECK(result.findings == "");
  const dialects::BtcppOptions& options = result.configuration.dialects.of<dialects::BtcppOptions>();
  CHECK(options.ticks_exactly_once);
  CHECK(options.enums == dialects::btcpp::Enumeration{{"NONE", -1.0}, {"RED", 1.0}});
  CHECK(options.entries == std::vector<std::string>{"goal", "pose"});
  CHECK(options.text_bytes == 200);
  CHECK(options.packages.at("my_robot").ends_with("/robot/"));
  REQUIRE(options.nodes.size() == 5);
  using namespace dialects::btcpp;
  const Declaration& move = options.nodes[0];
  CHECK(move.kind == NodeKind::action);
  CHECK_FALSE(move.is_sync);
  CHECK(move.results == (ir::kRuns | ir::kSkips));
  CHECK(move.doc == "Drives");
  CHECK(move.is_of_host());
  REQUIRE(move.ports.size() == 3);
  CHECK(move.find_port("goal")->type == kTextType);
  CHECK(move.find_port("goal")->direction == Direction::input);
  CHECK(move.find_port("goal")->otherwise == "home");
  CHECK(move.find_port("distance")->type == kRealType);
  CHECK(move.find_port("any")->direction == Direction::inout);
  CHECK(options.nodes[1].is_sync);
  CHECK(options.nodes[2].built == built::fallback);
  CHECK(options.nodes[3].built == built::sequence);
  CHECK(options.nodes[4].kind == NodeKind::condition);
}

TEST_CASE("what contradicts itself in the nodes of BehaviorTree.CPP is told, and the rest counts") {
  const ConfigurationReading result = read(R"({"btcpp": {
    "tick": "twice", "enums": {"1A": 1, "B": 0.5, "C": 4294967296}, "textBytes": 0, "packages": {"robot": "nowhere"},
    "nodes": {
      "Sequence": {}, "Action": {}, "": {},
      "A": {"as": "async"},
      "B": {"kind": "Control", "as": "Sequense"},
      "C": {"kind": "Decorator", "as": "sync"},
      "D": {"result": []},
      "E": {"ports": {"a.b": {}, "name": {}, "out": {"direction": "output", "default": "x"},
                      "speed": {"type": "double", "default": "fast"}, "n": {"type": "int", "default": "100ms"}}}
    }
  }})");
  CHECK(result.configuration.dialects.of<dialects::BtcppOptions>().nodes.size() == 5);
  CHECK(result.configuration.dialects.of<dialects::BtcppOptions>().text_bytes == 64);
  CHECK(result.findings == R"(2:14-19 unknown-value: 'tick' cannot be 'twice' ("once" or "exactlyOnce")
2:33-35 invalid-name: '1A' cannot be a name in scripts (names have letters, digits and '_', and do not begin with a digit)
2:46-49 invalid-number: 'B' of 'enums' is not a whole number of 32 bits
2:56-66 invalid-number: 'C' of 'enums' is not a whole number of 32 bits
2:82-83 invalid-number: 'textBytes' is not a whole number from 1 to 1024
2:108-115 path-not-found: no such folder: 'nowhere' (packages are relative to the folder of espalier.json)
4:8-16 invalid-name: 'Sequence' is a node of the library or of Nav2 already
4:24-30 invalid-name: 'Action' is a node of the library or of Nav2 already
4:38-38 invalid-name: the name of the node is empty
5:20-25 unknown-value: 'as' of the node 'A' cannot be 'async' (did you mean 'sync'?)
6:39-47 unknown-value: 'as' of the node 'B' cannot be 'Sequense' (did you mean 'Sequence'?)
7:41-45 contradicting-declaration: 'as' of the node 'C' has no meaning: it is not an 'Action' or a 'Control'
8:23-24 contradicting-declaration: 'result' of the node 'D' is empty (without "result" it can have any result of its kind)
9:24-27 invalid-name: 'a.b' cannot be the name of a port
9:35-39 invalid-name: 'name' cannot be the name of a port
9:89-90 contradicting-declaration: the default of the port 'out' of the node 'E', an output, is not an entry (write '{x}' for an entry)
10:63-67 contradicting-declaration: 'fast' is not a value of the port 'speed' of the node 'E', which is of type double
10:104-109 contradicting-declaration: '100ms' is not a value of the port 'n' of the node 'E', which is of type int
)");
}

TEST_CASE("what the Drag[en]gine's trees call is declared with its parameters") {
  const ConfigurationReading result = read(R"({"dragengine": {
    "runAwayLimit": 50,
    "actions": {
      "wander": {"parameters": {"chance": {"type": "float", "min": 0, "required": true}, "Chance": {}},
                 "result": ["running", "success"], "doc": "walks about"},
      "aim at": {"parameters": {"quickly": {"type": "presence"}}}
    },
    "conditions": {"near": {"parameters": {"distance": {"type": "int"}}}}
  }})");
  CHECK(result.findings.empty());
  const dialects::DragengineOptions& options = result.configuration.dialects.of<dialects::DragengineOptions>();
  CHECK(options.run_limit == 50);
  REQUIRE(options.actions.size() == 2);
  CHECK(options.actions[0].name == "aim at");
  CHECK(options.actions[0].attributes.at(0).is_presence);
  CHECK(options.actions[0].results == ir::kAnyResult);
  CHECK(options.actions[1].results == 5);
  CHECK(options.actions[1].attributes.at(0).is_required);
  CHECK(options.actions[1].attributes.at(0).minimum == 0);
  CHECK_FALSE(options.actions[1].attributes.at(1).is_presence);
  REQUIRE(options.conditions.size() == 1);
  CHECK(options.conditions[0].attributes.at(0).type == ir::ParameterType::whole);
}

TEST_CASE("Decide functions and flags of behaviours are declared by use, unless they are listed") {
  const ConfigurationReading result =
      read(R"({"decider": {"decide": ["SeesIntruder", "IsTired"], "behaviorFlags": []}})");
  const auto& options = result.configuration.dialects.of<dialects::DeciderOptions>();
  REQUIRE(options.decide_functions);
  CHECK(*options.decide_functions == std::vector<std::string>{"IsTired", "SeesIntruder"});
  REQUIRE(options.behavior_flags);
  CHECK(options.behavior_flags->empty());
  CHECK_FALSE(read(R"({"decider": {}})").configuration.dialects.of<dialects::DeciderOptions>().decide_functions);
  CHECK_FALSE(read(R"({"decider": {"decide": "IsTired"}})")
                  .configuration.dialects.of<dialects::DeciderOptions>()
                  .decide_functions);
}

}  // namespace project_configuration
