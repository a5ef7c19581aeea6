// Agents of trees of deciders: expectations, faulty lines, snapshots and reloads.
#include "replay_deciders.h"

namespace replay_deciders_agents {

using namespace espalier;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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

TEST_CASE("path, behaviour, running and status of a tree of deciders") {
  const DeciderTrees trees(kCreature);
  CHECK(holds(trees, "", R"({"path": [], "behavior": null, "running": [], "status": null})"));
  CHECK(holds(trees, kGuards, R"({"path": ["Root", "Guard", "Warn"], "behavior": "Growl", "status": "running"})"));
  CHECK(holds(trees, kGuards, R"({"running": ["Growl", "OnGuard"]})"));
  CHECK_FALSE(holds(trees, kGuards, R"({"running": ["Growl"]})"));
  CHECK_FALSE(holds(trees, kGuards, R"({"path": ["Root", "Guard"]})"));
  CHECK_FALSE(holds(trees, kGuards, R"({"path": ["Root", "Guard", "Warn", "Rest"]})"));
  CHECK_FALSE(holds(trees, kGuards, R"({"path": []})"));
  CHECK_FALSE(holds(trees, kGuards, R"({"behavior": null})"));
  const std::string failed = "{\"host\": {\"Sees\": 0, \"Idle\": false}}\n{\"tick\": 1}\n";
  CHECK(holds(trees, failed, R"({"path": [], "behavior": null, "running": [], "status": "failure"})"));
  const std::string passed = "{\"host\": {\"OnGuard\": false, \"Idle\": false}}\n{\"tick\": 1, \"times\": 2}\n";
  CHECK(holds(trees, passed, R"({"status": "failure"})"));
  CHECK(holds(
      trees,
      "{\"stimulus\": \"Hit\"}\n{\"host\": {\"Flee\": false, \"Growl\": false, \"Idle\": false}}\n{\"tick\": 1}\n",
      R"({"path": [], "status": "error"})"));
}

TEST_CASE("flags and stimuli of a tree of deciders") {
  const DeciderTrees trees(kCreature);
  CHECK(holds(trees, "", R"({"flags": {"Dead": false, "Night": false}, "stimuli": {"Hit": false}})"));
  CHECK(holds(trees, "{\"flags\": [\"Dead\"]}\n{\"flags\": [\"Night\"]}\n",
              R"({"flags": {"Dead": false, "Night": true}})"));
  CHECK(holds(trees, "{\"flags\": [\"Dead\"]}\n{\"flags\": []}\n", R"({"flags": {"Dead": false}})"));
  CHECK_FALSE(holds(trees, "{\"flags\": [\"Dead\"]}\n", R"({"flags": {"Dead": false}})"));
  const std::string bear = "{\"stimulus\": \"Hit\", \"data\": \"bear\"}\n";
  CHECK(holds(trees, bear, R"({"stimuli": {"Hit": "bear", "Noise": false}})"));
  CHECK(holds(trees, bear, R"({"stimuli": {"Hit": true}})"));
  CHECK_FALSE(holds(trees, bear, R"({"stimuli": {"Hit": ""}})"));
  CHECK_FALSE(holds(trees, bear, R"({"stimuli": {"Hit": false}})"));
  CHECK_FALSE(holds(trees, "", R"({"stimuli": {"Hit": ""}})"));
  CHECK(holds(trees, bear + "{\"stimulus\": \"Hit\"}\n", R"({"stimuli": {"Hit": ""}})"));
  CHECK(holds(trees, bear + "{\"stimulus\": \"Hit\", \"clear\": true}\n", R"({"stimuli": {"Hit": false}})"));
  CHECK(holds(trees, "{\"stimulus\": \"Hit\", \"clear\": false}\n", R"({"stimuli": {"Hit": true}})"));
  CHECK(holds(trees, "{\"signal\": \"OnHit\", \"data\": \"16 bytes of data\"}\n",
              R"({"stimuli": {"Hit": "16 bytes of data", "Noise": "16 bytes of data"}})"));
  CHECK(holds(trees, bear + "{\"tick\": 1}\n", R"({"stimuli": {"Hit": "bear"}})"));
  CHECK(holds(trees, bear + "{\"tick\": 1, \"times\": 2}\n", R"({"stimuli": {"Hit": false}})"));
}

TEST_CASE("a stimulus that is not as expected is told as it is") {
  const DeciderTrees trees(kCreature);
  const std::string bear = "{\"stimulus\": \"Hit\", \"data\": \"bear\"}\n";
  const auto actual = [&](const std::string& expected) {
    const Replayed replayed = run_lines(trees, bear + "{\"expect\": {\"stimuli\": " + expected + "}}\n");
    REQUIRE(replayed.result.mismatches.size() == 1);
    return replayed.result.mismatches[0];
  };
  CHECK(contains(actual(R"({"Hit": "wolf"})"), "actual   \"bear\""));
  CHECK(contains(actual(R"({"Hit": false})"), "actual   true"));
  CHECK(contains(actual(R"({"Noise": "wolf"})"), "actual   false"));
  CHECK(contains(actual(R"({"Noise": true})"), "stimuli.Noise is not what was expected"));
}

TEST_CASE("events that an expectation does not name are gone at the next one") {
  const DeciderTrees trees(kCreature);
  CHECK(holds(trees, kGuards, R"({"events": ["enter OnGuard", "enter Growl"]})"));
  CHECK(holds(trees, kGuards + "{\"expect\": {\"status\": \"running\"}}\n", R"({"events": []})"));
}

TEST_CASE("lines that are wrong for a tree of deciders are told with what would be right") {
  struct Case {
    const char* line;
    const char* message;
    const char* hint;
  };
  const Case cases[] = {
      {R"({"set": {"Dead": true}})", "'set' is not supported for decider trees", "{\"flags\": [...]}"},
      {R"({"jump": "Root"})", "'jump' is not supported for decider trees", ""},
      {R"({"inject": {"slot": "A", "tree": null}})", "'inject' is not supported for decider trees", ""},
      {R"({"flags": ["Night", "dead"]})",
       "t:2:22: error: unknown decision flag 'dead' of tree 'Creature' [unknown-name TRC006]", "did you mean 'Dead'?"},
      {R"({"stimulus": "Hti"})", "unknown stimulus 'Hti'", "did you mean 'Hit'?"},
      {R"({"stimulus": "Hit", "data": "more than 16 bytes"})", "'data' should be a string of at most 16 bytes", ""},
      {R"({"stimulus": "Hit", "clear": true, "data": "a"})", "a stimulus that is cleared has no data", ""},
      {R"({"flags": {"Dead": true}})", "'flags' should be a list of strings", ""},
      {R"({"host": {"Sees": "running"}})", "not a valid answer of a Decide function",
       "answers are numbers, true (1) and false (0)"},
      {R"({"host": {"Flee": ["running", "maybe"]}})", "not a valid answer of a behaviour", "\"refuse\""},
      {R"({"expect": {"leaf": null}})", "'leaf' cannot be expected of decider trees", ""},
      {R"({"expect": {"variables": {"Dead": true}}})", "'variables' cannot be expected of decider trees", ""},
      {R"({"expect": {"flags": ["Dead"]}})", "'flags' should be an object of names and values", ""},
      {R"({"expect": {"flags": {"Daed": true}}})", "unknown decision flag 'Daed'", "did you mean 'Dead'?"},
      {R"({"expect": {"flags": {"Dead": 1}}})", "'Dead' should be true or false", ""},
      {R"({"expect": {"stimuli": {"Hitt": true}}})", "unknown stimulus 'Hitt'", "did you mean 'Hit'?"},
      {R"({"expect": {"stimuli": {"Hit": 1}}})", "'Hit' should be true, false, or the data it has", ""},
      {R"({"expect": {"stimuli": ["Hit"]}})", "'stimuli' should be an object of names and values", ""},
      {R"({"expect": {"path": "Root"}})", "'path' should be a list of the names of deciders", ""},
      {R"({"expect": {"status": "done"}})", "'status' should be \"running\", \"failure\" or \"error\"", ""},
  };
  const DeciderTrees trees(kCreature);
  for (const Case& row : cases) {
    CAPTURE(row.line);
    const Replayed replayed = run_lines(trees, std::string(row.line) + '\n');
    INFO(replayed.messages());
    CHECK(replayed.result.is_broken);
    REQUIRE(replayed.result.errors.size() == 1);
    CHECK(contains(replayed.result.errors[0], row.message));
    CHECK(contains(replayed.result.errors[0], row.hint));
  }
}

TEST_CASE("lines and expectations of deciders are errors in traces of other trees") {
  for (const char* line : {R"({"flags": []})", R"({"stimulus": "Hit"})", R"({"expect": {"path": []}})",
                           R"({"expect": {"flags": {}}})", R"({"expect": {"stimuli": {}}})"}) {
    CAPTURE(line);
    const Replayed replayed = run_trace("{\"trace\": 1}\n" + std::string(line) + '\n');
    REQUIRE(replayed.result.errors.size() == 1);
    CHECK(contains(replayed.result.errors[0], "decider trees"));
  }
}

TEST_CASE("where the names of deciders were stripped, a path cannot be expected, and the rest can") {
  const DeciderTrees trees(kCreature, true);
  CHECK(holds(trees, kGuards, R"({"behavior": "Growl", "running": ["OnGuard", "Growl"], "flags": {"Dead": false}})"));
  CHECK(holds(trees, "", R"({"path": []})"));
  CHECK(happens(trees, "{\"host\": {\"Sees\": 0}}\n{\"tick\": 1}\n") ==
        Lines{"1 0:decide #2 0", "1 0:enter Idle", "1 0:tick Idle running", "1 0:status running"});
  const Replayed replayed = run_lines(trees, kGuards + "{\"expect\": {\"path\": [\"Root\"]}}\n");
  REQUIRE(replayed.result.errors.size() == 1);
  CHECK(contains(replayed.result.errors[0], "the asset was stripped of the names of its deciders"));
}

TEST_CASE("a restore puts back path, times, stimuli, flags and status, and calls nothing") {
  const DeciderTrees trees(kCreature);
  const std::string lines =
      kGuards +
      "{\"flags\": [\"Night\"]}\n{\"stimulus\": \"Noise\", \"data\": \"north\"}\n{\"save\": \"guards\"}\n"
      "{\"flags\": [\"Dead\"]}\n{\"stimulus\": \"Noise\", \"clear\": true}\n"
      "{\"host\": {\"Growl\": false, \"Idle\": [false, true]}}\n{\"tick\": 1}\n"
      "{\"expect\": {\"path\": [], \"status\": \"failure\", \"flags\": {\"Dead\": true}}}\n{\"restore\": \"guards\"}\n";
  CHECK(holds(trees, lines,
              R"({"path": ["Root", "Guard", "Warn"], "status": "running", "flags": {"Dead": false, "Night": true}, )"
              R"("stimuli": {"Noise": "north"}, "events": []})"));
}

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

}  // namespace replay_deciders_agents
