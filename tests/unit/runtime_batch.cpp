// What a batch gives to each of its agents: a separate number, and the block of its group.
#include <algorithm>
#include <utility>
#include <vector>

#include "payloads.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime_assets.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_batch {

namespace {

using namespace espalier;

using Numbers = std::vector<std::uint32_t>;

void note(const Call* call) { static_cast<Numbers*>(call->host->user)->push_back(call->agent_number); }
bool note_asked(const Call* call) { return note(call), true; }
espalier_result run_on(const Call* call) { return note(call), Result::running; }
double decide(const Call* call) { return note(call), 1; }

// An action in a scope that lets in one agent of each group.
test::DraftTree scoped_tree() {
  test::DraftTree tree;
  tree.name = "Scoped";
  tree.variables = {{"v", false, {}}};
  tree.parts = ir::Ticking();
  test::Draft action = test::node_of(opcode::tick_action, {});
  test::set_behavior(action, "Act");
  tree.root = test::node_of(opcode::tick_scope, {}, {ir::Limit{1, "Scope"}}, {std::move(action)});
  return tree;
}

}  // namespace

TEST_CASE("each agent of a batch has its number in calls, whatever the engine") {
  for (const auto asset_of : {test::small_asset, test::small_ticking_asset, test::small_rules_asset,
                              test::small_deciders_asset, test::small_store_asset}) {
    const test::Bytes bytes = asset_of(false);
    Asset asset;
    REQUIRE(open(bytes.data(), bytes.size(), &asset) == Status::ok);
    const Tree whole = tree(asset, 0);
    const std::size_t words = (agent_bytes(whole) + 7) / 8;
    std::vector<std::uint64_t> blocks(3 * words);
    std::vector<std::uint64_t> shared(shared_bytes(whole) / 8 + 1);
    for (std::size_t i = 0; i < 3; ++i) start(whole, &blocks[i * words]);
    start_shared(whole, shared.data());
    Behavior functions = {note, note, run_on, note, note, note, note_asked, note_asked, note_asked, note};
    functions.ask = note_asked;
    functions.decide = decide;
    const std::vector<Behavior> behaviors(behavior_count(asset), functions);
    const std::vector<Behavior> conditions(host_condition_count(asset), functions);
    Numbers told;
    Host host;
    host.behaviors = behaviors.data();
    host.conditions = conditions.data();
    host.user = &told;
    host.shared = shared.data();
    host.first_agent = 5;
    update_all(whole, blocks.data(), words * 8, 3, host);
    told.erase(std::unique(told.begin(), told.end()), told.end());
    CHECK(told == Numbers{5, 6, 7});
    CHECK(host.first_agent == 5);

    told.clear();
    host.first_agent = 40;
    start(whole, blocks.data());
    update(whole, blocks.data(), host);
    REQUIRE_FALSE(told.empty());
    CHECK(told.back() == 40);
  }
}

TEST_CASE("each agent of a batch may have its own group") {
  test::DraftProject project;
  project.trees.push_back(scoped_tree());
  test::Compiled compiled;
  test::compile(project, compiled);
  const Tree only = tree(compiled.asset, 0);
  const std::size_t words = agent_bytes(only) / 8;
  std::vector<std::uint64_t> blocks(3 * words);
  std::vector<std::uint64_t> one(group_bytes(compiled.asset) / 8);
  std::vector<std::uint64_t> other(one.size());
  start_group(compiled.asset, one.data());
  start_group(compiled.asset, other.data());
  const std::vector<std::uint64_t> empty = one;
  Behavior act;
  act.tick = run_on;
  const std::vector<Behavior> behaviors(behavior_count(compiled.asset), act);
  Numbers told;
  Host host;
  host.behaviors = behaviors.data();
  host.user = &told;
  host.group = one.data();

  const auto updated = [&] {
    told.clear();
    for (std::size_t i = 0; i < 3; ++i) start(only, &blocks[i * words]);
    update_all(only, blocks.data(), words * 8, 3, host);
    return told;
  };
  CHECK(updated() == Numbers{0});
  stop(only, blocks.data(), host);
  CHECK(one == empty);

  void* const groups[] = {one.data(), one.data(), other.data()};
  host.groups = groups;
  CHECK(updated() == Numbers{0, 2});
  stop(only, blocks.data(), host);
  host.group = other.data();
  stop(only, &blocks[2 * words], host);
  CHECK(one == empty);
  CHECK(other == empty);
}

}  // namespace runtime_batch
