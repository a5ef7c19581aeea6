// An agent of the runtime and one of the model: every step is applied to both, and after it their visible state must be
// the same. A difference fails the test and shows the tree and all steps.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime_deciders_trees.h"

namespace espalier::test {

// An agent of the runtime.
class DeciderAgent {
 public:
  DeciderAgent(const ModelDeciderTree& source, std::uint64_t seed);
  DeciderAgent(const DeciderAgent&) = delete;
  DeciderAgent& operator=(const DeciderAgent&) = delete;

  DeciderHost host;
  std::uint64_t clock_us = 0;
  // What the last update reported to its watcher, in the words of traces; none if it had no watcher.
  std::optional<std::vector<std::string>> told;

  enum class How : std::uint8_t { alone, as_many, watched };
  ModelStatus tick(How how);
  void stop();
  void signal(const std::string& name, const std::string& data);
  void set_stimulus(std::size_t stimulus, const std::string& data);
  void clear_stimulus(std::size_t stimulus);
  void set_flags(const std::vector<bool>& flags);
  // Moves it to the same tree, in another block.
  void move();

  using Block = std::vector<std::uint64_t>;
  const Block& block() const { return block_; }
  void restore(const Block& saved);

  std::vector<std::string> path();
  // All of its visible state as text: the path with behaviours, their memory and durations; stimuli; flags.
  std::string look();

 private:
  static DeciderAgent& of(const Call* call) { return *static_cast<DeciderAgent*>(call->host->user); }
  static double on_decide(const Call* call);
  static bool on_activate(const Call* call);
  static espalier_result on_tick(const Call* call);
  static void on_deactivate(const Call* call);
  void hear(const DecideStep& step);
  Host present_host();

  const ModelDeciderTree& source_;
  Compiled compiled_;
  Tree tree_;
  std::vector<Behavior> behaviors_;
  std::vector<Behavior> decides_;
  Block block_;
  std::vector<std::uint64_t> scratch_;
  bool is_prepared_ = false;
};

class DeciderPair {
 public:
  explicit DeciderPair(ModelDeciderTree tree, std::uint64_t seed = 1, bool looks_at_bytes = false);
  DeciderPair(const DeciderPair&) = delete;
  DeciderPair& operator=(const DeciderPair&) = delete;

  void answer(const std::string& name, const std::vector<DeciderAnswer>& list);
  void set_flags(const std::vector<std::string>& names);
  void signal(const std::string& name, const std::string& data = {});
  void set_stimulus(const std::string& name, const std::string& data = {});
  void clear_stimulus(const std::string& name);
  // Behaviours set and clear stimuli at random from now on.
  void meddle(std::uint64_t seed, std::uint32_t percent);
  // Advances the clock and ticks. Returns the events of this tick except its status, separated by "; ".
  std::string tick(double seconds, DeciderAgent::How how = DeciderAgent::How::alone);
  std::string stop();
  void move();

  struct Saved {
    DeciderModel::State model;
    DeciderAgent::Block agent;
  };
  Saved save() const { return {model_.state, agent_.block()}; }
  void restore(const Saved& saved);

  // Called for each Decide of the runtime, before it answers.
  void on_decide(std::function<void(const std::string& decider)> call) { agent_.host.on_decide = std::move(call); }

  const ModelDeciderTree& tree() const { return tree_; }
  const DeciderModel& model() const { return model_; }
  std::string path() const;  // "Root/G/A"; empty if nothing is active
  ModelStatus status = ModelStatus::running;

 private:
  std::string compare(const std::string& what);

  ModelDeciderTree tree_;
  DeciderHost host_;
  DeciderModel model_;
  DeciderAgent agent_;
};

}  // namespace espalier::test
