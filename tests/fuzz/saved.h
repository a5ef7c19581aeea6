// Agents' blocks as they may come from a saved game: those of agents that have run must be accepted by check_agent(),
// and any other bytes must be refused or be safe to use in every way that a host can. For fuzzers and unit tests.
#pragma once
#include <algorithm>

#include "fuzz.h"
#include "runtime/asset/view.h"

namespace fuzz {

// A host that answers by dice, with blocks of exactly the sizes that the trees ask for.
class SavedGame {
 public:
  static constexpr std::size_t kAgentCount = 3;  // they share one block

  SavedGame(const espalier::Tree& tree, std::uint64_t seed)
      : tree_(tree),
        asset_(*tree.asset),
        dice_{seed},
        shared_(new unsigned char[shared_bytes(tree)]),
        group_(new unsigned char[group_bytes(asset_)]),
        scratch_(new unsigned char[most_scratch_bytes()]),
        table_(behavior_count(asset_)),
        conditions_(host_condition_count(asset_)) {
    for (espalier::Behavior& behavior : table_) {
      behavior = {told, told, act, told, told, told, answer, answer, answer, told};
    }
    for (espalier::Behavior& condition : conditions_) {
      condition.ask = answer;
      condition.decide = decide;
    }
    host_.behaviors = table_.data();
    host_.conditions = conditions_.data();
    host_.user = this;
    host_.shared = shared_.get();
    host_.group = group_.get();
    host_.scratch = scratch_.get();
    host_.script = [](const espalier::Call* call, std::uint32_t) { return of(call).dice_.below(2) == 0; };
    host_.log = [](const espalier::Call*, const char* text) { read_name(text); };
    host_.queue = [](const espalier::Call* call, std::uint32_t signal, espalier_receivers) {
      read_name(signal_name(call->tree, signal));
    };
    host_.too_deep = [](const espalier::Call*, std::uint32_t) {};
    start_shared(tree, shared_.get());
    start_group(asset_, group_.get());
    for (Block& block : blocks_) {
      block.reset(new unsigned char[agent_bytes(tree)]);
      start(tree, block.get());
      espalier::seed(tree, block.get(), dice_.below(1000));
    }
  }

  // Runs agents as in a game. The blocks they leave must be accepted.
  void play(int steps) {
    for (int step = 0; step < steps; ++step) {
      Block& block = blocks_[dice_.below(kAgentCount)];
      if (dice_.below(16) == 0) stop(tree_, block.get(), host_);
      if (dice_.below(16) == 0) move(block, tree_, shared_.get());
      use(tree_, block.get());
      for (const Block& each : blocks_) {
        require(check_agent(tree_, each.get()) == espalier::Status::ok);
        require(check_agent(tree_, each.get(), shared_.get()) == espalier::Status::ok);
      }
      require(check_shared(tree_, shared_.get()) == espalier::Status::ok);
    }
  }

  const unsigned char* block(std::size_t index) const { return blocks_[index].get(); }
  const unsigned char* shared() const { return shared_.get(); }

  // Replaces the first agent's block and the shared block by these bytes. Returns false if they are refused; else they
  // were used.
  bool load(const unsigned char* bytes, const unsigned char* shared, std::uint64_t seed) {
    dice_.state = seed;
    std::copy_n(shared, shared_bytes(tree_), shared_.get());
    if (check_shared(tree_, shared_.get()) != espalier::Status::ok) return false;
    const std::unique_ptr<unsigned char[]> saved(new unsigned char[agent_bytes(tree_)]);
    std::copy_n(bytes, agent_bytes(tree_), saved.get());
    // For trees that tick, a host need not have the shared block here: restore() counts the places.
    if (check_agent(tree_, saved.get(), dice_.below(4) == 0 ? nullptr : shared_.get()) != espalier::Status::ok) {
      return false;
    }
    Block block(new unsigned char[agent_bytes(tree_)]);
    start(tree_, block.get());
    restore(tree_, block.get(), saved.get(), host_);
    std::copy_n(saved.get(), agent_bytes(tree_), block.get());
    for (int update = 0; update < 50; ++update) {
      use(tree_, block.get());
      if (dice_.below(25) == 0) stop(tree_, block.get(), host_);
      if (dice_.below(25) == 0) move(block, tree_, shared_.get());
    }
    end_elsewhere(block);
    return true;
  }

