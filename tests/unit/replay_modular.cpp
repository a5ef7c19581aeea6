// Traces with modular trees: their events, the order of these, and the answers of the host.
#include "replay_modular.h"

namespace replay_modular {

using namespace espalier;

namespace {

struct Case {
  const char* rule;
  const char* sections;
  const char* root;
  const char* lines;
  Lines events;
};

const char* const kVariables = "<Variables><Variable name='A'/><Variable name='B'/></Variables>";

const Case kCases[] = {
    {"an action is entered, asked at each update, and left when it has a result",
     "",
     "<Sequence><Move/><Look/><Halt/></Sequence>",
     R"({"host": {"Move": ["running", "success"], "Look": "success"}}
{"tick": 1}
{"tick": 1})",
     {"1 0:enter Move", "1 0:tick Move running", "1 0:status running", "2 0:tick Move success", "2 0:leave Move",
      "2 0:enter Look", "2 0:tick Look success", "2 0:leave Look", "2 0:status running"}},
    {"the status is told of every update, changed or not",
     "",
     "<Halt/>",
     R"({"tick": 1, "times": 3})",
     {"1 0:status running", "2 0:status running", "3 0:status running"}},
    {"a decorator is entered before it is asked, and left after its child",
     "",
     "<Loop><Guard><Move/></Guard></Loop>",
     R"({"tick": 1})",
     {"1 0:enter Guard", "1 0:ask Guard true", "1 0:enter Move", "1 0:tick Move success", "1 0:leave Move",
      "1 0:leave Guard", "1 0:status running"}},
    {"a decorator that is closed is left without its child",
     "",
     "<Loop><SuppressFailure><Guard><Move/></Guard></SuppressFailure></Loop>",
     R"({"host": {"Guard": "failure"}}
{"tick": 1})",
     {"1 0:enter Guard", "1 0:ask Guard false", "1 0:leave Guard", "1 0:status running"}},
    {"what is interrupted is told from the deepest up, in the order of the file",
     "",
     "<Priority><Case "
     "condition='A'><Halt/></Case><Case><Parallel><Guard><Move/></Guard><Look/></Parallel></Case></Priority>",
     R"({"host": {"Guard": true, "Move": "running", "Look": "running"}}
{"tick": 1}
{"set": {"A": true}}
{"tick": 1})",
     {"1 0:enter Guard", "1 0:ask Guard true", "1 0:enter Move", "1 0:tick Move running", "1 0:enter Look",
      "1 0:tick Look running", "1 0:status running", "1 0:set A true", "2 0:interrupt Move", "2 0:interrupt Guard",
      "2 0:interrupt Look", "2 0:status running"}},
    {"an event from outside is told before what it sets",
     "<SignalVariables><Signal name='E' variable='A' value='true'/><Signal name='E' variable='B' "
     "value='A'/></SignalVariables>",
     "<Halt/>",
     R"({"signal": "E"})",
     {"0 0:signal E", "0 0:set A true", "0 0:set B true"}},
    {"SendEvent is told before its effect, which is there at once",
     "<SignalVariables><Signal name='E' variable='A' value='true'/></SignalVariables>",
     "<Sequence><SendEvent name='E'/><AssertCondition condition='A'/><Move/><Halt/></Sequence>",
     R"({"tick": 1})",
     {"1 0:send E", "1 0:set A true", "1 0:enter Move", "1 0:tick Move success", "1 0:leave Move",
      "1 0:status running"}},
    {"Signal is told when it is queued, and as an event from outside when it comes: before the next update",
     "<SignalVariables><Signal name='E' variable='A' value='true'/></SignalVariables>",
     "<Sequence><Signal name='E'/><Halt/></Sequence>",
     R"({"tick": 1}
{"set": {"B": true}}
{"tick": 1})",
     {"1 0:send E", "1 0:status running", "1 0:set B true", "2 0:signal E", "2 0:set A true", "2 0:status running"}},
    {"start logs come before the node is entered, the others after it is left",
     "",
     "<Loop><Move _startLog='off' _successLog='there'/></Loop>",
     R"({"tick": 1})",
     {"1 0:log off", "1 0:enter Move", "1 0:tick Move success", "1 0:leave Move", "1 0:log there",
      "1 0:status running"}},
    {"scripts are asked",
     "",
     "<Loop><SuppressFailure><Sequence><ExecuteLua code='entity.n = 1'/><LuaGate code='return entity.n'><LuaWrapper "
     "onEnter='entity.n = 0' onExit='entity.n = 2'>"
     "<AssertLua code='return entity.n'/></LuaWrapper></LuaGate></Sequence></SuppressFailure></Loop>",
     R"({"tick": 1})",
     {"1 0:ask ExecuteLua true", "1 0:ask LuaGate true", "1 0:ask LuaWrapper true", "1 0:ask AssertLua false",
      "1 0:ask LuaWrapper true", "1 0:status running"}},
    {"an error of a script is told with the line of its node, and the tree goes on",
     "",
     "<Loop>\n<Sequence>\n<ExecuteLua code='target.x = 1'/>\n<Move/></Sequence></Loop>",
     R"({"tick": 1})",
     {"1 0:error (5) ExecuteLua: attempt to index a nil value (global 'target')", "1 0:ask ExecuteLua false",
      "1 0:enter Move", "1 0:tick Move success", "1 0:leave Move", "1 0:status running"}},
    {"an answer of the trace is taken in place of a script",
     "",
     "<Loop><SuppressFailure><LuaGate code='return nothing.here'><AssertLua code='return "
     "false'/></LuaGate></SuppressFailure></Loop>",
     R"({"host": {"LuaGate": true, "AssertLua": [1, 0]}}
{"tick": 1}
{"tick": 1})",
     {"1 0:ask LuaGate true", "1 0:ask AssertLua true", "1 0:status running", "2 0:ask LuaGate true",
      "2 0:ask AssertLua false", "2 0:status running"}},
};

}  // namespace

