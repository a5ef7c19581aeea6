// The agents of one replay: what a trace's lines do to them, and the events that come of it.
#pragma once
#include <cstdint>
#include <deque>
#include <espalier/espalier.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "replay/event.h"
#include "replay/line.h"
#include "replay/replay.h"

namespace espalier::replay {

// An agent and what the replay keeps about it.
struct Agent {
  std::vector<std::uint64_t> block;
  std::optional<Result> status;  // of the last update
  std::vector<Step> steps;       // of the last evaluation, when told to watch
  bool is_refused = false;       // the behaviour that should run was refused
  std::map<std::string, std::vector<bool>> scripts =
      {};  // behaviour: does it refuse? One answer a call, the last one stays
};

// What one update did, for those who tell about it.
struct Update {
  std::uint32_t agent = 0;
  std::uint32_t old_leaf = kNoLeaf;
  std::uint32_t new_leaf = kNoLeaf;
  std::vector<Step> old_steps;  // of the evaluation before
};

class Session {
 public:
  using Faults = std::optional<LineFault>;

  // Both must outlive the session.
  Session(const Asset& asset, const ReplayOptions& options);

  // The first line.
  [[nodiscard]] Faults begin(std::string_view text, const Line& line);
  // Any other line but `expect`. `text` is the line, for columns.
  [[nodiscard]] Faults run(std::string_view text, const Line& line);

  // Told each event as it happens.
  std::function<void(const Event&)> on_event;
  // Told after each update that selected another leaf. Setting it makes agents keep their steps.
  std::function<void(const Update&)> on_change;
  // Warnings, once for each name.
  std::function<void(rules::Rule rule, const std::string& message, const std::string& hint)> on_warning;

  const Tree& tree() const { return tree_; }
  std::uint64_t time_us() const { return time_us_; }
  std::uint32_t agent_count() const { return static_cast<std::uint32_t>(agents_.size()); }  // with those destroyed
  const Agent* agent(std::uint32_t index) const;                                            // null: none, or destroyed
  const void* block(std::uint32_t index) const { return agents_[index]->block.data(); }
  bool has_several_agents() const { return several_agents_; }
  const std::string& name() const { return name_; }
  KindSet expected_kinds() const { return expected_kinds_; }
  // The living agents that a line is for, in order.
  [[nodiscard]] Faults targets(std::string_view text, const Line& line, std::vector<std::uint32_t>* indices) const;
  // A variable of the tree, or the fault with a hint.
  [[nodiscard]] Faults find(std::string_view text, const std::string& variable, std::uint32_t* id) const;

 private:
  [[nodiscard]] Faults choose_tree(std::string_view text, const Line& line);
  void add_agents(std::uint32_t count);
  [[nodiscard]] Faults for_each_target(std::string_view text, const Line& line,
                                       const std::function<Faults(std::uint32_t)>& act);
  [[nodiscard]] Faults run_signal(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_set(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_host(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_tick(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_spawn(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_destroy(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_reload(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_save(std::string_view text, const Line& line);
  [[nodiscard]] Faults run_restore(std::string_view text, const Line& line);

  void update_agent(std::uint32_t index);
  Host host();
  void emit(EventKind kind, std::string_view name, bool value = false);
  void warn_once(rules::Rule rule, const std::string& name, const std::string& message, const std::string& hint);
  bool takes(Agent& agent, const std::string& behavior);
  void bind_behaviors();
  static void enter_behavior(const Call& call);
  static void leave_behavior(const Call& call);

  const Asset* asset_;
  const ReplayOptions& options_;
  Tree tree_;
  std::vector<Behavior> behaviors_;
  std::vector<std::unique_ptr<Agent>> agents_;  // null: destroyed
  std::uint32_t living_count_ = 0;
  std::map<std::pair<std::uint32_t, std::string>, Agent> snapshots_;
  std::set<std::string> warned_;
  std::uint64_t time_us_ = 0;
  std::uint32_t current_agent_ = 0;  // whose events happen now
  bool several_agents_ = false;
  bool is_scripted_ = false;  // a `host` line was read
  std::string name_;
  std::string unscripted_;  // strict: the first behaviour that was not scripted
  KindSet expected_kinds_ = expected_by_default();
};

}  // namespace espalier::replay
