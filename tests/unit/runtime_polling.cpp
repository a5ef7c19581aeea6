// Agents of trees that poll: updates that are watched visit each node on its own, others pass through most of them at
// once, and both must do the same.
#include <espalier/polling.h>

#include <string>
#include <vector>

#include "runtime_assets.h"
#include "runtime_poll_asset.h"
#include "unit.h"

namespace runtime_polling {

using namespace espalier;

namespace {

// A host whose answers follow from the seed, the update and the node.
struct Answers {
  std::uint64_t seed = 0;
  std::uint32_t update = 0;
  std::vector<std::string> told = {};

  void tell(const char* what, const Call* call) { told.push_back(what + (" " + std::to_string(call->node_word))); }
};

Answers& answers_of(const Call* call) { return *static_cast<Answers*>(call->host->user); }

espalier_result answer(const Call* call) {
  Answers& answers = answers_of(call);
  answers.tell("tick", call);
  test::Random random{answers.seed * 1'000'003 + answers.update * 1009 + call->node_word};
  const std::uint32_t drawn = random.below(100);
  return drawn < 25 ? Result::running : drawn < 60 ? Result::success : drawn < 95 ? Result::failure : Result::skipped;
}

struct Agent {
  Agent(const Asset& asset, const Tree& its_tree, std::uint64_t seed) : tree(its_tree), block(agent_bytes(tree) / 8) {
    answers.seed = seed;
    Behavior behavior;
    behavior.enter = [](const Call* call) { answers_of(call).tell("enter", call); };
    behavior.leave = [](const Call* call) { answers_of(call).tell("leave", call); };
    behavior.interrupt = [](const Call* call) { answers_of(call).tell("interrupt", call); };
    behavior.tick = answer;
    behaviors.assign(behavior_count(asset), behavior);
    conditions.assign(host_condition_count(asset), behavior);
    host.behaviors = behaviors.data();
    host.conditions = conditions.data();
    host.user = &answers;
    host.log = [](const Call* call, const char* text) { answers_of(call).tell(text, call); };
    start(tree, block.data());
  }
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;

  // Entries, and the statuses of all nodes. What a node keeps beside these matters only for what it does later.
  std::string state() const {
    std::string text;
    const auto append = [](void* user, const char* piece, std::size_t size_bytes) {
      static_cast<std::string*>(user)->append(piece, size_bytes);
    };
    print(tree, block.data(), {}, append, &text);
    return text;
  }

  Tree tree;
  Answers answers;
  std::vector<std::uint64_t> block;
  std::vector<Behavior> behaviors;
  std::vector<Behavior> conditions;
  Host host;
};

}  // namespace

TEST_CASE("polling: an update does what one that is watched does") {
  std::uint32_t completed = 0;
  std::uint32_t running = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    INFO("seed " << seed);
    test::Random random{seed};
    test::Compiled compiled;
    test::compile(test::random_plain_polling_project(random), compiled);
    const Tree its_tree = tree(compiled.asset, 0);
    Agent plain(compiled.asset, its_tree, seed);
    Agent watched(compiled.asset, its_tree, seed);
    const Prepared prepared = prepare(its_tree);
    const Watcher watcher;
    for (std::uint32_t i = 0; i < 25; ++i) {
      INFO("update " << i);
      plain.answers.update = watched.answers.update = i;
      plain.host.clock_us += 7'000;
      watched.host.clock_us += 7'000;
      const Result result = i % 2 == 0 ? update(its_tree, plain.block.data(), plain.host)
                                       : update(prepared, plain.block.data(), plain.host);
      REQUIRE(result == update_watched(its_tree, watched.block.data(), watched.host, watcher));
      REQUIRE(plain.answers.told == watched.answers.told);
      REQUIRE(plain.state() == watched.state());
      completed += result == Result::success || result == Result::failure ? 1 : 0;
      running += result == Result::running ? 1 : 0;
    }
    stop(its_tree, plain.block.data(), plain.host);
    stop(its_tree, watched.block.data(), watched.host);
    REQUIRE(plain.answers.told == watched.answers.told);
  }
  CHECK(completed > 1000);
  CHECK(running > 1000);
}

}  // namespace runtime_polling
