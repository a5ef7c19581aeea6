// Traces with synchronized trees: their events, the order of these, and the answers of the host.
#include "replay_synchronized.h"

namespace replay_synchronized {

using namespace espalier;

namespace {

struct Case {
  const char* rule;
  std::uint32_t agent_count;
  std::string lines;
  Lines events;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> rows = {
      {"an action is entered, ticked at each evaluation, left when it completes, and reset with the tree",
       1,
       R"({"host": {"Noise": false, "Pass": ["running", "success"]}}
{"tick": 1, "times": 2})",
       {"1 0:ask Noise false", "1 0:enter Pass", "1 0:tick Pass running", "1 0:status running", "2 0:ask Noise false",
        "2 0:tick Pass success", "2 0:leave Pass", "2 0:reset Pass", "2 0:status success"}},
      {"a monitor that succeeds interrupts what runs, and is asked again in its place in the same update",
       1,
       kBusy + R"({"host": {"Noise": [false, true, true, false]}}
{"tick": 1, "times": 3})",
       {"1 0:ask Noise false", "1 0:enter Pass", "1 0:tick Pass running", "1 0:status running", "2 0:ask Noise true",
        "2 0:interrupt Pass", "2 0:ask Noise true", "2 0:enter Look", "2 0:tick Look running", "2 0:status running",
        "3 0:ask Noise false", "3 0:tick Look running", "3 0:status running"}},
      {"agents are updated in the order of their indices, each completely, and share places",
       2,
       kBusy + R"({"host": {"Pass": "success"}, "agent": 0}
{"tick": 1})",
       {"1 0:ask Noise false", "1 0:enter Pass", "1 0:tick Pass success", "1 0:leave Pass", "1 0:reset Pass",
        "1 0:status success", "1 1:ask Noise false", "1 1:enter Pass", "1 1:tick Pass running", "1 1:status running"}},
      {"true, success and numbers other than 0 are success, all else failure",
       1,
       R"({"host": {"Noise": [1, true, "success", 0, false, "failure"], "Look": "running", "Pass": [true, 2, false]}}
{"tick": 1, "times": 3})",
       {"1 0:ask Noise true", "1 0:enter Look", "1 0:tick Look running", "1 0:status running", "2 0:ask Noise true",
        "2 0:interrupt Look", "2 0:ask Noise true", "2 0:enter Look", "2 0:tick Look running", "2 0:status running",
        "3 0:ask Noise false", "3 0:tick Look running", "3 0:status running"}},
      {"who is destroyed is reset, and gives back what it holds",
       2,
       kBusy + R"({"tick": 1}
{"destroy": 0}
{"tick": 3, "comment": "alone too long in the group, agent 1 goes on to its slot"})",
       {"1 0:ask Noise false", "1 0:enter Pass", "1 0:tick Pass running", "1 0:status running", "1 1:ask Noise false",
        "1 1:ask Strong true", "1 1:status running", "1 0:interrupt Pass", "4 1:ask Noise false", "4 1:enter Sit",
        "4 1:tick Sit running", "4 1:status running"}},
      {"agents that are spawned join those that are there",
       1,
       kBusy + R"({"tick": 1}
{"spawn": 1}
{"host": {"Noise": false, "Strong": false}, "agent": 1}
{"tick": 1, "agent": 1})",
       {"1 0:ask Noise false", "1 0:enter Pass", "1 0:tick Pass running", "1 0:status running", "2 1:ask Noise false",
        "2 1:ask Strong false", "2 1:status running"}},
      {"a tree in a slot is entered when the slot is; at once, what runs there is reset first",
       1,
       kBusy + R"({"host": {"Pass": "failure"}}
{"inject": {"slot": "Task", "tree": "Sweep"}, "comment": "alone in its group for now"}
{"tick": 1}
{"tick": 3}
{"inject": {"slot": "Task", "tree": "Rest"}}
{"tick": 1}
{"inject": {"slot": "Task", "tree": null}, "immediate": true}
{"tick": 1})",
       {"1 0:ask Noise false", "1 0:enter Pass", "1 0:tick Pass failure", "1 0:leave Pass", "1 0:ask Strong true",
        "1 0:status running", "4 0:ask Noise false", "4 0:enter Brush", "4 0:tick Brush running", "4 0:status running",
        "5 0:ask Noise false", "5 0:tick Brush running", "5 0:status running", "5 0:interrupt Brush",
        "6 0:ask Noise false", "6 0:enter Sit", "6 0:tick Sit running", "6 0:status running"}},
      {"a tree that is not accepted, or nowhere, and a slot that is nowhere change nothing",
       1,
       R"({"inject": {"slot": "Task", "tree": "Other"}}
{"inject": {"slot": "Task", "tree": "sweep"}}
{"inject": {"slot": "task", "tree": "Sweep"}, "immediate": true}
{"inject": {"slot": "None", "tree": null}})",
       {"0 0:error inject Task Other", "0 0:error inject Task sweep", "0 0:error inject task Sweep",
        "0 0:error inject None None"}},
  };
  return rows;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what happens in synchronized trees") {
  const SynchronizedTrees trees(kPorters);
  for (const Case& row : cases()) {
    INFO(row.rule);
    CHECK(happens(trees, row.agent_count, row.lines) == row.events);
  }
}

