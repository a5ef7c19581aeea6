// How much stack the runtime needs, measured: each function runs on a thread whose stack was painted before.
#include <pthread.h>

#include <functional>
#include <memory>

#include "payloads.h"
#include "runtime_assets.h"
#include "runtime_deciders_trees.h"
#include "runtime_poll_asset.h"
#include "runtime_random_trees.h"
#include "runtime_rules_model.h"
#include "runtime_store_model.h"
#include "runtime_store_trees.h"
#include "runtime_ticking_trees.h"
#include "unit.h"

namespace runtime_stack {

namespace {

using namespace espalier;

constexpr std::size_t kPaintedBytes = std::size_t{512} * 1024;
constexpr unsigned char kPaint = 0xA5;

// Bytes of stack that a call has used, with what starting a thread takes.
std::size_t whole_stack_of(const std::function<void()>& call) {
  const std::unique_ptr<unsigned char[]> memory(new unsigned char[kPaintedBytes + 4096]);
  auto* begin = reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(memory.get()) + 4095) / 4096 * 4096);
  std::memset(begin, kPaint, kPaintedBytes);
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstack(&attributes, begin, kPaintedBytes) == 0);
  pthread_t thread;
  const auto run = [](void* function) -> void* {
    (*static_cast<const std::function<void()>*>(function))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&call)) == 0);
  REQUIRE(pthread_join(thread, nullptr) == 0);
  pthread_attr_destroy(&attributes);
  std::size_t unused = 0;
  while (unused < kPaintedBytes && begin[unused] == kPaint) ++unused;
  return kPaintedBytes - unused;
}

// Nothing is called back, so that only the runtime's own frames count.
class Measured {
 public:
  explicit Measured(const test::DraftProject& project) {
    test::compile(project, compiled_);
    needed("open", [&] {
      Asset asset;
      REQUIRE(open(compiled_.words.data(), compiled_.size_bytes, &asset) == Status::ok);
    });
    for (std::uint32_t i = 0; i < tree_count(compiled_.asset); ++i) measure(tree(compiled_.asset, i));
  }

 private:
  static void needed(const char* what, const std::function<void()>& call) {
    static const std::size_t thread_bytes = whole_stack_of([] {});
    const std::size_t whole = whole_stack_of(call);
    const std::size_t bytes = whole > thread_bytes ? whole - thread_bytes : 0;
    INFO(what << " needs " << bytes << " bytes of stack");
    CHECK(bytes <= kMaxStackBytes);
  }

  void measure(const Tree& tree) {
    std::vector<std::uint64_t> block(agent_bytes(tree) / 8 + 1);
    std::vector<std::uint64_t> moved(block.size());
    std::vector<std::uint64_t> shared(shared_bytes(tree) / 8 + 1);
    std::vector<std::uint64_t> group(group_bytes(compiled_.asset) / 8 + 1);
    std::vector<std::uint64_t> scratch(scratch_bytes(tree) / 8 + 1);
    std::vector<Behavior> behaviors(behavior_count(compiled_.asset));
    std::vector<Behavior> conditions(host_condition_count(compiled_.asset));
    for (Behavior& behavior : behaviors) behavior.tick = [](const Call*) { return ESPALIER_RUNNING; };
    for (Behavior& condition : conditions) {
      condition.ask = [](const Call*) { return true; };
      condition.decide = [](const Call*) { return 1.0; };
    }
    start_shared(tree, shared.data());
    start_group(compiled_.asset, group.data());
    start(tree, block.data());
    Host host;
    host.behaviors = behaviors.data();
    host.conditions = conditions.data();
    host.shared = shared.data();
    host.group = group.data();
    host.scratch = scratch.data();
    const Watcher watcher;
    needed("update", [&] { update(tree, block.data(), host); });
    host.clock_us += 1'000'000;
    for (std::uint32_t i = 0; i < signal_count(tree); ++i) {
      needed("signal", [&] { signal(tree, block.data(), i, host); });
    }
    needed("update_watched", [&] { update_watched(tree, block.data(), host, watcher); });
    needed("update_all", [&] { update_all(tree, block.data(), block.size() * 8, 1, host); });
    needed("visit_active", [&] {
      visit_active(
          tree, block.data(), [](void*, std::uint32_t) {}, nullptr);
    });
    needed("check_agent", [&] { CHECK(check_agent(tree, block.data(), shared.data()) == Status::ok); });
    if (rule_count(tree) > 0) needed("jump", [&] { jump(tree, block.data(), 0, host); });
    needed("move_agent", [&] { move_agent(tree, block.data(), host, tree, moved.data(), host); });
    needed("stop", [&] { stop(tree, moved.data(), host); });
  }

  test::Compiled compiled_;
};

#ifdef ESPALIER_TESTS_SANITIZED  // what is tested, not this file
constexpr bool kIsInstrumented = true;
#else
constexpr bool kIsInstrumented = false;
#endif

}  // namespace

TEST_CASE("no function of the runtime needs more stack than the header says") {
  if (kIsInstrumented) return;  // frames are several times as large
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    INFO("seed " << seed);
    test::Random random{seed};
    Measured select(test::random_project(random));
    Measured tick(test::random_ticking_project(random));
    Measured rule(test::random_rules(random));
    Measured decide(test::ir_of(test::random_deciders(random)));
    Measured store(test::ir_of(test::random_store_project(random)));
    Measured poll(test::random_polling_project(random));
    Measured plain(test::random_plain_polling_project(random));
  }
}

}  // namespace runtime_stack
