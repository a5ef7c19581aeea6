// Random trees that store their results, with agents that come and go, through the runtime and the model side by side:
// all calls of hosts, every status and every count must be the same after each step.
#include <utility>

#include "runtime_store_crowd.h"
#include "unit.h"

namespace runtime_store {

namespace {

using namespace espalier;
using test::ModelStoreNode;
using test::Random;
using test::StoreCrowd;
using test::StoreKind;
using test::StoreResult;

class RandomSteps {
 public:
  RandomSteps(Random& random, StoreCrowd& crowd) : random_(random), crowd_(crowd) {}

  void spawn() {
    // Agents of one tree are more often in the same group.
    const std::uint32_t agent = crowd_.spawn(random_.chance(50) ? 0 : below(crowd_.project().trees.size()));
    for (std::uint32_t i = 0; i < 5; ++i) {
      answer(agent, "a" + std::to_string(i));
      answer(agent, "c" + std::to_string(i));
    }
    if (random_.chance(30)) meanwhile(agent);
  }
  void step() {
    const std::vector<std::uint32_t> living = crowd_.living();
    if (living.empty() || random_.chance(3)) return spawn();
    const std::uint32_t agent = living[below(living.size())];
    const std::uint32_t dice = random_.below(40);
    if (dice < 8) answer(agent, (random_.chance(50) ? "a" : "c") + std::to_string(random_.below(5)));
    if (dice == 8) return crowd_.destroy(agent);
    if (dice == 9) return random_.chance(50) ? crowd_.stop(agent) : crowd_.move(agent);
    if (dice >= 10 && dice < 14) return inject(agent);
    if (dice >= 14 && dice < 24) crowd_.advance(250000 * std::uint64_t{random_.below(5)});
    if (dice < 30) {
      (void)crowd_.update(agent);
    } else {
      for (const std::uint32_t each : living) (void)crowd_.update(each);
    }
  }

 private:
  std::uint32_t below(std::size_t count) { return random_.below(static_cast<std::uint32_t>(count)); }

  void answer(std::uint32_t agent, const std::string& name) {
    std::vector<StoreResult> list;
    for (std::uint32_t i = 1 + random_.below(4); i > 0; --i) {
      const bool runs = name[0] == 'a' && random_.chance(40);
      list.push_back(runs ? StoreResult::running : random_.chance(50) ? StoreResult::success : StoreResult::failure);
    }
    crowd_.answer(agent, name, list);
  }
  // Something another agent does while this one is asked.
  void meanwhile(std::uint32_t agent) {
    const std::vector<std::uint32_t> living = crowd_.living();
    const std::uint32_t other = living[below(living.size())];
    const char* const whens[] = {"a", "c", "interrupt a", "reset a", "leave a"};
    const std::string name = whens[random_.below(5)] + std::to_string(random_.below(5));
    if (other != agent) crowd_.meanwhile(agent, name, other, random_.chance(40));
  }
  void inject(std::uint32_t agent) {
    // The last slot and the last tree do not always exist.
    const std::string slot = "s" + std::to_string(random_.below(3));
    const std::string tree = random_.chance(20) ? std::string() : "T" + std::to_string(random_.below(4));
    crowd_.inject(agent, slot, tree, random_.chance(40));
  }

