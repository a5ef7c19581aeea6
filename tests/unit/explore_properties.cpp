// Properties: what is read, and what their expectations mean in a state. Faults of files are shown in
// tests/golden/prove; here are those that depend on trees.
#include "explore/predicate.h"
#include "explore/properties.h"
#include "explore/property/about.h"
#include "replay_guard.h"
#include "replay_modular.h"
#include "rules/rules.h"

namespace explore_properties {

using namespace espalier;
using explore::Property;

struct Reading {
  text::Sources sources;
  text::Findings findings;
  std::vector<Property> properties;

  explicit Reading(const std::string& text) {
    const text::FileId file = sources.add("p", text);
    explore::read_property_file(file, sources, findings, properties);
  }

  // "unknown-name: 'Foo' MESSAGE (HINT)", a line each, with the text that the finding is about.
  std::string found() const {
    std::string lines;
    for (const text::Finding& finding : findings.all()) {
      CHECK(finding.severity == rules::Severity::error);
      lines += std::string(rules::info(finding.rule).name) + " at " + text_of(finding.span, sources) + ": " +
               finding.message + (finding.hint.empty() ? "" : " (" + finding.hint + ')') + '\n';
    }
    return lines;
  }

  std::string found_in(const Asset& asset) {
    for (const Property& property : properties) explore::check_names(property, asset, findings);
    return found();
  }
};

std::string file_of(const std::string& properties) { return "{\"properties\": [" + properties + "]}"; }

TEST_CASE("properties are read with what they claim") {
  const Reading reading(file_of(R"(
    {"name": "a", "tree": "Guard", "never": {"behavior": "Combat"}},
    {"name": "b", "always": {"behavior": {"not": null}}},
    {"name": "c", "reachable": {"behavior": "Idle"}},
    {"name": "d", "after": {"signal": "OnSeen"}, "expect": {"behavior": "Combat", "variables": {"Hurt": false}}, "within": 3})"));
  CHECK(reading.found() == "");
  REQUIRE(reading.properties.size() == 4);
  CHECK(reading.properties[0].tree == "Guard");
  CHECK(reading.properties[0].kind == explore::PropertyKind::never);
  CHECK(explore::expect_line(reading.properties[0].claim, true, false) ==
        R"({"expect": {"not": {"behavior": "Combat"}}})");
  CHECK(reading.properties[1].tree == std::nullopt);
  CHECK(explore::expect_line(reading.properties[1].claim, false, false) ==
        R"({"expect": {"behavior": {"not": null}}})");
  CHECK(reading.properties[2].kind == explore::PropertyKind::reachable);
  CHECK(reading.properties[2].within == 1);
  CHECK(reading.properties[3].within == 3);
  CHECK(reading.properties[3].after->text == R"({"signal": "OnSeen"})");
  CHECK(explore::expect_line(reading.properties[3].claim, false, false) ==
        R"({"expect": {"behavior": "Combat", "variables": {"Hurt": false}}})");
}

TEST_CASE("faults of a properties file are findings with a place") {
  const auto found = [](const std::string& property) { return Reading(file_of(property)).found(); };
  CHECK(found(R"({"name": "a", "nver": {}})") ==
        "unknown-key at nver: unknown key 'nver' in a property (did you mean 'never'?)\n");
  CHECK(found(R"({"name": "a", "never": {}, "always": {}})") ==
        "contradicting-declaration at {: the property claims several things (a property has one of 'never', 'always', "
        "'reachable' and 'expect')\n");
  CHECK(found(R"({"never": {}})") ==
        "invalid-name at {: the property has no 'name' (reports show the name: \"never shoots what it does not "
        "see\")\n");
  CHECK(found(R"({"name": "a", "never": {}}, {"name": "a", "always": {}})") ==
        "duplicate-declaration at a: duplicate property 'a'\n");
  CHECK(found(R"({"name": "a", "never": 1})") == "wrong-type at 1: 'never' is a number, not an object\n");
  CHECK(found(R"({"name": "a", "never": {"status": null, "status": null}})") ==
        "duplicate-key at status: duplicate key 'status'\n");
  CHECK(found(R"({"name": "a", "never": {"not": {"events": []}}})") ==
        "unknown-key at {: 'events' cannot be expected by a property (name one event: \"event\": "
        "\"enter Attack\")\n");
  CHECK(found(R"({"name": "a", "never": {}, "within": 2})") ==
        "contradicting-declaration at 2: 'within' has no meaning without 'expect'\n");
  CHECK(found(R"({"name": "a", "after": {"signal": "X"}})") ==
        "contradicting-declaration at {: the property claims nothing (a property has one of 'never', 'always', "
        "'reachable' and 'expect')\n");
  CHECK(found(R"({"name": "a", "after": {"signal": "X"}, "expect": {}, "within": 0})") ==
        "invalid-number at 0: 'within' is not a whole number from 1 to 1000\n");
  CHECK(found(R"({"name": "a", "after": {"spawn": 1}, "expect": {}})") ==
        "unknown-key at {: 'spawn' is not a step (expected one of 'signal', 'set', 'flags', 'stimulus', 'host', "
        "'tick', 'jump', 'inject', or a key of 'expect')\n");
  CHECK(found(R"({"name": "a", "after": {"signal": 1}, "expect": {}})") ==
        "wrong-value at 1: 'signal' should be a string\n");
  CHECK(found(R"({"name": "a", "after": {"signal": "X", "agent": 0}, "expect": {}})") ==
        "contradicting-declaration at {: the property names agents, and does not say how many there are (add "
        "\"agents\": 2)\n");
  CHECK(found(R"({"name": "a", "agents": 1, "never": {"agents": [{}, {}]}})") ==
        "contradicting-declaration at [: 'agents' lists 2 different agents, and there is 1\n");
  CHECK(Reading("[").found() != "");
  CHECK(Reading("{}").found() ==
        "wrong-type at {: the file has no 'properties' (a file of properties is {\"properties\": [...]})\n");
}

TEST_CASE("unknown names in properties are errors with a hint") {
  const CompiledTrees trees({kGuard});
  const auto found = [&](const std::string& property) { return Reading(file_of(property)).found_in(trees.asset()); };
  CHECK(found(R"({"name": "a", "tree": "Gard", "never": {}})") ==
        "unknown-tree at Gard: unknown tree 'Gard' (did you mean 'Guard'?)\n");
  CHECK(found(R"({"name": "a", "never": {"behavior": {"not": "Combt"}}})") ==
        "unknown-name at Combt: unknown behaviour 'Combt' of tree 'Guard' (did you mean 'Combat'?)\n");
  CHECK(found(R"({"name": "a", "never": {"leaf": "Root/Idel"}})") ==
        "unknown-name at Root/Idel: unknown leaf 'Root/Idel' of tree 'Guard' (did you mean 'Root/Idle'?)\n");
  CHECK(found(R"({"name": "a", "never": {"not": {"variables": {"Hrt": true}}}})") ==
        "unknown-name at Hrt: unknown variable 'Hrt' of tree 'Guard' (did you mean 'Hurt'?)\n");
  CHECK(found(R"({"name": "a", "never": {"running": []}})") ==
        "unsupported-line at running: 'running' cannot be expected of selection trees (it is for modular, "
        "Drag[en]gine, decider, synchronized and btcpp trees)\n");
  CHECK(found(R"({"name": "a", "after": {"signal": "OnSee"}, "expect": {}})") ==
        "unknown-name at OnSee: unknown signal 'OnSee' of tree 'Guard' (did you mean 'OnSeen'?)\n");
  CHECK(found(R"({"name": "a", "after": {"set": {"Hut": true}}, "expect": {}})") ==
        "unknown-name at Hut: unknown variable 'Hut' of tree 'Guard' (did you mean 'Hurt'?)\n");
  CHECK(found(R"({"name": "a", "after": {"host": {"Comba": "refuse"}}, "expect": {}})") ==
        "unknown-name at Comba: unknown behaviour 'Comba' (did you mean 'Combat'?)\n");
  CHECK(found(R"({"name": "a", "after": {"flags": ["Hurt"]}, "expect": {}})") ==
        "unsupported-line at flags: 'flags' is not supported for selection trees (it is for decider trees)\n");
  CHECK(found(R"({"name": "a", "never": {"behavior": "Combat", "leaf": "Idle", "status": "success"}})") == "");
}

TEST_CASE("a property without a tree is about all trees that know its names") {
  const CompiledTrees trees({kGuard, kSniper});
  const auto names = [&](const std::string& property) {
    const Reading reading(file_of(property));
    REQUIRE(reading.properties.size() == 1);
    std::string list;
    for (const Tree& tree : explore::trees_of(reading.properties.front(), trees.asset())) {
      list += std::string(tree_name(tree)) + ' ';
    }
    return list;
  };
  CHECK(names(R"({"name": "a", "always": {"behavior": {"not": null}}})") == "Guard Sniper ");
  CHECK(names(R"({"name": "a", "tree": "Sniper", "always": {"behavior": {"not": null}}})") == "Sniper ");
  CHECK(names(R"({"name": "a", "always": {"behavior": "SniperAim"}})") == "Sniper ");
  CHECK(names(R"({"name": "a", "after": {"signal": "OnSeen"}, "expect": {}})") == "Guard ");
  CHECK(names(R"({"name": "a", "always": {"behavior": "Nobody"}})") == "");
}

// What an expectation says in a state that a trace leads to is what `expect` says there.
TEST_CASE("a predicate agrees with the expectation of a trace") {
  const CompiledTrees trees({kGuard});
  const Tree guard = tree(trees.asset(), 0);
  std::vector<std::uint64_t> block(agent_bytes(guard) / sizeof(std::uint64_t) + 1);
  start(guard, block.data());
  std::uint32_t seen_signal = 0;
  REQUIRE(find_signal(guard, "OnSeen", &seen_signal) == Status::ok);
  explore::Seen seen;
  seen.agent = {guard, block.data()};
  const std::vector<Behavior> behaviors(behavior_count(trees.asset()));
  Host host;
  host.behaviors = behaviors.data();
  std::string lines = "{\"trace\": 1}\n";
  for (int i = 0; i < 3; ++i) {
    if (i == 1) lines += "{\"signal\": \"OnSeen\"}\n";
    if (i == 1) espalier::signal(guard, block.data(), seen_signal, host);
    if (i > 0) lines += "{\"tick\": 0.1}\n";
    if (i > 0) seen.status = update(guard, block.data(), host);
    for (const std::string expected :
         {R"({"behavior": "Combat"})", R"({"behavior": null})", R"({"behavior": {"not": "Idle"}})",
          R"({"leaf": "Root/Combat"})", R"({"leaf": {"not": "Combat"}})", R"({"status": "running"})",
          R"({"status": null})", R"({"status": {"not": "success"}})", R"({"variables": {"Alerted": true}})",
          R"({"variables": {"Alerted": {"not": true}, "Hurt": false}})",
          R"({"variables": {"not": {"Alerted": false, "Hurt": false}}})",
          R"({"not": {"behavior": "Combat", "variables": {"Alerted": true}}})", R"({"not": {"not": {"leaf": null}}})",
          R"({"not": {}})", R"({})"}) {
      CAPTURE(i, expected);
      const Reading reading(file_of("{\"name\": \"a\", \"always\": " + expected + "}"));
      REQUIRE(reading.properties.size() == 1);
      const explore::Predicate predicate(reading.properties.front().claim.value, guard);
      REQUIRE(predicate.is_valid());
      const Replayed replayed = run_trace(trees.asset(), lines + "{\"expect\": " + expected + "}\n");
      REQUIRE(replayed.result.expectation_count == 1);
      CHECK(predicate.holds(seen) == (replayed.result.failed_count == 0));
    }
  }
}

TEST_CASE("expectations of actions and timestamps are compiled for modular trees") {
  const ModularTrees trees(modular_tree("<Sequence><Action name='Move'/></Sequence>"));
  Reading reading(
      file_of(R"({"name": "a", "never": {"running": ["Mov"]}}, {"name": "b", "never": {"timestamps": {"Seen": 1}}})"));
  CHECK(reading.found_in(trees.asset()).find("unknown action 'Mov'") != std::string::npos);
}

TEST_CASE("which agents a property is about, and which it tells apart") {
  const Reading reading(R"({"properties": [
    {"name": "a", "agents": 3, "never": {"event": "2:enter A"}},
    {"name": "b", "agents": 3, "never": {"agents": {"1": {"runs": ["A"]}, "2": {"runs": ["A"]}}}},
    {"name": "c", "agents": 3, "never": {"agents": [{"runs": ["A"]}, {"runs": ["A"]}]}},
    {"name": "d", "agents": 3, "never": {"not": {"running": [], "inside": {"Gate": 1}}}},
    {"name": "e", "agents": 3, "after": {"signal": "S", "agent": 2}, "never": {"inside": {"Gate": 1}}}
  ]})");
  const auto claimed = [&](std::size_t i) { return explore::agents_of(reading.properties[i].claim); };
  const auto named = [&](std::size_t i) { return explore::named_agents(reading.properties[i].claim); };
  REQUIRE(reading.properties.size() == 5);
  CHECK(claimed(0) == 4u);
  CHECK(named(0) == 4u);
  CHECK(claimed(1) == 6u);
  CHECK(named(1) == 6u);
  CHECK(claimed(2) == explore::kAnyAgent);
  CHECK(named(2) == 0u);
  CHECK(claimed(3) == 1u);
  CHECK(named(3) == 1u);
  CHECK(claimed(4) == 1u);
  CHECK(named(4) == 0u);
  CHECK(explore::named_agents(*reading.properties[4].after) == 4u);
}

}  // namespace explore_properties
