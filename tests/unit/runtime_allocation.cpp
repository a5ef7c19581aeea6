// The promises of the runtime: updates allocate nothing, a copied block is a saved agent, agents of one tree can be
// updated from several threads, and updating many at once has the same effect as updating each in turn.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>
#include <vector>

#include "payloads.h"
#include "runtime/format/opcodes/select.h"
#include "runtime_random_trees.h"
#include "unit.h"

namespace {

std::atomic<std::uint64_t> allocation_count{0};

void* counted(std::size_t size_bytes) {
  ++allocation_count;
  void* memory = std::malloc(size_bytes == 0 ? 1 : size_bytes);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

// Of the whole test program, in every form that it uses.
void* operator new(std::size_t size_bytes) { return counted(size_bytes); }
void* operator new[](std::size_t size_bytes) { return counted(size_bytes); }
void* operator new(std::size_t size_bytes, const std::nothrow_t&) noexcept { return counted(size_bytes); }
void* operator new[](std::size_t size_bytes, const std::nothrow_t&) noexcept { return counted(size_bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

using namespace espalier;

// Many agents of one tree, one after the other in memory.
class Herd {
 public:
  Herd(const Tree& tree, std::size_t count)
      : tree_(tree), stride_bytes_(agent_bytes(tree)), words_(stride_bytes_ / 8 * count) {
    for (std::size_t i = 0; i < count; ++i) start(tree, agent(i));
  }
  unsigned char* agent(std::size_t index) {
    return reinterpret_cast<unsigned char*>(words_.data()) + index * stride_bytes_;
  }
  const std::vector<std::uint64_t>& words() const { return words_; }

  // Changes something in agents [begin, end), each with its own dice.
  void disturb(std::size_t begin, std::size_t end, std::uint64_t round) {
    for (std::size_t i = begin; i < end; ++i) {
      test::Random random{i * 1000 + round};
      if (random.chance(50)) set(tree_, agent(i), random.below(variable_count(tree_)), random.chance(50));
      if (signal_count(tree_) > 0 && random.chance(30)) signal(tree_, agent(i), random.below(signal_count(tree_)), {});
    }
  }

  void update_range(std::size_t begin, std::size_t end, const Host& host) {
    update_all(tree_, agent(begin), stride_bytes_, end - begin, host);
  }

 private:
  Tree tree_;
  std::size_t stride_bytes_;
  std::vector<std::uint64_t> words_;
};

// A tree that is large enough to change its leaf often.
void compile_example(test::Compiled& compiled) {
  test::Random random{5};
  test::TreeShape shape;
  shape.max_nodes = 400;
  shape.max_variables = 12;
  test::DraftProject project;
  project.trees.push_back(test::random_tree(random, shape, "Example"));
  test::compile(project, compiled);
}

struct Calls {
  std::atomic<std::uint32_t> count{0};
};

void count_call(const Call* call) { ++static_cast<Calls*>(call->host->user)->count; }

}  // namespace

TEST_CASE("starting, signals, updates and stopping allocate nothing") {
  test::Compiled compiled;
  compile_example(compiled);
  const Tree only = tree(compiled.asset, 0);
  Herd herd(only, 200);
  std::vector<Behavior> table(behavior_count(compiled.asset), Behavior{count_call, count_call});
  Calls calls;
  const Host host = {table.data(), &calls, 0};
  const Watcher watcher = {[](void*, const Step*) {}, nullptr};

  const std::uint64_t before = allocation_count;
  Asset again;
  const Status status = open(compiled.words.data(), compiled.size_bytes, &again);
  for (std::uint64_t round = 0; round < 50; ++round) {
    herd.disturb(0, 200, round);
    herd.update_range(0, 150, host);
    for (std::size_t i = 150; i < 200; ++i) (void)update_watched(only, herd.agent(i), host, watcher);
  }
  for (std::size_t i = 0; i < 200; ++i) stop(only, herd.agent(i), host);
  const std::uint64_t after = allocation_count;

  CHECK(status == Status::ok);
  CHECK(after == before);
  CHECK(calls.count > 1000);
}

TEST_CASE("an agent needs a bit a variable, two bytes for its leaf and a byte a machine, rounded up to 8") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    test::Random random{seed};
    test::DraftProject project;
    project.trees.push_back(test::random_tree(random, test::random_shape(random), "T"));
    test::Compiled compiled;
    test::compile(project, compiled);
    std::size_t machine_count = 0;
    std::vector<const test::Draft*> left = {&project.trees[0].root};
    while (!left.empty()) {
      const test::Draft* next = left.back();
      left.pop_back();
      machine_count += next->opcode == opcode::select_machine ? 1 : 0;
      for (const test::Draft& child : next->children) left.push_back(&child);
    }
    const std::size_t needed = (project.trees[0].variables.size() + 7) / 8 + 2 + machine_count;
    INFO("seed " << seed << ", machines " << machine_count << ", variables " << project.trees[0].variables.size());
    CHECK(agent_bytes(tree(compiled.asset, 0)) <= (needed + 7) / 8 * 8);
  }
}

TEST_CASE("a copied block goes on as the agent it was copied from") {
  test::Compiled compiled;
  compile_example(compiled);
  const Tree only = tree(compiled.asset, 0);
  const Host host;
  Herd first(only, 1);
  for (std::uint64_t round = 0; round < 20; ++round) {
    first.disturb(0, 1, round);
    first.update_range(0, 1, host);
  }
  Herd second(only, 1);
  std::memcpy(second.agent(0), first.agent(0), agent_bytes(only));
  for (std::uint64_t round = 20; round < 200; ++round) {
    for (Herd* herd : {&first, &second}) {
      herd->disturb(0, 1, round);
      herd->update_range(0, 1, host);
    }
    REQUIRE(first.words() == second.words());
  }
}

TEST_CASE("updating many agents at once is updating each in turn") {
  test::Compiled compiled;
  compile_example(compiled);
  const Tree only = tree(compiled.asset, 0);
  const Host host;
  Herd together(only, 300);
  Herd in_turn(only, 300);
  for (std::uint64_t round = 0; round < 30; ++round) {
    together.disturb(0, 300, round);
    in_turn.disturb(0, 300, round);
    together.update_range(0, 300, host);
    for (std::size_t i = 0; i < 300; ++i) (void)update(only, in_turn.agent(i), host);
    REQUIRE(together.words() == in_turn.words());
  }
}

TEST_CASE("agents that are updated by four threads do as those updated by one") {
  test::Compiled compiled;
  compile_example(compiled);
  const Tree only = tree(compiled.asset, 0);
  std::vector<Behavior> table(behavior_count(compiled.asset), Behavior{count_call, count_call});
  Calls calls_of_four;
  Calls calls_of_one;
  constexpr std::size_t kCount = 1000;
  constexpr std::uint64_t kRounds = 30;
  Herd by_four(only, kCount);
  Herd by_one(only, kCount);
  const auto run = [&](Herd& herd, std::size_t begin, std::size_t end, Calls& calls) {
    const Host host = {table.data(), &calls, 0};
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      herd.disturb(begin, end, round);
      herd.update_range(begin, end, host);
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] { run(by_four, i * kCount / 4, (i + 1) * kCount / 4, calls_of_four); });
  }
  for (std::thread& thread : threads) thread.join();
  run(by_one, 0, kCount, calls_of_one);
  CHECK(by_four.words() == by_one.words());
  CHECK(calls_of_four.count == calls_of_one.count);
  CHECK(calls_of_one.count > kCount);
}
