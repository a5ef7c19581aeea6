// The agents of one replay: what the lines of a trace do to them, and the events that result. Differences between
// engines are in strategy.h.
#pragma once
#include <array>
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "replay/answers.h"
#include "replay/entry_changes.h"
#include "replay/event_log.h"
#include "replay/line.h"
#include "replay/names.h"
#include "replay/places.h"
#include "replay/replay.h"
#include "replay/run_faults.h"
#include "runtime/format/opcode.h"
#include "script/machine.h"

namespace espalier::replay {

struct Strategy;

struct AgentState {
  std::vector<std::uint64_t> block;
  std::optional<Result> status;      // of the last update
  bool is_refused = false;           // select: the host refused the selected behaviour
  std::vector<std::uint32_t> queue;  // tick: events for its next update
};

// What `save` keeps of an agent, for `restore`.
struct Saved {
  AgentState state;
  script::Snapshot scripts;  // tick
  Position position;         // rule: only this is restored
};

// The inputs of all nodes of a name.
using InputsByName = std::map<std::string, std::set<std::string, std::less<>>, std::less<>>;

// A tree that agents have, and what they have in common.
struct BoundTree {
  Tree tree;
  const Strategy* strategy = nullptr;
  std::vector<Behavior> behaviors;
  std::vector<Behavior> conditions;  // of the host
  std::vector<std::string_view> behavior_names;
  std::vector<std::string_view> condition_names;
  std::map<std::string, bool, std::less<>> host_names;  // valid names of `host` lines; true: a behaviour
  std::vector<std::uint64_t>* shared = nullptr;         // the block that its agents share
  std::vector<std::uint64_t> scratch;                   // decide: for updates
  std::unique_ptr<const Places> places;                 // made when a `host` line names a place
  std::optional<InputsByName> inputs;                   // poll: made when a `host` line names one
};

// What the host does to an agent when a signal arrives while a behaviour is active: how the behaviour's own function
// for events acts.
struct Reaction {
  std::string behavior;
  std::string signal;
  std::optional<DataTest> data;  // none: whatever data the signal has
  std::shared_ptr<const std::vector<Line>> acts;
  bool is_running = false;
};

// The nodes of an agent that were completed last, for `print`.
struct Recent {
  Completed entries[16];
  History history;
};

struct Agent {
  BoundTree* bound = nullptr;
  AgentState state;
  AnswersByName answers;
  UnusedEntries unused_entries;
  bool has_placed_answers = false;
  std::uint64_t answer_bytes = 0;  // that answers and reactions take
  std::vector<Reaction> reactions;
  std::unique_ptr<Swaps> swaps;    // null: not counted yet
  std::unique_ptr<Recent> recent;  // null: nothing was completed yet, or there are too many agents
};

// Receives what happens.
struct Listener {
  std::function<void(const Event&)> event;  // may be empty: events are only kept in the log
  bool watches = false;                     // `event` also gets updates and their steps
  bool gets_nodes = false;                  // `event` also gets what happens to nodes of the tree
  // The severity of a fault of this rule, which is a warning by default; none: the rule is off.
  std::function<std::optional<rules::Severity>(rules::Rule)> severity;
  std::function<void(const LineFault&)> warning;  // once for each name
  // The same for a name of a `host` line, and an input of its node unless that is empty, that a tree which comes with a
  // reload may know: Session::knows_host().
  std::function<void(LineFault, const std::string& name, const std::string& input)> unknown_host;
  std::function<void(RunFault)> run_fault;
  // A line could not be executed and changed nothing. Counts like an expectation that failed.
  std::function<void(const LineFailure&)> failure;
};

class Session {
 public:
  using Faults = std::optional<LineFault>;

  // The asset and the options must outlive the session.
  Session(const Asset& asset, const ReplayOptions& options, Listener listener);

