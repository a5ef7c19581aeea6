// Expectations: whether they hold, messages for those that do not, and rewriting them.
#include "replay_guard.h"

namespace replay_expectations {

using namespace espalier;

namespace {

// The sniper after a noise and a tick of half a second.
const std::string kHeard = "{\"trace\": 1}\n{\"signal\": \"OnNoise\"}\n{\"tick\": 0.5}\n";

Replayed expect_of_sniper(const std::string& before, const std::string& expected, bool strip = false) {
  const CompiledTrees trees({kSniper}, strip);
  return run_trace(trees.asset(), before + "{\"expect\": " + expected + "}\n");
}

// The result of updating a trace about the guard, and its rewritten text.
struct Updated {
  RunResult result;
  std::string text;
};

Updated update(const std::string& trace) {
  const CompiledTrees trees({kGuard});
  Updated updated;
  updated.result = update_trace(trees.asset(), trace, &updated.text);
  return updated;
}

}  // namespace

TEST_CASE("expectations that hold") {
  for (const char* expected : {
           R"({})",
           R"({"behavior": "SniperAim"})",
           R"({"leaf": "Shoot"})",
           R"({"leaf": "Root/Combat/Shoot"})",
           R"({"status": "running"})",
           R"({"variables": {}})",
           R"({"variables": {"Awake": true, "close": false}})",
           R"({"events": ["enter SniperAim"]})",
           R"({"behavior": "SniperAim", "leaf": "Shoot", "status": "running", "variables": {"Awake": true}})",
       }) {
    const Replayed replayed = expect_of_sniper(kHeard, expected);
    CAPTURE(expected, replayed.messages());
    CHECK(replayed.is_clean());
    CHECK(replayed.result.expectation_count == 1);
  }
}

TEST_CASE("an agent in which nothing is selected") {
  CHECK(expect_of_sniper("{\"trace\": 1}\n", R"({"behavior": null, "leaf": null, "status": null, "events": []})")
            .is_clean());
  CHECK(expect_of_sniper("{\"trace\": 1}\n{\"tick\": 1}\n", R"({"behavior": null, "leaf": null, "status": "failure"})")
            .is_clean());
}

TEST_CASE("expectations that do not hold, and what is so") {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"behavior": "SniperFlee"})", R"("SniperAim")"},
      {R"({"behavior": "sniperaim"})", R"("SniperAim")"},
      {R"({"behavior": null})", R"("SniperAim")"},
      {R"({"leaf": "SniperAim"})", R"("Shoot")"},
      {R"({"leaf": "Combat/Shoot"})", R"("Root/Combat/Shoot")"},
      {R"({"leaf": null})", R"("Shoot")"},
      {R"({"status": "failure"})", R"("running")"},
      {R"({"status": null})", R"("running")"},
      {R"({"variables": {"Close": true}})", "false"},
      {R"({"events": []})", R"(["enter SniperAim"])"},
      {R"({"events": ["enter SniperAim", "leave SniperAim"]})", R"(["enter SniperAim"])"},
      {R"({"events": ["0:enter SniperAim"]})", R"(["enter SniperAim"])"},
  };
  for (const auto& [expected, actual] : cases) {
    const Replayed replayed = expect_of_sniper(kHeard, expected);
    CAPTURE(expected, replayed.messages());
    CHECK_FALSE(replayed.result.is_broken);
    CHECK(replayed.result.failed_count == 1);
    REQUIRE(replayed.result.mismatches.size() == 1);
    CHECK(replayed.result.mismatches[0].find("  actual   " + std::string(actual) + "\n") != std::string::npos);
  }
}

TEST_CASE("a mismatch is told with its place, what was expected, what is, and the events before") {
  const Replayed replayed = expect_of_sniper(kHeard, R"({"behavior": "SniperFlee"})");
  CHECK(replayed.messages() ==
        "t:4:25: failed: behavior is not what was expected\n"
        "    4 | {\"expect\": {\"behavior\": \"SniperFlee\"}}\n"
        "      |                         ^~~~~~~~~~~~\n"
        "  expected \"SniperFlee\"\n"
        "  actual   \"SniperAim\"\n"
        "  at 0.5 s, after these events:\n"
        "    0  signal OnNoise\n"
        "    0  set Awake true\n"
        "    0.5  enter SniperAim\n"
        "    0.5  status running\n");
}

