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
#include <utility>
#include <vector>

#include "replay/answers.h"
#include "replay/event.h"
#include "replay/line.h"
#include "replay/replay.h"
#include "runtime/format/opcode.h"
#include "script/machine.h"

namespace espalier::replay {

struct AgentState {
  std::vector<std::uint64_t> block;
  std::optional<Result> status;      // of the last update
  bool is_refused = false;           // select: the host refused the behaviour that was selected
  std::vector<std::uint32_t> queue;  // tick: events that come with its next update
};

// Memory for an agent of this tree.
std::vector<std::uint64_t> agent_block(const Tree& tree);

// What `save` keeps of an agent, and `restore` puts back.
struct Saved {
  AgentState state;
  script::Snapshot scripts;  // tick
  Position position;         // rule: this alone is put back
};

struct Agent {
  AgentState state;
  std::vector<Step> steps;            // select: of the last evaluation, when they are kept
  std::uint32_t last_rule = kNoRule;  // rule: the current one when the last update ended running
  AnswersByName answers;
};

// What one update did, for those who tell about it.
struct Update {
  std::uint32_t agent = 0;
  std::uint32_t old_leaf = kNoLeaf;  // select
  std::uint32_t new_leaf = kNoLeaf;
  std::vector<Step> old_steps = {};  // of the evaluation before
};

// Whom a session tells what happens. All but `event` may be empty.
struct Listener {
  std::function<void(const Event&)> event;
  // After an update with another leaf or status; tick, decide, store: in which other nodes are active than before;
  // rule: after which another rule is the current one. Makes agents keep steps.
  std::function<void(const Update&)> change;
  // decide: each step of an update, while it is made.
  std::function<void(std::uint32_t agent, const DecideStep&)> step;
  // store: before an update, and each of its steps.
  std::function<void(std::uint32_t agent)> begin_update;
  std::function<void(std::uint32_t agent, const NodeStep&)> node;
  std::function<void(std::uint32_t agent, const std::string&)> remark;  // for people: "is saved as 'start'"
  std::function<void(const LineFault&)> warning;                        // once for each name
  // A line could not be done and changed nothing, as when an expectation does not hold.
  std::function<void(const LineFailure&)> failure;
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

  // Counts what a line for all agents does, by its length, as updates of them; before it is run. A fault: the limit is
  // reached.
  [[nodiscard]] Faults take_work(const Line& line);

  const Tree& tree() const { return tree_; }
  EngineId engine() const { return engine_id_; }
  bool ticks() const { return engine_id_ == EngineId::tick; }
  bool has_rules() const { return engine_id_ == EngineId::rule; }
  bool has_deciders() const { return engine_id_ == EngineId::decide; }
  bool stores() const { return engine_id_ == EngineId::store; }
  // "selection", "modular", "dragengine", "decider" or "synchronized".
  std::string_view kind_name() const;
  std::uint64_t time_us() const { return time_us_; }
  const std::string& name() const { return name_; }
  std::uint32_t living_count() const { return living_count_; }
  bool has_several_agents() const { return several_agents_; }
  KindSet expected_kinds() const { return expected_kinds_; }
  // The indices that were used, those of destroyed agents too.
  std::uint32_t agent_count() const { return static_cast<std::uint32_t>(agents_.size()); }
  // An agent that lives; null when there is none of this index.
  const Agent* agent(std::uint32_t index) const;
  const void* block(std::uint32_t index) const { return agents_[index]->state.block.data(); }
  const void* shared() const { return shared_.data(); }
  // decide: the active deciders of an agent that lives, the root first.
  std::vector<ActiveDecider> active_path(std::uint32_t index) const;
  // rule: "did you mean 'ID'?", or empty.
  std::string nearest_rule(std::string_view id) const;
  // The living agents that a line is for, in order.
  [[nodiscard]] Faults targets(const Line& line, std::vector<std::uint32_t>* indices) const;
  // A variable of the tree (decide: a flag), or the fault with a hint. `span`: of the name.
  [[nodiscard]] Faults find(const std::string& variable, text::Span span, std::uint32_t* id) const;
  // The same of a stimulus.
  [[nodiscard]] Faults find_stimulus(const std::string& name, text::Span span, std::uint32_t* id) const;
  // store: how many agents are in the gate or group of this name, whatever its tree; of several all together.
  [[nodiscard]] Faults find_inside(const std::string& name, text::Span span, std::uint64_t* count) const;

