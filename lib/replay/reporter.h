// What happens in a session is told here: events to the log and the observer, warnings about the names of a trace, and
// what goes wrong in a run.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/agents.h"
#include "replay/event_log.h"
#include "replay/run_faults.h"

namespace espalier::replay {

// Receives what happens.
struct Listener {
  std::function<void(const Event&)> event;  // may be empty: events are only kept in the log
  bool watches = false;                     // `event` also gets updates and their steps
  bool gets_nodes = false;                  // `event` also gets what happens to nodes of the tree
  bool gets_inputs = false;                 // `event` also gets the parameters of actions as inputs
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

// The node of a call.
inline NodeOf node_of(const Call* call) { return {call->tree.asset, call->node_word}; }

// Time and agent of an event are those of the current agent.
class Reporter {
 public:
  // `agents` must outlive it.
  Reporter(const Agents& agents, Listener listener) : agents_(agents), listener_(std::move(listener)) {}

  // What the first line says: which events are expected, if it does, and whether errors are.
  void begin(std::optional<KindSet> expected, bool allows_errors);
  // Nothing is told any more.
  void be_silent();
  EventLog& log() { return log_; }
  [[nodiscard]] const EventLog& log() const { return log_; }

  // ---- Events

  void tell(Event event);
  void emit(EventKind kind, std::string_view text, std::string_view value = {}, NodeOf node = {});
  // The same for texts that are valid until the replay ends: names of the asset, and literals.
  void emit_name(EventKind kind, std::string_view name, std::string_view value = {}, NodeOf node = {});
  // The same, of the behaviour or condition that is called, and of its node.
  void emit_called(EventKind kind, const Call* call, std::string_view name, std::string_view value = {});
  // Does the observer get steps of updates?
  [[nodiscard]] bool watches() const { return listener_.watches; }
  template <typename Step>
  void show_step(const Step& step) {
    if (listener_.watches) show_any_step(step);
  }
  // Is what happens to nodes of the tree wanted?
  [[nodiscard]] bool tells_nodes() const { return tells_nodes_; }
  void tell_step(const NodeStep& step) {
    if (is_watched_) tell_watched_step(step);
  }
  // Engines with one path of active nodes, root first, which was another before. `completed`: the nodes that have
  // failed in between.
  void tell_path(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now,
                 const std::vector<std::uint32_t>& completed);
  // The current agent is being updated: nothing that a view of it refers to moves.
  void begin_update() { is_updating_ = true; }
  void end_update() { is_updating_ = false; }
  [[nodiscard]] bool is_updating() const { return is_updating_; }

  // ---- Lines

  // Is a fault, which is a warning unless configured as an error, reported for the first time for this name?
  [[nodiscard]] bool is_news(rules::Rule rule, const std::string& name);
  void warn(LineFault fault);
  // Of a name of a `host` line that a tree may know which comes with a reload: see Listener::unknown_host.
  void warn_of_host(LineFault fault, const std::string& name, const std::string& input);
  // All faults of a line: the first, and the others for take_other_faults().
  [[nodiscard]] Faults all_of(std::vector<LineFault> faults);
  std::vector<LineFault> take_other_faults() { return std::exchange(other_faults_, {}); }
  // A line cannot be executed, and changes nothing.
  void fail(text::Span span, std::string message, std::string hint) const;
  // A name that only the trace has, and no tree.
  void note_made(std::string_view name);
  [[nodiscard]] bool is_made(std::string_view name) const;

  // ---- What goes wrong

  // Tells an event `error`, and keeps the fault for the end of the trace, with the event as what accepts it. Without a
  // hint it gets one that says how to accept it.
  void go_wrong(RunFaultKind kind, Event event, std::string message, std::string hint = {});
  // Of the current agent, at the current time, which are filled in.
  void keep(RunFault fault) const;

 private:
  // Passes an event to the observer, if there is one.
  void show(Event event);
  void show_any_step(const EngineStep& step);
  void tell_watched_step(const NodeStep& step);
  void tell_node(EventKind kind, std::uint32_t node_word, std::string_view value = {});
  void tell_inputs(const Call* call, std::string_view name);
  // A fault before it is told: after many, the last one says that there are more.
  void count_warning(LineFault* fault);

  const Agents& agents_;
  Listener listener_;
  EventLog log_;
  bool allows_errors_ = false;  // "errors": "allowed"
  bool tells_nodes_ = false;
  bool tells_inputs_ = false;
  bool is_watched_ = false;  // or the observer watches
  bool is_updating_ = false;
  AgentView watched_;  // of the last event, for observers that watch
  std::uint32_t watched_agent_ = 0;
  std::set<std::string> told_;               // names for which a warning was reported
  bool is_silent_ = false;                   // no more of them are: there are too many
  std::set<std::string, std::less<>> made_;  // names that only the trace knows
  bool makes_any_ = false;                   // they are too many to be kept
  std::vector<LineFault> other_faults_;
};

}  // namespace espalier::replay