TEST_CASE("events of modular trees") {
  for (const Case& example : kCases) {
    CAPTURE(example.rule);
    const ModularTrees trees(modular_tree(example.root, kVariables + std::string(example.sections)));
    CHECK(happens(trees, example.lines) == example.events);
  }
}

TEST_CASE("a root that is done is told with the nodes that ended, children before their parents, and begins anew") {
  const std::string tree = modular_tree(
      "<Selector>\n<Fail/>\n<Parallel>\n<Sequence>\n<Move/>\n</Sequence>\n<Look/>\n</Parallel>\n</Selector>");
  const Lines rebooted = {"1 0:enter Move",
                          "1 0:tick Move success",
                          "1 0:leave Move",
                          "1 0:enter Look",
                          "1 0:tick Look success",
                          "1 0:leave Look",
                          "1 0:status success",
                          "1 0:error The root node SUCCEEDED. Rebooting the tree next frame. (4) Fail. (7) Move. (6) "
                          "Sequence. (9) Look. (5) Parallel. (3) Selector."};
  const Lines once = happens(ModularTrees(tree), "{\"tick\": 1}\n");
  CHECK(once == rebooted);
  CHECK(happens(ModularTrees(tree), "{\"tick\": 1}\n{\"tick\": 1}\n").size() == 2 * once.size());
}

TEST_CASE("a root that is done stops the tree where it is told to: ticks do nothing, events are errors") {
  const std::string tree = modular_tree("<Sequence><Move/><Fail/></Sequence>",
                                        "<Variables><Variable name='A'/></Variables><SignalVariables><Signal name='E' "
                                        "variable='A' value='true'/></SignalVariables>");
  const ModularTrees trees(tree, false, true);
  CHECK(happens(trees,
                "{\"tick\": 1}\n{\"tick\": 1, \"times\": 5}\n{\"signal\": \"E\"}\n"
                "{\"expect\": {\"status\": \"failure\", \"running\": [], \"variables\": {\"A\": false}}}\n") ==
        Lines{"1 0:enter Move", "1 0:tick Move success", "1 0:leave Move", "1 0:status failure",
              "1 0:error The root node FAILED. (3) Move. (3) Fail. (3) Sequence.", "6 0:signal E",
              "6 0:error The event 'E' was not handled: no tree is running."});
}

TEST_CASE("two nodes of one name are told apart by their places; a stripped asset has none") {
  const std::string file = modular_tree("<Sequence>\n<Move/>\n<Move/>\n</Sequence>");
  const std::string trace = "{\"trace\": 1}\n{\"tick\": 1}\n";
  const auto moves = [&](bool strip) {
    Lines places;
    std::istringstream lines(run_trace(ModularTrees(file, strip).asset(), trace, jsonl()).output);
    for (std::string line; std::getline(lines, line);) {
      const nlohmann::json event = nlohmann::json::parse(line);
      if (event.at("event") != "enter") continue;
      places.push_back(event.value("file", "none") + ':' + std::to_string(event.value("line", 0)));
    }
    return places;
  };
  CHECK(moves(false) == Lines{"0.xml:4", "0.xml:5"});
  CHECK(moves(true) == Lines{"none:0", "none:0"});
}

}  // namespace replay_modular