 private:
  // ---- Lines: session.cpp
  [[nodiscard]] Faults choose_tree(const Line& line);
  [[nodiscard]] bool find_reloaded(const Asset& asset, Tree* tree) const;
  LineFault unsupported(const Line& line) const;
  [[nodiscard]] Faults for_each_target(const Line& line, const std::function<Faults(std::uint32_t)>& act);
  [[nodiscard]] Faults run_signal(const Line& line);
  [[nodiscard]] Faults warn_of_signal(const Line& line);
  [[nodiscard]] Faults run_set(const Line& line);
  [[nodiscard]] Faults run_host(const Line& line);
  AnswerForms answer_forms(const std::string& name) const;
  [[nodiscard]] Faults warn_of_host(const text::JsonValue::Key& name);
  LineFault no_agent(std::uint32_t index, text::Span span) const;

  void emit(EventKind kind, std::string_view name, std::string_view value = {},
            std::vector<std::string> details = {}) const;
  void remark(std::uint32_t agent, const std::string& text) const;
  // A fault that is a warning unless --strict. Told once for each name.
  [[nodiscard]] bool is_news(rules::Rule rule, const std::string& name);
  [[nodiscard]] Faults warn(LineFault fault) const;
  void fail(text::Span span, std::string message, std::string hint) const;

  // ---- Agents come and go: session_agents.cpp
  [[nodiscard]] Faults add_agents(std::uint32_t count, text::Span span);
  [[nodiscard]] Faults run_spawn(const Line& line);
  [[nodiscard]] Faults run_destroy(const Line& line);
  [[nodiscard]] Faults run_reload(const Line& line);
  [[nodiscard]] Faults run_save(const Line& line);
  [[nodiscard]] Faults run_restore(const Line& line);
  [[nodiscard]] Faults take_memory(std::uint64_t bytes, text::Span span);
  static std::uint64_t answer_bytes(const Agent& agent);
  std::uint64_t state_bytes(const AgentState& state) const;
  // Everything that is bound to the tree.
  void bind_tree(const Tree& tree);
  void move_agent(Agent& agent, const Tree& old_tree, const Host& old_host);

  // ---- Updates: session_updates.cpp
  [[nodiscard]] Faults run_tick(const Line& line);
  // Counts this many updates, or what takes about as long.
  [[nodiscard]] Faults take_updates(std::uint64_t count, text::Span span);
  [[nodiscard]] Faults warn_of_unscripted(const Line& line);
  // Gives the agent `current_agent_` an event from outside. No `signal`: the tree does not know it.
  void deliver(std::string_view name, std::optional<std::uint32_t> signal, const void* data = nullptr);
  void deliver_queue(std::uint32_t index);
  // Updates an agent. True when that did nothing at all, so that another update with nothing in between would not
  // either.
  [[nodiscard]] bool update_settles(std::uint32_t index);
  Result update_keeping_steps(Agent& agent, Update& update);
  void update_ticking(std::uint32_t index);
  // decide, store
  void update_telling(std::uint32_t index, const Watcher& watcher);
  void tell_completion(Result result, const void* block) const;
  static void note_variable(void* session, std::uint32_t variable, bool value);
  static void note_node(void* session, const NodeStep* step);

  // ---- Trees of rules: session_rules.cpp
  [[nodiscard]] Faults run_jump(const Line& line);
  [[nodiscard]] bool save_rule(std::uint32_t index, const Line& line, Position* position) const;
  void restore_rule(std::uint32_t index, const Line& line, const Position& position);
  // True when the agent was stopped before.
  [[nodiscard]] bool update_rules(std::uint32_t index);
  void tell_stop(const void* block) const;
  static bool is_bound(const Call* call);
  static bool ask_condition(const Call* call);

  // ---- Trees of deciders: session_deciders.cpp
  [[nodiscard]] Faults run_flags(const Line& line);
  [[nodiscard]] Faults run_stimulus(const Line& line);
  void update_deciders(std::uint32_t index);
  static void note_decision(void* session, const DecideStep* step);
  static bool activate(const Call* call);
  static espalier_result tick_behavior(const Call* call);
  static double decide(const Call* call);

