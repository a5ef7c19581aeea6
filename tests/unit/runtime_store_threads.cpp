// Agents of trees that store their results, updated by several threads: no gate is ever over-full, no role has two
// agents, and every place is given back. Made to be run under the thread sanitizer too, as the program unit_threads.
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "payloads.h"
#include "runtime/format/opcodes/store.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_store_threads {

namespace {

using namespace espalier;

constexpr std::size_t kThreads = 8;
constexpr std::size_t kAgents = 10000;
constexpr std::uint32_t kRounds = 30;

// What contains an action: a gate, or a role, which is for one agent.
struct Hall {
  std::uint32_t maximum = 1;
  std::atomic<std::uint32_t> inside{0};
  std::atomic<std::uint32_t> largest{0};
  std::uint64_t passed = 0;  // only for a hall for one agent: the agent inside needs no lock
};

// Hall0 to Hall3 are in gates: after a monitor, with only an action, around a cooldown, and in a tree that is put into
// a slot. Hall4 to Hall9 are in the roles of three groups of two, Hall10 is outside.
constexpr std::uint32_t kGates = 4;
constexpr std::uint32_t kGroups = 3;
constexpr std::uint32_t kOutside = kGates + 2 * kGroups;
constexpr std::uint32_t kPlaces[kGates] = {1, 7, 1, 3};

test::DraftProject halls_project() {
  test::DraftProject project;
  project.slots.emplace_back().name = "s";
  test::DraftTree tree;
  const auto make = [](Opcode opcode, std::vector<test::Draft> children, test::Operands operands = {}) {
    return test::node_of(opcode, {}, std::move(operands), std::move(children));
  };
  const auto named = [&](Opcode opcode, const std::string& name) {
    test::Draft made = make(opcode, {});
    test::set_behavior(made, name);
    return made;
  };
  const auto hall = [&](std::uint32_t number) { return named(opcode::store_action, "Hall" + std::to_string(number)); };
  const auto role = [&](std::uint32_t number) {
    test::Draft first = hall(number);
    test::Draft barrier = make(opcode::store_barrier, {}, {ir::Barrier{"b"}});
    test::Draft last = hall(number);
    test::Draft work = make(opcode::store_sequence, {std::move(first), std::move(barrier), std::move(last)});
    return make(opcode::store_role, {std::move(work)});
  };
  const auto gate = [&](std::uint32_t number, test::Draft inside) {
    return make(opcode::store_gate, {std::move(inside)}, {ir::Limit{kPlaces[number], {}}});
  };
  tree.name = "Annex";
  tree.parts = ir::Storing{2, {}};
  tree.root = gate(3, hall(3));
  project.trees.push_back(std::exchange(tree, {}));

  tree.name = "Halls";
  tree.parts = ir::Storing{2, {}};
  std::vector<test::Draft> tried;
  test::Draft alarm = make(opcode::store_monitor, {named(opcode::store_condition, "Alarm")});
  tried.push_back(make(opcode::store_sequence, {std::move(alarm), gate(0, hall(0))}));
  tried.push_back(gate(1, hall(1)));
  tried.push_back(gate(2, make(opcode::store_cooldown_all, {hall(2)}, {ir::Duration{2, 0}})));
  tried.push_back(make(opcode::store_child, {}, {ir::ChildTree{"s", {}}}));
  for (std::uint32_t i = 0; i < kGroups; ++i) {
    test::Draft one = role(kGates + 2 * i);
    test::Draft other = role(kGates + 2 * i + 1);
    tried.push_back(
        make(opcode::store_group, {std::move(one), std::move(other)}, {ir::Group{3, static_cast<layout::OnLeave>(i)}}));
  }
  tried.push_back(hall(kOutside));
  tree.root = make(opcode::store_selector, std::move(tried));
  project.trees.push_back(std::move(tree));
  return project;
}

Hall& hall_of(const Call* call) { return *static_cast<Hall*>(call->user); }

void on_enter(const Call* call) {
  Hall& hall = hall_of(call);
  if (hall.maximum == 1) ++hall.passed;
  const std::uint32_t inside = ++hall.inside;
  std::uint32_t largest = hall.largest;
  while (inside > largest && !hall.largest.compare_exchange_weak(largest, inside)) {
  }
}

// `passed` is touched first and last, so that only the place itself orders the accesses.
void on_leave(const Call* call) {
  Hall& hall = hall_of(call);
  --hall.inside;
  if (hall.maximum == 1) ++hall.passed;
}

test::Random& random_of(const Call* call) { return *static_cast<test::Random*>(call->host->user); }

bool is_alarmed(const Call* call) { return random_of(call).chance(3); }

espalier_result on_update(const Call* call) {
  const std::uint32_t dice = random_of(call).below(4);
  return dice == 0 ? Result::success : dice == 1 ? Result::failure : Result::running;
}

}  // namespace

TEST_CASE("gates and roles are never over-full whichever thread updates whom, and empty in the end") {
  test::Compiled compiled;
  test::compile(halls_project(), compiled);
  const Tree only = tree(compiled.asset, 1);
  std::vector<std::uint64_t> shared(shared_bytes(only) / 8);
  start_shared(only, shared.data());
  const std::vector<std::uint64_t> shared_before = shared;

  Hall halls[kOutside + 1];
  for (std::uint32_t i = 0; i < kGates; ++i) halls[i].maximum = kPlaces[i];
  halls[kOutside].maximum = kAgents;
  std::vector<Behavior> table(behavior_count(compiled.asset));
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    table[i].enter = on_enter;
    table[i].leave = on_leave;
    table[i].interrupt = on_leave;
    table[i].tick = on_update;
    table[i].user = &halls[std::stoul(std::string(behavior_name(compiled.asset, i).substr(4)))];
  }
  Behavior alarm;
  alarm.ask = is_alarmed;

  const std::size_t words = agent_bytes(only) / 8;
  std::vector<std::uint64_t> blocks(words * kAgents);
  std::atomic<std::size_t> begun_count{0};
  std::atomic<bool> all_taken{true};
  const auto work = [&](std::size_t begin, std::size_t end, std::uint64_t seed) {
    test::Random random{seed};
    Host host;
    host.behaviors = table.data();
    host.conditions = &alarm;
    host.user = &random;
    host.shared = shared.data();
    for (std::size_t i = begin; i < end; ++i) start(only, &blocks[i * words]);
    for (++begun_count; begun_count < kThreads;) std::this_thread::yield();
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      host.clock_us = round;
      for (std::size_t i = begin; i < end; ++i) {
        if (random.chance(5)) stop(only, &blocks[i * words], host);
        if (random.chance(5)) {
          const std::uint32_t injected = random.chance(60) ? 0 : kNoTree;
          all_taken = all_taken && inject(only, &blocks[i * words], 0, injected, random.chance(50), host) == Status::ok;
        }
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
  CHECK(all_taken);
  // Except the time of the cooldown, which is after the places of the gates.
  const auto is_cooldown = [&](std::size_t word) { return word == kGates; };
  for (std::size_t i = 0; i < shared.size(); ++i) CHECK((is_cooldown(i) || shared[i] == shared_before[i]));
}

}  // namespace runtime_store_threads
