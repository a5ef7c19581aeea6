// Hosts as espalier.json and host files declare them: the declarations, and every fault at its place.
#include <algorithm>

#include "configuration_reading.h"
#include "unit.h"

namespace project_hosts {

using namespace espalier;
using dialects::HostAttribute;
using dialects::HostDeclaration;

namespace {

// A configuration with one host "H" that holds `text`.
std::string host(const std::string& text) { return "{\"hosts\": {\"H\": {" + text + "}}}"; }

// The findings of an attribute "a" of "H" that holds `text`, by the text that they mark.
std::string faults_of_attribute(const std::string& text) {
  const std::string all = host("\"attributes\": {\"a\": {" + text + "}}");
  std::string findings = read(all).findings;
  std::string result;
  while (!findings.empty()) {
    const std::size_t colon = findings.find(':');
    const std::size_t hyphen = findings.find('-');
    const std::size_t space = findings.find(' ');
    const std::size_t begin = std::stoul(findings.substr(colon + 1, hyphen)) - 1;
    const std::size_t end = std::stoul(findings.substr(hyphen + 1, space)) - 1;
    const std::size_t line = findings.find('\n');
    result += all.substr(begin, end - begin) + " <- " + findings.substr(space + 1, line - space);
    findings.erase(0, line + 1);
  }
  return result;
}

}  // namespace

TEST_CASE("hosts are declared with their attributes, and come sorted by name") {
  const ConfigurationReading result = read(R"({
    "hosts": {
      "Squad": {"children": "many", "as": "parallel"},
      "Move": {
        "doc": "Walks somewhere",
        "attributes": {
          "to": {"type": "enum", "enum": ["Target", "Cover"], "default": "cover", "recommended": true},
          "speed": {"type": "enum", "enum": ["Walk", "Run"], "required": true, "doc": "How fast"},
          "stopWithinDistance": {"type": "float", "min": 0, "max": 2.5, "default": 0.10},
          "count": {"type": "int", "min": -3, "default": -2},
          "avoid": {"type": "bool", "default": true},
          "strafe": {"type": "bool", "default": 0},
          "duration": {"type": "float", "enum": ["forever"], "default": "forever"},
          "at": {"type": "vec3", "default": "1,2,3"},
          "tag": {"deprecated": true, "default": ""},
          "onEnter": {"type": "lua"},
          "signal": {"type": "event"}
        },
        "logs": false,
        "result": ["running", "success"],
        "sends": ["OnArrived"],
        "sets": [],
        "deprecated": true
      },
      "Hold": {"children": "one", "as": "keep"},
      "Pipe": {"children": "raw"}
    }
  })");
  CHECK(result.findings == "");
  const std::vector<HostDeclaration>& hosts = result.configuration.dialects.hosts;
  REQUIRE(hosts.size() == 4);
  CHECK(hosts[0].name == "Hold");
  CHECK(hosts[0].children == dialects::HostChildren::one);
  CHECK(hosts[0].as == dialects::HostAs::keep);
  CHECK(hosts[0].reads_logs);
  CHECK(hosts[0].results == ir::kAnyResult);
  CHECK_FALSE(hosts[0].sends);
  CHECK_FALSE(hosts[0].sets);
  CHECK(hosts[2].children == dialects::HostChildren::raw);
  CHECK(hosts[3].children == dialects::HostChildren::many);
  CHECK(hosts[3].as == dialects::HostAs::parallel);

  const HostDeclaration& move = hosts[1];
  CHECK(move.name == "Move");
  CHECK(move.doc == "Walks somewhere");
  CHECK(move.children == dialects::HostChildren::none);
  CHECK_FALSE(move.reads_logs);
  CHECK(move.results == (1u << static_cast<unsigned>(Result::running) | 1u << static_cast<unsigned>(Result::success)));
  CHECK(*move.sends == std::vector<std::string>{"OnArrived"});
  CHECK(*move.sets == std::vector<std::string>{});
  CHECK(move.is_deprecated);