  // ---- Synchronized trees: session_synchronized.cpp
  [[nodiscard]] Faults run_inject(const Line& line);
  [[nodiscard]] Faults warn_of_injection(const text::JsonValue& slot, bool has_slot, const text::JsonValue& injected,
                                         bool has_tree);
  void name_places();
  void update_synchronized(std::uint32_t index);
  static void reset_action(const Call* call);
  static void note_depth(const Call* call, std::uint32_t slot);

  // ---- The host: session_host.cpp
  // A behaviour without a script, and what it does then.
  struct Unscripted {
    const char* kind;  // "action"
    std::string_view name;
    const char* otherwise;
  };

  void bind_behaviors();
  void bind_names();
  Host host();
  bool run_lua(const Call* call, std::uint32_t script, const char* name);
  // What the trace answers for the behaviour that is called; null: it is not scripted.
  Answers* find_answers(const Call* call, std::string_view name);
  std::optional<Answer> take_answer(const Call* call, std::string_view name, const char* kind, const char* otherwise);
  void note_unscripted(const Unscripted& unscripted);
  static Session& of(const Call* call) { return *static_cast<Session*>(call->host->user); }
  static void select_behavior(const Call* call);
  static void leave_selected(const Call* call);
  static void enter_node(const Call* call);
  static void leave_node(const Call* call);
  static void interrupt_node(const Call* call);
  static espalier_result tick_action(const Call* call);
  static bool ask_wrapper(const Call* call);
  static bool run_script(const Call* call, std::uint32_t script);
  static void log_text(const Call* call, const char* text);
  static void queue_signal(const Call* call, std::uint32_t signal, espalier_receivers receivers);

  const Asset* asset_;
  const ReplayOptions& options_;
  Listener listener_;
  Tree tree_;
  EngineId engine_id_ = EngineId::select;
  std::uint64_t seed_ = 1;
  std::vector<Behavior> behaviors_;
  std::vector<Behavior> conditions_;                     // rule, decide, store: of the host
  std::map<std::string, bool, std::less<>> host_names_;  // what a `host` line may answer for; true: a behaviour
  std::optional<script::Machine> scripts_;               // tick
  const Asset* script_asset_ = nullptr;                  // whose scripts they are: in a reload those of both
  std::vector<std::uint64_t> shared_;                    // the blocks that agents share
  std::vector<std::uint64_t> group_;
  std::vector<std::uint64_t> scratch_;                                     // decide: for updates
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> places_;  // store: gates and groups by name, as words
  std::vector<std::unique_ptr<Agent>> agents_;                             // null: destroyed
  std::uint32_t living_count_ = 0;
  std::map<std::pair<std::uint32_t, std::string>, Saved> snapshots_;
  std::vector<std::uint64_t> before_;     // of the agent that is updated, its block before
  std::vector<std::uint32_t> completed_;  // tick: the nodes that have completed in this update, by their words
  std::vector<std::uint32_t> runs_;       // rule: those that were run in this update
  std::uint64_t memory_bytes_ = 0;        // of agents and snapshots
  std::uint64_t updates_ = 0;             // that were done
  std::uint64_t kept_steps_ = 0;          // of all agents
  std::uint64_t queued_count_ = 0;        // events that agents are still to get
  std::set<std::string> told_;            // names that were warned of
  std::uint64_t time_us_ = 0;
  std::uint32_t current_agent_ = 0;  // whose events happen now
  bool several_agents_ = false;
  bool is_scripted_ = false;  // a `host` line was read
  bool is_reloaded_ = false;
  std::string name_;
  std::vector<Unscripted> unscripted_;  // that were used in this tick, to be told of
  KindSet expected_kinds_ = kinds_expected_by_default();
};

// "'A', 'B' and 3 more".
std::string listed(const std::vector<std::string_view>& names);
std::vector<std::string_view> tree_names(const Asset& asset);
// "running", "success", "failure" or "error".
std::string_view result_name(Result result);
// tick, decide, store: the first words of the nodes that are active, in the order of the file.
std::vector<std::uint32_t> active_nodes(const Tree& tree, const void* block);
// decide: the data of a line with `data` beside it; null: none is given.
std::optional<StimulusData> data_of(const Line& line);
// The shortest decimal that reads back the same, without a point where it is whole.
std::string number_text(double number);
// A decider's name; where the asset was stripped its node's number in the tree: "#3".
std::string decider_text(const Tree& tree, std::uint32_t node_word);

}  // namespace espalier::replay
