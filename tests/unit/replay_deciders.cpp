// Traces with trees of deciders: their events, the order of these, and the answers of the host.
#include "replay_deciders.h"

namespace replay_deciders {

using namespace espalier;

namespace {

struct Case {
  const char* rule;
  const char* lines;
  Lines events;
};

const Case kCases[] = {
    {"a behaviour is entered, ticked in the same update and at each one after it, and left when another takes over",
     R"({"host": {"Sees": [0, 0, 0.5]}}
{"tick": 1, "times": 3})",
     {"1 0:decide Guard 0", "1 0:enter Idle", "1 0:tick Idle running", "1 0:status running", "2 0:decide Guard 0",
      "2 0:tick Idle running", "2 0:status running", "3 0:decide Guard 0.5", "3 0:leave Idle", "3 0:enter OnGuard",
      "3 0:tick OnGuard running", "3 0:enter Growl", "3 0:tick Growl running", "3 0:status running"}},
    {"a signal's stimuli are there for the next decisions",
     R"({"host": {"Sees": 0}}
{"tick": 1}
{"signal": "OnHit"}
{"tick": 1})",
     {"1 0:decide Guard 0", "1 0:enter Idle", "1 0:tick Idle running", "1 0:status running", "1 0:signal OnHit",
      "2 0:decide Run 1", "2 0:leave Idle", "2 0:enter Flee", "2 0:tick Flee running", "2 0:status running"}},
    {"true, running and numbers other than 0 let a behaviour go on; anything else makes it fail",
     R"({"host": {"Sees": 0, "Idle": [true, "running", 2, false, 0, "failure", "success", "refuse", "running"]}}
{"tick": 1, "times": 9, "comment": "a refusal is taken by Activate, before the tick could"})",
     {"1 0:decide Guard 0",    "1 0:enter Idle",        "1 0:tick Idle running", "1 0:status running",
      "2 0:decide Guard 0",    "2 0:tick Idle running", "2 0:status running",    "3 0:decide Guard 0",
      "3 0:tick Idle running", "3 0:status running",    "4 0:decide Guard 0",    "4 0:tick Idle failure",
      "4 0:decide Guard 0",    "4 0:leave Idle",        "4 0:status failure",    "5 0:decide Guard 0",
      "5 0:enter Idle",        "5 0:tick Idle failure", "5 0:decide Guard 0",    "5 0:leave Idle",
      "5 0:status failure",    "6 0:decide Guard 0",    "6 0:enter Idle",        "6 0:tick Idle failure",
      "6 0:decide Guard 0",    "6 0:leave Idle",        "6 0:status failure",    "7 0:decide Guard 0",
      "7 0:enter Idle",        "7 0:tick Idle failure", "7 0:decide Guard 0",    "7 0:leave Idle",
      "7 0:status failure",    "8 0:decide Guard 0",    "8 0:refuse Idle",       "8 0:decide Guard 0",
      "8 0:status failure",    "9 0:decide Guard 0",    "9 0:enter Idle",        "9 0:tick Idle running",
      "9 0:status running"}},
    {"a refusal of a behaviour that is active makes it fail",
     R"({"host": {"Sees": 0, "Idle": ["running", "refuse", "running"]}}
{"tick": 1, "times": 2})",
     {"1 0:decide Guard 0", "1 0:enter Idle", "1 0:tick Idle running", "1 0:status running", "2 0:decide Guard 0",
      "2 0:tick Idle failure", "2 0:decide Guard 0", "2 0:leave Idle", "2 0:status failure"}},
    {"a Decide function answers numbers, true and false",
     R"({"stimulus": "Hit"}
{"host": {"Afraid": [-1, false, 0.25], "Sees": [false, true]}}
{"tick": 0.1, "times": 3})",
     {"0.1 0:decide Run -1", "0.1 0:decide Guard 0", "0.1 0:enter Idle", "0.1 0:tick Idle running",
      "0.1 0:status running", "0.2 0:decide Run 0", "0.2 0:decide Guard 1", "0.2 0:leave Idle", "0.2 0:enter OnGuard",
      "0.2 0:tick OnGuard running", "0.2 0:enter Growl", "0.2 0:tick Growl running", "0.2 0:status running",
      "0.3 0:decide Run 0.25", "0.3 0:leave Growl", "0.3 0:leave OnGuard", "0.3 0:enter Flee",
      "0.3 0:tick Flee running", "0.3 0:status running"}},
    {"flags are all replaced, and what they keep from is not asked",
     R"({"host": {"Sees": 0}}
{"stimulus": "Noise"}
{"stimulus": "Hit"}
{"flags": ["Dead"]}
{"tick": 0.1}
{"flags": ["Night", "Night"]}
{"tick": 0.1})",
     {"0.1 0:decide Guard 0", "0.1 0:enter Idle", "0.1 0:tick Idle running", "0.1 0:status running",
      "0.2 0:decide Run 1", "0.2 0:leave Idle", "0.2 0:enter Flee", "0.2 0:tick Flee running", "0.2 0:status running"}},
    {"past the last time that groups may decide again there is an error, and then everything is deactivated",
     R"({"stimulus": "Hit"}
{"host": {"Flee": "refuse", "OnGuard": true, "Growl": "failure", "Idle": false}}
{"tick": 1})",
     {"1 0:decide Run 1", "1 0:refuse Flee", "1 0:decide Guard 1", "1 0:enter OnGuard", "1 0:tick OnGuard running",
      "1 0:enter Growl", "1 0:tick Growl failure", "1 0:leave Growl", "1 0:leave OnGuard", "1 0:enter Idle",
      "1 0:tick Idle failure", "1 0:error redecides", "1 0:leave Idle", "1 0:status error"}},
    {"an agent that is destroyed has its path deactivated, the deepest first",
     R"({"spawn": 1}
{"tick": 1, "agent": 1}
{"destroy": 1})",
     {"1 1:decide Guard 1", "1 1:enter OnGuard", "1 1:tick OnGuard running", "1 1:enter Growl",
      "1 1:tick Growl running", "1 1:status running", "1 1:leave Growl", "1 1:leave OnGuard"}},
    {"a signal that the tree does not list changes nothing",
     R"({"signal": "OnHurt", "data": "bear"}
{"expect": {"stimuli": {"Hit": false, "Noise": false}}})",
     {"0 0:signal OnHurt"}},
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what happens in trees of deciders") {
  const DeciderTrees trees(kCreature);
  for (const Case& row : kCases) {
    INFO(row.rule);
    CHECK(happens(trees, row.lines) == row.events);
  }
}

