// Hosts as espalier.json and host files declare them. Faults are shown in tests/golden/lint/configuration.
#include <algorithm>

#include "configuration_reading.h"
#include "dialects/btcpp/options.h"
#include "dialects/modular/options.h"
#include "unit.h"

namespace project_hosts {

using namespace espalier;
using dialects::HostAttribute;
using dialects::HostDeclaration;

namespace {

// A configuration with one host "H" that holds `text`.
std::string host(const std::string& text) { return "{\"hosts\": {\"H\": {" + text + "}}}"; }

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
  const std::vector<HostDeclaration>& hosts = result.configuration.dialects.of<dialects::ModularOptions>().hosts;
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
    const auto has = [&](const std::string& declared, const char* message) {
      return read(host("\"attributes\": {" + declared + '}')).findings.find(message) != std::string::npos;
    };
    CHECK(has("\"a\": {\"type\": \"enum\", \"enum\": [" + words + "]}",
              "'enum' of attribute 'a' of 'H' has more than 1000 entries") == is_excess);
    CHECK(has(attributes, "'attributes' of host 'H' has more than 1000 entries") == is_excess);
    const ConfigurationReading result = read(host("\"attributes\": {" + attributes + '}'));
    CHECK(result.configuration.dialects.of<dialects::ModularOptions>().hosts[0].attributes.size() == 1000);
  }
}

TEST_CASE("what is right in a declaration counts beside what is wrong") {
  const ConfigurationReading result =
      read(host(R"("attributes": {"a": {"type": "enum"}, "b": {"type": "int", "default": "x"}}, "children": "some")"));
  REQUIRE(result.configuration.dialects.of<dialects::ModularOptions>().hosts.size() == 1);
  const HostDeclaration& declaration = result.configuration.dialects.of<dialects::ModularOptions>().hosts[0];
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
  for (const HostDeclaration& declaration : result.configuration.dialects.of<dialects::ModularOptions>().hosts)
    names += declaration.name + ' ';
  CHECK(names == "Aim Jump Move Wave ");
  CHECK(result.configuration.dialects.events == std::vector<std::string>{"OnHit", "OnLost", "OnSeen"});
  CHECK(result.configuration.read_paths == std::vector<std::string>{"espalier.json", "engine/hosts.json", "game.json"});
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
  CHECK(result.configuration.dialects.of<dialects::ModularOptions>().hosts.size() == 2);
  CHECK(result.findings ==
        engine + "/hosts.json:1:33-40 unknown-key: unknown key 'chldren' in host 'Aim' (did you mean 'children'?)\n" +
            engine + "/secret.json:1:1-2 wrong-type: the file is not a host file (a host file is an object with " +
            "'hosts', 'events' or 'btcpp')\n" +
            "link.json:1:1-2 malformed-json: the file is not JSON: invalid literal\n");
}

TEST_CASE("the program declares the nodes of CRYENGINE's own artificial intelligence without a fault") {
  const ConfigurationReading result = read("{\"hostFiles\": [\"espalier:cryengine\"]}");
  CHECK(result.findings == "");
  const std::vector<HostDeclaration>& hosts = result.configuration.dialects.of<dialects::ModularOptions>().hosts;
  CHECK(hosts.size() == 45);
  const auto move =
      std::find_if(hosts.begin(), hosts.end(), [](const HostDeclaration& one) { return one.name == "Move"; });
  REQUIRE(move != hosts.end());
  CHECK(move->attributes.size() == 15);
  CHECK(result.configuration.dialects.of<dialects::ModularOptions>().engine_events.size() == 283);
  CHECK(result.configuration.dialects.events.empty());
  CHECK(result.configuration.read_paths == std::vector<std::string>{"espalier.json"});
  for (const HostDeclaration& one : hosts) {
    CAPTURE(one.name);
    CHECK(!one.doc.empty());
    for (const HostAttribute& attribute : one.attributes) CHECK(!attribute.doc.empty());
  }
}

TEST_CASE("the program declares Nav2's nodes without a fault") {
  const ConfigurationReading result = read("{\"hostFiles\": [\"espalier:nav2\"]}");
  CHECK(result.findings == "");
  const auto& nodes = result.configuration.dialects.of<dialects::BtcppOptions>().nodes;
  CHECK(nodes.size() == 77);
  CHECK(result.configuration.dialects.of<dialects::BtcppOptions>().node_rows.size() == nodes.size());
  for (const auto& node : nodes) {
    CAPTURE(node.name);
    CHECK(!node.doc.empty());
    for (const auto& port : node.ports) CHECK(!port.doc.empty());
  }
}