  struct Expected {
    const char* name;
    ir::ParameterType type;
    std::optional<std::string> otherwise;
  };
  const Expected attributes[] = {
      {"to", ir::ParameterType::choice, "cover"},
      {"speed", ir::ParameterType::choice, std::nullopt},
      {"stopWithinDistance", ir::ParameterType::number, "0.10"},
      {"count", ir::ParameterType::whole, "-2"},
      {"avoid", ir::ParameterType::boolean, "1"},
      {"strafe", ir::ParameterType::boolean, "0"},
      {"duration", ir::ParameterType::number, "forever"},
      {"at", ir::ParameterType::vector, "1,2,3"},
      {"tag", ir::ParameterType::text, ""},
      {"onEnter", ir::ParameterType::script, std::nullopt},
      {"signal", ir::ParameterType::event, std::nullopt},
  };
  REQUIRE(move.attributes.size() == std::size(attributes));
  for (std::size_t i = 0; i < std::size(attributes); ++i) {
    CAPTURE(attributes[i].name);
    CHECK(move.attributes[i].name == attributes[i].name);
    CHECK(move.attributes[i].type == attributes[i].type);
    CHECK(move.attributes[i].otherwise == attributes[i].otherwise);
  }
  CHECK(move.attributes[0].is_recommended);
  CHECK_FALSE(move.attributes[0].is_required);
  CHECK(move.attributes[1].is_required);
  CHECK(move.attributes[1].doc == "How fast");
  CHECK(move.attributes[1].words == std::vector<std::string>{"Walk", "Run"});
  CHECK(move.attributes[2].minimum == 0.0);
  CHECK(move.attributes[2].maximum == 2.5);
  CHECK(move.attributes[3].minimum == -3.0);
  CHECK_FALSE(move.attributes[3].maximum);
  CHECK(move.attributes[8].deprecated_in == dialects::kAllEngines);
}

TEST_CASE("a host has at most 1000 attributes, and an enum 1000 words") {
  for (const std::size_t count : {1000u, 1002u}) {
    CAPTURE(count);
    std::string words, attributes;
    for (std::size_t i = 0; i < count; ++i) {
      words += (i == 0 ? "\"w" : ", \"w") + std::to_string(i) + '"';
      attributes += (i == 0 ? "\"a" : ", \"a") + std::to_string(i) + "\": {}";
    }
    const bool is_excess = count > 1000;
    CHECK(faults_of_attribute("\"type\": \"enum\", \"enum\": [" + words + ']') ==
          (is_excess ? "[ <- invalid-number: 'enum' of attribute 'a' of 'H' has more than 1000 entries\n" : ""));
    const ConfigurationReading result = read(host("\"attributes\": {" + attributes + '}'));
    CHECK(result.configuration.dialects.hosts[0].attributes.size() == 1000);
    CHECK((result.findings.find("'attributes' of host 'H' has more than 1000 entries") != std::string::npos) ==
          is_excess);
  }
}

