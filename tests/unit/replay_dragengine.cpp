// Traces with Drag[en]gine trees: their events, the order of these, and the answers of the host.
#include "replay_dragengine.h"

namespace replay_dragengine {

using namespace espalier;

namespace {

struct Case {
  const char* rule;
  const char* rules;
  const char* lines;
  Lines events;
};

const Case kCases[] = {
    {"an action is entered when it is called first, asked at each update, and left with a result",
     "<choice><action name='Move'/><action name='Look'/></choice>",
     R"({"host": {"Move": ["running", "failure"], "Look": "running"}}
{"tick": 1, "times": 2})",
     {"1 0:enter Move", "1 0:tick Move running", "1 0:status running", "2 0:tick Move failure", "2 0:leave Move",
      "2 0:enter Look", "2 0:tick Look running", "2 0:status running"}},
    {"the answer of the host is told, not what doNotFail makes of it",
     "<action name='Move' doNotFail='true'/>",
     R"({"host": {"Move": false}}
{"tick": 1})",
     {"1 0:enter Move", "1 0:tick Move failure", "1 0:leave Move", "1 0:status success"}},
    {"conditions are asked before the action that they keep from being called is interrupted",
     "<action name='Move'><condition>Calm</condition></action>",
     R"({"host": {"Move": "running", "Calm": [true, false]}}
{"tick": 1, "times": 2})",
     {"1 0:ask Calm true", "1 0:enter Move", "1 0:tick Move running", "1 0:status running", "2 0:ask Calm false",
      "2 0:interrupt Move", "2 0:error tree failed", "2 0:status failure"}},
    {"success, running, true and numbers other than 0 are true of a condition; failure, false and 0 are not",
     "<yield><condition>A</condition><conditionMode>anyTrue</conditionMode><condition>A</condition>"
     "<condition>A</condition><condition>B</condition><condition>B</condition><condition>B</condition>"
     "<condition>B</condition></yield>",
     R"({"host": {"A": ["failure", false, 0], "B": [0, 2]}}
{"tick": 1}
{"jump": null}
{"host": {"A": true}}
{"tick": 1}
{"jump": null}
{"host": {"A": "running"}}
{"tick": 1}
{"jump": null}
{"host": {"A": "success"}}
{"tick": 1})",
     {"1 0:ask A false", "1 0:ask A false", "1 0:ask A false", "1 0:ask B false", "1 0:ask B true",
      "1 0:status running", "2 0:ask A true", "2 0:status running", "3 0:ask A true", "3 0:status running",
      "4 0:ask A true", "4 0:status running"}},
    {"what is not bound refuses: an action before anything is asked, a condition in its turn",
     "<choice><action name='Move'><condition>Calm</condition></action><running><condition>Calm</condition>"
     "<conditionMode>allFalse</conditionMode></running></choice>",
     R"({"host": {"Move": "refuse", "Calm": "refuse"}}
{"tick": 1})",
     {"1 0:refuse Move", "1 0:refuse Calm", "1 0:status running"}},
    {"a refusal is used up before the conditions, any other answer by the call alone",
     "<sequence><action name='Move' doNotFail='true'><condition>Calm</condition></action><running/></sequence>",
     R"({"host": {"Move": ["failure", "refuse", "success"], "Calm": [false, true]}}
{"tick": 1}
{"jump": null}
{"tick": 1}
{"jump": null}
{"tick": 1}
{"jump": null}
{"tick": 1})",
     {"1 0:ask Calm false", "1 0:status running", "2 0:ask Calm true", "2 0:enter Move", "2 0:tick Move failure",
      "2 0:leave Move", "2 0:status running", "3 0:refuse Move", "3 0:status running", "4 0:ask Calm true",
      "4 0:enter Move", "4 0:tick Move success", "4 0:leave Move", "4 0:status running"}},
    {"an action and a condition of one name have one script",
     "<action name='Move'><condition>Move</condition></action>",
     R"({"host": {"Move": [true, "running", "success"]}}
{"tick": 1})",
     {"1 0:ask Move true", "1 0:enter Move", "1 0:tick Move running", "1 0:status running"}},
    {"of what is not scripted actions succeed and conditions are true",
     "<action name='Move'><condition>Calm</condition></action>",
     R"({"tick": 1})",
     {"1 0:ask Calm true", "1 0:enter Move", "1 0:tick Move success", "1 0:leave Move", "1 0:status success"}},
    {"the failure of the root stops the agent: nothing happens any more until a reset",
     "<action name='Move'/>",
     R"({"host": {"Move": [false, true]}}
{"tick": 1, "times": 1000000000}
{"jump": null}
{"tick": 1})",
     {"1 0:enter Move", "1 0:tick Move failure", "1 0:leave Move", "1 0:error tree failed", "1 0:status failure",
      "1000000001 0:enter Move", "1000000001 0:tick Move success", "1000000001 0:leave Move",
      "1000000001 0:status success"}},
    {"rules that run away stop the agent",
     "<sequence loop='true'><success/></sequence>",
     R"({"tick": 1, "times": 3})",
     {"1 0:error run-away", "1 0:status failure"}},
    {"a tree without rules fails", "", R"({"tick": 1, "times": 2})", {"1 0:error tree failed", "1 0:status failure"}},
    {"what runs is interrupted by a jump, to itself too, and by a reset, and then nothing happens until the update",
     "<sequence id='root'><action id='.move' name='Move'/><action id='.look' name='Look'/></sequence>",
     R"({"host": {"Move": "running", "Look": "running"}}
{"tick": 1}
{"jump": "root.move"}
{"jump": "root.look"}
{"tick": 1}
{"jump": null}
{"jump": null})",
     {"1 0:enter Move", "1 0:tick Move running", "1 0:status running", "1 0:interrupt Move", "2 0:enter Look",
      "2 0:tick Look running", "2 0:status running", "2 0:interrupt Look"}},
    {"what runs is interrupted when its agent is destroyed",
     "<action name='Move'/>",
     R"({"spawn": 1}
{"host": {"Move": "running"}}
{"tick": 1, "agent": 0}
{"destroy": 0})",
     {"1 0:enter Move", "1 0:tick Move running", "1 0:status running", "1 0:interrupt Move"}},
    {"a restored action runs on, and nobody is told of it",
     "<sequence><action id='move' name='Move'/><action name='Look'/></sequence>",
     R"({"host": {"Move": ["running", "success"], "Look": "running"}}
{"tick": 1}
{"save": "moving"}
{"tick": 1}
{"restore": "moving"}
{"host": {"Move": "running"}}
{"tick": 1})",
     {"1 0:enter Move", "1 0:tick Move running", "1 0:status running", "2 0:tick Move success", "2 0:leave Move",
      "2 0:enter Look", "2 0:tick Look running", "2 0:status running", "3 0:tick Move running", "3 0:status running"}},
};

}  // namespace