  // The first line.
  [[nodiscard]] Faults begin(const Line& line);
  // Unknown trees and kinds of events in a first line, as far as their values are of the right type.
  std::vector<LineFault> first_line_faults(const Line& line) const;
  // Any other line except `expect`.
  [[nodiscard]] Faults run(const Line& line);
  // The same after a line that had a fault: names and values are checked, and nothing is executed but what says which
  // agents and trees there are. Nothing is told any more.
  [[nodiscard]] Faults check(const Line& line);
  // Further faults of the last line.
  std::vector<LineFault> take_other_faults() { return std::exchange(other_faults_, {}); }
  // Can the host be asked for this name, of a `host` line, in one of the trees that agents have now? `input`: that one
  // of its nodes must have; empty: none.
  bool knows_host(std::string_view name, std::string_view input = {});

  // Counts what a line for all agents does as updates of them, depending on its length. Called before the line is
  // executed. Returns a fault if the limit is reached.
  [[nodiscard]] Faults take_work(const Line& line);

  // The agent of the current event, or the one of the last call of act_as(). Before there is one, the agents of the
  // trace's first tree.
  const Tree& tree() const { return tree_; }
  EngineId engine() const { return engine_of_tree(tree_); }
  const Strategy& strategy() const { return *strategy_; }
  // A living agent becomes the current one.
  void act_as(std::uint32_t index);
  // The trees that agents have or had, the trace's first one first.
  std::vector<Tree> trees() const;
  const Strategy& first_strategy() const { return *bound_trees_.front()->strategy; }
  std::uint64_t time_us() const { return time_us_; }
  const std::string& name() const { return name_; }
  std::uint32_t living_count() const { return living_count_; }
  bool has_several_agents() const { return several_agents_; }
  bool allows_errors() const { return allows_errors_; }
  // The assets of the trees that agents have or had.
  const std::vector<const Asset*>& assets() const { return assets_; }
  EventLog& log() { return log_; }
  const EventLog& log() const { return log_; }
  // The number of used indices, including those of destroyed agents.
  std::uint32_t agent_count() const { return static_cast<std::uint32_t>(agents_.size()); }
  // A living agent; null if none has this index.
  const Agent* agent(std::uint32_t index) const;
  const void* block(std::uint32_t index) const { return agents_[index]->state.block.data(); }
  // The current state of a living agent, with the other agents if they are few.
  AgentView view(std::uint32_t index) const;
  // The same into `seen`, whose memory is used again.
  void view(std::uint32_t index, AgentView* seen) const;
  // The living agents that a line applies to, in order.
  [[nodiscard]] Faults targets(const Line& line, std::vector<std::uint32_t>* indices) const;
  // Is this the text of the event, with a place after its name, where its node is?
  bool has_place(const KeptEvent& event, std::string_view text) const;
  // The fault of a place where no node of this name is, in any tree that agents have or had, or where several are.
  [[nodiscard]] Faults place_fault(const PlacedName& placed, text::Span span) const;
  // Did a line name a signal, a variable, a slot or a tree so, which no tree has?
  bool is_made(std::string_view name) const;
  // No agent, with the memory that all agents of synchronized trees share.
  AgentView view_of_all() const;

 private:
  // The strategies, one file each, and what they share.
  friend struct HostCalls;
  friend struct SelectEngine;
  friend struct TickEngine;
  friend struct RuleEngine;
  friend struct DecideEngine;
  friend struct StoreEngine;
  friend struct PollEngine;
  friend struct ScriptHost;
  friend struct ScriptHostFunctions;

  // ---- Lines: session.cpp
  // Agents by their indices, all of the current tree.
  using Agents = std::span<const std::uint32_t>;