TEST_CASE("every fault of an attribute's declaration is found at its place") {
  struct Case {
    const char* text;
    const char* faults;
  };
  const Case cases[] = {
      {"\"type\": \"flaot\"",
       "flaot <- unknown-value: 'type' of attribute 'a' of 'H' cannot be 'flaot' (did you mean 'float'?)\n"},
      {"\"type\": \"number\"",
       "number <- unknown-value: 'type' of attribute 'a' of 'H' cannot be 'number' (\"string\", \"int\", \"float\", "
       "\"bool\", \"enum\", \"vec3\", \"event\" or \"lua\")\n"},
      {"\"type\": 1", "1 <- wrong-type: 'type' of attribute 'a' of 'H' is a number, not a string\n"},
      {"\"requierd\": true",
       "requierd <- unknown-key: unknown key 'requierd' in attribute 'a' of 'H' (did you mean 'required'?)\n"},
      {"\"required\": 1", "1 <- wrong-type: 'required' of attribute 'a' of 'H' is a number, not true or false\n"},
      {"\"required\": true, \"default\": \"x\"",
       "x <- contradicting-declaration: attribute 'a' of 'H' is required, so its default is never used\n"},
      {"\"required\": true, \"recommended\": true",
       "true <- contradicting-declaration: attribute 'a' of 'H' is required, so \"recommended\" has no effect\n"},
      {"\"type\": \"enum\"",
       "enum <- contradicting-declaration: attribute 'a' of 'H' is an enum without words (list its words in "
       "\"enum\")\n"},
      {"\"type\": \"enum\", \"enum\": []",
       "[ <- contradicting-declaration: attribute 'a' of 'H' is an enum without words (list its words in \"enum\")\n"},
      {"\"type\": \"enum\", \"enum\": \"x\"",
       "x <- wrong-type: 'enum' of attribute 'a' of 'H' is a string, not a list\n"},
      {"\"enum\": [\"x\"]",
       "[ <- contradicting-declaration: attribute 'a' of 'H' has words but is not an enum (use the type \"enum\")\n"},
      {"\"type\": \"enum\", \"enum\": [\"Run\", \"Walk\", \"run\"]",
       "run <- duplicate-declaration: duplicate entry 'run' in 'enum' of attribute 'a' of 'H'\n"},
      {"\"type\": \"enum\", \"enum\": [\"Run\", \"\"]",
       " <- invalid-name: an entry of 'enum' of attribute 'a' of 'H' is empty\n"},
      {"\"type\": \"enum\", \"enum\": [\"Run\", \"Walk\"], \"default\": \"Wlak\"",
       "Wlak <- contradicting-declaration: attribute 'a' of 'H' has an invalid default: 'Wlak' is not a valid value of "
       "'a' (did you mean 'Walk'?)\n"},
      {"\"type\": \"int\", \"default\": 1.5",
       "1.5 <- contradicting-declaration: attribute 'a' of 'H' has an invalid default: '1.5' is not a valid value of "
       "'a' (expected a whole number from -2147483648 to 4294967295)\n"},
      {"\"type\": \"int\", \"default\": 3, \"max\": 2",
       "3 <- contradicting-declaration: attribute 'a' of 'H' has an invalid default: '3' is not a valid value of 'a' "
       "(expected a whole number from -2147483648 to 2)\n"},
      {"\"type\": \"float\", \"default\": 1e3",
       "1e3 <- contradicting-declaration: attribute 'a' of 'H' has an invalid default: '1e3' is not a valid value of "
       "'a' (expected a number)\n"},
      {"\"type\": \"float\", \"default\": \"1\"",
       "1 <- wrong-type: 'default' of attribute 'a' of 'H' is a string, not a number\n"},
      {"\"type\": \"float\", \"enum\": [\"forever\"], \"default\": \"for ever\"",
       "for ever <- contradicting-declaration: attribute 'a' of 'H' has an invalid default: 'for ever' is not a valid "
       "value of 'a' (did you mean 'forever'?)\n"},
      {"\"type\": \"bool\", \"default\": \"true\"",
       "true <- wrong-type: 'default' of attribute 'a' of 'H' is a string, not true or false\n"},
      {"\"type\": \"vec3\", \"default\": \"1,2\"",
       "1,2 <- contradicting-declaration: attribute 'a' of 'H' has an invalid default: '1,2' is not a valid value of "
       "'a' (expected three numbers with commas, such as '1,0,0.5')\n"},
      {"\"type\": \"lua\", \"default\": \"return 1 +\"",
       "return 1 + <- contradicting-declaration: attribute 'a' of 'H' has an invalid default: unexpected symbol at the "
       "end\n"},
      {"\"default\": 5", "5 <- wrong-type: 'default' of attribute 'a' of 'H' is a number, not a string\n"},
      {"\"default\": null", "null <- wrong-type: 'default' of attribute 'a' of 'H' is null, not a string\n"},
      {"\"min\": 1",
       "1 <- contradicting-declaration: attribute 'a' of 'H' has a 'min' but is not a number (only \"int\" and "
       "\"float\" have a range)\n"},
      {"\"type\": \"float\", \"max\": \"1\"",
       "1 <- wrong-type: 'max' of attribute 'a' of 'H' is a string, not a number\n"},
      {"\"type\": \"int\", \"min\": 0.5",
       "0.5 <- contradicting-declaration: attribute 'a' of 'H' is an int, and its 'min' is not a whole number\n"},
      {"\"type\": \"float\", \"min\": 2, \"max\": 1, \"default\": 5",
       "2 <- contradicting-declaration: attribute 'a' of 'H' has a 'min' above its 'max', so no number is valid\n"},
  };
  for (const Case& given : cases) {
    CAPTURE(given.text);
    CHECK(faults_of_attribute(given.text) == given.faults);
  }
}