TEST_CASE("traces of rules: what happens") {
  for (const Case& row : kCases) {
    CAPTURE(row.rule);
    CHECK(happens(RuleTrees(row.rules), std::string(row.lines) + '\n') == row.events);
  }
}

TEST_CASE("stripped assets of rules replay the same") {
  for (const Case& row : kCases) {
    CAPTURE(row.rule);
    CHECK(happens(RuleTrees(row.rules, true), std::string(row.lines) + '\n') == row.events);
  }
}

TEST_CASE("a message of rules that ran away names those that repeat, newest last, and how often") {
  const RuleTrees trees(
      "<sequence>\n<sequence id='a' loop='true'>\n<success id='.b'/>\n<action id='.c' name='Move'/>\n</sequence>\n"
      "</sequence>");
  const Replayed replayed = run_trace(trees.asset(), "{\"trace\": 1}\n{\"tick\": 1}\n", jsonl());
  const std::size_t begin = replayed.output.find("{\"t\": 1, \"agent\": 0, \"event\": \"error\"");
  REQUIRE(begin != std::string::npos);
  const nlohmann::json error =
      nlohmann::json::parse(replayed.output.substr(begin, replayed.output.find('\n', begin) - begin));
  CHECK(error.at("name") == "run-away");
  CHECK(error.at("times") == 24);
  CHECK(error.at("rules") == nlohmann::json({"action Move a.c (guard.debt:5)", "sequence a (guard.debt:3)",
                                             "success a.b (guard.debt:4)", "sequence a (guard.debt:3)"}));
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

}  // namespace replay_dragengine
