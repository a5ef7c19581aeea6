// The prompt of a stepped replay. What it shows is in tests/golden/replay.
#include "report/prompt.h"

#include <sstream>

#include "replay_guard.h"

namespace report_prompt {

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
  report::SteppedTrace trace;
  replay::ReplayOptions options;
  std::ostringstream out;
  std::string saved;
  bool goes_on = true;
  report::Prompt prompt{trees.asset(),
                        trace,
                        options,
                        {},
                        [this](const std::string&, const std::string& text) {
                          saved = text;
                          return report::PromptFault();
                        },
                        out};
};

}  // namespace

TEST_CASE("a prompt needs the first line of a trace") {
  CHECK(Prompted({}).prompt.begin() == report::Prompt::Begun::empty);
  CHECK(Prompted({"{\"trace\": 2}"}).prompt.begin() == report::Prompt::Begun::fault);
  CHECK(Prompted({"{\"trace\": 1}"}).prompt.begin() == report::Prompt::Begun::right);
}

TEST_CASE("what was done at a prompt is a trace, without what was taken back or only looked at") {
  Prompted prompted({"{\"trace\": 1}", "{\"signal\": \"OnSeen\"}", "{\"tick\": 0.5}"});
  REQUIRE(prompted.prompt.begin() == report::Prompt::Begun::right);
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
  REQUIRE(prompted.prompt.begin() == report::Prompt::Begun::right);
  CHECK(prompted.run("signa X") == "unknown command 'signa'\n  hint: did you mean 'signal'?\n");
  CHECK(prompted.run("set Hurt") == "wrong arguments for 'set'\n  hint: set NAME true|false\n");
  CHECK(prompted.run("back") == "there is nothing to take back\n");
  CHECK(prompted.goes_on);
  CHECK(prompted.run("quit").empty());
  CHECK_FALSE(prompted.goes_on);
}

}  // namespace report_prompt
