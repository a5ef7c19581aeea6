// What the fuzzers share: using an accepted asset in every way that a host can.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <espalier/espalier.hpp>
#include <memory>
#include <vector>

namespace fuzz {

// Deterministic numbers out of the input's last bytes on.
struct Dice {
  std::uint64_t state;
  std::uint32_t below(std::uint32_t count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(((state >> 32) * count) >> 32);
  }
};

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void read_names(const espalier::Tree& tree) {
  for (std::uint32_t i = 0; i < variable_count(tree); ++i) {
    require(std::strlen(variable_name(tree, i).data()) == variable_name(tree, i).size());
  }
  for (std::uint32_t i = 0; i < signal_count(tree); ++i) {
    require(std::strlen(signal_name(tree, i).data()) == signal_name(tree, i).size());
  }
  for (std::uint32_t i = 0; i < leaf_count(tree); ++i) {
    require(leaf_behavior(tree, i) < behavior_count(*tree.asset));
  }
}

// Runs an agent of each tree, its block of exactly the size that the tree asks for.
inline void run_agents(const espalier::Asset& asset, std::uint64_t seed) {
  Dice dice{seed};
  std::vector<espalier::Behavior> table(behavior_count(asset));
  std::uint64_t call_count = 0;
  const auto count_call = [](const espalier::Call& call) { ++*static_cast<std::uint64_t*>(call.host); };
  for (espalier::Behavior& behavior : table) behavior = {count_call, count_call, nullptr};
  const espalier::Host host = {table.data(), &call_count, 0};
  const std::uint32_t tree_total = tree_count(asset) < 8 ? tree_count(asset) : 8;
  for (std::uint32_t i = 0; i < tree_total; ++i) {
    const espalier::Tree tree = espalier::tree(asset, i);
    read_names(tree);
    const auto block = std::make_unique<unsigned char[]>(agent_bytes(tree));
    start(tree, block.get());
    for (int step = 0; step < 16; ++step) {
      if (variable_count(tree) > 0) set(tree, block.get(), dice.below(variable_count(tree)), dice.below(2) == 0);
      if (signal_count(tree) > 0) signal(tree, block.get(), dice.below(signal_count(tree)));
      const espalier::Result result = update(tree, block.get(), host);
      const std::uint32_t leaf = current_leaf(tree, block.get());
      require((result == espalier::Result::running) == (leaf < leaf_count(tree)));
    }
    stop(tree, block.get(), host);
  }
}

}  // namespace fuzz
