// espalier.json: every fault at its place.
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

TEST_CASE("every fault of a configuration is found at its place") {
  struct Case {
    const char* text;
    const char* findings;
  };
  const Case cases[] = {
      {"{}", ""},
      {"\xEF\xBB\xBF{}", ""},
      {"", "1:1-1 malformed-json: the file is not JSON: unexpected end of input; expected '[', '{', or a literal\n"},
      {"{\"paths\": [\".\"]\n\n",
       "1:16-16 malformed-json: the file is not JSON: unexpected end of input; expected '}'\n"},
      {"{\"paths\": [\".\",]}",
       "1:16-17 malformed-json: the file is not JSON: unexpected ']'; expected '[', '{', or a literal "
       "(remove the comma after the last entry)\n"},
      {"{\"rules\": {\"XML016\": \"off\",\n}}",
       "2:1-2 malformed-json: the file is not JSON: unexpected '}'; expected string literal "
       "(remove the comma after the last entry)\n"},
      {"{\n  // why\n}",
       "2:3-4 malformed-json: the file is not JSON: invalid literal; expected string literal (JSON has no comments)\n"},
      {"{'paths': []}",
       "1:2-3 malformed-json: the file is not JSON: invalid literal; expected string literal (JSON puts strings in "
       "double quotes)\n"},
      {"{\"paths\" []}", "1:10-11 malformed-json: the file is not JSON: unexpected '['; expected ':'\n"},
      {"{} {}", "1:4-5 malformed-json: the file is not JSON: unexpected '{'; expected end of input\n"},
      {"[]", "1:1-2 wrong-type: espalier.json is a list, not an object\n"},
      {"true", "1:1-5 wrong-type: espalier.json is true or false, not an object\n"},
      {"{\"path\": []}", "1:3-7 unknown-key: unknown key 'path' in espalier.json (did you mean 'paths'?)\n"},
      {"{\"\\u0070ath\": []}", "1:3-12 unknown-key: unknown key 'path' in espalier.json (did you mean 'paths'?)\n"},
      {"{\"selection\": {\"signalonly\": []}}",
       "1:17-27 unknown-key: unknown key 'signalonly' in 'selection' (did you mean 'signalOnly'?)\n"},
      {"{\"paths\": [],\n \"paths\": [\"nope\"]}", "2:3-8 duplicate-key: duplicate key 'paths'\n"},
      {"{\"rules\": {\"XML016\": \"off\", \"XML016\": \"note\"}}", "1:30-36 duplicate-key: duplicate key 'XML016'\n"},
      {"{\"paths\": \"tree.xml\"}", "1:12-20 wrong-type: 'paths' is a string, not a list\n"},
      {"{\"paths\": [1.5e3, null, {\"a\": [1]}]}",
       "1:12-17 wrong-type: an entry of 'paths' is a number, not a string\n"
       "1:19-23 wrong-type: an entry of 'paths' is null, not a string\n"
       "1:25-26 wrong-type: an entry of 'paths' is an object, not a string\n"},
      {"{\"paths\": [\"trees\"]}",
       "1:13-18 path-not-found: no such file or folder: 'trees' (paths are relative to the folder of "
       "espalier.json)\n"},
      {"{\"baseline\": false}", "1:14-19 wrong-type: 'baseline' is true or false, not a string\n"},
      {"{\"rules\": []}", "1:11-12 wrong-type: 'rules' is a list, not an object\n"},
      {"{\"rules\": {\"unused-supression\": \"off\"}}",
       "1:13-30 unknown-rule: unknown rule 'unused-supression' (did you mean 'unused-suppression'?)\n"},
      {"{\"rules\": {\"XML016\": 1}}", "1:22-23 wrong-type: the severity of 'XML016' is a number, not a string\n"},
      {"{\"rules\": {\"XML016\": \"warn\"}}",
       "1:23-27 unknown-severity: unknown severity 'warn' (expected \"error\", \"warning\", \"note\" or \"off\")\n"},
      {"{\"rules\": {\"malformed\": \"off\"}}",
       "1:26-29 fixed-severity: 'malformed' is always an error and cannot be turned off\n"},
      {"{\"rules\": {\"XML001\": \"note\"}}",
       "1:23-27 fixed-severity: 'XML001' is always an error and cannot be lowered to 'note'\n"},
      {"{\"paths\": [\"tree.xml\", \"..\"]}",
       "1:25-27 path-outside: '..' is outside the folder of espalier.json and is not read (name it on the command line "
       "instead)\n"},
      {"{\"baseline\": \"/etc/passwd\"}",
       "1:15-26 path-outside: '/etc/passwd' is outside the folder of espalier.json and is not read (name it on the "
       "command line instead)\n"},
      {"{\"include\": [\"ai/\", \"*.debt\"], \"exclude\": [\"!x\", \"a/**/b\"]}", ""},
      {"{\"exclude\": [\"../x\", 1]}",
       "1:15-19 invalid-name: '../x' never matches a path of the project (globs are written as in .gitignore, relative "
       "to "
       "the folder of espalier.json)\n"
       "1:22-23 wrong-type: an entry of 'exclude' is a number, not a string\n"},
      {"{\"overrides\": {}}", "1:15-16 wrong-type: 'overrides' is an object, not a list\n"},
      {"{\"overrides\": [{\"paths\": [\"a\"], \"rules\": {\"XML016\": \"off\"}, \"path\": []}]}",
       "1:62-66 unknown-key: unknown key 'path' in an entry of 'overrides' (did you mean 'paths'?)\n"},
      {"{\"overrides\": [{\"paths\": [\"a\"], \"rules\": {\"MBT029\": \"warning\"}}]}",
       "1:54-61 fixed-severity: 'MBT029' is an error and cannot be lowered to 'warning' (it can only be lowered to "
       "\"warning\", in 'rules', for the whole project)\n"},
  };
  for (const Case& given : cases) {
    CAPTURE(given.text);
    CHECK(read(given.text).findings == given.findings);
  }
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

TEST_CASE("what is wrong with a declaration of the Drag[en]gine's is told at its place") {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"dragengine": {"runAwayLimit": 0}})",
       "1:33-34 invalid-number: 'runAwayLimit' is not a whole number from 1 to 65535\n"},
      {R"({"dragengine": {"runAwayLimit": 65536}})",
       "1:33-38 invalid-number: 'runAwayLimit' is not a whole number from 1 to 65535\n"},
      {R"({"dragengine": {"actions": {"": {}}}})", "1:30-30 invalid-name: the name of the action is empty\n"},
      {R"({"dragengine": {"conditions": {"c": {"parameters": {"p": {"type": "presence", "default": "1"}}}}}})",
       "1:91-92 contradicting-declaration: parameter 'p' of 'c' has the type \"presence\", so it cannot have a "
       "default\n"},
      {R"({"hosts": {"H": {"attributes": {"a": {"type": "presence"}}}}})", nullptr},
  };
  for (const auto& [text, expected] : cases) {
    CAPTURE(text);
    const std::string findings = read(text).findings;
    if (expected != nullptr) {
      CHECK(findings == expected);
    } else {
      CHECK_FALSE(findings.empty());
    }
  }
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
  CHECK(read(R"({"decider": {"decide": ["IsTired", "IsTired"]}})").findings ==
        "1:37-44 duplicate-declaration: duplicate entry 'IsTired' in 'decide'\n");
}

}  // namespace project_configuration
