// Agents of modular trees: limits, reloads and random numbers. Traces are shown in tests/golden/replay/modular.
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

TEST_CASE("many events that no expectation names do not push out those it does") {
  const ModularTrees trees(modular_tree("<Sequence><Wait duration='100'/><Move/><Halt/></Sequence>"));
  CHECK(holds(trees, "{\"tick\": 0.001, \"times\": 200000}\n", R"({"events": ["enter Move", "leave Move"]})"));
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
  const std::string ticks = "{\"host\": {\"Move\": true}, \"agent\": \"all\"}\n{\"tick\": 1, \"times\": 64}\n";
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

}  // namespace replay_modular_agents