TEST_CASE("a tree deeper within others than its root allows is an error of the slot") {
  const SynchronizedTrees trees(
      {"<SynchronizedTree name='T' maxDepth='2'><Selector><ChildTree slot='s' default='T'/>"
       "<Action name='A'/></Selector></SynchronizedTree>"});
  const Replayed replayed =
      run_trace(trees.asset(),
                "{\"trace\": 1, \"events\": [\"error\", \"enter\"]}\n{\"host\": {\"A\": \"running\"}}\n{\"tick\": 1}\n"
                "{\"expect\": {\"running\": [\"A\"], \"events\": [\"error depth s\", \"enter A\"]}}\n");
  INFO(replayed.messages());
  CHECK(replayed.is_clean());
}

TEST_CASE("a tree that is too large for a slot is an error") {
  const SynchronizedTrees trees(
      {"<SynchronizedTree name='T'><Selector><ChildTree slot='s' default='Small' budget='8'/><Action name='A'/>"
       "</Selector></SynchronizedTree>",
       "<SynchronizedTree name='Small'><Action name='B'/></SynchronizedTree>",
       "<SynchronizedTree name='Large'><Cooldown seconds='1'><Action name='C'/></Cooldown></SynchronizedTree>"});
  const Replayed replayed = run_trace(
      trees.asset(),
      "{\"trace\": 1, \"tree\": \"T\", \"events\": [\"error\", \"enter\"]}\n"
      "{\"inject\": {\"slot\": \"s\", \"tree\": \"Large\"}}\n{\"host\": {\"B\": \"running\"}}\n{\"tick\": 1}\n"
      "{\"expect\": {\"running\": [\"B\"], \"events\": [\"error inject s Large\", \"enter B\"]}}\n");
  INFO(replayed.messages());
  CHECK(replayed.is_clean());
}

TEST_CASE("what is inside gates and groups is of all agents and all trees, and runs in the order of the tree") {
  const SynchronizedTrees trees(kPorters);
  CHECK(holds(trees, 3, "", R"({"inside": {"Door": 0, "Crate": 0, "Broom": 0}, "running": [], "status": null})"));
  const std::string ticked = kBusy + "{\"tick\": 1}\n";
  CHECK(holds(trees, 3, ticked, R"({"inside": {"Door": 1, "Crate": 2, "Broom": 0}, "running": ["Pass"]})"));
  CHECK_FALSE(holds(trees, 3, ticked, R"({"inside": {"Door": 0}})"));
  CHECK_FALSE(holds(trees, 3, ticked, R"({"inside": {"Door": 1, "Crate": 1}})"));
  CHECK_FALSE(holds(trees, 3, ticked, R"({"running": []})"));
  const std::string swept = kBusy +
                            "{\"inject\": {\"slot\": \"Task\", \"tree\": \"Sweep\"}, \"agent\": \"all\"}\n"
                            "{\"tick\": 1}\n{\"tick\": 1}\n";
  CHECK(holds(trees, 5, swept, R"({"inside": {"Door": 1, "Crate": 2, "Broom": 1}})"));
}

TEST_CASE("an expectation of who is inside is told once, whatever the agents, and can be rewritten") {
  const SynchronizedTrees trees(kPorters);
  const std::string trace = porters(3) + kBusy +
                            "{\"tick\": 1}\n{\"expect\": {\"inside\": {\"Door\": 7}, \"status\": \"running\"}, "
                            "\"agent\": \"all\"}\n";
  const Replayed replayed = run_trace(trees.asset(), trace);
  REQUIRE(replayed.result.mismatches.size() == 1);
  CHECK(contains(replayed.result.mismatches[0], "inside.Door is not what was expected"));
  std::string updated;
  CHECK(update_trace(trees.asset(), trace, &updated).rewritten_count == 1);
  CHECK(contains(updated, "{\"inside\": {\"Door\": 1}, \"status\": \"running\"}"));
}

