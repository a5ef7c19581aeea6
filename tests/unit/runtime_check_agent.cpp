// Blocks that come from a saved game: what agents leave is accepted, and any other bytes are refused or do no harm. Run
// with the sanitizers for the latter.
#include <algorithm>
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
#include "tests/fuzz/saved.h"
#include "unit.h"

namespace runtime_check_agent {

namespace {

using namespace espalier;

test::DraftProject random_project(EngineId engine_id, test::Random& random) {
  switch (engine_id) {
    case EngineId::select:
      return test::random_project(random);
    case EngineId::tick:
      return test::random_ticking_project(random);
    case EngineId::rule:
      return test::random_rules(random);
    case EngineId::decide:
      return test::ir_of(test::random_deciders(random));
    case EngineId::store:
      return test::ir_of(test::random_store_project(random));
    case EngineId::poll:
      return test::random_polling_project(random);
  }
  return {};
}

constexpr EngineId kEngines[] = {EngineId::select, EngineId::tick,  EngineId::rule,
                                 EngineId::decide, EngineId::store, EngineId::poll};

struct Tally {
  std::size_t accepted = 0;
  std::size_t refused = 0;
  void count(bool is_accepted) { ++(is_accepted ? accepted : refused); }
};

// Blocks that real agents have left, each with the block that they share.
struct Saved {
  std::vector<unsigned char> block;
  std::vector<unsigned char> shared;
};

Saved saved_after(const Tree& tree, int steps, std::uint64_t seed) {
  fuzz::SavedGame game(tree, seed);
  game.play(steps);
  return {{game.block(0), game.block(0) + agent_bytes(tree)}, {game.shared(), game.shared() + shared_bytes(tree)}};
}

// Which bytes of an agent's block belong to numbers of 64 bits and more: times, generators, what a host gives. Each of
// their bytes has very many values that are alike.
std::vector<bool> bytes_of_long_numbers(const Tree& tree) {
  std::vector<bool> result(agent_bytes(tree));
  const layout::Part* parts = parts_of(*tree.asset, tree_record(tree));
  for (std::uint32_t i = 0; i < EngineParts(engine_id_of(tree)).size(); ++i) {
    if (parts[i].bits < 64) continue;
    const auto begin = result.begin() + static_cast<std::ptrdiff_t>(parts[i].offset_bits / 8);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(std::size_t{parts[i].count} * parts[i].bits / 8), true);
  }
  return result;
}

// Of each byte the values that differ in one bit or by one, and of a small number all that are near.
void mutate(const Tree& tree, const Saved& saved, bool near_values, Tally& tally) {
  fuzz::SavedGame game(tree, 1);
  std::vector<unsigned char> bytes = saved.block;
  const std::vector<bool> is_long = bytes_of_long_numbers(tree);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const unsigned char old = bytes[i];
    for (unsigned change = 1; change < 256;
         change = near_values && !is_long[i] && change < 16 ? change + 1 : change * 2) {
      bytes[i] = static_cast<unsigned char>(old ^ change);
      tally.count(game.load(bytes.data(), saved.shared.data(), i * 256 + change));
    }
    for (const int more : {-1, 1}) {
      bytes[i] = static_cast<unsigned char>(old + more);
      tally.count(game.load_and_end(bytes.data(), saved.shared.data(), i));
    }
    bytes[i] = old;
  }
  std::vector<unsigned char> shared = saved.shared;
  for (std::size_t i = 0; i < shared.size(); ++i) {
    const unsigned char old = shared[i];
    for (unsigned change = 1; change < 256; change = change == 128 ? 255 : change * 2) {
      shared[i] = static_cast<unsigned char>(old ^ change);
      tally.count(game.load(saved.block.data(), shared.data(), change));
      tally.count(game.load_and_end(saved.block.data(), shared.data(), change));
    }
    shared[i] = old;
  }
}

void try_random_blocks(const Tree& tree, const Saved& saved, std::uint64_t seed, Tally& tally) {
  test::Random random{seed};
  fuzz::SavedGame game(tree, seed);
  std::vector<unsigned char> bytes(saved.block.size());
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t most = i % 2 == 0 ? 256 : 4;  // small numbers are accepted more often
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.below(most));
    tally.count(game.load(bytes.data(), saved.shared.data(), random.next()));
    tally.count(game.load_and_end(bytes.data(), saved.shared.data(), random.next()));
  }
  // Combines parts of two real blocks.
  const Saved other = saved_after(tree, 30, seed + 1);
  for (int i = 0; i < 20; ++i) {
    bytes = saved.block;
    for (std::size_t at = random.below(static_cast<std::uint32_t>(bytes.size())); at < bytes.size(); ++at) {
      bytes[at] = other.block[at];
    }
    tally.count(game.load(bytes.data(), i % 2 == 0 ? saved.shared.data() : other.shared.data(), random.next()));
  }
}

}  // namespace

