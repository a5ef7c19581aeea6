// Agents of Drag[en]gine trees: trees, expectations, lines that cannot be executed, snapshots and reloads.
#include "replay_dragengine.h"

namespace replay_dragengine_agents {

using namespace espalier;

namespace {

const std::string kPatrol =
    "<sequence id='root'>\n<action id='.move' name='Move'><condition>Calm</condition></action>\n<yield/>\n"
    "<action id='.look' name='Look'/>\n</sequence>";

Replayed run(const Asset& asset, const std::string& lines, const RunOptions& options = jsonl()) {
  return run_trace(asset, "{\"trace\": 1}\n" + lines, options);
}

// Does the expectation hold after these lines? False if it cannot be checked.
bool holds(const RuleTrees& trees, const std::string& lines, const std::string& expected) {
  const Replayed replayed = run(trees.asset(), lines + "{\"expect\": " + expected + "}\n");
  INFO(replayed.messages());
  return !replayed.result.is_broken && replayed.result.failed_count == 0;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Traces that reload "next".
RunOptions reloading(const RuleTrees& next) {
  RunOptions options = jsonl();
  options.run.load = [&next](const std::string&, replay::ReplayOptions::LoadFault*) { return &next.asset(); };
  return options;
}

}  // namespace

TEST_CASE("a trace without a tree means the one that no other file names") {
  const std::string line = R"({"tick": 1}
{"expect": {"events": ["enter Look", "leave Look", "enter Move", "leave Move"]}}
)";
  const RuleTrees trees(
      RuleTrees::Files{{"a/part", "<action name='Look'/>"},
                       {"b", "<sequence><subtree>a/part.debt</subtree><action name='Move'/></sequence>"}});
  const Replayed replayed = run(trees.asset(), line);
  INFO(replayed.messages());
  CHECK(replayed.is_clean());

  const Replayed part = run_trace(trees.asset(),
                                  "{\"trace\": 1, \"tree\": \"part\"}\n{\"tick\": 1}\n"
                                  "{\"expect\": {\"events\": [\"enter Look\", \"leave Look\"]}}\n");
  INFO(part.messages());
  CHECK(part.is_clean());

