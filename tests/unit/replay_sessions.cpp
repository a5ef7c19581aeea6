// Limits of traces, and reloads. What lines do is shown in tests/golden/replay/selection.
#include "replay/run_faults.h"
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

TEST_CASE("a tick done several times is as good as several ticks") {
  std::string ticks = "{\"trace\": 1}\n";
  for (int i = 0; i < 30; ++i) ticks += "{\"tick\": 0.1}\n";
  const std::string end = "{\"set\": {\"Alerted\": true}}\n{\"tick\": 0.1}\n";
  CHECK(happens(ticks + end) == happens("{\"trace\": 1}\n{\"tick\": 0.1, \"times\": 30}\n" + end));
  CHECK(happens(ticks + end).back() == "3.1 0:enter Combat");
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

TEST_CASE("looking for reactions to a signal is work that is limited") {
  RunOptions options = jsonl();
  options.run.max_updates = 30;
  std::string trace = "{\"trace\": 1}\n";
  for (int i = 0; i < 2000; ++i) {
    trace += "{\"when\": {\"behavior\": \"Combat\", \"signal\": \"OnSeen\"}, \"set\": {\"Hurt\": true}}\n";
  }
  const std::string signal = "{\"signal\": \"OnSeen\"}\n{\"tick\": 1}\n";
  CHECK(faults_of(run_trace(trace + signal, options)).empty());
  CHECK(faults_of(run_trace(trace + signal + signal, options)) == Lines{"error 2005:10 limit-exceeded"});
}

TEST_CASE("warnings about names are short, and after many the last one says that there are more") {
  std::string trace = "{\"trace\": 1}\n{\"signal\": \"" + std::string(100'000, 'x') + "\"}\n";
  for (int i = 0; i < 2000; ++i) trace += "{\"signal\": \"S" + std::to_string(i) + "\"}\n";
  const Replayed replayed = run_trace(trace);
  const Lines& warnings = replayed.result.warnings;
  REQUIRE(warnings.size() == 1000);
  CHECK(warnings.front().size() < 1000);
  CHECK(warnings[998].find("these are not all") == std::string::npos);
  CHECK(warnings[999].find("hint: these are not all: warnings about further names are not shown") != std::string::npos);
}

TEST_CASE("what goes wrong is counted, limited, and the last one says that there is more") {
  constexpr std::size_t kMost = 50'000;
  const auto line = std::make_shared<const text::Source>("t", "{}");
  replay::RunFaults faults;
  const auto keep = [&](std::size_t number) {
    faults.keep({.kind = replay::RunFaultKind::thrash, .message = std::to_string(number), .hint = "first"},
                [&] { return line; });
  };
  for (std::size_t i = 0; i < kMost; ++i) keep(i);
  const std::vector<replay::RunFaults::Told> all = faults.take(false);
  REQUIRE(all.size() == kMost);
  CHECK(all.back().fault.hint == "first");
  for (std::size_t i = 0; i < kMost + 10; ++i) keep(i);
  keep(0);
  const std::vector<replay::RunFaults::Told> some = faults.take(false);
  REQUIRE(some.size() == kMost);
  CHECK(some.front().fault.message == "0 (2 times, first at 0 s)");
  CHECK(some.back().fault.hint == "these are not all: further warnings of this trace were not kept");
}

TEST_CASE("an expectation accepts as many faults of a run as it names") {
  const auto line = std::make_shared<const text::Source>("t", "{}");
  replay::RunFaults faults;
  const auto keep = [&](std::uint32_t agent, replay::RunFaultKind kind) {
    faults.keep({.kind = kind, .message = "wrong", .event = std::to_string(agent) + ":error wrong", .agent = agent},
                [&] { return line; });
  };
  const auto messages = [&] {
    Lines told;
    for (const auto& each : faults.take(true)) told.push_back(each.fault.message);
    return told;
  };
  for (const std::uint32_t agent : {0u, 0u, 1u}) keep(agent, replay::RunFaultKind::update_failed);
  faults.accept({"0:error wrong", "2:error wrong"});
  CHECK(messages() == Lines{"wrong (agent 0, at 0 s)", "wrong (agent 1, at 0 s)"});
  for (const std::uint32_t agent : {0u, 1u}) keep(agent, replay::RunFaultKind::update_failed);
  keep(0, replay::RunFaultKind::script_failed);
  faults.accept(0, "success");
  faults.accept(0, "error");
  CHECK(messages() == Lines{"wrong (agent 1, at 0 s)", "wrong (agent 0, at 0 s)"});
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

}  // namespace replay_sessions