TEST_CASE("every fault of a host's declaration is found at its place") {
  struct Case {
    std::string text;
    const char* findings;
  };
  const Case cases[] = {
      {"{\"hosts\": []}", "1:11-12 wrong-type: 'hosts' is a list, not an object\n"},
      {"{\"hosts\": {\"H\": []}}", "1:17-18 wrong-type: host 'H' is a list, not an object\n"},
      {"{\"hosts\": {\"\": {}}}", "1:13-13 invalid-name: '' is not a valid XML element name\n"},
      {"{\"hosts\": {\"2nd\": {}}}", "1:13-16 invalid-name: '2nd' is not a valid XML element name\n"},
      {"{\"hosts\": {\"StateMachine\": {}, \"sequence\": {}}}",
       "1:13-25 invalid-name: 'StateMachine' is already a node of the dialect 'modular'\n"},
      {"{\"hosts\": {\"H\": {}, \"H\": {}}}", "1:22-23 duplicate-key: duplicate key 'H'\n"},
      {host("\"atributes\": {}"),
       "1:19-28 unknown-key: unknown key 'atributes' in host 'H' (did you mean 'attributes'?)\n"},
      {host("\"attributes\": []"), "1:32-33 wrong-type: 'attributes' of host 'H' is a list, not an object\n"},
      {host("\"attributes\": {\"to\": \"string\"}"),
       "1:40-46 wrong-type: attribute 'to' of 'H' is a string, not an object\n"},
      {host("\"attributes\": {\"a b\": {}}"), "1:34-37 invalid-name: 'a b' is not a valid XML attribute name\n"},
      {host("\"attributes\": {\"_startlog\": {}}"),
       "1:34-43 invalid-name: '_startlog' is an attribute of every node (use \"logs\": false if host 'H' does not read "
       "it)\n"},
      {host("\"attributes\": {\"to\": {}, \"To\": {}}"),
       "1:44-46 duplicate-declaration: host 'H' has a duplicate attribute 'To' (names are compared without case)\n"},
      {host("\"children\": \"two\""),
       "1:31-34 unknown-value: 'children' of host 'H' cannot be 'two' (\"none\", \"one\", \"many\" or \"raw\")\n"},
      {host("\"children\": \"two\", \"as\": \"keep\""),
       "1:31-34 unknown-value: 'children' of host 'H' cannot be 'two' (\"none\", \"one\", \"many\" or \"raw\")\n"},
      {host("\"children\": \"many\""),
       "1:31-35 contradicting-declaration: host 'H' has many children but no \"as\" (\"as\" is \"sequence\", "
       "\"selector\" or \"parallel\")\n"},
      {host("\"as\": \"keep\", \"children\": \"many\""),
       "1:25-29 contradicting-declaration: host 'H' has many children, so \"as\": \"keep\" has no meaning (use it with "
       "\"children\": \"one\")\n"},
      {host("\"as\": \"parallel\", \"children\": \"one\""),
       "1:25-33 contradicting-declaration: host 'H' has one child, so \"as\": \"parallel\" has no meaning (use it with "
       "\"children\": \"many\")\n"},
      {host("\"as\": \"pass\""),
       "1:25-29 contradicting-declaration: host 'H' has no children, so \"as\": \"pass\" has no meaning (use it with "
       "\"children\": \"one\")\n"},
      {host("\"children\": \"raw\", \"as\": \"sequence\""),
       "1:44-52 contradicting-declaration: host 'H' has elements of its own as children, so \"as\": \"sequence\" has "
       "no meaning (use it with \"children\": \"many\")\n"},
      {host("\"children\": \"one\", \"as\": \"keeps\""),
       "1:44-49 unknown-value: 'as' of host 'H' cannot be 'keeps' (did you mean 'keep'?)\n"},
      {host("\"logs\": \"no\""), "1:27-29 wrong-type: 'logs' of host 'H' is a string, not true or false\n"},
      {host("\"result\": []"),
       "1:28-29 contradicting-declaration: host 'H' has an empty list of results (without \"result\" it can have any "
       "result)\n"},
      {host("\"result\": [\"succeess\"]"),
       "1:30-38 unknown-value: an entry of 'result' of host 'H' cannot be 'succeess' (did you mean 'success'?)\n"},
      {host("\"result\": [\"success\", \"success\"]"),
       "1:41-48 duplicate-declaration: duplicate entry 'success' in 'result' of host 'H'\n"},
      {host("\"sends\": [\"E\", \"e\", \"E\", \"\", 1]"),
       "1:39-40 duplicate-declaration: duplicate entry 'E' in 'sends' of host 'H'\n"
       "1:44-44 invalid-name: an entry of 'sends' of host 'H' is empty\n"
       "1:47-48 wrong-type: an entry of 'sends' of host 'H' is a number, not a string\n"},
  };
  for (const Case& given : cases) {
    CAPTURE(given.text);
    CHECK(read(given.text).findings == given.findings);
  }
}