  const RuleTrees several(RuleTrees::Files{{"a", "<action name='Look'/>"}, {"b", "<action name='Move'/>"}});
  const Replayed unclear = run(several.asset(), line);
  REQUIRE(unclear.result.errors.size() == 1);
  CHECK(contains(unclear.result.errors[0], "one of 'a', 'b'"));
}

TEST_CASE("rule, running and status of a tree of rules") {
  const RuleTrees trees(kPatrol);
  CHECK(holds(trees, "", R"({"rule": "root", "running": [], "status": null})"));
  const std::string moves = "{\"host\": {\"Move\": [\"running\", true], \"Look\": false}}\n{\"tick\": 1}\n";
  CHECK(holds(trees, moves, R"({"rule": "root.move", "running": ["Move"], "status": "running"})"));
  CHECK_FALSE(holds(trees, moves, R"({"rule": null})"));
  CHECK_FALSE(holds(trees, moves, R"({"running": []})"));
  const std::string yields = moves + "{\"tick\": 1}\n";
  CHECK(holds(trees, yields, R"({"rule": null, "running": [], "status": "running"})"));
  const std::string failed = yields + "{\"tick\": 1}\n";
  CHECK(holds(trees, failed, R"({"rule": "root", "running": [], "status": "failure"})"));
  CHECK(holds(trees, failed + "{\"tick\": 1}\n{\"jump\": \"root.look\"}\n",
              R"({"rule": "root.look", "status": "failure"})"));
}

TEST_CASE("an expected rule that the tree does not have is told with the nearest") {
  const Replayed replayed = run(RuleTrees(kPatrol).asset(), "{\"expect\": {\"rule\": \"root.mvoe\"}}\n");
  REQUIRE(replayed.result.mismatches.size() == 1);
  CHECK(contains(replayed.result.mismatches[0], "the tree has no such rule: did you mean 'root.move'?"));
}

TEST_CASE("events that an expectation does not name are left to the next one that does") {
  const RuleTrees trees("<action name='Move'/>");
  CHECK(holds(trees, "{\"tick\": 1}\n{\"expect\": {\"status\": \"success\"}}\n",
              R"({"events": ["enter Move", "leave Move"]})"));
  CHECK(holds(trees, "{\"tick\": 1}\n{\"expect\": {\"events\": [\"enter Move\", \"leave Move\"]}}\n",
              R"({"events": []})"));
}

TEST_CASE("lines and expectations of other trees are errors of the trace") {
  const RuleTrees trees(kPatrol);
  for (const char* line : {R"({"set": {"A": true}})", R"({"flags": ["A"]})", R"({"stimulus": "A"})",
                           R"({"inject": {"slot": "A", "tree": null}})", R"({"expect": {"behavior": null}})",
                           R"({"expect": {"leaf": null}})", R"({"expect": {"variables": {}}})",
                           R"({"expect": {"timestamps": {}}})", R"({"expect": {"path": []}})",
                           R"({"expect": {"rule": 1}})", R"({"host": {"Move": "maybe"}})", R"({"jump": 1})"}) {
    CAPTURE(line);
    const Replayed replayed = run(trees.asset(), std::string(line) + '\n');
    CHECK(replayed.result.is_broken);
    CHECK(replayed.result.mismatches.empty());
  }
}

TEST_CASE("a signal changes nothing and is warned of once") {
  const RuleTrees trees(kPatrol);
  const Replayed replayed = run(trees.asset(), "{\"signal\": \"A\"}\n{\"signal\": \"A\"}\n");
  REQUIRE(replayed.result.warnings.size() == 1);
  CHECK(contains(replayed.result.warnings[0], "signal 'A' has no effect"));
  CHECK(events_of(replayed.output) == Lines{"0 0:signal A", "0 0:signal A"});
}

TEST_CASE("what a trace does not script is warned of once, and what no tree has") {
  const RuleTrees trees("<action name='Move'><condition>Calm</condition><condition>Move</condition></action>");
  const Replayed replayed = run(trees.asset(), "{\"host\": {\"Clam\": true}}\n{\"tick\": 1}\n{\"tick\": 1}\n");
  REQUIRE(replayed.result.warnings.size() == 3);
  CHECK(contains(replayed.result.warnings[0], "unknown action or condition 'Clam'"));
  CHECK(contains(replayed.result.warnings[0], "did you mean 'Calm'?"));
  CHECK(contains(replayed.result.warnings[1], "condition 'Calm' has no scripted answer: it is true"));
  CHECK(contains(replayed.result.warnings[2], "condition 'Move' has no scripted answer: it is true"));
}

TEST_CASE(
    "a line that cannot be done counts as an expectation that does not hold, changes nothing, and the trace goes on") {
  struct Case {
    const char* lines;
    const char* message;
    const char* hint;
  };
  const Case cases[] = {
      {"{\"jump\": \"root.mvoe\"}", "t:3:11: failed: unknown rule 'root.mvoe'", "did you mean 'root.move'?"},
      {"{\"jump\": \"\"}", "t:3:11: failed: unknown rule ''", ""},
      {"{\"jump\": null}\n{\"host\": {\"Move\": true}}\n{\"tick\": 1}\n{\"save\": \"yield\"}",
       "t:6:11: failed: agent 0 cannot be saved: its current rule has no id",
       "give an id to this rule: yield (guard.debt:4)"},
  };
  const RuleTrees trees(kPatrol);
  for (const Case& row : cases) {
    CAPTURE(row.lines);
    const Replayed replayed =
        run(trees.asset(), "{\"host\": {\"Move\": \"running\", \"Calm\": true}}\n" + std::string(row.lines) +
                               "\n{\"jump\": \"root.look\"}\n{\"expect\": {\"rule\": \"root.look\"}}\n");
    INFO(replayed.messages());
    CHECK_FALSE(replayed.result.is_broken);
    CHECK(replayed.result.expectation_count == 2);
    CHECK(replayed.result.failed_count == 1);
    REQUIRE(replayed.result.mismatches.size() == 1);
    CHECK(contains(replayed.result.mismatches[0], row.message));
    CHECK(contains(replayed.result.mismatches[0], row.hint));
  }
}

TEST_CASE("a restore puts back rule, first run, status and being stopped") {
  const RuleTrees trees(kPatrol);
  const std::string lines =
      "{\"host\": {\"Move\": [\"running\", false, true, \"running\"], \"Look\": true}}\n{\"save\": "
      "\"new\"}\n{\"tick\": 1}\n"
      "{\"save\": \"moving\"}\n{\"tick\": 1}\n{\"save\": \"failed\"}\n";
  CHECK(holds(trees, lines + "{\"restore\": \"new\"}\n", R"({"rule": "root", "status": null})"));
  CHECK(holds(trees, lines + "{\"restore\": \"moving\"}\n", R"({"running": ["Move"], "status": "running"})"));
  CHECK(holds(trees, lines + "{\"restore\": \"moving\"}\n{\"restore\": \"failed\"}\n{\"tick\": 1}\n",
              R"({"rule": "root", "status": "failure", "events": ["enter Move", "leave Move"]})"));
}

TEST_CASE("a reload carries the current rule over by its id, and interrupts what is not there any more") {
  const RuleTrees first(kPatrol);
  const RuleTrees moved("<choice id='root'>\n<running/>\n<action id='.move' name='Move'/>\n</choice>");
  const RuleTrees other("<running id='other'/>");
  const std::string lines =
      "{\"host\": {\"Move\": \"running\", \"Calm\": true}}\n{\"tick\": 1}\n{\"save\": \"moving\"}\n{\"reload\": "
      "\"next\"}\n";
  const auto kept = run(first.asset(),
                        lines +
                            "{\"expect\": {\"rule\": \"root.move\", \"running\": [\"Move\"]}}\n"
                            "{\"tick\": 1}\n{\"expect\": {\"events\": [\"enter Move\"]}}\n",
                        reloading(moved));
  INFO(kept.messages());
  CHECK(kept.result.failed_count == 0);
  CHECK_FALSE(kept.result.is_broken);
  const auto gone = run(first.asset(),
                        lines +
                            "{\"expect\": {\"rule\": \"other\", \"running\": [], \"events\": "
                            "[\"enter Move\", \"interrupt Move\"]}}\n",
                        reloading(other));
  INFO(gone.messages());
  CHECK(gone.result.failed_count == 0);
  CHECK_FALSE(gone.result.is_broken);
}

TEST_CASE("what was saved survives a reload; of a rule that is gone nothing is restored") {
  const RuleTrees first(kPatrol);
  const RuleTrees moved("<choice id='root'>\n<running id='.wait'/>\n<action id='.move' name='Move'/>\n</choice>");
  const std::string lines =
      "{\"host\": {\"Move\": [\"running\", true], \"Look\": \"running\", \"Calm\": true}}\n{\"tick\": 1}\n{\"save\": "
      "\"moving\"}\n"
      "{\"tick\": 1}\n{\"tick\": 1}\n{\"save\": \"looking\"}\n{\"reload\": \"next\"}\n{\"restore\": \"moving\"}\n"
      "{\"expect\": {\"rule\": \"root.move\", \"running\": [\"Move\"]}}\n{\"restore\": \"looking\"}\n"
      "{\"expect\": {\"rule\": \"root.move\", \"running\": [\"Move\"]}}\n";
  const Replayed replayed = run(first.asset(), lines, reloading(moved));
  INFO(replayed.messages());
  CHECK_FALSE(replayed.result.is_broken);
  CHECK(replayed.result.failed_count == 1);
  REQUIRE(replayed.result.mismatches.size() == 1);
  CHECK(
      contains(replayed.result.mismatches[0], "agent 0 cannot be restored: the tree has no rule 'root.look' any more"));
}

TEST_CASE("a reload finds the tree in another folder, or the only one; of several others it is not guessed") {
  const RuleTrees first(kPatrol);
  const std::string rules = "<running id='there'/>";
  const std::string lines = "{\"reload\": \"next\"}\n{\"expect\": {\"rule\": \"there\"}}\n";
  const auto reloads = [&](const RuleTrees::Files& files) {
    const RuleTrees next(files);
    const Replayed replayed = run(first.asset(), lines, reloading(next));
    INFO(replayed.messages());
    return !replayed.result.is_broken && replayed.result.failed_count == 0;
  };
  CHECK(reloads({{"next/guard", rules}, {"next/other", "<success/>"}}));
  CHECK(reloads({{"sentry", rules}}));
  CHECK_FALSE(reloads({{"sentry", rules}, {"other", "<success/>"}}));
}

}  // namespace replay_dragengine_agents