TEST_CASE("what agents leave is accepted at every step") {
  for (const EngineId engine_id : kEngines) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      INFO("engine " << static_cast<int>(engine_id) << ", seed " << seed);
      test::Random random{seed};
      test::Compiled compiled;
      test::compile(random_project(engine_id, random), compiled, seed % 2 == 0);
      for (std::uint32_t i = 0; i < tree_count(compiled.asset); ++i) {
        fuzz::SavedGame(tree(compiled.asset, i), seed).play(60);  // aborts if one is refused
      }
    }
  }
  SUCCEED();
}

TEST_CASE("every changed byte of an agent's block is refused or does no harm", "[hostile]") {
  Tally tally;
  for (const test::Bytes& asset_bytes :
       {test::small_asset(false), test::small_ticking_asset(false), test::small_rules_asset(false),
        test::small_deciders_asset(false), test::small_store_asset(false), test::overlapping_store_asset(false),
        test::small_poll_asset(false)}) {
    std::vector<std::uint64_t> words(asset_bytes.size() / 8);
    std::memcpy(words.data(), asset_bytes.data(), asset_bytes.size());
    Asset asset;
    REQUIRE(open(words.data(), asset_bytes.size(), &asset) == Status::ok);
    for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
      mutate(tree(asset, i), saved_after(tree(asset, i), 20, i), true, tally);
    }
  }
  CHECK(tally.accepted > 0);
  CHECK(tally.refused > 0);
}

TEST_CASE("changed and random blocks of random trees are refused or do no harm", "[hostile]") {
  for (const EngineId engine_id : kEngines) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 25; seed += static_cast<std::uint64_t>(usual_stride())) {
      INFO("engine " << static_cast<int>(engine_id) << ", seed " << seed);
      test::Random random{seed + 1000};
      test::Compiled compiled;
      test::compile(random_project(engine_id, random), compiled);
      const Tree tree = espalier::tree(compiled.asset, 0);
      const std::size_t most_bytes = engine_id == EngineId::poll ? 1500 : 400;
      if (agent_bytes(tree) + shared_bytes(tree) > most_bytes) continue;
      const Saved saved = saved_after(tree, 10 + static_cast<int>(seed), seed);
      mutate(tree, saved, false, tally);
      try_random_blocks(tree, saved, seed, tally);
    }
    CHECK(tally.accepted > 0);
    CHECK(tally.refused > 0);
  }
}

TEST_CASE("a block that lies at no multiple of its alignment is refused") {
  test::Random random{1};
  test::Compiled compiled;
  test::compile(random_project(EngineId::select, random), compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  std::vector<std::uint64_t> block(agent_bytes(tree) / 8 + 1);
  start(tree, block.data());
  CHECK(check_agent(tree, block.data()) == Status::ok);
  CHECK(check_agent(tree, reinterpret_cast<unsigned char*>(block.data()) + 4) == Status::misaligned);
  CHECK(check_shared(tree, reinterpret_cast<unsigned char*>(block.data()) + 1) == Status::misaligned);
}

TEST_CASE("an agent of a saved game that ticks has its places again, once") {
  const auto bytes = test::small_ticking_asset(false);
  std::vector<std::uint64_t> words(bytes.size() / 8);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  Asset asset;
  REQUIRE(open(words.data(), bytes.size(), &asset) == Status::ok);
  const Tree tree = espalier::tree(asset, 0);
  std::vector<Behavior> table(behavior_count(asset));
  for (Behavior& behavior : table) behavior.tick = [](const Call*) { return ESPALIER_RUNNING; };
  std::vector<std::uint64_t> shared(shared_bytes(tree) / 8);
  std::vector<std::uint64_t> group(group_bytes(asset) / 8);
  const auto begin_places = [&] {
    start_shared(tree, shared.data());
    start_group(asset, group.data());
  };
  begin_places();
  Host host;
  host.behaviors = table.data();
  host.shared = shared.data();
  host.group = group.data();
  host.script = [](const Call*, std::uint32_t) { return true; };
  const auto begun = [&] {
    std::vector<std::uint64_t> block(agent_bytes(tree) / 8);
    start(tree, block.data());
    return block;
  };
  std::vector<std::uint64_t> agent = begun();
  for (std::uint32_t i = 0; i < variable_count(tree); ++i) set(tree, agent.data(), i, true);
  for (int i = 0; i < 3; ++i) update(tree, agent.data(), host);
  const std::vector<std::uint64_t> saved_shared = shared;
  const std::vector<std::uint64_t> saved_group = group;
  const std::vector<std::uint64_t> saved = agent;

  begin_places();  // as after a restart
  agent = begun();
  REQUIRE(check_agent(tree, saved.data()) == Status::ok);
  restore(tree, agent.data(), saved.data(), host);
  CHECK(agent == saved);
  CHECK(shared == saved_shared);
  CHECK(group == saved_group);
  stop(tree, agent.data(), host);
  CHECK(shared == std::vector<std::uint64_t>(shared.size()));
  CHECK(group == std::vector<std::uint64_t>(group.size()));
}

}  // namespace runtime_check_agent