TEST_CASE("all mismatches of a line are told, and the lines behind it are checked") {
  const std::string more = "{\"expect\": {\"leaf\": \"Idle\"}}\n{\"expect\": {\"behavior\": \"Idle\"}}\n";
  const Replayed replayed = run_trace(
      "{\"trace\": 1}\n{\"expect\": {\"behavior\": \"A\", \"status\": \"failure\", \"variables\": {\"Hurt\": true}}}\n"
      "{\"tick\": 1}\n" +
      more);
  CHECK(replayed.result.mismatches.size() == 3);
  CHECK(replayed.result.failed_count == 1);
  CHECK(replayed.result.expectation_count == 3);
}

TEST_CASE("events are those since the expectation before, of all agents, with their indices once there are several") {
  CHECK(run_trace("{\"trace\": 1, \"agents\": 2}\n{\"tick\": 1}\n{\"expect\": {\"events\": [\"0:enter Idle\", "
                  "\"1:enter Idle\"]}}\n"
                  "{\"expect\": {\"events\": []}}\n{\"signal\": \"OnSeen\", \"agent\": 1}\n{\"tick\": 1}\n"
                  "{\"expect\": {\"events\": [\"1:leave Idle\", \"1:enter Combat\"]}, \"agent\": 1}\n")
            .is_clean());
  CHECK(run_trace("{\"trace\": 1}\n{\"tick\": 1}\n{\"spawn\": 1}\n{\"expect\": {\"events\": [\"0:enter Idle\"]}}\n")
            .is_clean());
}

TEST_CASE("an expectation without events counts as one for those behind it") {
  CHECK(run_trace(
            "{\"trace\": 1}\n{\"tick\": 1}\n{\"expect\": {\"behavior\": \"Idle\"}}\n{\"expect\": {\"events\": []}}\n")
            .is_clean());
}

TEST_CASE("the first line tells which kinds of events are compared") {
  CHECK(run_trace("{\"trace\": 1, \"events\": [\"signal\", \"set\", \"status\", \"tick\"]}\n{\"signal\": "
                  "\"OnSeen\"}\n{\"tick\": 1}\n"
                  "{\"expect\": {\"events\": [\"signal OnSeen\", \"set Alerted true\", \"status running\"]}}\n")
            .is_clean());
  CHECK(run_trace("{\"trace\": 1, \"events\": []}\n{\"tick\": 1}\n{\"expect\": {\"events\": []}}\n").is_clean());
  CHECK(run_trace("{\"trace\": 1, \"events\": [\"entr\"]}\n").result.is_broken);
}

TEST_CASE("expectations of several agents are checked for each") {
  const Replayed replayed = run_trace(
      "{\"trace\": 1, \"agents\": 3}\n{\"set\": {\"Alerted\": true}, \"agent\": 1}\n{\"tick\": 1}\n"
      "{\"expect\": {\"behavior\": \"Idle\"}, \"agent\": \"all\"}\n{\"expect\": {\"behavior\": \"Combat\"}, \"agent\": "
      "1}\n");
  REQUIRE(replayed.result.mismatches.size() == 1);
  CHECK(replayed.result.failed_count == 1);
  CHECK(replayed.result.mismatches[0].find("t:4:25: failed: behavior of agent 1 is not what was expected\n") == 0);
}

TEST_CASE("expectations that cannot be checked are errors, not mismatches") {
  for (const char* expected :
       {R"({"behaviour": "Idle"})", R"({"behavior": 1})", R"({"leaf": true})", R"({"status": "runing"})",
        R"({"status": 1})", R"({"variables": []})", R"({"variables": {"Alertd": true}})",
        R"({"variables": {"Alerted": 1}})", R"({"events": "enter Idle"})", R"({"events": [1]})", R"({"running": []})",
        R"({"path": []})", R"({"rule": null})", R"({"inside": {}})", R"({"flags": []})", R"({"stimuli": {}})",
        R"({"timestamps": {}})"}) {
    CAPTURE(expected);
    const Replayed replayed = run_trace("{\"trace\": 1}\n{\"expect\": " + std::string(expected) + "}\n");
    CHECK(replayed.result.is_broken);
    CHECK(replayed.result.mismatches.empty());
  }
}

