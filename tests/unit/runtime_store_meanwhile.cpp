// During a call for one agent, the host may update and stop others: no lock is held then, and their effects are
// immediate.
#include <utility>

#include "runtime_store_crowd.h"
#include "unit.h"

namespace runtime_store_meanwhile {

namespace {

using namespace espalier::test;

constexpr StoreResult kRuns = StoreResult::running;

ModelStoreNode node(StoreKind kind, const std::string& name, std::vector<ModelStoreNode> children = {}) {
  ModelStoreNode made;
  made.kind = kind;
  made.name = name;
  made.children = std::move(children);
  made.count = 1;
  return made;
}

// Of two roles: a condition c, then the action a1, a barrier and the action a2.
ModelStoreNode pair_of(StoreLeave on_leave) {
  ModelStoreNode work = node(StoreKind::sequence, "");
  work.children = {node(StoreKind::action, "a1"), node(StoreKind::barrier, "b"), node(StoreKind::action, "a2")};
  const ModelStoreNode role = node(StoreKind::role, "", {node(StoreKind::condition, "c"), std::move(work)});
  ModelStoreNode group = node(StoreKind::group, "g", {role, role});
  group.on_leave = on_leave;
  return group;
}

ModelStoreProject project_of(ModelStoreNode root) {
  ModelStoreProject project;
  project.trees.emplace_back();
  project.trees[0].name = "Only";
  project.trees[0].max_depth = 1;
  project.trees[0].root = std::move(root);
  return project;
}

}  // namespace

TEST_CASE("who is updated while another is asked whether it may have a role comes first") {
  StoreCrowd crowd(project_of(pair_of(StoreLeave::fail)));
  const auto first = crowd.spawn(0);
  const auto second = crowd.spawn(0);
  crowd.meanwhile(first, "c", second, false);
  CHECK(crowd.update(first) == StoreResult::running);  // the second came first, the group is bound
  crowd.destroy_all();
}

TEST_CASE("who is asked while others fill the group is refused") {
  StoreCrowd crowd(project_of(pair_of(StoreLeave::fail)));
  const auto first = crowd.spawn(0);
  const auto second = crowd.spawn(0);
  const auto third = crowd.spawn(0);
  crowd.meanwhile(first, "c", second, false);
  crowd.meanwhile(second, "c", third, false);
  CHECK(crowd.update(first) == StoreResult::failure);
  crowd.destroy_all();
}

TEST_CASE("a gate is full while the host of who is inside updates others") {
  StoreCrowd crowd(project_of(node(StoreKind::gate, "g", {node(StoreKind::action, "a1")})));
  const auto inside = crowd.spawn(0);
  const auto outside = crowd.spawn(0);
  crowd.meanwhile(inside, "a1", outside, false);
  CHECK(crowd.update(inside) == StoreResult::success);
  CHECK(crowd.update(outside) == StoreResult::success);
  crowd.destroy_all();
}

TEST_CASE("an agent whose partner leaves during its own update goes on to the end of it, or fails, as the group says") {
  for (const StoreLeave on_leave : {StoreLeave::fail, StoreLeave::reset, StoreLeave::ignore}) {
    ModelStoreNode root = node(StoreKind::parallel, "");
    root.fails_with_all = true;
    root.children = {node(StoreKind::action, "before"), pair_of(on_leave), node(StoreKind::action, "after")};
    StoreCrowd crowd(project_of(std::move(root)));
    const auto stays = crowd.spawn(0);
    const auto leaves = crowd.spawn(0);
    for (const auto agent : {stays, leaves}) {
      for (const char* action : {"before", "a1", "after"}) crowd.answer(agent, action, {kRuns});
    }
    for (const auto agent : {stays, leaves, stays}) (void)crowd.update(agent);
    crowd.meanwhile(stays, "before", leaves, true);
    for (int i = 0; i < 3; ++i) CHECK(crowd.update(stays) == kRuns);
    crowd.destroy_all();
  }
}

TEST_CASE("others are updated while an agent is reset") {
  StoreCrowd crowd(project_of(pair_of(StoreLeave::fail)));
  const auto stays = crowd.spawn(0);
  const auto leaves = crowd.spawn(0);
  crowd.answer(leaves, "a1", {kRuns});
  for (const auto agent : {stays, leaves, stays}) (void)crowd.update(agent);
  crowd.meanwhile(leaves, "interrupt a1", stays, false);
  crowd.stop(leaves);
  CHECK(crowd.update(stays) == StoreResult::failure);
  crowd.destroy_all();
}

}  // namespace runtime_store_meanwhile