TEST_CASE("what a trace does not script of synchronized trees succeeds or is true") {
  const SynchronizedTrees trees(kPorters);
  const Replayed replayed = run_porters(trees, 1, "{\"host\": {\"Nois\": true}}\n{\"tick\": 1}\n");
  REQUIRE(replayed.result.warnings.size() == 3);
  CHECK(contains(replayed.result.warnings[0], "unknown action or condition 'Nois'"));
  CHECK(contains(replayed.result.warnings[0], "did you mean 'Noise'?"));
  CHECK(contains(replayed.result.warnings[1], "condition 'Noise' has no scripted answer: it is true"));
  CHECK(contains(replayed.result.warnings[2], "action 'Look' has no scripted answer: it succeeds"));
}

TEST_CASE("slots and trees that are nowhere are warned of once, with the nearest") {
  const SynchronizedTrees trees(kPorters);
  const std::string lines =
      "{\"inject\": {\"slot\": \"Taks\", \"tree\": \"Rest\"}}\n{\"inject\": {\"slot\": \"Task\", \"tree\": "
      "\"Rset\"}}\n";
  const Replayed replayed = run_porters(trees, 1, lines + lines);
  REQUIRE(replayed.result.warnings.size() == 2);
  CHECK(contains(replayed.result.warnings[0], "unknown slot 'Taks'"));
  CHECK(contains(replayed.result.warnings[0], "did you mean 'Task'?"));
  CHECK(contains(replayed.result.warnings[1], "unknown tree 'Rset'"));
  CHECK(contains(replayed.result.warnings[1], "did you mean 'Rest'?"));
  CHECK_FALSE(replayed.result.is_broken);
  RunOptions strict = jsonl();
  strict.run.strict = true;
  CHECK(run_porters(trees, 1, lines, strict).result.is_broken);
}

TEST_CASE("lines that are wrong for synchronized trees") {
  struct Wrong {
    const char* line;
    const char* message;
    const char* hint;
  };
  const Wrong rows[] = {
      {R"({"set": {"Noise": true}})", "'set' is not supported for synchronized trees", ""},
      {R"({"flags": ["Night"]})", "'flags' is not supported for synchronized trees", ""},
      {R"({"stimulus": "Hit"})", "'stimulus' is not supported for synchronized trees", ""},
      {R"({"jump": "root"})", "'jump' is not supported for synchronized trees", ""},
      {R"({"save": "start"})", "'save' is not supported for synchronized trees", "cannot be put back"},
      {R"({"restore": "start"})", "'restore' is not supported for synchronized trees", "cannot be put back"},
      {R"({"inject": {"slot": "Task"}})", "'inject' needs a 'tree'", "null in place of"},
      {R"({"inject": {"tree": "Rest"}})", "'inject' needs a 'slot'", "fills a slot"},
      {R"({"inject": {"slot": "Task", "tree": 1}})", "'tree' should be a string or null", ""},
      {R"({"inject": {"slot": null, "tree": null}})", "'slot' should be a string", ""},
      {R"({"inject": {"slot": "Task", "tre": "Rest"}})", "unknown key 'tre' of 'inject'", "did you mean 'tree'?"},
      {R"({"inject": {"slot": "Task", "tree": "Rest"}, "agent": 4})", "unknown agent 4", ""},
      {R"({"host": {"Noise": "running"}})", "not a valid answer of a condition",
       "answers are \"success\", \"failure\""},
      {R"({"host": {"Pass": "refuse"}})", "the actions of this tree can fail, not refuse", "\"running\""},
      {R"({"expect": {"inside": ["Door"]}})", "'inside' should be an object of names of gates and groups", ""},
      {R"({"expect": {"inside": {"Dor": 1}}})", "unknown gate or group 'Dor'", "did you mean 'Door'?"},
      {R"({"expect": {"inside": {"Door": true}}})", "'Door' should be a number of agents", ""},
      {R"({"expect": {"behavior": null}})", "'behavior' cannot be expected of synchronized trees", ""},
      {R"({"expect": {"status": "done"}})", "\"running\", \"success\" or \"failure\"", ""},
  };
  const SynchronizedTrees trees(kPorters);
  for (const Wrong& row : rows) {
    CAPTURE(row.line);
    const Replayed replayed = run_porters(trees, 1, std::string(row.line) + '\n');
    INFO(replayed.messages());
    CHECK(replayed.result.is_broken);
    REQUIRE(replayed.result.errors.size() == 1);
    CHECK(contains(replayed.result.errors[0], row.message));
    CHECK(contains(replayed.result.errors[0], row.hint));
  }
}

