// Agents of one tree that are updated by several threads: gates that count agents are never over-full, and every place
// is given back. Run under the thread sanitizer too, as the program unit_threads.
#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "payloads.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime/tick/counter.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace runtime_threads {

namespace {

using namespace espalier;

constexpr std::size_t kThreads = 8;
constexpr std::size_t kAgents = 10000;
constexpr std::uint32_t kRounds = 40;

// A gate with its behaviour inside: how many agents may be there, and are.
struct Room {
  std::uint32_t maximum = 0;
  std::atomic<std::uint32_t> inside{0};
  std::atomic<std::uint32_t> largest{0};
  std::uint64_t entered = 0;  // only for a room for one agent: the agent inside needs no lock
};

constexpr std::uint32_t kRoomCount = 4;
constexpr std::uint32_t kMaxima[kRoomCount] = {1, 7, 1, 40};

// By a dice each agent tries a limit for one and a larger one, or the same with scopes, and else stays outside; this
// repeats forever.
test::DraftTree rooms_tree() {
  test::DraftTree tree;
  tree.name = "Rooms";
  tree.variables = {{"v", false, {}}};
  tree.parts = ir::Ticking();
  const auto make = [](Opcode opcode, test::Operands operands, std::vector<test::Draft> children) {
    return test::node_of(opcode, {}, std::move(operands), std::move(children));
  };
  const auto room = [&](std::uint32_t number) {
    test::Draft action = make(opcode::tick_action, {}, {});
    test::set_behavior(action, "Room" + std::to_string(number));
    if (number == kRoomCount) return action;
    const ir::Limit limit = {kMaxima[number], "Scope" + std::to_string(number)};
    return make(number < 2 ? opcode::tick_limit : opcode::tick_scope, {limit}, {std::move(action)});
  };
  test::Draft limits = make(opcode::tick_selector, {}, {room(0), room(1), room(kRoomCount)});
  test::Draft scopes = make(opcode::tick_selector, {}, {room(2), room(3), room(kRoomCount)});
  test::Draft sometimes = make(opcode::tick_chance_guard, {ir::Chance{std::uint64_t{1} << 52}}, {std::move(limits)});
  test::Draft either = make(opcode::tick_selector, {}, {std::move(sometimes), std::move(scopes)});
  tree.root = make(opcode::tick_loop, {}, {make(opcode::tick_suppress, {}, {std::move(either)})});
  return tree;
}

Room* room_of(const Call* call) { return static_cast<Room*>(call->user); }

// `entered` is touched first and last, so that only the place itself orders the accesses.
void on_enter(const Call* call) {
  Room& room = *room_of(call);
  if (room.maximum == 1) ++room.entered;
  const std::uint32_t inside = ++room.inside;
  std::uint32_t largest = room.largest;
  while (inside > largest && !room.largest.compare_exchange_weak(largest, inside)) {
  }
}

void on_leave(const Call* call) {
  Room& room = *room_of(call);
  --room.inside;
  if (room.maximum == 1) ++room.entered;
}

espalier_result on_update(const Call* call) {
  const std::uint32_t dice = static_cast<test::Random*>(call->host->user)->below(3);
  return dice == 0 ? Result::success : dice == 1 ? Result::failure : Result::running;
}

}  // namespace

#ifdef __GNUC__
TEST_CASE("halves of a word count apart from each other, whichever thread changes them") {
  alignas(8) HalfWord halves[4] = {HalfWord(0), HalfWord(7), HalfWord(0xFFFF), HalfWord(1)};
  constexpr int kChanges = 20000;
  constexpr auto kOrder = std::memory_order_relaxed;
  std::vector<std::thread> threads;
  for (HalfWord& half : halves) {
    threads.emplace_back([&half] {  // through all values and over both ends
      for (int i = 0; i < 4 * kChanges; ++i) half.fetch_add(1, kOrder);
      for (int i = 0; i < 3 * kChanges; ++i) half.fetch_sub(1, kOrder);
      for (int i = 0; i < kChanges; ++i) {
        std::uint16_t seen = half.load(kOrder);
        while (!half.compare_exchange_weak(seen, static_cast<std::uint16_t>(seen - 1), kOrder, kOrder)) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const int left[] = {halves[0].load(kOrder), halves[1].load(kOrder), halves[2].load(kOrder), halves[3].load(kOrder)};
  CHECK(left[0] == 0);
  CHECK(left[1] == 7);
  CHECK(left[2] == 0xFFFF);
  CHECK(left[3] == 1);
}
#endif

TEST_CASE("limits and scopes are never over-full whichever thread updates whom, and empty in the end") {
  test::DraftProject project;
  project.trees.push_back(rooms_tree());
  test::Compiled compiled;
  test::compile(project, compiled);
  const Tree only = tree(compiled.asset, 0);
  std::vector<std::uint64_t> shared(shared_bytes(only) / 8);
  std::vector<std::uint64_t> group(group_bytes(compiled.asset) / 8);
  start_shared(only, shared.data());
  start_group(compiled.asset, group.data());
  const std::vector<std::uint64_t> shared_before = shared;
  const std::vector<std::uint64_t> group_before = group;

  Room rooms[kRoomCount + 1];
  for (std::uint32_t i = 0; i < kRoomCount; ++i) rooms[i].maximum = kMaxima[i];
  std::vector<Behavior> table(behavior_count(compiled.asset));
  for (std::uint32_t i = 0; i <= kRoomCount; ++i) {
    const std::uint32_t number = static_cast<std::uint32_t>(behavior_name(compiled.asset, i).back() - '0');
    table[i] = {on_enter, on_leave, on_update};
    table[i].user = &rooms[number];
  }

  const std::size_t words = agent_bytes(only) / 8;
  std::vector<std::uint64_t> blocks(words * kAgents);
  std::atomic<std::size_t> begun_count{0};
  const auto work = [&](std::size_t begin, std::size_t end, std::uint64_t seed) {
    test::Random random{seed};
    const Host host = {table.data(), &random, 0, 0, shared.data(), group.data()};
    for (std::size_t i = begin; i < end; ++i) {
      start(only, &blocks[i * words]);
      espalier::seed(only, &blocks[i * words], i);
    }
    for (++begun_count; begun_count < kThreads;) std::this_thread::yield();
    for (std::uint32_t round = 0; round < kRounds; ++round) {
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

  for (std::uint32_t i = 0; i < kRoomCount; ++i) {
    INFO("room " << i);
    CHECK(rooms[i].inside == 0);
    CHECK(rooms[i].largest <= rooms[i].maximum);
    CHECK(rooms[i].largest > 0);
    if (rooms[i].maximum == 1) CHECK(rooms[i].entered > 0);
    if (rooms[i].maximum == 1) CHECK(rooms[i].entered % 2 == 0);
  }
  CHECK(rooms[kRoomCount].largest > 100);  // most find no room
  CHECK(shared == shared_before);
  CHECK(group == group_before);
}

}  // namespace runtime_threads