  // The same, but right after loading, before any other use, the block is moved or ended.
  bool load_and_end(const unsigned char* bytes, const unsigned char* shared, std::uint64_t seed) {
    dice_.state = seed;
    std::copy_n(shared, shared_bytes(tree_), shared_.get());
    Block block(new unsigned char[agent_bytes(tree_)]);
    std::copy_n(bytes, agent_bytes(tree_), block.get());
    if (check_shared(tree_, shared_.get()) != espalier::Status::ok ||
        check_agent(tree_, block.get(), shared_.get()) != espalier::Status::ok) {
      return false;
    }
    look_at(tree_, block.get());
    if (dice_.below(2) == 0) move(block, tree_, shared_.get());
    stop(tree_, block.get(), host_);
    use(tree_, block.get());
    return true;
  }

 private:
  using Block = std::unique_ptr<unsigned char[]>;

  std::size_t most_scratch_bytes() const {
    std::size_t most = 0;
    for (std::uint32_t i = 0; i < tree_count(asset_); ++i) {
      most = std::max(most, scratch_bytes(espalier::tree(asset_, i)));
    }
    return most;
  }

  void move(Block& block, const espalier::Tree& to, void* to_shared) {
    Block moved(new unsigned char[agent_bytes(to)]);
    espalier::Host to_host = host_;
    to_host.shared = to_shared;
    move_agent(tree_, block.get(), host_, to, moved.get(), to_host);
    block = std::move(moved);
  }

  // The agent ends as one of another tree.
  void end_elsewhere(Block& block) {
    const espalier::Tree other = espalier::tree(asset_, dice_.below(tree_count(asset_)));
    const Block shared(new unsigned char[shared_bytes(other)]);
    start_shared(other, shared.get());
    const bool share_one =
        engine_id_of(other) == espalier::EngineId::store && engine_id_of(tree_) == espalier::EngineId::store;
    void* const to_shared = share_one ? shared_.get() : shared.get();
    move(block, other, to_shared);
    host_.shared = to_shared;
    use(other, block.get());
    stop(other, block.get(), host_);
    host_.shared = shared_.get();
  }

  // One update, preceded by calls that a host may make.
  void use(const espalier::Tree& tree, unsigned char* block) {
    host_.clock_us += dice_.below(2'000'000);
    if (variable_count(tree) > 0 && dice_.below(2) == 0) {
      set(tree, block, dice_.below(variable_count(tree)), dice_.below(2) == 0);
    }
    if (signal_count(tree) > 0 && dice_.below(2) == 0) {
      signal(tree, block, dice_.below(signal_count(tree)), host_);
    }
    if (rule_count(tree) > 0 && dice_.below(8) == 0) jump(tree, block, dice_.below(rule_count(tree)), host_);
    if (stimulus_count(tree) > 0) {
      espalier::StimulusData data;
      data.size_bytes = dice_.below(17);
      set_stimulus(tree, block, dice_.below(stimulus_count(tree)), host_.clock_us, &data);
      set_flags(tree, block, dice_.below(256));
    }
    if (engine_id_of(tree) == espalier::EngineId::store && slot_count(asset_) > 0 && dice_.below(4) == 0) {
      const std::uint32_t chosen = dice_.below(tree_count(asset_) + 1);
      const std::uint32_t injected = chosen == tree_count(asset_) ? espalier::kNoTree : chosen;
      static_cast<void>(inject(tree, block, dice_.below(slot_count(asset_)), injected, dice_.below(2) == 0, host_));
    }
    espalier::Watcher watcher;
    watcher.user = this;
    if (dice_.below(4) == 0) {
      update_watched(tree, block, host_, watcher);
    } else {
      update(tree, block, host_);
    }
    look_at(tree, block);
  }

