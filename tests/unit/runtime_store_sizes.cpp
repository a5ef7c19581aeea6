// The sizes of agents of trees that store their results.
#include <cstdio>
#include <utility>

#include "runtime/asset/view.h"
#include "runtime/format/opcode_words.h"
#include "runtime/format/opcodes/store.h"
#include "runtime/store/nodes.h"
#include "runtime_store_trees.h"
#include "unit.h"

namespace runtime_store_sizes {

namespace {

using namespace espalier;
using test::ModelStoreNode;
using test::StoreKind;

// The bytes of one node, without its two bits.
std::uint32_t node_bytes(Opcode opcode, bool has_timeout, std::uint32_t memory_bytes = 0) {
  InstanceParts parts;
  add_store_node(opcode, memory_bytes, has_timeout, &parts);
  CHECK(parts.results == 1);
  return 8 * parts.times + 2 * parts.counts + parts.group_seats;
}

}  // namespace

TEST_CASE("a node needs at most 16 bytes, one that only leads to others two bits") {
  for (const auto& [opcode, info] : OpcodesOf<EngineId::store>::rows) {
    CAPTURE(opcode_name(opcode));
    CHECK(node_bytes(opcode, false) == info.agent_bytes);
    CHECK(node_bytes(opcode, true) <= 16);
    for (const std::uint32_t memory_bytes : {12u, 16u}) {
      CHECK(node_bytes(opcode, false, memory_bytes) == (opcode == opcode::store_action ? 16 : info.agent_bytes));
    }
    switch (opcode) {
      case opcode::store_sequence:
      case opcode::store_selector:
      case opcode::store_parallel:
      case opcode::store_role:
      case opcode::store_condition:
      case opcode::store_action:
      case opcode::store_invert:
      case opcode::store_succeed:
      case opcode::store_fail:
      case opcode::store_gate:
      case opcode::store_cooldown_all:
        CHECK(node_bytes(opcode, true) == 0);
        break;
      default:
        break;
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
  REQUIRE(unit_record(guard).node_count == 200);
  // Three cooldowns, three repeats and nine monitors; two bits for each node.
  CHECK(agent_bytes(guard) == (store_header_bytes(0) + 3 * 8 + (3 + 9) * 2 + 50 + 7) / 8 * 8);

  const std::size_t count = 5000;
  const std::size_t words = agent_bytes(guard) / 8;
  std::vector<std::uint64_t> agents(count * words);
  std::vector<std::uint64_t> shared(shared_bytes(guard) / 8);
  const std::size_t bytes = (agents.size() + shared.size()) * 8 + compiled.size_bytes;
  CAPTURE(agent_bytes(guard), shared_bytes(guard), compiled.size_bytes, bytes);
  std::printf("5,000 agents of 200 nodes: %zu bytes, %zu each\n", bytes, std::size_t{agent_bytes(guard)});
  CHECK(bytes < 1024 * 1024);

  // They need no more than that to run; see also the test runtime_knows_no_heap.
  start_shared(guard, shared.data());
  for (std::size_t i = 0; i < count; ++i) start(guard, &agents[i * words]);
  Behavior works;
  works.tick = [](const Call*) { return ESPALIER_RUNNING; };
  const std::vector<Behavior> behaviors(behavior_count(compiled.asset), works);
  Behavior holds;
  holds.ask = [](const Call*) { return true; };
  const std::vector<Behavior> conditions(host_condition_count(compiled.asset), holds);
  Host host;
  host.behaviors = behaviors.data();
  host.conditions = conditions.data();
  host.shared = shared.data();
  for (; host.clock_us < 3; ++host.clock_us) update_all(guard, agents.data(), words * 8, count, host);
  std::size_t running_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    visit_active(
        guard, &agents[i * words], [](void* user, std::uint32_t) { ++*static_cast<std::size_t*>(user); },
        &running_count);
  }
  CHECK(running_count >= count);
}

}  // namespace runtime_store_sizes
