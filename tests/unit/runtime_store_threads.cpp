// Agents of trees that store their results, updated by several threads: no gate is ever over-full, no role has two
// agents, and every place is given back. Made to be run under the thread sanitizer too, as the program unit_threads.
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "runtime_random_trees.h"
#include "unit.h"

namespace {

using namespace espalier;

constexpr std::size_t kThreads = 8;
constexpr std::size_t kAgents = 10000;
constexpr std::uint32_t kRounds = 30;

// What an action stands in: a gate, or a role, which is for one agent.
struct Hall {
  std::uint32_t maximum = 1;
  std::atomic<std::uint32_t> inside{0};
  std::atomic<std::uint32_t> largest{0};
};

// Hall0 and Hall1 are in gates for 1 and 7 agents, Hall2 to Hall7 in the roles of three groups of two, Hall8 is
// outside.
constexpr std::uint32_t kGates = 2;
constexpr std::uint32_t kGroups = 3;
constexpr std::uint32_t kOutside = kGates + 2 * kGroups;
constexpr std::uint32_t kPlaces[kGates] = {1, 7};

ir::Tree halls_tree() {
  ir::Tree tree;
  tree.name = "Halls";
  tree.max_depth = 1;
  const auto make = [&](Opcode opcode, const std::string& behavior, std::vector<ir::Node> children,
                        const ir::Details& details = {}) {
    ir::Node made;
    made.opcode = opcode;
    made.behavior = behavior;
    made.details = static_cast<ir::DetailsIndex>(tree.details.size());
    made.children = std::move(children);
    tree.details.push_back(details);
    return made;
  };
  const auto hall = [&](std::uint32_t number) {
    return make(Opcode::store_action, "Hall" + std::to_string(number), {});
  };
  const auto role = [&](std::uint32_t number) {
    ir::Node first = hall(number);
    ir::Node barrier = make(Opcode::store_barrier, "b", {});
    ir::Node last = hall(number);
    ir::Node work = make(Opcode::store_sequence, "", {std::move(first), std::move(barrier), std::move(last)});
    return make(Opcode::store_role, "", {std::move(work)});
  };
  std::vector<ir::Node> tried;
  for (std::uint32_t i = 0; i < kGates; ++i) {
    ir::Details details;
    details.count = kPlaces[i];
    tried.push_back(make(Opcode::store_gate, "", {hall(i)}, details));
  }
  for (std::uint32_t i = 0; i < kGroups; ++i) {
    ir::Details details;
    details.count = 2;
    details.on_leave = static_cast<layout::OnLeave>(i);
    details.timeout_us = 3;
    ir::Node one = role(kGates + 2 * i);
    ir::Node other = role(kGates + 2 * i + 1);
    tried.push_back(make(Opcode::store_group, "", {std::move(one), std::move(other)}, details));
  }
  tried.push_back(hall(kOutside));
  tree.root = make(Opcode::store_selector, "", std::move(tried));
  return tree;
}

Hall& hall_of(const Call& call) { return *static_cast<Hall*>(call.user); }

void on_enter(const Call& call) {
  Hall& hall = hall_of(call);
  const std::uint32_t inside = ++hall.inside;
  std::uint32_t largest = hall.largest;
  while (inside > largest && !hall.largest.compare_exchange_weak(largest, inside)) {
  }
}

void on_leave(const Call& call) { --hall_of(call).inside; }

Result on_update(const Call& call) {
  const std::uint32_t dice = static_cast<test::Random*>(call.host)->below(4);
  return dice == 0 ? Result::success : dice == 1 ? Result::failure : Result::running;
}

}  // namespace

TEST_CASE("gates and roles are never over-full whichever thread updates whom, and empty in the end") {
  ir::Project project;
  project.trees.push_back(halls_tree());
  test::Compiled compiled;
  test::compile(project, compiled);
  const Tree only = tree(compiled.asset, 0);
  std::vector<std::uint64_t> shared(shared_bytes(only) / 8);
  start_shared(only, shared.data());
  const std::vector<std::uint64_t> shared_before = shared;

  Hall halls[kOutside + 1];
  for (std::uint32_t i = 0; i < kGates; ++i) halls[i].maximum = kPlaces[i];
  halls[kOutside].maximum = kAgents;
  std::vector<Behavior> table(behavior_count(compiled.asset));
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    table[i].construct = on_enter;
    table[i].destruct = on_leave;
    table[i].interrupt = on_leave;
    table[i].action = on_update;
    table[i].user = &halls[behavior_name(compiled.asset, i).back() - '0'];
  }

  const std::size_t words = agent_bytes(only) / 8;
  std::vector<std::uint64_t> blocks(words * kAgents);
  std::atomic<std::size_t> begun_count{0};
  const auto work = [&](std::size_t begin, std::size_t end, std::uint64_t seed) {
    test::Random random{seed};
    Host host;
    host.behaviors = table.data();
    host.user = &random;
    host.shared = shared.data();
    for (std::size_t i = begin; i < end; ++i) start(only, &blocks[i * words]);
    for (++begun_count; begun_count < kThreads;) std::this_thread::yield();
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      host.clock_us = round;
      for (std::size_t i = begin; i < end; ++i) {
        if (random.chance(5)) stop(only, &blocks[i * words], host);
        (void)update(only, &blocks[i * words], host);
      }
    }
    for (std::size_t i = begin; i < end; ++i) stop(only, &blocks[i * words], host);
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back(work, i * kAgents / kThreads, (i + 1) * kAgents / kThreads, i);
  }
  for (std::thread& thread : threads) thread.join();

  for (std::uint32_t i = 0; i <= kOutside; ++i) {
    INFO("hall " << i);
    CHECK(halls[i].inside == 0);
    CHECK(halls[i].largest <= halls[i].maximum);
    CHECK(halls[i].largest > 0);
  }
  CHECK(shared == shared_before);
}
