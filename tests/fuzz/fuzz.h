// What the fuzzers share: using an accepted asset in every way that a host can.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <espalier/espalier.hpp>
#include <memory>
#include <vector>

#include "dice.h"
#include "ports.h"
#include "runtime/asset/view.h"

namespace fuzz {

using namespace espalier;

inline void read_names(const espalier::Tree& tree) {
  for (std::uint32_t i = 0; i < variable_count(tree); ++i) read_name(variable_name(tree, i));
  for (std::uint32_t i = 0; i < signal_count(tree); ++i) read_name(signal_name(tree, i));
  for (std::uint32_t i = 0; i < timestamp_count(tree); ++i) read_name(timestamp_name(tree, i));
  for (std::uint32_t i = 0; i < rule_count(tree); ++i) read_name(rule_id(tree, i));
  for (std::uint32_t i = 0; i < leaf_count(tree); ++i) {
    require(leaf_behavior(tree, i) < behavior_count(*tree.asset));
  }
}

// A game that answers by dice; its blocks are of exactly the sizes that the tree asks for.
class Game {
 public:
  Game(const espalier::Tree& tree, std::uint64_t seed)
      : tree_(tree),
        dice_{seed},
        block_(new unsigned char[agent_bytes(tree)]),
        shared_(new unsigned char[shared_bytes(tree)]),
        group_(new unsigned char[group_bytes(*tree.asset)]),
        scratch_(new unsigned char[scratch_bytes(tree)]),
        table_(behavior_count(*tree.asset)),
        conditions_(host_condition_count(*tree.asset)),
        is_polling_(engine_id_of(tree) == espalier::EngineId::poll) {
    for (espalier::Behavior& behavior : table_) {
      behavior = {read_call, read_call, act, read_call, nullptr, read_call, answer, answer, answer, read_call};
    }
    for (espalier::Behavior& condition : conditions_) {
      condition.ask = answer;
      condition.decide = decide;
    }
    host_ = {table_.data(), this, 0, 0, shared_.get(), group_.get(), nullptr, scratch_.get(), conditions_.data()};
    host_.script = run_script;
    host_.log = write_log;
    host_.queue = queue;
    start_shared(tree, shared_.get());
    start_group(*tree.asset, group_.get());
    start(tree, block_.get());
    espalier::seed(tree, block_.get(), seed);
  }

  void play() {
    using espalier::Result;
    for (int step = 0; step < 16; ++step) {
      host_.clock_us += dice_.below(2'000'000);
      if (variable_count(tree_) > 0) set(tree_, block_.get(), dice_.below(variable_count(tree_)), dice_.below(2) == 0);
      if (signal_count(tree_) > 0) signal(tree_, block_.get(), dice_.below(signal_count(tree_)), host_);
      if (rule_count(tree_) > 0 && dice_.below(4) == 0) {
        jump(tree_, block_.get(), dice_.below(rule_count(tree_)), host_);
      }
      if (stimulus_count(tree_) > 0) notice();
      if (is_polling_) use_entries(tree_, block_.get(), dice_);
      const Result result = update(tree_, block_.get(), host_);
      const std::uint32_t leaf = current_leaf(tree_, block_.get());
      if (leaf_count(tree_) > 0) require((result == Result::running) == (leaf < leaf_count(tree_)));
      require(result != Result::running || !is_stopped(tree_, block_.get()));
      const auto look = [](void* game, std::uint32_t) { ++static_cast<Game*>(game)->count_; };
      visit_active(tree_, block_.get(), look, this);
      const auto read = [](void* game, const char*, std::size_t) { ++static_cast<Game*>(game)->count_; };
      print(tree_, block_.get(), {step % 2 == 0, &host_, nullptr}, read, this);
    }
    if (dice_.below(2) == 0) move();
    stop(tree_, block_.get(), host_);
    for (std::size_t i = 0; i < shared_bytes(tree_); ++i) require(shared_[i] == 0);
    for (std::size_t i = 0; i < group_bytes(*tree_.asset); ++i) require(group_[i] == 0);
  }

 private:
  static Game& of(const espalier::Call* call) { return *static_cast<Game*>(call->host->user); }
  static void read_call(const espalier::Call* call) {
    if (of(call).is_polling_) use_ports(call, of(call).dice_);
    for (std::uint32_t i = 0; i < parameter_count(call); ++i) read_name(parameter(call, i).name);
  }
  static espalier_result act(const espalier::Call* call) {
    read_call(call);
    if (of(call).is_polling_ && of(call).dice_.below(8) == 0) return ESPALIER_SKIPPED;
    return static_cast<espalier::Result>(of(call).dice_.below(3));
  }
  static bool answer(const espalier::Call* call) {
    read_call(call);
    return of(call).dice_.below(3) != 0;
  }
  static double decide(const espalier::Call* call) {
    if (call->activation->block != nullptr) std::memset(call->activation->block, 1, call->activation->block_bytes);
    return static_cast<double>(of(call).dice_.below(4)) - 1;
  }
  // To another agent of the same tree, as a reload of an asset that has not changed does.
  void move() {
    std::unique_ptr<unsigned char[]> to(new unsigned char[agent_bytes(tree_)]);
    move_agent(tree_, block_.get(), host_, tree_, to.get(), host_);
    block_ = std::move(to);
    require(check_agent(tree_, block_.get()) == espalier::Status::ok);
  }
  void notice() {
    const std::uint32_t noticed = dice_.below(stimulus_count(tree_));
    espalier::StimulusData data;
    data.size_bytes = dice_.below(17);
    set_stimulus(tree_, block_.get(), noticed, host_.clock_us, &data);
    set_flags(tree_, block_.get(), dice_.below(16));
  }
  static bool run_script(const espalier::Call* call, std::uint32_t script) {
    read_name(script_text(*call->tree.asset, script));
    return of(call).dice_.below(2) == 0;
  }
  static void write_log(const espalier::Call*, const char* text) { read_name(text); }
  static void queue(const espalier::Call* call, std::uint32_t signal, espalier_receivers) {
    read_name(signal_name(call->tree, signal));
  }

  espalier::Tree tree_;
  Dice dice_;
  std::unique_ptr<unsigned char[]> block_;
  std::unique_ptr<unsigned char[]> shared_;
  std::unique_ptr<unsigned char[]> group_;
  std::unique_ptr<unsigned char[]> scratch_;
  std::vector<espalier::Behavior> table_;
  std::vector<espalier::Behavior> conditions_;
  espalier::Host host_;
  bool is_polling_;
  std::uint64_t count_ = 0;
};

}  // namespace fuzz
