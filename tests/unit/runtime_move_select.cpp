// Hot reload of trees that select: the current leaf and the states of machines are found again by name.
#include "payloads.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_move_select {

namespace {

using namespace espalier;

std::uint32_t call_count = 0;

void count_call(const Call*) { ++call_count; }

}  // namespace

TEST_CASE("an agent that moves to the same asset is the same, byte for byte, and nothing is called") {
  std::uint32_t moved_count = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    test::Random random{seed};
    const test::DraftProject project = test::random_project(random);
    test::Compiled compiled;
    test::Compiled again;
    test::compile(project, compiled, seed % 3 == 0);
    test::compile(project, again, seed % 3 == 0);
    const std::vector<Behavior> table(behavior_count(compiled.asset), Behavior{count_call, count_call});
    Host host;
    host.behaviors = table.data();
    for (std::uint32_t i = 0; i < tree_count(compiled.asset); ++i) {
      const Tree tree = espalier::tree(compiled.asset, i);
      const Tree same = espalier::tree(again.asset, i);
      std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
      start(tree, block.data());
      for (int step = 0; step < 20; ++step) {
        set(tree, block.data(), random.below(variable_count(tree)), random.chance(50));
        if (step % 3 != 0) static_cast<void>(update(tree, block.data(), host));
        std::vector<std::uint64_t> old_block = block;
        std::vector<std::uint64_t> moved(block.size());
        call_count = 0;
        move_agent(tree, old_block.data(), host, same, moved.data(), host);
        REQUIRE(moved == block);
        REQUIRE(call_count == 0);
        if (current_leaf(same, moved.data()) != kNoLeaf) ++moved_count;
      }
    }
  }
  CHECK(moved_count > 1000);
}

TEST_CASE("an agent that moves to a tree of other names begins anew") {
  test::Random random{7};
  test::DraftProject project;
  project.trees.push_back(test::random_tree(random, {}, "T"));
  test::Compiled before;
  test::compile(project, before);
  project.trees[0].root.name += "Edited";
  test::Compiled after;
  test::compile(project, after);
  const Tree tree = espalier::tree(before.asset, 0);
  const Tree edited = espalier::tree(after.asset, 0);
  const std::vector<Behavior> table(behavior_count(before.asset), Behavior{nullptr, count_call});
  Host host;
  host.behaviors = table.data();
  std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
  std::vector<std::uint64_t> moved(agent_bytes(edited) / 8);
  start(tree, block.data());
  REQUIRE(update(tree, block.data(), host) == Result::running);
  call_count = 0;
  move_agent(tree, block.data(), host, edited, moved.data(), host);
  CHECK(call_count == 1);
  CHECK(current_leaf(edited, moved.data()) == kNoLeaf);
}

}  // namespace runtime_move_select
