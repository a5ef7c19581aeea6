// Agents of trees of deciders: reloads and random numbers. Traces are shown in tests/golden/replay/decider.
#include "replay_deciders.h"

namespace replay_deciders_agents {

using namespace espalier;

namespace {

const std::string kGuards =
    "{\"host\": {\"Sees\": 1, \"OnGuard\": true, \"Growl\": true, \"Idle\": true, \"Flee\": true, \"Afraid\": "
    "1}}\n{\"tick\": 1}\n";

// Traces that reload "next".
RunOptions reloading(const DeciderTrees& next) {
  RunOptions options = jsonl();
  options.run.load = [&next](const std::string&, replay::ReplayOptions::LoadFault*) { return &next.asset(); };
  return options;
}

}  // namespace

TEST_CASE("a reload keeps what both trees have, by name") {
  const DeciderTrees first(kCreature);
  const DeciderTrees second(
      "<DeciderTree name='Creature'>\n"
      "<DecisionFlags><Flag name='Night'/></DecisionFlags>\n"
      "<Stimuli><Stimulus name='Smell'/><Stimulus name='Noise'/></Stimuli>\n"
      "<Behaviors><Behavior name='OnGuard'/><Behavior name='Bark'/><Behavior name='Growl'/></Behaviors>\n"
      "<Group name='Root' policy='prioritizedList'>\n"
      "<Group name='Guard' policy='prioritizedList' behavior='OnGuard' decide='Sees'>\n"
      "<Decider name='Loud' behavior='Bark' flagsAll='Night' stimuliAll='Smell'/>\n"
      "<Decider name='Warn' behavior='Growl'/>\n"
      "</Group>\n"
      "</Group>\n"
      "</DeciderTree>\n");
  const DeciderTrees third(
      "<DeciderTree name='Creature'><Behaviors><Behavior name='OnGuard'/><Behavior name='Bark'/></Behaviors>\n"
      "<Group name='Root' policy='prioritizedList'>\n"
      "<Group name='Guard' policy='prioritizedList' behavior='OnGuard' decide='Sees'>\n"
      "<Decider name='Loud' behavior='Bark'/></Group></Group></DeciderTree>\n");
  const std::string lines = kGuards +
                            "{\"flags\": [\"Night\"]}\n{\"stimulus\": \"Noise\", \"data\": \"north\"}\n"
                            "{\"expect\": {}}\n{\"reload\": \"next\"}\n";
  const Replayed kept = run_lines(
      first,
      lines +
          "{\"expect\": {\"path\": [\"Root\", \"Guard\", \"Warn\"], \"flags\": {\"Night\": true}, \"stimuli\": "
          "{\"Noise\": \"north\", \"Smell\": false}, \"events\": []}}\n"
          "{\"stimulus\": \"Smell\"}\n{\"tick\": 1}\n"
          "{\"expect\": {\"behavior\": \"Bark\", \"events\": [\"leave Growl\", \"enter Bark\"]}}\n",
      reloading(second));
  INFO(kept.messages());
  CHECK_FALSE(kept.result.is_broken);
  CHECK(kept.result.failed_count == 0);
  const Replayed gone = run_lines(
      first, lines + "{\"tick\": 1}\n{\"expect\": {\"path\": [\"Root\", \"Guard\", \"Loud\"]}}\n", reloading(third));
  INFO(gone.messages());
  CHECK_FALSE(gone.result.is_broken);
  CHECK(gone.result.failed_count == 0);
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

}  // namespace replay_deciders_agents