  [[nodiscard]] Faults choose_trees(const Line& line, std::vector<Tree>* trees) const;
  [[nodiscard]] Faults find_named(const text::JsonValue& name, Tree* tree) const;
  static bool find_reloaded(const Asset& asset, const BoundTree& old, Tree* tree);
  LineFault unsupported(const Line& line) const;
  // Executes a line for some of its agents.
  [[nodiscard]] Faults run_for(const Line& line, Agents agents);
  [[nodiscard]] Faults for_each(Agents agents, const std::function<Faults(std::uint32_t)>& act);
  [[nodiscard]] Faults run_signal(const Line& line, Agents agents);
  [[nodiscard]] Faults run_set(const Line& line, Agents agents);
  [[nodiscard]] Faults run_host(const Line& line, Agents agents);
  void warn_of_signal(const Line& line);
  // Remembers a name for is_made().
  void note_made(std::string_view name);
  // The signals that any tree of the asset knows.
  std::vector<std::string_view> known_signals() const;
  [[nodiscard]] Faults run_print(const Line& line, Agents agents);
  [[nodiscard]] Faults find_group(const Line& line, std::vector<std::uint32_t>* indices) const;
  void warn_of_host(const text::JsonValue::Key& name, std::string_view host_name);
  void warn_of_host(LineFault fault, const std::string& name, const std::string& input = {});
  void warn_of_unread(const text::JsonValue::Key& key, const text::JsonValue& answers);
  static const std::set<std::string, std::less<>>* inputs_of(BoundTree& bound, std::string_view name);
  void warn_of_answer(const text::JsonValue::Key& key, const text::JsonValue& value, const Answers& answers);
  struct HostName {
    std::string name;
    bool is_behavior = false;
    bool is_placed = false;  // it is that of a node
  };
  // Those by which the answers of a `host` line are kept. One that is not known is reported, and kept for a tree that
  // comes with a reload.
  [[nodiscard]] Faults find_host_names(const text::JsonValue::Key& name, std::vector<HostName>* names);
  // Of the current tree.
  const Places& places() { return places_of(*bound_); }
  static const Places& places_of(BoundTree& bound);
  // Looks up a name in the current tree: see find_name().
  [[nodiscard]] Faults find(espalier_kind kind, std::string_view word, const std::string& name, text::Span span,
                            std::uint32_t* id) const;
  [[nodiscard]] Faults run_when(const Line& line, Agents agents);
  LineFault no_agent(std::uint32_t index, text::Span span) const;

  // ---- Events: session_events.cpp
  // Adds time and agent.
  void tell(Event event);
  void emit(EventKind kind, std::string_view text, std::string_view value = {}, NodeOf node = {});
  // The same for texts that are valid until the replay ends: names of the asset, and literals.
  void emit_name(EventKind kind, std::string_view name, std::string_view value = {}, NodeOf node = {});
  // The same, of the behaviour or condition that is called, and of its node.
  void emit_called(EventKind kind, const Call* call, std::string_view name, std::string_view value = {});
  static NodeOf node_of(const Call* call) { return {call->tree.asset, call->node_word}; }
  // Passes an event to the observer, if there is one.
  void show(Event event);
  static void tell_step(void* session, const NodeStep* step);
  void tell_watched_step(const NodeStep& step);
  // Passes a step to observers that watch.
  template <typename Step>
  void show_step(const Step& step) {
    if (listener_.watches) show_any_step(step);
  }
  void show_any_step(const EngineStep& step);
  // Adds a completed node to the recent ones of the current agent.
  void note_recent(const NodeStep& step);
  // What happens to a node of the tree, if that is wanted.
  bool tells_nodes() const { return tells_nodes_; }
  void tell_node(EventKind kind, std::uint32_t node_word, std::string_view value = {});
  void tell_node(const NodeStep& step);
  // The same for engines with one path of active nodes, root first, which was another before.
  void tell_path(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now);
  // A fault that is a warning unless configured as an error. Reported once for each name.
  [[nodiscard]] bool is_news(rules::Rule rule, const std::string& name);
  void warn(LineFault fault);
  // The same, before it is told: after many, the last one says that there are more.
  void count_warning(LineFault* fault);
  // All faults of a line: the first, and the others for take_other_faults().
  [[nodiscard]] Faults all_of(std::vector<LineFault> faults);
  // Tells an event `error`, and keeps the fault for the end of the trace, with the event as what accepts it. Without a
  // hint it gets one that says how to accept it.
  void go_wrong(RunFaultKind kind, Event event, std::string message, std::string hint = {});
  // Of the current agent, at the current time, which are filled in.
  void keep(RunFault fault) const;
  // ", guard.xml:12"; empty in stripped assets.
  static std::string place_words(NodeOf node);
  void fail(text::Span span, std::string message, std::string hint) const;