TEST_CASE("nodes of host files give way to a project's own, and the first of several counts") {
  const TemporaryFolder folder;
  folder.write("shared.json", R"({"btcpp": {"nodes": {"Say": {"kind": "Condition"}, "Wait": {}, "Go": {}}}})");
  folder.write("other.json", R"({"btcpp": {"nodes": {"Go": {"kind": "Condition"}}, "tick": "once"}})");
  const ConfigurationReading result = read(
      R"({"hostFiles": ["shared.json", "other.json", "espalier:nav2"], "btcpp": {"nodes": {"Say": {}, "Spin": {}}}})",
      folder);
  CHECK(result.findings == "other.json:1:53-57 unknown-key: unknown key 'tick' in 'btcpp'\n");
  std::string found;
  for (const auto& node : result.configuration.dialects.of<dialects::BtcppOptions>().nodes) {
    for (const std::string_view name : {"Say", "Wait", "Go", "Spin"}) {
      if (node.name == name) found += node.name + ' ' + std::string(ir::poll::tag_of(node.kind)) + '\n';
    }
  }
  CHECK(found == "Say Action\nSpin Action\nWait Action\nGo Action\n");
}

TEST_CASE("declarations of the program give way to a project's own, and are named exactly") {
  const ConfigurationReading own =
      read(R"({"hosts": {"Move": {"doc": "ours"}, "Zap": {}}, "hostFiles": ["espalier:cryengine"]})");
  CHECK(own.findings == "");
  const auto move = dialects::find_declaration(own.configuration.dialects.of<dialects::ModularOptions>().hosts, "Move");
  REQUIRE(move != nullptr);
  CHECK(move->doc == "ours");
  CHECK(own.configuration.dialects.of<dialects::ModularOptions>().hosts.size() == 46);
}

TEST_CASE("an attribute says which engines read it, where it is deprecated, and which results it brings about") {
  const ConfigurationReading result = read(host(R"("attributes": {
      "a": {"engines": ["cryengine-5.3", "lumberyard-1"], "deprecated": ["lumberyard-1"]},
      "b": {"type": "bool", "enum": ["true", "false"], "result": ["running", "failure"]}})"));
  CHECK(result.findings == "");
  const std::vector<HostAttribute>& attributes =
      result.configuration.dialects.of<dialects::ModularOptions>().hosts.at(0).attributes;
  using dialects::GameEngine;
  CHECK_FALSE(dialects::contains(attributes[0].engines, GameEngine::cryengine_5_6));
  CHECK(dialects::contains(attributes[0].engines, GameEngine::cryengine_5_3));
  CHECK(dialects::contains(attributes[0].deprecated_in, GameEngine::lumberyard_1));
  CHECK_FALSE(dialects::contains(attributes[0].deprecated_in, GameEngine::cryengine_5_3));
  CHECK(attributes[1].engines == dialects::kAllEngines);
  CHECK(attributes[1].words == std::vector<std::string>{"true", "false"});
  CHECK(attributes[1].gives == 3);
}

TEST_CASE("what espalier.json says of modular trees") {
  CHECK_FALSE(read("{}").configuration.dialects.of<dialects::ModularOptions>().stops_when_root_is_done);
  const ConfigurationReading result = read(R"({"modular": {"rootDone": "stop", "agents": 40}, "events": ["B", "A"]})");
  CHECK(result.findings == "");
  CHECK(result.configuration.dialects.of<dialects::ModularOptions>().stops_when_root_is_done);
  CHECK(result.configuration.dialects.of<dialects::ModularOptions>().agent_count == 40u);
  CHECK(result.configuration.dialects.of<dialects::ModularOptions>().engine == dialects::GameEngine::cryengine_5_6);
  CHECK(
      read(R"({"modular": {"engine": "lumberyard-1"}})").configuration.dialects.of<dialects::ModularOptions>().engine ==
      dialects::GameEngine::lumberyard_1);
  CHECK(result.configuration.dialects.events == std::vector<std::string>{"A", "B"});
}

}  // namespace project_hosts
