// Engines are given when an asset is opened: trees of other engines do not run.
#include <cstring>
#include <iterator>
#include <vector>

#include "runtime/asset/view.h"
#include "runtime_assets.h"
#include "unit.h"

namespace runtime_engines {

using namespace espalier;

namespace {

struct Kind {
  const char* name;
  const Engine* engine;
  test::Bytes (*asset)(bool strip);
};
const Kind kKinds[] = {
    {"select", select_engine(), test::small_asset},     {"tick", tick_engine(), test::small_ticking_asset},
    {"rule", rule_engine(), test::small_rules_asset},   {"decide", decide_engine(), test::small_deciders_asset},
    {"store", store_engine(), test::small_store_asset}, {"poll", poll_engine(), test::small_poll_asset}};
static_assert(std::size(kKinds) == kEngineCount);

}  // namespace

TEST_CASE("an asset opens with the engines of its trees") {
  for (const Kind& kind : kKinds) {
    CAPTURE(kind.name);
    const test::Bytes bytes = kind.asset(false);
    Asset asset;
    REQUIRE(open_with(&kind.engine, 1, bytes.data(), bytes.size(), &asset) == Status::ok);
    alignas(kAgentAlignment) unsigned char block[4096];
    const Tree whole = tree(asset, 0);
    REQUIRE(agent_bytes(whole) <= sizeof block);
    start(whole, block);
    CHECK(check_agent(whole, block, nullptr) == Status::ok);
  }
}

TEST_CASE("an update is watched with the engine of its tree alone") {
  for (const Kind& kind : kKinds) {
    CAPTURE(kind.name);
    const test::Bytes bytes = kind.asset(false);
    Asset asset;
    REQUIRE(open_with(&kind.engine, 1, bytes.data(), bytes.size(), &asset) == Status::ok);
    const Tree whole = tree(asset, 0);
    std::vector<std::uint64_t> blocks[2];
    std::vector<std::uint64_t> shared[2];
    Host hosts[2];
    for (int i = 0; i < 2; ++i) {
      blocks[i].resize(agent_bytes(whole) / 8 + 1);
      shared[i].resize(shared_bytes(whole) / 8 + 1);
      start(whole, blocks[i].data());
      start_shared(whole, shared[i].data());
      hosts[i].shared = shared[i].data();
    }
    int told = 0;
    Watcher watcher;
    watcher.user = &told;
    watcher.step = [](void* user, const Step*) { ++*static_cast<int*>(user); };
    watcher.node = [](void* user, const NodeStep*) { ++*static_cast<int*>(user); };
    watcher.decide = [](void* user, const DecideStep*) { ++*static_cast<int*>(user); };
    CHECK(update_watched(whole, blocks[0].data(), hosts[0], watcher) == update(whole, blocks[1].data(), hosts[1]));
    CHECK(told > 0);
    CHECK(blocks[0] == blocks[1]);
    CHECK(shared[0] == shared[1]);
  }
}

TEST_CASE("an engine that does not reload stops an agent that is moved, and keeps what has a name") {
  const test::Bytes bytes = test::small_asset(false);
  const Engine* const engines[] = {select_engine(), select_reload_engine()};
  for (const Engine* engine : engines) {
    Asset asset;
    REQUIRE(open_with(&engine, 1, bytes.data(), bytes.size(), &asset) == Status::ok);
    const Tree whole = tree(asset, 0);
    alignas(kAgentAlignment) unsigned char blocks[2][64];
    start(whole, blocks[0]);
    std::vector<Behavior> table(behavior_count(asset));
    int left = 0;
    for (Behavior& behavior : table) {
      behavior.user = &left;
      behavior.leave = [](const Call* call) { ++*static_cast<int*>(call->user); };
    }
    Host host;
    host.behaviors = table.data();
    set(whole, blocks[0], 0, true);
    REQUIRE(update(whole, blocks[0], host) == Result::running);
    move_agent(whole, blocks[0], host, whole, blocks[1], host);
    const bool reloads = engine == select_reload_engine();
    CHECK((current_leaf(whole, blocks[1]) == kNoLeaf) != reloads);
    CHECK(left == (reloads ? 0 : 1));
    CHECK(variable(whole, blocks[1], 0));
  }
}

TEST_CASE("an asset with a tree of another engine is refused") {
  for (const Kind& kind : kKinds) {
    CAPTURE(kind.name);
    const test::Bytes bytes = kind.asset(false);
    const Engine* others[kEngineCount];
    std::size_t count = 0;
    for (const Kind& other : kKinds) {
      if (other.engine != kind.engine) others[count++] = other.engine;
    }
    for (const std::size_t given : {std::size_t{0}, count}) {
      Asset asset;
      asset.internal[0] = bytes.data();
      Fault fault;
      CHECK(open_with(others, given, bytes.data(), bytes.size(), &asset, &fault) == Status::missing_engine);
      CHECK(fault.status == Status::missing_engine);
      CHECK(std::strcmp(fault.reason, "its trees need an engine that was not given") == 0);
      CHECK(asset.internal[0] == bytes.data());  // left as it was
    }
    CHECK(std::strcmp(status_text(Status::missing_engine), "the asset has a tree of an engine that was not given") ==
          0);
  }
}

}  // namespace runtime_engines