  // ---- Creating and destroying agents: session_agents.cpp
  [[nodiscard]] Faults add_agents(const Tree& tree, std::uint32_t count, text::Span span);
  [[nodiscard]] Faults run_spawn(const Line& line);
  [[nodiscard]] Faults run_destroy(const Line& line);
  [[nodiscard]] Faults run_reload(const Line& line);
  void reload_same(const Asset& loaded, const std::vector<Tree>& new_trees, const std::string& path);
  [[nodiscard]] Faults run_save(const Line& line, Agents agents);
  [[nodiscard]] Faults run_restore(const Line& line, Agents agents);
  [[nodiscard]] Faults take_memory(std::uint64_t bytes, text::Span span);
  static std::uint64_t answer_bytes(const std::string& name);
  static std::uint64_t reaction_bytes(const Reaction& reaction);
  static std::uint64_t state_bytes(const AgentState& state);
  // Agents of this tree become the current ones. The tree is bound if it is not yet.
  BoundTree& bind(const Tree& tree);
  void select(BoundTree& bound);
  void forget_snapshots();
  void move_agent(Agent& agent, const BoundTree& old, const Host& old_host);

  // ---- Updates and the host: session_updates.cpp
  // The answers that find_answers() found for a node of an agent; null: there are none.
  struct FoundAnswers {
    std::uint64_t version = 0;  // valid only if it is that of the session
    std::uint32_t agent = 0;
    std::uint32_t node_word = 0;
    const char* name = nullptr;
    Answers* answers = nullptr;
  };
  // decide: the name of a node.
  struct NamedDecider {
    const Asset* asset = nullptr;
    std::uint32_t node_word = 0;
    std::string_view name = {};
  };
  // A behaviour without a script, and the answer it gives.
  struct Unscripted {
    std::string_view kind;  // "action"
    std::string_view name;
    const char* otherwise;
    std::uint32_t agent = 0;
  };

  [[nodiscard]] Faults run_tick(const Line& line);
  // Counts this many updates, or other work that takes about as long.
  [[nodiscard]] Faults take_updates(std::uint64_t count, text::Span span);
  // What the host could not do in this tick: answers and signals that it does not have.
  void warn_of_host_use(const Line& line);
  void warn_of_unscripted(const Line& line);
  // Delivers an event from outside to the current agent. No `signal`: the tree does not know it. `value`: the data as
  // the line has it; null: none.
  void deliver(std::string_view name, std::optional<std::uint32_t> signal, const void* data = nullptr,
               const text::JsonValue* value = nullptr);
  void deliver_queue(std::uint32_t index);
  std::vector<std::string_view> active_behaviors() const;
  std::vector<std::string> reacting_to(std::string_view signal, const std::vector<std::string_view>& active) const;
  void react(std::string_view signal, const text::JsonValue* data, const std::vector<std::string_view>& active);
  [[nodiscard]] bool update(std::uint32_t index);
  void count_swaps(std::uint32_t index);
  // Runs the runtime's update and returns its status.
  Result update_watched(Agent& agent, const Watcher& watcher);
  static void note_variable(void* session, std::uint32_t variable, bool value);
  Host host();
  // The trace's answers for the behaviour that is called; null if it is not scripted.
  Answers* find_answers(const Call* call, std::string_view name);
  Answers* find_unplaced_answers(const Call* call, std::string_view name);
  Answers* find_placed_answers(const Call* call, std::string_view name);
  std::optional<Answer> take_answer(const Call* call, std::string_view name, const char* kind, const char* otherwise);
  void note_unscripted(Unscripted unscripted);
  static Session& of(const Call* call) { return *static_cast<Session*>(call->host->user); }
  // The name of the behaviour, or of the condition, that is called.
  static std::string_view called_name(const Call* call) {
    const BoundTree& bound = *of(call).bound_;
    const bool is_bound = call->tree.asset == bound.tree.asset && call->behavior < bound.behavior_names.size();
    return is_bound ? bound.behavior_names[call->behavior] : behavior_name(*call->tree.asset, call->behavior);
  }
  static std::string_view asked_name(const Call* call) {
    const BoundTree& bound = *of(call).bound_;
    const bool is_bound = call->tree.asset == bound.tree.asset && call->behavior < bound.condition_names.size();
    return is_bound ? bound.condition_names[call->behavior] : host_condition_name(*call->tree.asset, call->behavior);
  }

