// What espalier.json says. Faults are shown in tests/golden/lint/configuration.
#include <nlohmann/json.hpp>

#include "configuration_reading.h"
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
  CHECK(configuration.severities[0].first == rules::Rule::XML_unused_suppression);
  CHECK(configuration.severities[0].second == rules::Severity::error);
  CHECK(configuration.severities[1].first == rules::Rule::XML_suppression_without_reason);
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
  const dialects::Options& options = result.configuration.dialects;
  CHECK(options.run_limit == 50);
  REQUIRE(options.rule_actions.size() == 2);
  CHECK(options.rule_actions[0].name == "aim at");
  CHECK(options.rule_actions[0].attributes.at(0).is_presence);
  CHECK(options.rule_actions[0].results == ir::kAnyResult);
  CHECK(options.rule_actions[1].results == 5);
  CHECK(options.rule_actions[1].attributes.at(0).is_required);
  CHECK(options.rule_actions[1].attributes.at(0).minimum == 0);
  CHECK_FALSE(options.rule_actions[1].attributes.at(1).is_presence);
  REQUIRE(options.rule_conditions.size() == 1);
  CHECK(options.rule_conditions[0].attributes.at(0).type == ir::ParameterType::whole);
}

TEST_CASE("Decide functions and flags of behaviours are declared by use, unless they are listed") {
  const dialects::Options options =
      read(R"({"decider": {"decide": ["SeesIntruder", "IsTired"], "behaviorFlags": []}})").configuration.dialects;
  REQUIRE(options.decide_functions);
  CHECK(*options.decide_functions == std::vector<std::string>{"IsTired", "SeesIntruder"});
  REQUIRE(options.behavior_flags);
  CHECK(options.behavior_flags->empty());
  CHECK_FALSE(read(R"({"decider": {}})").configuration.dialects.decide_functions);
  CHECK_FALSE(read(R"({"decider": {"decide": "IsTired"}})").configuration.dialects.decide_functions);
}

}  // namespace project_configuration