TEST_CASE("leaves have no names in a stripped asset, all else is the same") {
  const Replayed leaf = expect_of_sniper(kHeard, R"({"leaf": "Shoot"})", true);
  CHECK(leaf.result.is_broken);
  CHECK(leaf.messages().find("[stripped-names TRC013]") != std::string::npos);
  CHECK(expect_of_sniper(
            kHeard, R"({"behavior": "SniperAim", "variables": {"Awake": true}, "events": ["enter SniperAim"]})", true)
            .is_clean());
  const CompiledTrees whole({kSniper});
  const CompiledTrees stripped({kSniper}, true);
  CHECK(events_of(run_trace(whole.asset(), kHeard, jsonl()).output) ==
        events_of(run_trace(stripped.asset(), kHeard, jsonl()).output));
  CHECK(run_trace(whole.asset(), kHeard, jsonl()).output.find("\"line\": 7") != std::string::npos);
  CHECK(run_trace(stripped.asset(), kHeard, jsonl()).output.find("\"line\"") == std::string::npos);
}

TEST_CASE("rewriting puts what is in the place of what was expected, and leaves every other byte") {
  const Updated updated = update(
      "\xEF\xBB\xBF{\"trace\": 1}\r\n\r\n{\"comment\": \"as it was\"}\r\n{\"tick\":1.0}\r\n"
      "{ \"expect\" : { \"behavior\" : \"Combat\", \"events\":[], \"variables\": {\"Hurt\": true,\t\"Alerted\": false} "
      "} }\r\n"
      "{\"expect\": {\"leaf\": \"Root/Combat\"}}\n{\"expect\": {\"status\": null}, \"comment\": \"\"}");
  CHECK(updated.text ==
        "\xEF\xBB\xBF{\"trace\": 1}\r\n\r\n{\"comment\": \"as it was\"}\r\n{\"tick\":1.0}\r\n"
        "{ \"expect\" : { \"behavior\" : \"Idle\", \"events\":[\"enter Idle\"], \"variables\": {\"Hurt\": "
        "false,\t\"Alerted\": false} } }\r\n"
        "{\"expect\": {\"leaf\": \"Root/Idle\"}}\n{\"expect\": {\"status\": \"running\"}, \"comment\": \"\"}");
  CHECK(updated.result.rewritten_count == 3);
  CHECK(updated.result.failed_count == 0);
  CHECK(run_trace(updated.text).is_clean());
}

TEST_CASE("rewriting what holds changes nothing") {
  const std::string trace =
      "{\"trace\": 1}\n{\"tick\": 1}\n{\"expect\":{\"leaf\":\"Idle\",\"events\":[ \"enter Idle\" ]}}";
  const Updated updated = update(trace);
  CHECK(updated.text == trace);
  CHECK(updated.result.rewritten_count == 0);
}

TEST_CASE("a line for several agents is rewritten when they agree, else it stays as it is and is told") {
  const std::string start = "{\"trace\": 1, \"agents\": 2}\n{\"set\": {\"Alerted\": true}}\n{\"tick\": 1}\n";
  const std::string differs =
      start + "{\"expect\": {\"behavior\": \"Flee\", \"status\": \"failure\"}, \"agent\": \"all\"}\n";
  const Updated kept = update(differs);
  CHECK(kept.text == differs);
  CHECK(kept.result.failed_count == 1);
  CHECK(kept.result.rewritten_count == 0);
  CHECK(kept.result.mismatches.size() == 4);
  const Updated updated = update(start + "{\"expect\": {\"status\": \"failure\"}, \"agent\": \"all\"}\n");
  CHECK(updated.text == start + "{\"expect\": {\"status\": \"running\"}, \"agent\": \"all\"}\n");
  CHECK(updated.result.failed_count == 0);
  CHECK(updated.result.rewritten_count == 1);
}

TEST_CASE("names that JSON spells otherwise survive rewriting") {
  const CompiledTrees trees({tree_of({"<Leaf name='Say &quot;hi&quot; \\ \xC3\xA9'/>"})});
  std::string text;
  const std::string trace = "{\"trace\": 1}\n{\"tick\": 1}\n{\"expect\": {\"behavior\": null}}\n";
  static_cast<void>(update_trace(trees.asset(), trace, &text));
  CHECK(run_trace(trees.asset(), text).is_clean());
}

}  // namespace replay_expectations