TEST_CASE("a signal is told and warned of, and changes nothing in a synchronized tree") {
  const SynchronizedTrees trees(kPorters);
  const Replayed replayed = run_porters(trees, 1, "{\"signal\": \"OnNoise\"}\n{\"signal\": \"OnNoise\"}\n");
  CHECK_FALSE(replayed.result.is_broken);
  REQUIRE(replayed.result.warnings.size() == 1);
  CHECK(contains(replayed.result.warnings[0], "synchronized trees have no signals"));
}

TEST_CASE("slots and who is inside are errors in traces of other trees") {
  for (const char* line : {R"({"inject": {"slot": "Task", "tree": null}})", R"({"expect": {"inside": {}}})"}) {
    CAPTURE(line);
    const Replayed replayed = run_trace("{\"trace\": 1}\n" + std::string(line) + '\n');
    REQUIRE(replayed.result.errors.size() == 1);
    CHECK(contains(replayed.result.errors[0], "synchronized trees"));
  }
}

TEST_CASE("where names were stripped, who is inside cannot be expected, and the rest can") {
  const SynchronizedTrees trees(kPorters, true);
  const std::string ticked = kBusy + "{\"tick\": 1}\n";
  CHECK(holds(trees, 3, ticked, R"({"running": ["Pass"], "status": "running"})"));
  const Replayed replayed = run_porters(trees, 3, ticked + "{\"expect\": {\"inside\": {\"Door\": 1}}}\n");
  REQUIRE(replayed.result.errors.size() == 1);
  CHECK(contains(replayed.result.errors[0], "the asset was stripped of the names of its gates and groups"));
}

TEST_CASE("after a reload agents of synchronized trees begin anew, with what is in their slots and free places") {
  const SynchronizedTrees first(kPorters);
  const SynchronizedTrees second({kPorter, kRest, kSweep});
  RunOptions options = jsonl();
  options.run.load = [&second](const std::string&, replay::ReplayOptions::LoadFault*) { return &second.asset(); };
  const std::string lines = kBusy +
                            "{\"host\": {\"Strong\": false}, \"agent\": \"all\"}\n"
                            "{\"inject\": {\"slot\": \"Task\", \"tree\": \"Sweep\"}, \"agent\": \"all\"}\n"
                            "{\"tick\": 1, \"times\": 2}\n"
                            "{\"expect\": {\"inside\": {\"Door\": 1, \"Crate\": 1, \"Broom\": 1}}}\n"
                            "{\"reload\": \"next\"}\n"
                            "{\"expect\": {\"running\": [], \"inside\": {\"Door\": 0, \"Crate\": 0, \"Broom\": 0}, "
                            "\"events\": [\"0:interrupt Pass\", \"2:interrupt Brush\"]}}\n"
                            "{\"tick\": 1}\n"
                            "{\"expect\": {\"running\": [\"Brush\"], \"inside\": {\"Door\": 1, \"Crate\": 1, "
                            "\"Broom\": 1}}, \"agent\": 2}\n";
  const Replayed replayed = run_porters(first, 3, lines, options);
  INFO(replayed.messages());
  CHECK_FALSE(replayed.result.is_broken);
  CHECK(replayed.result.failed_count == 0);
}

TEST_CASE("a tree in a slot that a reloaded project does not have leaves the slot empty") {
  const SynchronizedTrees first(kPorters);
  std::string porter = kPorter;
  const std::string accepts = " accepts='Rest Sweep'";
  porter.erase(porter.find(accepts), accepts.size());
  const SynchronizedTrees second({porter, kRest});
  RunOptions options = jsonl();
  options.run.load = [&second](const std::string&, replay::ReplayOptions::LoadFault*) { return &second.asset(); };
  const std::string lines = kBusy +
                            "{\"host\": {\"Strong\": false, \"Pass\": \"failure\"}}\n"
                            "{\"inject\": {\"slot\": \"Task\", \"tree\": \"Sweep\"}}\n"
                            "{\"tick\": 1}\n{\"tick\": 3}\n{\"expect\": {\"running\": [\"Brush\"]}}\n"
                            "{\"reload\": \"next\"}\n{\"tick\": 1}\n{\"tick\": 3}\n"
                            "{\"expect\": {\"running\": [\"Sit\"]}}\n";
  const Replayed replayed = run_porters(first, 1, lines, options);
  INFO(replayed.messages());
  CHECK_FALSE(replayed.result.is_broken);
  CHECK(replayed.result.failed_count == 0);
}

}  // namespace replay_synchronized