TEST_CASE("a decided number is the shortest decimal that reads back the same, without a point where it is whole") {
  const DeciderTrees trees(kCreature);
  const std::pair<const char*, const char*> cases[] = {{"1", "1"},
                                                       {"1.0", "1"},
                                                       {"-0.0", "0"},
                                                       {"0.1", "0.1"},
                                                       {"1e2", "100"},
                                                       {"100000", "100000"},
                                                       {"1e-7", "0.0000001"},
                                                       {"0.30000000000000004", "0.30000000000000004"},
                                                       {"-2.50", "-2.5"},
                                                       {"123456789012", "123456789012"},
                                                       {"1e22", "10000000000000000000000"}};
  for (const auto& [given, told] : cases) {
    CAPTURE(given);
    CHECK(holds(trees, "{\"host\": {\"Sees\": " + std::string(given) + "}}\n{\"tick\": 1}\n",
                "{\"status\": \"running\"}"));
    const Replayed replayed = run_trace(
        trees.asset(), "{\"trace\": 1, \"events\": [\"decide\"]}\n{\"host\": {\"Sees\": " + std::string(given) +
                           "}}\n{\"tick\": 1}\n{\"expect\": {\"events\": [\"decide Guard " + told + "\"]}}\n");
    INFO(replayed.messages());
    CHECK(replayed.result.failed_count == 0);
  }
}

TEST_CASE("a behaviour and a Decide function of one name share what is scripted") {
  const DeciderTrees trees(
      "<DeciderTree name='T'><Behaviors><Behavior name='Rest'/></Behaviors>"
      "<Group name='Root' policy='prioritizedList'><Decider name='Sleep' behavior='Rest' decide='Rest'/></Group>"
      "</DeciderTree>");
  CHECK(happens(trees, "{\"host\": {\"Rest\": [2, \"running\", \"failure\", true]}}\n{\"tick\": 1, \"times\": 2}\n") ==
        Lines{"1 0:decide Sleep 2", "1 0:enter Rest", "1 0:tick Rest running", "1 0:status running",
              "2 0:tick Rest failure", "2 0:leave Rest", "2 0:status failure"});
  CHECK(happens(trees, "{\"host\": {\"Rest\": \"refuse\"}}\n{\"tick\": 1}\n") ==
        Lines{"1 0:decide Sleep 0", "1 0:status failure"});
}

TEST_CASE("what a trace does not script accepts, goes on or gives 1, and is warned of once") {
  const DeciderTrees trees(kCreature);
  const Replayed replayed = run_lines(trees, "{\"host\": {\"Flea\": true}}\n{\"tick\": 1, \"times\": 2}\n");
  REQUIRE(replayed.result.warnings.size() == 4);
  CHECK(contains(replayed.result.warnings[0], "unknown behaviour or Decide function 'Flea'"));
  CHECK(contains(replayed.result.warnings[0], "did you mean 'Flee'?"));
  CHECK(contains(replayed.result.warnings[1], "Decide function 'Sees' has no scripted answer: it gives 1"));
  CHECK(contains(replayed.result.warnings[2], "behaviour 'OnGuard' has no scripted answer: it accepts and goes on"));
  CHECK(contains(replayed.result.warnings[3], "behaviour 'Growl'"));
  RunOptions strict = jsonl();
  strict.run.strict = true;
  CHECK(run_lines(trees, "{\"tick\": 1}\n", strict).result.is_broken);
}

TEST_CASE("agents draw from generators of their own, which begin with the seed") {
  std::string tree = "<DeciderTree name='T'><Behaviors>";
  for (const char* name : {"A", "B", "C", "D"}) tree += std::string("<Behavior name='") + name + "'/>";
  tree += "</Behaviors><Group name='Root' policy='random'>";
  for (const char* name : {"A", "B", "C", "D"}) {
    tree += std::string("<Decider name='") + name + "' behavior='" + name + "'/>";
  }
  const DeciderTrees trees(tree + "</Group></DeciderTree>");
  // SplitMix64 of each seed: (next() >> 32) * 4 >> 32.
  const auto first_behavior = [](std::uint64_t seed) {
    std::uint64_t z = seed + 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    return std::string(1, static_cast<char>('A' + (z >> 62)));
  };
  for (const std::uint64_t seed : {1, 2, 3, 42}) {
    std::string trace = "{\"trace\": 1, \"agents\": 4, \"seed\": " + std::to_string(seed) + "}\n{\"tick\": 1}\n";
    for (std::uint64_t agent = 0; agent < 4; ++agent) {
      trace += "{\"expect\": {\"behavior\": \"" + first_behavior(seed + (agent << 32)) +
               "\"}, \"agent\": " + std::to_string(agent) + "}\n";
    }
    const Replayed replayed = run_trace(trees.asset(), trace);
    INFO(replayed.messages());
    CHECK(replayed.is_clean());
  }
}

}  // namespace replay_deciders
