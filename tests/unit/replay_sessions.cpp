// The effects of the lines of a trace on agents.
#include "replay_guard.h"

namespace replay_sessions {

using namespace espalier;

namespace {

// The events of a trace about the guard, or its faults.
Lines happens(const std::string& trace, const RunOptions& options = jsonl()) {
  const Replayed replayed = run_trace(trace, options);
  INFO(replayed.messages());
  CHECK(replayed.is_clean());
  return events_of(replayed.output);
}

// "error 3:12 no-such-agent", "warning 2:5 unknown-signal" of each message.
Lines faults_of(const Replayed& replayed) {
  Lines faults;
  for (const auto* messages : {&replayed.result.errors, &replayed.result.warnings}) {
    for (const std::string& message : *messages) {
      const std::size_t severity = message.find(": ") + 2;
      const std::size_t code = message.find(" TRC");
      const std::size_t name = message.rfind('[', code) + 1;
      faults.push_back(message.substr(severity, message.find(':', severity) - severity) + ' ' +
                       message.substr(2, severity - 4) + ' ' + message.substr(name, code - name));
    }
  }
  return faults;
}

Lines faults_of(const std::string& trace) { return faults_of(run_trace(trace)); }

}  // namespace

TEST_CASE("lines may end in LF or CRLF, and the last in nothing; a byte-order mark is passed over") {
  const Lines expected = {"0 0:signal OnSeen", "0 0:set Alerted true", "1 0:enter Combat", "1 0:status running"};
  for (const char* trace : {
           "{\"trace\": 1}\n{\"signal\": \"OnSeen\"}\n{\"tick\": 1}\n",
           "{\"trace\": 1}\n{\"signal\": \"OnSeen\"}\n{\"tick\": 1}",
           "{\"trace\": 1}\r\n{\"signal\": \"OnSeen\"}\r\n{\"tick\": 1}\r\n",
           "\xEF\xBB\xBF{\"trace\": 1}\n\n{\"signal\": \"OnSeen\"}\n  \r\n{\"comment\": \"x\"}\n{\"tick\": 1}\n",
           "\n{\"comment\": \"x\"}\n{\"trace\": 1}\n{\"signal\": \"OnSeen\"}\n{\"tick\": 1}\n",
       }) {
    CAPTURE(trace);
    CHECK(happens(trace) == expected);
  }
}

TEST_CASE("a trace begins with its version, once") {
  CHECK(faults_of("") == Lines{"error 1:1 missing-header"});
  CHECK(faults_of("\n{\"comment\": \"x\"}\n").size() == 1);
  CHECK(faults_of("{\"comment\": \"x\"}\n{\"set\": {}}\n") == Lines{"error 2:3 missing-header"});
  CHECK(faults_of("{\"trace\": 1}\n{\"trace\": 1}\n") == Lines{"error 2:3 unknown-key"});
}

TEST_CASE("nothing behind the first error is run") {
  RunOptions options = jsonl();
  const Replayed replayed =
      run_trace("{\"trace\": 1}\n{\"set\": {\"Hurt\": true}}\n{\"tock\": 1}\n{\"tick\": 1}\n", options);
  CHECK(events_of(replayed.output) == Lines{"0 0:set Hurt true"});
  CHECK(faults_of(replayed) == Lines{"error 3:3 unknown-key"});
}

TEST_CASE("an error shows the line, a mark under the part that is wrong, and what helps") {
  const Replayed replayed = run_trace("{\"trace\": 1}\n{\"set\": {\"Hurt\": true, \"Alertd\": true}}\n");
  REQUIRE(replayed.result.errors.size() == 1);
  CHECK(replayed.result.errors[0] ==
        "t:2:25: error: unknown variable 'Alertd' of tree 'Guard' [unknown-name TRC006]\n"
        "    2 | {\"set\": {\"Hurt\": true, \"Alertd\": true}}\n"
        "      |                         ^~~~~~\n"
        "  hint: did you mean 'Alerted'?\n");
}

TEST_CASE("a signal sets what the tree says, and tells what it changed") {
  CHECK(happens("{\"trace\": 1}\n{\"signal\": \"OnSeen\"}\n{\"signal\": \"OnSeen\", \"data\": \"left\"}\n") ==
        Lines{"0 0:signal OnSeen", "0 0:set Alerted true", "0 0:signal OnSeen"});
}

TEST_CASE("a signal that no tree knows is warned of once, and delivered") {
  const Replayed replayed = run_trace("{\"trace\": 1}\n{\"signal\": \"OnSen\"}\n{\"signal\": \"OnSen\"}\n", jsonl());
  CHECK(events_of(replayed.output) == Lines{"0 0:signal OnSen", "0 0:signal OnSen"});
  CHECK(faults_of(replayed) == Lines{"warning 2:13 unknown-signal"});
}

TEST_CASE("a signal that another tree of the project knows is no fault") {
  const CompiledTrees trees({kGuard, kSniper});
  CHECK(run_trace(trees.asset(), "{\"trace\": 1, \"tree\": \"Sniper\"}\n{\"signal\": \"OnSeen\"}\n").is_clean());
}

TEST_CASE("a project of several trees needs the name of one") {
  const CompiledTrees trees({kGuard, kSniper});
  CHECK(faults_of(run_trace(trees.asset(), "{\"trace\": 1}\n")) == Lines{"error 1:3 unknown-tree"});
  CHECK(faults_of(run_trace(trees.asset(), "{\"trace\": 1, \"tree\": \"Spider\"}\n")) ==
        Lines{"error 1:23 unknown-tree"});
}

TEST_CASE("setting a variable to what it is changes nothing") {
  CHECK(happens("{\"trace\": 1}\n{\"set\": {\"alerted\": true, \"Hurt\": false}}\n{\"set\": {\"Alerted\": true}}\n") ==
        Lines{"0 0:set Alerted true"});
}

TEST_CASE("a line that is wrong in part does nothing") {
  const Replayed replayed = run_trace("{\"trace\": 1}\n{\"set\": {\"Alerted\": true, \"Hurt\": 1}}\n", jsonl());
  CHECK(replayed.output.empty());
  CHECK(faults_of(replayed) == Lines{"error 2:35 wrong-value"});
}

TEST_CASE("a tick advances the clock and updates one agent, or all in order") {
  CHECK(happens("{\"trace\": 1, \"agents\": 2, \"events\": []}\n"
                "{\"tick\": 0.5, \"agent\": 1}\n{\"set\": {\"Alerted\": true}}\n{\"tick\": 0.25}\n") ==
        Lines{"0.5 1:enter Idle", "0.5 1:status running", "0.5 0:set Alerted true", "0.75 0:enter Combat",
              "0.75 0:status running"});
  CHECK(happens("{\"trace\": 1, \"agents\": 2}\n{\"tick\": 1, \"agent\": \"all\"}\n") ==
        Lines{"1 0:enter Idle", "1 0:status running", "1 1:enter Idle", "1 1:status running"});
}

TEST_CASE("a tick done several times is as good as several ticks") {
  std::string ticks = "{\"trace\": 1}\n";
  for (int i = 0; i < 30; ++i) ticks += "{\"tick\": 0.1}\n";
  const std::string end = "{\"set\": {\"Alerted\": true}}\n{\"tick\": 0.1}\n";
  CHECK(happens(ticks + end) == happens("{\"trace\": 1}\n{\"tick\": 0.1, \"times\": 30}\n" + end));
  CHECK(happens(ticks + end).back() == "3.1 0:enter Combat");
}

TEST_CASE("a tick done no times does nothing") {
  CHECK(happens("{\"trace\": 1}\n{\"tick\": 1, \"times\": 0}\n{\"set\": {\"Hurt\": true}}\n") ==
        Lines{"0 0:set Hurt true"});
}

TEST_CASE("a thousand million ticks that change nothing take no time") {
  CHECK(happens("{\"trace\": 1}\n{\"tick\": 0.001, \"times\": 1000000000}\n{\"set\": {\"Hurt\": true}}\n").back() ==
        "1000000 0:set Hurt true");
}

TEST_CASE("limits are told as such") {
  CHECK(faults_of("{\"trace\": 1}\n{\"tick\": 0, \"times\": 1000000001}\n") == Lines{"error 2:22 limit-exceeded"});
  CHECK(faults_of("{\"trace\": 1}\n{\"tick\": 9007199254}\n{\"tick\": 9007199254}\n") ==
        Lines{"error 3:10 limit-exceeded"});
  CHECK(faults_of("{\"trace\": 1}\n{\"spawn\": 1000000}\n") == Lines{"error 2:11 limit-exceeded"});
  CHECK(faults_of("{\"trace\": 1}\n{\"comment\": \"" + std::string(1 << 20, 'x') + "\"}\n") ==
        Lines{"error 2:1 limit-exceeded"});
}

TEST_CASE("updates of agents are limited, and those that change nothing do not count") {
  RunOptions options = jsonl();
  options.run.max_updates = 12;
  const auto faults = [&](const std::string& lines) {
    return faults_of(run_trace("{\"trace\": 1, \"agents\": 2}\n" + lines, options));
  };
  // Beginning two agents counts as two.
  CHECK(faults("{\"tick\": 1, \"times\": 1000}\n").empty());
  CHECK(faults("{\"tick\": 1}\n{\"tick\": 1}\n{\"tick\": 1}\n{\"tick\": 1}\n{\"tick\": 1}\n").empty());
  CHECK(faults("{\"spawn\": 2}\n{\"tick\": 1}\n{\"tick\": 1}\n{\"tick\": 1}\n") == Lines{"error 5:10 limit-exceeded"});
  CHECK(faults("{\"set\": {\"Hurt\": true}, \"agent\": \"all\"}\n{\"tick\": 1}\n{\"tick\": 1}\n{\"tick\": "
               "1}\n{\"tick\": 1}\n") == Lines{});
  CHECK(faults("{\"set\": {\"Hurt\": true}, \"agent\": \"all\"}\n{\"tick\": 1}\n{\"tick\": 1}\n{\"tick\": "
               "1}\n{\"tick\": 1}\n{\"tick\": 1, \"agent\": 0}\n") == Lines{"error 7:10 limit-exceeded"});
  CHECK(faults("{\"spawn\": 11}\n") == Lines{"error 2:11 limit-exceeded"});
}

TEST_CASE("spawned agents have the next indices, and none is used twice") {
  CHECK(happens("{\"trace\": 1}\n{\"spawn\": 2}\n{\"destroy\": 2}\n{\"spawn\": 1}\n{\"set\": {\"Hurt\": true}, "
                "\"agent\": \"all\"}\n") == Lines{"0 0:set Hurt true", "0 1:set Hurt true", "0 3:set Hurt true"});
  CHECK(faults_of("{\"trace\": 1}\n{\"spawn\": 1}\n{\"destroy\": 1}\n{\"tick\": 1, \"agent\": 1}\n") ==
        Lines{"error 4:22 no-such-agent"});
  CHECK(faults_of("{\"trace\": 1}\n{\"destroy\": 0}\n{\"tick\": 1}\n{\"destroy\": 0}\n") ==
        Lines{"error 4:13 no-such-agent"});
}

TEST_CASE("an agent that is destroyed leaves its behaviour") {
  CHECK(happens("{\"trace\": 1}\n{\"tick\": 1}\n{\"destroy\": 0}\n").back() == "1 0:leave Idle");
}

TEST_CASE("a snapshot brings back variables, behaviour and status, without events") {
  CHECK(happens("{\"trace\": 1}\n{\"tick\": 1}\n{\"save\": \"a\"}\n{\"signal\": \"OnSeen\"}\n{\"tick\": "
                "1}\n{\"restore\": \"a\"}\n"
                "{\"expect\": {\"behavior\": \"Idle\", \"variables\": {\"Alerted\": false}, \"status\": "
                "\"running\"}}\n{\"tick\": 1}\n")
            .back() == "2 0:enter Combat");
}

TEST_CASE("a snapshot is of one agent, and a label may be used again") {
  CHECK(faults_of("{\"trace\": 1, \"agents\": 2}\n{\"save\": \"a\"}\n{\"restore\": \"a\", \"agent\": 1}\n") ==
        Lines{"error 3:14 unknown-snapshot"});
  CHECK(happens("{\"trace\": 1}\n{\"save\": \"a\"}\n{\"set\": {\"Hurt\": true}}\n{\"save\": \"a\"}\n{\"set\": "
                "{\"Hurt\": false}}\n"
                "{\"restore\": \"a\"}\n{\"expect\": {\"variables\": {\"Hurt\": true}}}\n")
            .size() == 2);
}

TEST_CASE("a behaviour that the host refuses is told, stays selected, and is not left") {
  CHECK(happens("{\"trace\": 1}\n{\"host\": {\"Idle\": [\"refuse\", true], \"Combat\": true}}\n{\"tick\": 1}\n"
                "{\"expect\": {\"behavior\": \"Idle\"}}\n{\"signal\": \"OnSeen\"}\n{\"tick\": 1}\n"
                "{\"set\": {\"Alerted\": false}}\n{\"tick\": 1}\n") ==
        Lines{"1 0:refuse Idle", "1 0:status running", "1 0:signal OnSeen", "1 0:set Alerted true", "2 0:enter Combat",
              "2 0:set Alerted false", "3 0:leave Combat", "3 0:enter Idle"});
}

TEST_CASE("answers that no host can give are refused") {
  for (const char* answer : {"\"maybe\"", "null", "[]", "[null]", "{}", "[[true]]"}) {
    CAPTURE(answer);
    const Lines faults = faults_of("{\"trace\": 1}\n{\"host\": {\"Idle\": " + std::string(answer) + "}}\n");
    REQUIRE(faults.size() == 1);
    CHECK(faults[0].find("wrong-value") != std::string::npos);
  }
}

TEST_CASE("behaviours that are not scripted are told once, when some are scripted or all must be") {
  const std::string ticks =
      "{\"tick\": 1}\n{\"set\": {\"Alerted\": true}}\n{\"tick\": 1}\n{\"set\": {\"Alerted\": false}}\n{\"tick\": 1}\n";
  CHECK(faults_of("{\"trace\": 1}\n" + ticks).empty());
  CHECK(faults_of("{\"trace\": 1}\n{\"host\": {\"Combat\": true}}\n" + ticks) == Lines{"warning 3:3 unscripted-host"});
  RunOptions options;
  options.run.strict = true;
  CHECK(faults_of(run_trace("{\"trace\": 1}\n" + ticks, options)) == Lines{"error 2:3 unscripted-host"});
}

TEST_CASE("lines of other dialects are refused") {
  for (const char* line : {"{\"flags\": []}", "{\"stimulus\": \"A\"}", "{\"jump\": null}",
                           "{\"inject\": {\"slot\": \"S\", \"tree\": null}}"}) {
    CAPTURE(line);
    CHECK(faults_of("{\"trace\": 1}\n" + std::string(line) + "\n") == Lines{"error 2:3 unsupported-line"});
  }
}

TEST_CASE("agents move to what is reloaded, with their variables and scripts by name") {
  const CompiledTrees next({tree_of({
      "<Variables><Variable name='Asleep' default='true'/><Variable name='Hurt'/></Variables>",
      "<Priority name='Root'><Leaf name='Flee' condition='Hurt'/><Leaf name='Combat'/></Priority>",
  })});
  RunOptions options = jsonl();
  std::string asked;
  options.run.load = [&](const std::string& path, replay::ReplayOptions::LoadFault*) {
    asked = path;
    return &next.asset();
  };
  CHECK(
      happens(
          "{\"trace\": 1}\n{\"host\": {\"Idle\": true, \"Combat\": true}}\n{\"tick\": 1}\n{\"set\": {\"Hurt\": true}}\n"
          "{\"save\": \"a\"}\n{\"reload\": \"next.xml\"}\n{\"expect\": {\"variables\": {\"Hurt\": true, \"Asleep\": "
          "true}}}\n"
          "{\"set\": {\"Hurt\": false}}\n{\"tick\": 1}\n",
          options) == Lines{"1 0:enter Idle", "1 0:status running", "1 0:set Hurt true", "1 0:leave Idle",
                            "1 0:set Hurt false", "2 0:enter Combat"});
  CHECK(asked == "next.xml");
  CHECK(faults_of(run_trace("{\"trace\": 1}\n{\"save\": \"a\"}\n{\"reload\": \"n\"}\n{\"restore\": \"a\"}\n",
                            options)) == Lines{"error 4:14 unknown-snapshot"});
}

TEST_CASE("what cannot be reloaded is told with the reason") {
  const CompiledTrees other({kSniper});
  RunOptions options;
  options.run.load = [&](const std::string& path, replay::ReplayOptions::LoadFault* fault) {
    fault->reason = "it is not there";
    return path == "sniper" ? &other.asset() : nullptr;
  };
  const Replayed missing = run_trace("{\"trace\": 1}\n{\"reload\": \"x\"}\n", options);
  CHECK(faults_of(missing) == Lines{"error 2:13 cannot-reload"});
  CHECK(missing.messages().find("it is not there") != std::string::npos);
  CHECK(faults_of(run_trace("{\"trace\": 1}\n{\"reload\": \"sniper\"}\n", options)) ==
        Lines{"error 2:13 cannot-reload"});
}

TEST_CASE("a tree called by its path is found by the last part, when no other ends so") {
  const auto tree = [](const std::string& name) {
    return "<SelectionTree name='" + name + "' type='BehaviorSelectionTree'><Leaf name='" + name +
           "'/></SelectionTree>\n";
  };
  const CompiledTrees trees({tree("guards/Night"), tree("guards/Day"), tree("animals/day"), tree("Day/Off")});
  const auto trace_of = [](const std::string& name) { return "{\"trace\": 1, \"tree\": \"" + name + "\"}\n"; };
  CHECK(run_trace(trees.asset(), trace_of("night")).is_clean());
  CHECK(run_trace(trees.asset(), trace_of("animals/Day")).is_clean());
  const Replayed several = run_trace(trees.asset(), trace_of("Day"));
  CHECK(faults_of(several) == Lines{"error 1:23 unknown-tree"});
  CHECK(several.messages().find("several trees are called 'Day'") != std::string::npos);
  CHECK(several.messages().find("hint: expected one of 'animals/day', 'guards/Day'") != std::string::npos);
  CHECK(faults_of(run_trace(trees.asset(), trace_of("guards"))) == Lines{"error 1:23 unknown-tree"});
}

}  // namespace replay_sessions
