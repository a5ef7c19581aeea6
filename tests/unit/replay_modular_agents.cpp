// Agents of modular trees: queued events, places, snapshots, reloads, random numbers and expectations.
#include <algorithm>

#include "replay_modular.h"

namespace replay_modular_agents {

using namespace espalier;

namespace {

const std::string kSections =
    "<Variables><Variable name='A'/></Variables>"
    "<SignalVariables><Signal name='E' variable='A' value='true'/></SignalVariables>"
    "<Timestamps><Timestamp name='T' setOnEvent='E' exclusiveTo='U'/><Timestamp name='U' setOnEvent='F' "
    "exclusiveTo='T'/></Timestamps>";

// Does the expectation hold after these lines? False if it cannot be checked.
bool holds(const ModularTrees& trees, const std::string& lines, const std::string& expected) {
  const Replayed replayed = run_trace(trees.asset(), "{\"trace\": 1}\n" + lines + "{\"expect\": " + expected + "}\n");
  INFO(replayed.messages());
  return !replayed.result.is_broken && replayed.result.failed_count == 0;
}

Lines of_kind(const Lines& events, const std::string& kind) {
  Lines found;
  std::copy_if(events.begin(), events.end(), std::back_inserter(found),
               [&](const std::string& event) { return event.find(':' + kind + ' ') != std::string::npos; });
  return found;
}

}  // namespace

TEST_CASE("a short trace that asks for very many updates is refused before it runs") {
  const ModularTrees trees(modular_tree("<Halt/>"));
  const Replayed replayed =
      run_trace(trees.asset(), "{\"trace\": 1}\n{\"tick\": 0.001, \"times\": 1000000000}\n", jsonl());
  CHECK(replayed.result.is_broken);
  CHECK(replayed.output.empty());
  CHECK(replayed.messages().find(
            "t:2:26: error: the trace asks for more than 10000000 updates of agents [limit-exceeded TRC015]") == 0);
  CHECK(replayed.messages().find("--max-updates N allows more") != std::string::npos);
}

TEST_CASE("scripts that work for long count as updates") {
  const ModularTrees trees(modular_tree(
      "<Loop><Sequence><ExecuteLua code='for i = 1, 100000 do end'/><Wait duration='0.1'/></Sequence></Loop>"));
  RunOptions options = jsonl();
  options.run.max_updates = 5000;
  const std::string trace = "{\"trace\": 1}\n{\"tick\": 1, \"times\": ";
  CHECK_FALSE(run_trace(trees.asset(), trace + "2}\n", options).result.is_broken);
  CHECK(run_trace(trees.asset(), trace + "100}\n", options).result.is_broken);
}

TEST_CASE("running actions are expected in any order, and decorators are not among them") {
  const ModularTrees trees(modular_tree("<Parallel><Guard><Move/></Guard><Look/><Look/><Halt/></Parallel>"));
  const std::string lines =
      "{\"host\": {\"Guard\": true, \"Move\": \"running\", \"Look\": \"running\"}}\n{\"tick\": 1}\n";
  CHECK(holds(trees, lines, R"({"running": ["Move", "Look"], "status": "running"})"));
  CHECK(holds(trees, lines, R"({"running": ["Look", "Move", "Look"]})"));
  CHECK_FALSE(holds(trees, lines, R"({"running": ["Look"]})"));
  CHECK_FALSE(holds(trees, lines, R"({"running": ["Look", "Move", "Guard"]})"));
  CHECK(holds(trees, "", R"({"running": [], "status": null})"));
}

TEST_CASE("timestamps are expected as seconds since, to the microsecond, and as null when never set or cleared") {
  const ModularTrees trees(modular_tree("<Halt/>", kSections));
  const std::string lines = "{\"signal\": \"E\"}\n{\"tick\": 0.1}\n";
  CHECK(holds(trees, lines, R"({"timestamps": {"T": 0.1, "U": null}})"));
  CHECK(holds(trees, lines, R"({"timestamps": {"T": 0.1000001}})"));
  CHECK_FALSE(holds(trees, lines, R"({"timestamps": {"T": 0.100001}})"));
  CHECK_FALSE(holds(trees, lines, R"({"timestamps": {"T": null}})"));
  CHECK_FALSE(holds(trees, lines, R"({"timestamps": {"U": 0}})"));
  CHECK(holds(trees, lines + "{\"signal\": \"F\"}\n{\"tick\": 0.2}\n", R"({"timestamps": {"T": null, "U": 0.2}})"));
}

TEST_CASE("what other trees have cannot be expected of a modular tree") {
  const ModularTrees trees(modular_tree("<Halt/>", kSections));
  for (const char* expected :
       {R"({"behavior": null})", R"({"leaf": null})", R"({"path": []})", R"({"rule": null})", R"({"inside": {}})",
        R"({"flags": []})", R"({"stimuli": {}})", R"({"timestamps": {"t": null}})", R"({"timestamps": {"T": "1"}})",
        R"({"timestamps": []})", R"({"running": "Move"})", R"({"running": [1]})", R"({"variables": {"B": true}})"}) {
    CAPTURE(expected);
    const Replayed replayed = run_trace(trees.asset(), "{\"trace\": 1}\n{\"expect\": " + std::string(expected) + "}\n");
    CHECK(replayed.result.is_broken);
    CHECK(replayed.result.mismatches.empty());
  }
}

TEST_CASE("many events that no expectation names do not push out those it does") {
  const ModularTrees trees(modular_tree("<Sequence><Wait duration='100'/><Move/><Halt/></Sequence>"));
  CHECK(holds(trees, "{\"tick\": 0.001, \"times\": 200000}\n", R"({"events": ["enter Move", "leave Move"]})"));
}

TEST_CASE("a message tells the events that were news: not each update of an action that runs on") {
  const ModularTrees trees(modular_tree("<Sequence><Look/><Move/></Sequence>"));
  const Replayed replayed = run_trace(trees.asset(),
                                      "{\"trace\": 1}\n{\"host\": {\"Look\": true, \"Move\": \"running\"}}\n"
                                      "{\"tick\": 1, \"times\": 50}\n{\"expect\": {\"running\": []}}\n");
  REQUIRE(replayed.result.mismatches.size() == 1);
  CHECK(replayed.result.mismatches[0].find("    1  enter Look\n    1  tick Look success\n    1  leave Look\n"
                                           "    1  enter Move\n    1  status running\n") != std::string::npos);
}

TEST_CASE("setting a variable that is not declared is told, and nothing comes of it") {
  const ModularTrees trees(modular_tree("<Halt/>", kSections));
  const Replayed replayed = run_trace(
      trees.asset(), "{\"trace\": 1}\n{\"set\": {\"B\": true, \"A\": true}}\n{\"set\": {\"B\": true}}\n", jsonl());
  CHECK(events_of(replayed.output) == Lines{"0 0:error The variable 'B' is not declared.", "0 0:set A true",
                                            "0 0:error The variable 'B' is not declared."});
  CHECK_FALSE(replayed.result.is_broken);
  REQUIRE(replayed.result.warnings.size() == 1);
  CHECK(replayed.result.warnings[0].find("t:2:11: warning: ") == 0);
}

TEST_CASE("answers are those of the action, or of the element with that name") {
  const ModularTrees trees(
      modular_tree("<Parallel><Move name='Cover'/><Move name='5'/><Move/><Halt/></Parallel>", kSections));
  CHECK(holds(
      trees, "{\"host\": {\"Move\": \"failure\", \"Move:Cover\": \"running\", \"Move:5\": true}}\n{\"tick\": 1}\n",
      R"({"status": "failure", "events": ["enter Move", "enter Move", "leave Move", "enter Move", "leave Move", "interrupt Move"]})"));
}

TEST_CASE("every answer means a result, for actions and for decorators") {
  const ModularTrees trees(
      modular_tree("<Loop><Parallel failureMode='all'><Move/><Guard><Look/></Guard><Halt/></Parallel></Loop>"));
  const std::tuple<const char*, const char*, const char*> answers[] = {
      {"\"running\"", "running", "true"}, {"\"success\"", "success", "true"}, {"\"failure\"", "failure", "false"},
      {"true", "success", "true"},        {"false", "failure", "false"},      {"1", "success", "true"},
      {"-0.5", "success", "true"},        {"0", "failure", "false"},          {"0.0", "failure", "false"},
  };
  for (const auto& [answer, result, open] : answers) {
    CAPTURE(answer);
    const std::string host =
        "{\"host\": {\"Move\": " + std::string(answer) + ", \"Guard\": " + answer + ", \"Look\": true}}\n";
    const Lines events = happens(trees, host + "{\"tick\": 1}\n");
    CHECK(of_kind(events, "tick").front() == "1 0:tick Move " + std::string(result));
    CHECK(of_kind(events, "ask") == Lines{"1 0:ask Guard " + std::string(open)});
  }
  CHECK(run_trace(trees.asset(), "{\"trace\": 1}\n{\"host\": {\"Move\": \"refuse\"}}\n").result.is_broken);
}

TEST_CASE("queued events come to all agents before any tree is ticked, and only to those that are") {
  const ModularTrees trees(
      modular_tree("<Sequence><Signal name='E' filter='Group'/><Move/><Halt/></Sequence>", kSections));
  const std::string header = "{\"trace\": 1, \"agents\": 3}";
  const Lines events =
      happens(trees, "{\"tick\": 1, \"agent\": 1}\n{\"tick\": 1, \"agent\": 0}\n{\"tick\": 1}\n", header);
  CHECK(of_kind(events, "signal") ==
        Lines{"2 0:signal E", "3 0:signal E", "3 1:signal E", "3 1:signal E", "3 2:signal E", "3 2:signal E"});
  const auto last_signal = std::find(events.rbegin(), events.rend(), "3 2:signal E");
  CHECK(std::find(last_signal, events.rend(), "3 2:enter Move") == events.rend());
}

TEST_CASE("an event for the others does not come to its sender, and none comes to an agent that is gone") {
  const ModularTrees trees(
      modular_tree("<Sequence><Signal name='E' filter='GroupExcludingSender'/><Halt/></Sequence>", kSections));
  CHECK(of_kind(happens(trees, "{\"tick\": 1, \"agent\": 0}\n{\"destroy\": 2}\n{\"spawn\": 1}\n{\"tick\": 1}\n",
                        "{\"trace\": 1, \"agents\": 3}"),
                "signal") == Lines{"2 1:signal E"});
}

TEST_CASE("an agent that is destroyed is interrupted, and gives its places back") {
  const ModularTrees trees(
      modular_tree("<Loop><SuppressFailure><LimitConcurrentUsers max='1'><GroupScope "
                   "name='S'><Move/></GroupScope></LimitConcurrentUsers></SuppressFailure></Loop>"));
  const Lines events = happens(
      trees,
      "{\"host\": {\"Move\": \"running\"}, \"agent\": \"all\"}\n{\"tick\": 1}\n{\"destroy\": 0}\n{\"tick\": 1}\n",
      "{\"trace\": 1, \"agents\": 2}");
  CHECK(of_kind(events, "enter") == Lines{"1 0:enter Move", "2 1:enter Move"});
  CHECK(of_kind(events, "interrupt") == Lines{"1 0:interrupt Move"});
}

TEST_CASE(
    "a snapshot has all of an agent: what runs, its variables, times, queue and scripts; the host hears nothing") {
  const ModularTrees trees(
      modular_tree("<Sequence><ExecuteLua code='entity.n = (entity.n or 0) + 1'/><Signal name='E'/><Move/><AssertLua "
                   "code='return entity.n == 1'/><Look/><Halt/></Sequence>",
                   kSections));
  const std::string host = "{\"host\": {\"Move\": [\"running\", \"success\"], \"Look\": true}}\n";
  const std::string lines =
      host +
      "{\"tick\": 1}\n{\"save\": \"a\"}\n{\"tick\": 1}\n{\"expect\": {\"variables\": {\"A\": true}}}\n"
      "{\"restore\": \"a\"}\n{\"expect\": {\"running\": [\"Move\"], \"variables\": {\"A\": false}, "
      "\"timestamps\": {\"T\": null}}}\n{\"tick\": 1}\n";
  const Lines events = happens(trees, lines);
  CHECK(of_kind(events, "enter") == Lines{"1 0:enter Move", "2 0:enter Look", "3 0:enter Look"});
  CHECK(of_kind(events, "signal") == Lines{"2 0:signal E", "3 0:signal E"});
  CHECK(of_kind(events, "interrupt").empty());
}

TEST_CASE("a place that a restored agent holds is counted, whatever the maximum says") {
  const ModularTrees trees(modular_tree(
      "<Loop><SuppressFailure><LimitConcurrentUsers max='1'><Move/></LimitConcurrentUsers></SuppressFailure></Loop>"));
  const Lines events =
      happens(trees,
              "{\"host\": {\"Move\": [\"running\", \"success\", \"running\"]}}\n{\"tick\": 1}\n{\"save\": \"a\"}\n"
              "{\"destroy\": 0}\n{\"spawn\": 1}\n{\"host\": {\"Move\": \"running\"}, \"agent\": 1}\n{\"tick\": 1}\n");
  CHECK(of_kind(events, "enter") == Lines{"1 0:enter Move", "2 1:enter Move"});
}

TEST_CASE(
    "agents move to what is reloaded: what both trees have runs on, with times, queues and scripts; the rest is "
    "interrupted") {
  const std::string before =
      "<Sequence><ExecuteLua code='entity.n = 7'/><Signal name='E'/><Parallel><Move/><Halt/></Parallel></Sequence>";
  const std::string after =
      "<Sequence><ExecuteLua code='entity.n = 8'/><Signal name='E'/><Parallel><Move/><Halt/></Parallel><AssertLua "
      "code='return entity.n == 7'/><Look/></Sequence>";
  const ModularTrees old_trees(modular_tree(before, kSections));
  const ModularTrees same(modular_tree(after, kSections));
  const ModularTrees other(modular_tree("<Sequence><Halt/></Sequence>", kSections));
  RunOptions options = jsonl();
  options.run.load = [&](const std::string& path, replay::ReplayOptions::LoadFault*) {
    return path == "same" ? &same.asset() : &other.asset();
  };
  const std::string lines =
      "{\"trace\": 1}\n{\"host\": {\"Move\": [\"running\", \"running\", \"success\"], \"Look\": \"running\"}}\n"
      "{\"signal\": \"E\"}\n{\"tick\": 1}\n";
  const Replayed kept =
      run_trace(old_trees.asset(),
                lines +
                    "{\"reload\": \"same\"}\n{\"expect\": {\"running\": [\"Move\"], \"timestamps\": {\"T\": 1}, "
                    "\"events\": [\"enter Move\", \"send E\"]}}\n{\"tick\": 1}\n",
                options);
  INFO(kept.messages());
  CHECK(of_kind(events_of(kept.output), "interrupt").empty());
  CHECK(of_kind(events_of(kept.output), "signal") == Lines{"0 0:signal E", "2 0:signal E"});
  const Replayed left = run_trace(old_trees.asset(), lines + "{\"reload\": \"other\"}\n", options);
  CHECK(of_kind(events_of(left.output), "interrupt") == Lines{"1 0:interrupt Move"});
}

TEST_CASE("a tree of another kind is not the tree that is reloaded") {
  const ModularTrees trees(modular_tree("<Halt/>"));
  const CompiledTrees selecting(
      {"<SelectionTree name='0' type='BehaviorSelectionTree'><Leaf name='Idle'/></SelectionTree>"});
  RunOptions options;
  options.run.load = [&](const std::string&, replay::ReplayOptions::LoadFault*) { return &selecting.asset(); };
  const Replayed replayed = run_trace(trees.asset(), "{\"trace\": 1}\n{\"reload\": \"x\"}\n", options);
  CHECK(replayed.messages().find("is not a modular tree") != std::string::npos);
}

TEST_CASE("random numbers follow from the seed and the agent's number, and from nothing else") {
  const ModularTrees trees(modular_tree(
      "<Loop><SuppressFailure><RandomGate opensWithChance='0.5'><Move/></RandomGate></SuppressFailure></Loop>"));
  const std::string ticks = "{\"tick\": 1, \"times\": 64}\n";
  const auto entered = [&](const std::string& header) { return of_kind(happens(trees, ticks, header), "enter"); };
  const Lines first = entered("{\"trace\": 1, \"seed\": 1}");
  CHECK(first == entered("{\"trace\": 1}"));
  CHECK(first.size() > 16);
  CHECK(first.size() < 48);
  CHECK(first != entered("{\"trace\": 1, \"seed\": 2}"));
  // All digits count: these two differ in the last bit of 64.
  CHECK(entered("{\"trace\": 1, \"seed\": 18446744073709551615}") !=
        entered("{\"trace\": 1, \"seed\": 18446744073709551614}"));
  // Agent 1 begins where agent 0 of a seed that is 2^32 larger does.
  Lines second = entered("{\"trace\": 1, \"agents\": 2}");
  std::erase_if(second, [](const std::string& event) { return event.find(" 1:") == std::string::npos; });
  for (std::string& event : second) event[event.find(" 1:") + 1] = '0';
  CHECK(second == entered("{\"trace\": 1, \"seed\": 4294967297}"));
}

TEST_CASE("behaviours that are not scripted are told by what they are") {
  const ModularTrees trees(modular_tree("<Sequence><Guard><Move/></Guard><Halt/></Sequence>"));
  const Replayed replayed =
      run_trace(trees.asset(), "{\"trace\": 1}\n{\"host\": {\"LuaGate\": true}}\n{\"tick\": 1}\n");
  CHECK(replayed.messages().find("decorator 'Guard' has no scripted answer: it is open") != std::string::npos);
  CHECK(replayed.messages().find("action 'Move' has no scripted answer: it succeeds") != std::string::npos);
}

}  // namespace replay_modular_agents