  const Asset* asset_;
  std::vector<const Asset*> assets_;  // also those before a reload
  const ReplayOptions& options_;
  Listener listener_;
  std::vector<std::unique_ptr<BoundTree>> bound_trees_;
  // Of the current agent:
  BoundTree* bound_ = nullptr;
  Tree tree_;
  const Strategy* strategy_ = nullptr;
  std::uint64_t seed_ = 1;
  // The blocks that agents share, by tree; all synchronized trees share one, with the key kNone.
  std::map<std::uint32_t, std::vector<std::uint64_t>> shared_;
  std::vector<std::uint64_t> group_;
  std::vector<std::unique_ptr<Agent>> agents_;  // null: destroyed
  std::vector<std::uint32_t> targets_;          // of the current line
  std::uint32_t living_count_ = 0;
  std::map<std::pair<std::uint32_t, std::string>, Saved> snapshots_;
  std::uint64_t memory_bytes_ = 0;           // of agents and snapshots
  std::uint64_t updates_ = 0;                // that were done
  std::uint64_t queued_count_ = 0;           // events not yet delivered to agents
  std::set<std::string> told_;               // names for which a warning was reported
  bool is_silent_ = false;                   // no more of them are: there are too many
  std::set<std::string> reacted_;            // signals to which a behaviour reacts
  std::set<std::string, std::less<>> made_;  // names that only the trace knows
  bool makes_any_ = false;                   // they are too many to be kept
  std::array<FoundAnswers, 256> found_answers_ = {};
  std::array<NamedDecider, 64> named_deciders_ = {};
  std::uint64_t answers_version_ = 1;  // of the names that are scripted, and of the agents that they are scripted for
  std::uint64_t time_us_ = 0;
  std::uint32_t current_agent_ = 0;  // the agent of current events
  AgentView watched_;                // of the last event, for observers that watch
  std::uint32_t watched_agent_ = 0;
  bool is_updating_ = false;  // the current agent is being updated
  bool several_agents_ = false;
  bool is_scripted_ = false;    // a `host` line scripts a behaviour
  bool allows_errors_ = false;  // "errors": "allowed"
  bool is_reloaded_ = false;
  std::string name_;
  std::vector<LineFault> other_faults_;
  std::vector<Unscripted> unscripted_;    // used in this tick, to be reported
  std::vector<std::string> unheard_;      // signals of scripts in this tick that no tree knows, to be reported
  std::vector<LineFault> answer_faults_;  // of answers that were used in this tick; their span is that of the line
  EventLog log_;
  bool tells_nodes_ = false;
  bool is_watched_ = false;  // or the observer watches

  // For single engines:
  // select: the nodes of leaves, by asset and tree
  std::map<std::pair<const Asset*, std::uint32_t>, std::vector<std::uint32_t>> leaf_words_;
  std::vector<std::uint64_t> before_;          // select: the block before this update
  std::optional<script::Machine> scripts_;     // tick
  std::optional<EntryChanges> entry_changes_;  // poll: in the update of the current agent
  std::string script_error_;                   // tick: of a function that a script has called
  const Asset* script_asset_ = nullptr;   // tick: of the scripts; during a reload scripts_ has those of both assets
  std::vector<std::uint32_t> completed_;  // tick, decide: the nodes that completed in this update, by their words
  std::vector<std::uint32_t> runs_;       // rule: the rules that ran in this update
};

// decide: the data of a line with `data`; null if it has none.
std::optional<StimulusData> data_of(const Line& line);

}  // namespace espalier::replay
