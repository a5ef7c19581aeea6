// Random trees that store their results, with agents that come and go, through the runtime and the model side by side:
// all that hosts are told, every status and every count must be the same after each step.
#include <cstdio>
#include <utility>

#include "runtime/view.h"
#include "runtime_store_crowd.h"
#include "unit.h"

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
    if (dice == 9) return crowd_.stop(agent);
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
    const std::string tree = random_.chance(20) ? std::string() : "T" + std::to_string(random_.below(3));
    crowd_.inject(agent, slot, tree, random_.chance(40));
  }

  Random& random_;
  StoreCrowd& crowd_;
};

}  // namespace

TEST_CASE("random trees that store their results run as the page says, step by step") {
  for (std::uint64_t seed = 1; seed <= 5000; ++seed) {
    CAPTURE(seed);
    Random random{seed};
    StoreCrowd crowd(test::random_store_project(random));
    RandomSteps steps(random, crowd);
    for (std::uint32_t i = random.below(4); i > 0; --i) steps.spawn();
    for (int step = 0; step < 60; ++step) steps.step();
    crowd.destroy_all();
  }
}

TEST_CASE("whenever its agents are stopped, interrupted or destroyed, the shared block is as it began") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
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

TEST_CASE("5,000 agents of a tree of 200 nodes need under 1 MiB in all") {
  // A guard's tree: many actions and conditions, and some of every node that has a state.
  test::ModelStoreTree tree;
  tree.name = "Guard";
  tree.max_depth = 1;
  const auto make = [](StoreKind kind, const std::string& name, std::vector<ModelStoreNode> children) {
    ModelStoreNode made;
    made.kind = kind;
    made.name = name;
    made.children = std::move(children);
    made.count = 1;
    if (kind == StoreKind::cooldown) made.time_us = 1;
    return made;
  };
  const auto action = [&] { return make(StoreKind::action, "a", {}); };
  for (int i = 0; i < 9; ++i) {  // of 22 nodes each
    const StoreKind around = i % 3 == 0 ? StoreKind::cooldown : i % 3 == 1 ? StoreKind::repeat : StoreKind::gate;
    std::vector<ModelStoreNode> parts;
    parts.push_back(make(StoreKind::monitor, "", {make(StoreKind::condition, "c", {})}));
    parts.push_back(make(around, "", {action()}));
    for (int part = 0; part < 3; ++part) {
      std::vector<ModelStoreNode> tried;
      tried.push_back(make(StoreKind::condition, "c", {}));
      for (int child = 0; child < (part == 0 ? 5 : 3); ++child) tried.push_back(action());
      parts.push_back(make(StoreKind::selector, "", std::move(tried)));
    }
    tree.root.children.push_back(make(StoreKind::sequence, "", std::move(parts)));
  }
  tree.root.children.push_back(action());
  test::ModelStoreProject project;
  project.trees.push_back(std::move(tree));
  test::Compiled compiled;
  test::compile(ir_of(project), compiled);
  const Tree guard = espalier::tree(compiled.asset, 0);
  REQUIRE(records<layout::StoreTree>(compiled.asset, layout::SectionId::store_trees)[0].node_count == 200);
  const std::size_t bytes = 5000 * std::size_t{agent_bytes(guard)} + shared_bytes(guard) + compiled.size_bytes;
  CAPTURE(agent_bytes(guard), shared_bytes(guard), compiled.size_bytes, bytes);
  std::printf("5,000 agents of 200 nodes: %zu bytes, %zu each\n", bytes, std::size_t{agent_bytes(guard)});
  CHECK(bytes < 1024 * 1024);
}
