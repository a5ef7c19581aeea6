// Synchronized trees in slots, and reloads. Traces are shown in tests/golden/replay/synchronized.
#include "replay_synchronized.h"

namespace replay_synchronized {

using namespace espalier;

namespace {}  // namespace

TEST_CASE("a tree deeper within others than its root allows is an error of the slot") {
  const SynchronizedTrees trees(
      {"<SynchronizedTree name='T' maxDepth='2'><Selector><ChildTree slot='s' default='T'/>"
       "<Action name='A'/></Selector></SynchronizedTree>"});
  const Replayed replayed =
      run_trace(trees.asset(),
                "{\"trace\": 1, \"events\": [\"error\", \"enter\"]}\n{\"host\": {\"A\": \"running\"}}\n{\"tick\": 1}\n"
                "{\"expect\": {\"running\": [\"A\"], \"events\": [\"error depth s\", \"enter A\"]}}\n");
  INFO(replayed.messages());
  CHECK(replayed.is_clean());
}

TEST_CASE("a tree that is too large for a slot is an error") {
  const SynchronizedTrees trees(
      {"<SynchronizedTree name='T'><Selector><ChildTree slot='s' default='Small' budget='8'/><Action name='A'/>"
       "</Selector></SynchronizedTree>",
       "<SynchronizedTree name='Small'><Action name='B'/></SynchronizedTree>",
       "<SynchronizedTree name='Large'><Cooldown seconds='1'><Action name='C'/></Cooldown></SynchronizedTree>"});
  const Replayed replayed = run_trace(
      trees.asset(),
      "{\"trace\": 1, \"tree\": \"T\", \"events\": [\"error\", \"enter\"]}\n"
      "{\"inject\": {\"slot\": \"s\", \"tree\": \"Large\"}}\n{\"host\": {\"B\": \"running\"}}\n{\"tick\": 1}\n"
      "{\"expect\": {\"running\": [\"B\"], \"events\": [\"error inject s Large\", \"enter B\"]}}\n");
  INFO(replayed.messages());
  CHECK(replayed.is_clean());
}

TEST_CASE("after a reload agents of synchronized trees begin anew, with what is in their slots and free places") {
  const SynchronizedTrees first(kPorters);
  const SynchronizedTrees second({kPorter, kRest, kSweep});
  RunOptions options = jsonl();
  options.run.load = [&second](const std::string&, replay::ReplayOptions::LoadFault*) { return &second.asset(); };
  const std::string lines = kBusy +
                            "{\"host\": {\"Strong\": false}, \"agent\": \"all\"}\n"
                            "{\"inject\": {\"slot\": \"Task\", \"tree\": \"Sweep\"}, \"agent\": \"all\"}\n"
                            "{\"tick\": 1, \"times\": 2}\n"
                            "{\"expect\": {\"inside\": {\"Door\": 1, \"Crate\": 1, \"Broom\": 1}}}\n"
                            "{\"reload\": \"next\"}\n"
                            "{\"expect\": {\"running\": [], \"inside\": {\"Door\": 0, \"Crate\": 0, \"Broom\": 0}, "
                            "\"events\": [\"0:interrupt Pass\", \"2:interrupt Brush\"]}}\n"
                            "{\"tick\": 1}\n"
                            "{\"expect\": {\"running\": [\"Brush\"], \"inside\": {\"Door\": 1, \"Crate\": 1, "
                            "\"Broom\": 1}}, \"agent\": 2}\n";
  const Replayed replayed = run_porters(first, 3, lines, options);
  INFO(replayed.messages());
  CHECK_FALSE(replayed.result.is_broken);
  CHECK(replayed.result.failed_count == 0);
}

TEST_CASE("a tree in a slot that a reloaded project does not have leaves the slot empty") {
  const SynchronizedTrees first(kPorters);
  std::string porter = kPorter;
  const std::string accepts = " accepts='Rest Sweep'";
  porter.erase(porter.find(accepts), accepts.size());
  const SynchronizedTrees second({porter, kRest});
  RunOptions options = jsonl();
  options.run.load = [&second](const std::string&, replay::ReplayOptions::LoadFault*) { return &second.asset(); };
  const std::string lines = kBusy +
                            "{\"host\": {\"Strong\": false, \"Pass\": \"failure\"}}\n"
                            "{\"inject\": {\"slot\": \"Task\", \"tree\": \"Sweep\"}}\n"
                            "{\"tick\": 1}\n{\"tick\": 3}\n{\"expect\": {\"running\": [\"Brush\"]}}\n"
                            "{\"reload\": \"next\"}\n{\"tick\": 1}\n{\"tick\": 3}\n"
                            "{\"expect\": {\"running\": [\"Sit\"]}}\n";
  const Replayed replayed = run_porters(first, 1, lines, options);
  INFO(replayed.messages());
  CHECK_FALSE(replayed.result.is_broken);
  CHECK(replayed.result.failed_count == 0);
}

}  // namespace replay_synchronized