  // Calls every function that only reads.
  void look_at(const espalier::Tree& tree, unsigned char* block) {
    struct Look {
      const espalier::Tree& tree;
      const unsigned char* block;
      std::uint64_t sum = 0;
    } look{tree, block};
    visit_active(
        tree, block,
        [](void* user, std::uint32_t node_word) {
          Look& seen = *static_cast<Look*>(user);
          seen.sum += node_word + present_state(seen.tree, seen.block, node_word);
          seen.sum += wait_end_us(seen.tree, seen.block, node_word);
        },
        &look);
    const std::uint32_t leaf = current_leaf(tree, block);
    require(leaf == espalier::kNoLeaf || leaf < leaf_count(tree));
    const std::uint32_t rule = current_rule(tree, block);
    require(rule == espalier::kNoRule || rule < rule_count(tree));
    for (std::uint32_t i = 0; i < timestamp_count(tree); ++i) {
      std::uint64_t time_us = 0;
      look.sum += timestamp(tree, block, i, &time_us) ? time_us : 0;
    }
    for (std::uint32_t i = 0; i < stimulus_count(tree); ++i) {
      espalier::StimulusData data;
      if (stimulus(tree, block, i, &data)) require(data.size_bytes <= sizeof data.bytes);
    }
    for (std::uint32_t i = 0; i < active_count(tree, block); ++i) {
      const espalier::ActiveDecider active = active_decider(tree, block, i);
      const auto* memory = static_cast<const unsigned char*>(active.activation.memory);
      for (std::uint32_t j = 0; j < active.activation.memory_bytes; ++j) look.sum += memory[j];
    }
    for (std::uint32_t i = 0; engine_id_of(tree) == espalier::EngineId::store && i < slot_count(asset_); ++i) {
      const std::uint32_t injected = injected_tree(tree, block, i);
      require(injected == espalier::kNoTree || injected < tree_count(asset_));
    }
    sum_ += look.sum;
  }

  static SavedGame& of(const espalier::Call* call) { return *static_cast<SavedGame*>(call->host->user); }
  static void told(const espalier::Call* call) {
    for (std::uint32_t i = 0; i < parameter_count(call); ++i) read_name(parameter(call, i).name);
  }
  static espalier_result act(const espalier::Call* call) {
    if (call->activation != nullptr && call->activation->memory != nullptr) {
      std::memset(call->activation->memory, 1, call->activation->memory_bytes);
    }
    const std::uint32_t dice = of(call).dice_.below(8);
    return static_cast<espalier::Result>(dice > 2 ? 0 : dice);
  }
  static bool answer(const espalier::Call* call) { return of(call).dice_.below(3) != 0; }
  static double decide(const espalier::Call* call) {
    if (call->activation->block != nullptr) std::memset(call->activation->block, 1, call->activation->block_bytes);
    return static_cast<double>(of(call).dice_.below(4)) - 1;
  }

  espalier::Tree tree_;
  const espalier::Asset& asset_;
  Dice dice_;
  Block shared_;
  Block group_;
  Block scratch_;
  std::vector<espalier::Behavior> table_;
  std::vector<espalier::Behavior> conditions_;
  espalier::Host host_;
  Block blocks_[kAgentCount];
  std::uint64_t sum_ = 0;
};

// For each tree of an asset, tries real blocks and blocks that repeat these bytes.
inline void try_blocks(const espalier::Asset& asset, const unsigned char* bytes, std::size_t size_bytes) {
  for (std::uint32_t i = 0; i < tree_count(asset) && i < 8; ++i) {
    const espalier::Tree tree = espalier::tree(asset, i);
    SavedGame game(tree, size_bytes);
    game.play(8);
    std::vector<unsigned char> block(game.block(0), game.block(0) + agent_bytes(tree));
    const std::vector<unsigned char> shared(game.shared(), game.shared() + shared_bytes(tree));
    for (std::size_t change = 0; change < 16; ++change) {
      const std::size_t at = change * 7919 % size_bytes;
      block[bytes[at] * std::size_t{257} % block.size()] = bytes[(at + 3) % size_bytes];
      if (change % 4 == 0) game.load(block.data(), shared.data(), at);
    }
    for (std::size_t at = 0; at < block.size(); ++at) block[at] = bytes[at % size_bytes];
    game.load(block.data(), shared.data(), size_bytes);
    game.load_and_end(block.data(), shared.data(), size_bytes);
  }
}

}  // namespace fuzz
