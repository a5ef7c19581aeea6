// The prompt of a stepped replay. What it shows is in tests/golden/replay.
#include "debug/prompt.h"

#include <sstream>

#include "replay_guard.h"

namespace debug_prompt {

using namespace espalier;

namespace {

struct Prompted {
  explicit Prompted(std::vector<std::string> lines) : trace{"t", std::move(lines)} {}

  // What a command shows.
  std::string run(const std::string& command) {
    out.str({});
    goes_on = prompt.run(command);
    return out.str();
  }

  CompiledTrees trees{{kGuard}};
  debug::SteppedTrace trace;
  replay::ReplayOptions options;
  std::ostringstream out;
  std::string saved;
  bool goes_on = true;
  debug::Prompt prompt{trees.asset(),
                       trace,
                       options,
                       {},
                       [this](const std::string&, const std::string& text) {
                         saved = text;
                         return debug::PromptFault();
                       },
                       {},
                       out};
};

}  // namespace

TEST_CASE("a prompt needs the first line of a trace") {
  CHECK(Prompted({}).prompt.begin() == debug::Prompt::Begun::empty);
  CHECK(Prompted({"{\"trace\": 2}"}).prompt.begin() == debug::Prompt::Begun::fault);
  CHECK(Prompted({"{\"trace\": 1}"}).prompt.begin() == debug::Prompt::Begun::right);
}

TEST_CASE("what was done at a prompt is a trace, without what was taken back or only looked at") {
  Prompted prompted({"{\"trace\": 1}", "{\"signal\": \"OnSeen\"}", "{\"tick\": 0.5}"});
  REQUIRE(prompted.prompt.begin() == debug::Prompt::Begun::right);
  CHECK(prompted.run("next").find("next is line 3") != std::string::npos);
  prompted.run("set Hurt true");
  prompted.run("look");
  CHECK(prompted.run("back") == "  takes back {\"set\": {\"Hurt\": true}}\n  next is line 3: {\"tick\": 0.5}\n");
  prompted.run("tick 0.25 2");
  prompted.run("save a.trace.jsonl");
  CHECK(prompted.saved == "{\"trace\": 1}\n{\"signal\": \"OnSeen\"}\n{\"tick\": 0.25, \"times\": 2}\n");
}

TEST_CASE("a command that is not one, or has wrong words, does nothing") {
  Prompted prompted({"{\"trace\": 1}"});
  REQUIRE(prompted.prompt.begin() == debug::Prompt::Begun::right);
  CHECK(prompted.run("signa X") == "unknown command 'signa'\n  hint: did you mean 'signal'?\n");
  CHECK(prompted.run("set Hurt") == "wrong arguments for 'set'\n  hint: set NAME true|false\n");
  CHECK(prompted.run("back") == "there is nothing to take back\n");
  CHECK(prompted.goes_on);
  CHECK(prompted.run("quit").empty());
  CHECK_FALSE(prompted.goes_on);
}

TEST_CASE("What is typed in the past of a run is run there, and what followed is ahead again") {
  Prompted prompted(
      {"{\"trace\": 1}", "{\"tick\": 0.5, \"times\": 4}", "", "{\"signal\": \"OnSeen\"}", "{\"tick\": 0.5}"});
  REQUIRE(prompted.prompt.begin() == debug::Prompt::Begun::right);
  prompted.run("run");
  CHECK(prompted.run("step back").find("OnSeen") == std::string::npos);
  CHECK(prompted.run("goto 0.5") == "  at 0.5 s: Idle begins  (0.xml:6)\n");
  CHECK(prompted.run("set Hurt true").find("what if, from 0.5 s on") != std::string::npos);
  prompted.run("save a.trace.jsonl");
  CHECK(prompted.saved == "{\"trace\": 1}\n{\"tick\":0.5,\"times\":1}\n{\"set\": {\"Hurt\": true}}\n");
  CHECK(prompted.run("run").find("2.500  leaves Idle, enters Combat") != std::string::npos);
  prompted.run("save a.trace.jsonl");
  CHECK(prompted.saved ==
        "{\"trace\": 1}\n{\"tick\":0.5,\"times\":1}\n{\"set\": {\"Hurt\": true}}\n{\"tick\":0.5,\"times\":3}\n\n"
        "{\"signal\": \"OnSeen\"}\n{\"tick\": 0.5}\n");
  prompted.run("recorded");
  CHECK(prompted.run("value Hurt") == "'Hurt' is no variable or entry that has a value now\n");
  prompted.run("run");
  prompted.run("save a.trace.jsonl");
  CHECK(prompted.saved ==
        "{\"trace\": 1}\n{\"tick\": 0.5, \"times\": 4}\n\n{\"signal\": \"OnSeen\"}\n{\"tick\": 0.5}\n");
}

TEST_CASE("A typed line with a fault leaves the past as it was") {
  Prompted prompted({"{\"trace\": 1}", "{\"tick\": 0.5}", "{\"signal\": \"OnSeen\"}", "{\"tick\": 0.5}"});
  REQUIRE(prompted.prompt.begin() == debug::Prompt::Begun::right);
  prompted.run("run");
  const std::string there = prompted.run("step back");
  prompted.run("set Nothing true");
  CHECK(prompted.run("recorded") == "this is the run as it was\n");
  const std::string where = prompted.run("where");
  CHECK(where.substr(0, there.size()) == there);
}

}  // namespace debug_prompt