TEST_CASE("what is right in a declaration counts beside what is wrong") {
  const ConfigurationReading result =
      read(host(R"("attributes": {"a": {"type": "enum"}, "b": {"type": "int", "default": "x"}}, "children": "some")"));
  REQUIRE(result.configuration.dialects.hosts.size() == 1);
  const HostDeclaration& declaration = result.configuration.dialects.hosts[0];
  REQUIRE(declaration.attributes.size() == 2);
  CHECK(declaration.attributes[1].type == ir::ParameterType::whole);
  CHECK_FALSE(declaration.attributes[1].otherwise);
}

TEST_CASE("host files add to what espalier.json declares, and their faults are told at their own places") {
  const TemporaryFolder folder;
  folder.write("engine/hosts.json",
               R"({"$schema": "x", "hosts": {"Move": {}, "Aim": {}}, "events": ["OnSeen", "OnLost"]})");
  folder.write("game.json", "{\n\"hosts\": {\"Aim\": {}, \"Jump\": {\"chldren\": 1}}}");
  const ConfigurationReading result =
      read(R"({"hosts": {"Wave": {}}, "hostFiles": ["engine/hosts.json", "game.json"], "events": ["OnSeen", "OnHit"]})",
           folder);
  CHECK(result.findings ==
        "game.json:2:32-39 unknown-key: unknown key 'chldren' in host 'Jump' (did you mean 'children'?)\n"
        "game.json:2:12-15 duplicate-declaration: duplicate host 'Aim'\n");
  std::string names;
  for (const HostDeclaration& declaration : result.configuration.dialects.hosts) names += declaration.name + ' ';
  CHECK(names == "Aim Jump Move Wave ");
  CHECK(result.configuration.dialects.events == std::vector<std::string>{"OnHit", "OnLost", "OnSeen"});
  CHECK(result.configuration.read_paths == std::vector<std::string>{"espalier.json", "engine/hosts.json", "game.json"});
}

TEST_CASE("a host file that cannot be read is a finding") {
  struct Case {
    const char* entry;
    const char* findings;
  };
  const Case cases[] = {
      {"\"nope.json\"",
       "1:17-26 path-not-found: no such file: 'nope.json' (host files are relative to the folder of espalier.json)\n"},
      {"\"sub\"", "1:17-20 path-not-found: cannot read 'sub': not a file\n"},
      {"\"\"", "1:17-17 path-not-found: cannot read '': not a file\n"},
      {"\"sub/good.json\", \"sub/./good.json\"",
       "1:34-49 duplicate-declaration: duplicate entry 'sub/./good.json' in 'hostFiles'\n"},
      {"\"sub/bad.json\"",
       "sub/bad.json:1:9-9 malformed-json: the file is not JSON: unexpected end of input; expected ':'\n"},
      {"\"sub/list.json\"", "sub/list.json:1:1-2 wrong-type: a host file is a list, not an object\n"},
      {"\"sub/other.json\"", "sub/other.json:1:3-8 unknown-key: unknown key 'rules' in a host file\n"},
      {"7", "1:16-17 wrong-type: an entry of 'hostFiles' is a number, not a string\n"},
  };
  const TemporaryFolder folder;
  folder.write("sub/good.json", "{\"hosts\": {}}");
  folder.write("sub/bad.json", "{\"hosts\"");
  folder.write("sub/list.json", "[]");
  folder.write("sub/other.json", "{\"rules\": {}}");
  for (const Case& given : cases) {
    CAPTURE(given.entry);
    CHECK(read("{\"hostFiles\": [" + std::string(given.entry) + "]}", folder).findings == given.findings);
  }
}

