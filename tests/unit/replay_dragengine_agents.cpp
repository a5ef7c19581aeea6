// Agents of Drag[en]gine trees: reloads. Traces are shown in tests/golden/replay/dragengine.
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

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Traces that reload "next".
RunOptions reloading(const RuleTrees& next) {
  RunOptions options = jsonl();
  options.run.load = [&next](const std::string&, replay::ReplayOptions::LoadFault*) { return &next.asset(); };
  return options;
}

}  // namespace

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

TEST_CASE("of rules that ran away without repeating themselves the last ones are named") {
  std::string rules;
  for (int i = 0; i < 60; ++i) rules += "<success id='r" + std::to_string(i) + "'/>";
  const RuleTrees trees("<sequence>" + rules + "</sequence>", true);
  const Replayed replayed = run_trace(trees.asset(), "{\"trace\": 1}\n{\"tick\": 1}\n", jsonl());
  const nlohmann::json error = nlohmann::json::parse(replayed.output.substr(0, replayed.output.find('\n')));
  CHECK(error.at("times") == 1);
  REQUIRE(error.at("rules").size() == 10);
  CHECK(error.at("rules")[8] == "sequence");
  CHECK(error.at("rules")[9] == "success r49");
}

}  // namespace replay_dragengine_agents