  Random& random_;
  StoreCrowd& crowd_;
};

}  // namespace

TEST_CASE("random trees that store their results run as the page says, step by step") {
  int overlap_count = 0;
  const std::uint64_t seed_count = rounds_of(5000u);
  for (std::uint64_t seed = 1; seed <= seed_count; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    StoreCrowd crowd(test::random_store_project(random));
    RandomSteps steps(random, crowd);
    for (std::uint32_t i = random.below(4); i > 0; --i) steps.spawn();
    for (int step = 0; step < 60; ++step) steps.step();
    if (crowd.has_overlaps()) ++overlap_count;
    crowd.destroy_all();
  }
  CHECK(overlap_count > rounds_of(500));  // in whose agents some rooms overlap
}

TEST_CASE("whenever its agents are stopped, interrupted or destroyed, the shared block is as it began") {
  const std::uint64_t seed_count = rounds_of(60u);
  for (std::uint64_t seed = 1; seed <= seed_count; ++seed) {
    for (int length = 0; length < 50; ++length) {
      CAPTURE(seed, length);
      Random random{seed + 1000};
      StoreCrowd crowd(test::random_store_project(random));
      RandomSteps steps(random, crowd);
      for (int i = 0; i < 3; ++i) steps.spawn();
      for (int step = 0; step < length; ++step) steps.step();
      if (seed % 3 == 0) {
        for (const std::uint32_t agent : crowd.living()) {
          for (const test::ModelSlot& slot : crowd.project().slots) crowd.inject(agent, slot.name, "", true);
        }
      }
      if (seed % 3 != 1) {
        for (const std::uint32_t agent : crowd.living()) crowd.stop(agent);
        crowd.check_shared();
        for (const std::uint32_t agent : crowd.living()) (void)crowd.update(agent);
      }
      crowd.destroy_all();
    }
  }
}

TEST_CASE("monitors are asked in order of registration, however often they are registered again") {
  const auto node = [](StoreKind kind, const std::string& name, std::vector<ModelStoreNode> children) {
    ModelStoreNode made;
    made.kind = kind;
    made.name = name;
    made.children = std::move(children);
    return made;
  };
  const auto watched = [&](const std::string& number) {
    ModelStoreNode monitor = node(StoreKind::monitor, "", {node(StoreKind::condition, "c" + number, {})});
    return node(StoreKind::selector, "", {std::move(monitor), node(StoreKind::action, "a" + number, {})});
  };
  test::ModelStoreProject project;
  project.trees.emplace_back();
  project.trees[0].name = "Only";
  project.trees[0].max_depth = 1;
  project.trees[0].root =
      node(StoreKind::parallel, "", {watched("0"), node(StoreKind::repeat, "", {watched("1")}), watched("2")});
  StoreCrowd crowd(std::move(project));
  const std::uint32_t agent = crowd.spawn(0);
  for (const char* condition : {"c0", "c1", "c2"}) crowd.answer(agent, condition, {StoreResult::failure});
  for (const char* action : {"a0", "a2"}) crowd.answer(agent, action, {StoreResult::running});
  for (int i = 0; i < 33000; ++i) (void)crowd.update(agent);  // the second is registered again each time
  crowd.destroy_all();
}

namespace {

int asked_count = 0;
int ticked_count = 0;
int told_count = 0;

}  // namespace

TEST_CASE("an update asks each registered monitor once, and does nothing else for it") {
  for (const int count : {1, 10, 40, 80}) {
    ModelStoreNode root;
    root.kind = StoreKind::selector;
    const auto leaf = [](StoreKind kind, const std::string& name) {
      ModelStoreNode made;
      made.kind = kind;
      made.name = name;
      return made;
    };
    for (int i = 0; i < count; ++i) {
      ModelStoreNode monitor = leaf(StoreKind::monitor, "");
      monitor.children.push_back(leaf(StoreKind::condition, "c"));
      ModelStoreNode guarded = leaf(StoreKind::sequence, "");
      guarded.children.push_back(std::move(monitor));
      for (int j = 0; j < 10; ++j) guarded.children.push_back(leaf(StoreKind::action, "a"));
      root.children.push_back(std::move(guarded));
    }
    root.children.push_back(leaf(StoreKind::action, "a"));
    test::ModelStoreProject project;
    project.trees.emplace_back();
    project.trees[0].name = "Only";
    project.trees[0].max_depth = 1;
    project.trees[0].root = std::move(root);
    test::Compiled compiled;
    test::compile(ir_of(project), compiled);
    const Tree tree = espalier::tree(compiled.asset, 0);
    std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
    Behavior action;
    action.tick = [](const Call*) {
      ++ticked_count;
      return ESPALIER_RUNNING;
    };
    Behavior condition;
    condition.ask = [](const Call*) {
      ++asked_count;
      return false;
    };
    Host host;
    host.behaviors = &action;
    host.conditions = &condition;
    start(tree, block.data());
    Watcher watcher;
    watcher.node = [](void*, const NodeStep*) { ++told_count; };
    for (int update = 0; update < 3; ++update) {
      asked_count = ticked_count = told_count = 0;
      REQUIRE(update_watched(tree, block.data(), host, watcher) == Result::running);
      CHECK(asked_count == count);
      CHECK(ticked_count == 1);
      // A condition begins and completes; the sequence around the monitor keeps its result.
      if (update > 0) CHECK(told_count == 3 * count);
      CHECK(check_agent(tree, block.data()) == Status::ok);
    }
    // The last link, in the agent's first two bytes, must be that of a monitor, and the list must be closed.
    const std::uint64_t first = block[0];
    for (const std::uint64_t link : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7FFF}}) {
      block[0] = (first & ~std::uint64_t{0x7FFF}) | link;
      CHECK(check_agent(tree, block.data()) != Status::ok);
    }
    block[0] = first;
    CHECK(check_agent(tree, block.data()) == Status::ok);
  }
}

TEST_CASE("the node where an update begins is a running one of the agent, or its next one, and damage to it is found") {
  const auto node = [](StoreKind kind, std::vector<ModelStoreNode> children) {
    ModelStoreNode made;
    made.kind = kind;
    made.name = kind == StoreKind::action ? "a" : "";
    made.children = std::move(children);
    return made;
  };
  const ModelStoreNode action = node(StoreKind::action, {});
  test::ModelStoreProject project;
  project.trees.emplace_back();
  project.trees[0].name = "Only";
  project.trees[0].max_depth = 1;
  // Numbered 0 to 4.
  project.trees[0].root = node(StoreKind::sequence, {node(StoreKind::sequence, {action, action}), action});
  test::Compiled compiled;
  test::compile(ir_of(project), compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
  Behavior behavior;
  behavior.tick = [](const Call*) -> espalier_result {
    return ++ticked_count == 3 ? ESPALIER_RUNNING : ESPALIER_SUCCESS;
  };
  Host host;
  host.behaviors = &behavior;
  start(tree, block.data());
  ticked_count = 0;
  REQUIRE(update(tree, block.data(), host) == Result::running);
  REQUIRE(ticked_count == 3);
  // The last two bytes before the first instance.
  const auto place = [&](std::uint64_t number) { block[0] = (block[0] & 0xFFFFFFFFFFFF) | number << 48; };
  CHECK(block[0] >> 48 == 4);
  for (const std::uint64_t outside : {2, 3, 5, 0xFFFF}) {
    place(outside);
    CHECK(check_agent(tree, block.data()) != Status::ok);
  }
  place(0);  // the root is always right
  CHECK(check_agent(tree, block.data()) == Status::ok);
  ticked_count = 2;
  CHECK(update(tree, block.data(), host) == Result::running);
  CHECK(ticked_count == 3);
  CHECK(block[0] >> 48 == 4);
  CHECK(update(tree, block.data(), host) == Result::success);
  CHECK(ticked_count == 4);
  CHECK(block[0] >> 48 == 0);
}

}  // namespace runtime_store