TEST_CASE("a host file may lie anywhere, and no name in it is shown unless it is a host file") {
  const TemporaryFolder folder;
  folder.write("engine/hosts.json", R"({"hosts": {"Move": {}, "Aim": {"chldren": 1}}})");
  folder.write("engine/secret.json", R"({"token": "abc"})");
  folder.write("engine/secret.txt", "root:x:0:0");
  const TemporaryFolder game;
  std::filesystem::create_symlink(folder.path() / "engine/secret.txt", "link.json");
  const std::string engine = std::filesystem::relative(folder.path() / "engine", game.path()).string();
  const ConfigurationReading result =
      read("{\"hostFiles\": [\"" + engine + "/hosts.json\", \"" + engine + "/secret.json\", \"link.json\"]}", game);
  CHECK(result.configuration.dialects.hosts.size() == 2);
  CHECK(result.findings ==
        engine + "/hosts.json:1:33-40 unknown-key: unknown key 'chldren' in host 'Aim' (did you mean 'children'?)\n" +
            engine + "/secret.json:1:1-2 wrong-type: the file is not a host file (a host file is an object with " +
            "'hosts', 'events' or both)\n" + "link.json:1:1-2 malformed-json: the file is not JSON: invalid literal\n");
}

TEST_CASE("the program declares the nodes of CRYENGINE's own artificial intelligence without a fault") {
  const ConfigurationReading result = read("{\"hostFiles\": [\"espalier:cryengine\"]}");
  CHECK(result.findings == "");
  const std::vector<HostDeclaration>& hosts = result.configuration.dialects.hosts;
  CHECK(hosts.size() == 37);
  const auto move =
      std::find_if(hosts.begin(), hosts.end(), [](const HostDeclaration& one) { return one.name == "Move"; });
  REQUIRE(move != hosts.end());
  CHECK(move->attributes.size() == 15);
  CHECK(result.configuration.dialects.engine_events.size() == 283);
  CHECK(result.configuration.dialects.events.empty());
  CHECK(result.configuration.read_paths == std::vector<std::string>{"espalier.json"});
  for (const HostDeclaration& one : hosts) {
    CAPTURE(one.name);
    CHECK(!one.doc.empty());
    for (const HostAttribute& attribute : one.attributes) CHECK(!attribute.doc.empty());
  }
}

TEST_CASE("declarations of the program give way to a project's own, and are named exactly") {
  const ConfigurationReading own =
      read(R"({"hosts": {"Move": {"doc": "ours"}, "Zap": {}}, "hostFiles": ["espalier:cryengine"]})");
  CHECK(own.findings == "");
  const auto move = dialects::find_declaration(own.configuration.dialects.hosts, "Move");
  REQUIRE(move != nullptr);
  CHECK(move->doc == "ours");
  CHECK(own.configuration.dialects.hosts.size() == 38);
  CHECK(read(R"({"hostFiles": ["espalier:cryengin"]})").findings ==
        "1:17-34 path-not-found: unknown built-in declarations 'espalier:cryengin' (use 'espalier:cryengine')\n");
  CHECK(read(R"({"hostFiles": ["espalier:cryengine", "espalier:cryengine"]})").findings ==
        "1:39-57 duplicate-declaration: duplicate entry 'espalier:cryengine' in 'hostFiles'\n");
}

