// The agents of one replay: what a trace's lines do to them, and the events that come of it.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/event.h"
#include "replay/line.h"
#include "replay/replay.h"

namespace espalier::replay {

// What `save` keeps of an agent, and `restore` puts back.
struct AgentState {
  std::vector<std::uint64_t> block;
  std::optional<Result> status;  // of the last update
  bool is_refused = false;       // the host refused the behaviour that was selected
};

// How the host answers one behaviour: one answer a call, the last one stays.
struct Script {
  std::vector<bool> refuses;
  std::size_t next = 0;
};

struct Agent {
  AgentState state;
  std::vector<Step> steps;                  // of the last evaluation, when they are kept
  std::map<std::uint32_t, Script> scripts;  // by behaviour
};

// What one update did, for those who tell about it.
struct Update {
  std::uint32_t agent = 0;
  std::uint32_t old_leaf = kNoLeaf;
  std::uint32_t new_leaf = kNoLeaf;
  std::vector<Step> old_steps;  // of the evaluation before
};

// Whom a session tells what happens. All but `event` may be empty.
struct Listener {
  std::function<void(const Event&)> event;
  std::function<void(const Update&)> change;  // after an update with another leaf or status; makes agents keep steps
  std::function<void(std::uint32_t agent, const std::string&)> remark;  // for people: "is saved as 'start'"
  std::function<void(const LineFault&)> warning;                        // once for each name
};

class Session {
 public:
  using Faults = std::optional<LineFault>;

  // The asset and the options must outlive the session.
  Session(const Asset& asset, const ReplayOptions& options, Listener listener);

  // The first line.
  [[nodiscard]] Faults begin(const Line& line);
  // Any other line but `expect`.
  [[nodiscard]] Faults run(const Line& line);

  const Tree& tree() const { return tree_; }
  std::uint64_t time_us() const { return time_us_; }
  const std::string& name() const { return name_; }
  std::uint32_t living_count() const { return living_count_; }
  bool has_several_agents() const { return several_agents_; }
  KindSet expected_kinds() const { return expected_kinds_; }
  // An agent that lives; null when there is none of this index.
  const Agent* agent(std::uint32_t index) const;
  const void* block(std::uint32_t index) const { return agents_[index]->state.block.data(); }
  // The living agents that a line is for, in order.
  [[nodiscard]] Faults targets(const Line& line, std::vector<std::uint32_t>* indices) const;
  // A variable of the tree, or the fault with a hint.
  [[nodiscard]] Faults find(const text::JsonValue::Key& variable, std::uint32_t* id) const;

 private:
  [[nodiscard]] Faults choose_tree(const Line& line);
  [[nodiscard]] Faults for_each_target(const Line& line, const std::function<Faults(std::uint32_t)>& act);
  [[nodiscard]] Faults run_signal(const Line& line);
  [[nodiscard]] Faults warn_of_signal(const Line& line);
  [[nodiscard]] Faults run_set(const Line& line);
  [[nodiscard]] Faults run_host(const Line& line);
  [[nodiscard]] Faults read_script(const text::JsonValue& answers, Script* script) const;
  [[nodiscard]] Faults run_tick(const Line& line);
  [[nodiscard]] Faults warn_of_unscripted(const Line& line);
  LineFault no_agent(std::uint32_t index, text::Span span) const;

  [[nodiscard]] Faults add_agents(std::uint32_t count, text::Span span);
  [[nodiscard]] Faults run_spawn(const Line& line);
  [[nodiscard]] Faults run_destroy(const Line& line);
  [[nodiscard]] Faults run_reload(const Line& line);
  [[nodiscard]] Faults run_save(const Line& line);
  [[nodiscard]] Faults run_restore(const Line& line);
  [[nodiscard]] Faults take_memory(std::uint64_t agent_count, text::Span span);
  void move_agent(Agent& agent, const Tree& old_tree) const;
  // Updates an agent. True when that did nothing at all, so that another update with nothing in between would not
  // either.
  [[nodiscard]] bool update_settles(std::uint32_t index);
  Result update_keeping_steps(Agent& agent, Update& update);
  bool takes(Agent& agent, std::uint32_t behavior);
  void bind_behaviors();
  static void enter_behavior(const Call& call);
  static void leave_behavior(const Call& call);
  Host host() { return {behaviors_.data(), this, time_us_}; }

  std::string behavior_text(std::uint32_t behavior) const { return std::string(behavior_name(*asset_, behavior)); }
  void emit(EventKind kind, std::string_view name, bool value = false) const;
  void remark(std::uint32_t agent, const std::string& text) const;
  // A fault that is a warning unless --strict. Told once for each name.
  [[nodiscard]] bool is_news(rules::Rule rule, const std::string& name);
  [[nodiscard]] Faults warn(LineFault fault) const;

  const Asset* asset_;
  const ReplayOptions& options_;
  Listener listener_;
  Tree tree_;
  std::vector<Behavior> behaviors_;
  std::unordered_map<std::string_view, std::uint32_t> behavior_ids_;
  std::vector<std::unique_ptr<Agent>> agents_;  // null: destroyed
  std::uint32_t living_count_ = 0;
  std::map<std::pair<std::uint32_t, std::string>, AgentState> snapshots_;
  std::vector<std::uint64_t> before_;  // of the agent that is updated, its block before
  std::uint64_t memory_bytes_ = 0;     // of agents and snapshots
  std::uint64_t kept_steps_ = 0;       // of all agents
  std::set<std::string> told_;         // names that were warned of
  std::uint64_t time_us_ = 0;
  std::uint32_t current_agent_ = 0;  // whose events happen now
  bool several_agents_ = false;
  bool is_scripted_ = false;  // a `host` line was read
  bool is_reloaded_ = false;
  std::string name_;
  std::vector<std::uint32_t> unscripted_;  // behaviours that were used in this tick, to be told of
  KindSet expected_kinds_ = kinds_expected_by_default();
};

// "'A', 'B' and 3 more".
std::string listed(const std::vector<std::string_view>& names);
std::vector<std::string_view> tree_names(const Asset& asset);

}  // namespace espalier::replay