TEST_CASE("an attribute says which engines read it, where it is deprecated, and which results it brings about") {
  const ConfigurationReading result = read(host(R"("attributes": {
      "a": {"engines": ["cryengine-5.3", "lumberyard-1"], "deprecated": ["lumberyard-1"]},
      "b": {"type": "bool", "enum": ["true", "false"], "result": ["running", "failure"]}})"));
  CHECK(result.findings == "");
  const std::vector<HostAttribute>& attributes = result.configuration.dialects.hosts.at(0).attributes;
  using dialects::Engine;
  CHECK_FALSE(dialects::contains(attributes[0].engines, Engine::cryengine_5_6));
  CHECK(dialects::contains(attributes[0].engines, Engine::cryengine_5_3));
  CHECK(dialects::contains(attributes[0].deprecated_in, Engine::lumberyard_1));
  CHECK_FALSE(dialects::contains(attributes[0].deprecated_in, Engine::cryengine_5_3));
  CHECK(attributes[1].engines == dialects::kAllEngines);
  CHECK(attributes[1].words == std::vector<std::string>{"true", "false"});
  CHECK(attributes[1].gives == 3);
  CHECK(faults_of_attribute(R"("engines": ["cryengine-5.4"])") ==
        "cryengine-5.4 <- unknown-value: an entry of 'engines' of attribute 'a' of 'H' cannot be 'cryengine-5.4' "
        "(\"cryengine-5.6\", \"cryengine-5.3\" or \"lumberyard-1\")\n");
  CHECK(faults_of_attribute(R"("type": "bool", "enum": ["yes", "no"])").find("contradicting-declaration") !=
        std::string::npos);
}

TEST_CASE("what espalier.json says of modular trees") {
  CHECK_FALSE(read("{}").configuration.dialects.stops_when_root_is_done);
  const ConfigurationReading result = read(R"({"modular": {"rootDone": "stop", "agents": 40}, "events": ["B", "A"]})");
  CHECK(result.findings == "");
  CHECK(result.configuration.dialects.stops_when_root_is_done);
  CHECK(result.configuration.dialects.agent_count == 40u);
  CHECK(result.configuration.dialects.engine == dialects::Engine::cryengine_5_6);
  CHECK(read(R"({"modular": {"engine": "lumberyard-1"}})").configuration.dialects.engine ==
        dialects::Engine::lumberyard_1);
  CHECK(result.configuration.dialects.events == std::vector<std::string>{"A", "B"});
  struct Case {
    const char* text;
    const char* findings;
  };
  const Case cases[] = {
      {"{\"modular\": {\"rootDone\": \"reboot\", \"agents\": 1000000000}}", ""},
      {"{\"modular\": {\"engine\": \"cryengine-6\"}}",
       "1:25-36 unknown-value: 'engine' cannot be 'cryengine-6' (did you mean 'cryengine-5.6'?)\n"},
      {"{\"modular\": {\"rootDone\": \"stopp\"}}",
       "1:27-32 unknown-value: 'rootDone' cannot be 'stopp' (did you mean 'stop'?)\n"},
      {"{\"modular\": {\"rootdone\": 1}}",
       "1:15-23 unknown-key: unknown key 'rootdone' in 'modular' (did you mean 'rootDone'?)\n"},
      {"{\"modular\": {\"agents\": 0}}",
       "1:24-25 invalid-number: 'agents' is not a whole number from 1 to 1000000000\n"},
      {"{\"modular\": {\"agents\": 1.5}}",
       "1:24-27 invalid-number: 'agents' is not a whole number from 1 to 1000000000\n"},
      {"{\"modular\": {\"agents\": 1e99}}",
       "1:24-28 invalid-number: 'agents' is not a whole number from 1 to 1000000000\n"},
      {"{\"modular\": {\"agents\": \"5\"}}", "1:25-26 wrong-type: 'agents' is a string, not a number\n"},
      {"{\"events\": [\"A\", \"A\"]}", "1:19-20 duplicate-declaration: duplicate entry 'A' in 'events'\n"},
  };
  for (const Case& given : cases) {
    CAPTURE(given.text);
    CHECK(read(given.text).findings == given.findings);
  }
}

}  // namespace project_hosts
