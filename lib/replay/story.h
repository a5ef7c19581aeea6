// A replay told to people: time, signal, what changed, and why: in selection trees the conditions that chose another
// behaviour, in trees that tick the branch that runs now, in trees of rules that and what the host has answered, in
// trees of deciders who was asked and what came of it, in synchronized trees who has which place and role.
#pragma once
#include <deque>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "replay/session.h"
#include "replay/store_view.h"

namespace espalier::replay {

class Story {
 public:
  Story(const Session& session, const ReplayOptions& options, std::ostream& out);

  void begin(std::string_view path);
  void event(const Event& event);
  // After the events of an update that selected another leaf, or whose status is another; or in which other nodes are
  // active.
  void change(const Update& update);
  // A step of an update of deciders, while it is made.
  void step(std::uint32_t agent, const DecideStep& step);
  // Before an update of a synchronized tree, and its steps.
  void begin_update(std::uint32_t agent);
  void node(std::uint32_t agent, const NodeStep& step);
  void remark(std::uint32_t agent, const std::string& text);
  // Writes what is held back; before anything else is written, and at the end.
  void flush();

 private:
  enum class Style : std::uint8_t { plain, bold, dim, enter, signal, set, bad, running, text };

  // Words with the columns they take, which colours do not count for.
  struct Words {
    std::string text;
    std::size_t width = 0;
  };

  // What the engines keep of each agent to show it when something went wrong.
  struct History {
    std::deque<std::string> messages;
    std::deque<std::string> events;
  };

  bool is_shown(std::uint32_t agent) const { return !options_.agent || *options_.agent == agent; }
  // The kind of the event that the open line tells last; `count` when that is of another time or agent.
  EventKind last_kind(const Event& event) const;
  void open(std::uint64_t time_us, std::uint32_t agent);
  void say(std::string_view words, Style style = Style::plain);
  std::string styled(std::string_view words, Style style) const;
  std::string reason(const Step& step) const;
  std::string agent_text() const;
  // Where words begin.
  std::size_t indent() const;
  // A line of its own below what was said.
  void say_below(std::string_view words, Style style = Style::plain);

  // Selection trees: story.cpp.
  void tell_selecting(const Event& event);
  void tell_reasons(const Update& update, const std::vector<Step>& steps);

  // Trees that tick: story_ticking.cpp.
  void tell_ticking(const Event& event);
  void tell_result(const Event& event, bool is_just_entered);
  void tell_answer(const Event& event, bool is_just_entered);
  void tell_plainly(const Event& event);
  void tell_error(const Event& event);
  void tell_view(std::uint32_t agent);
  void remember(const Event& event);
  void tell_history(std::uint32_t agent);

  // Trees of rules: story_rules.cpp.
  void tell_rules(const Event& event);
  void tell_run_away(const Event& event);
  // What led to what is told next.
  void note_answer(const std::string& answer);

  // Trees of deciders: story_deciders.cpp.
  void tell_deciders(const Event& event);
  void tell_event(const Event& event);
  void tell_step(std::uint32_t agent, const DecideStep& step);
  void tell_takeover(std::uint32_t agent, const DecideStep& step);
  void note_failure(std::uint32_t agent, const DecideStep& step);
  void note_reason(const DecideStep& step);
  // Opens a line with what was asked since the last one behind it.
  void open_with_reasons(std::uint64_t time_us, std::uint32_t agent);
  std::string reason(const DecideStep& step) const;

  // Synchronized trees: story_synchronized.cpp.
  void tell_synchronized(const Event& event);
  bool join_resets(const Event& event);
  void tell_slot_error(const Event& event);
  void end_update(const Event& event);
  void tell_silent_change(std::uint32_t agent);
  // An agent as it is now, with the others where they are few.
  AgentView view(std::uint32_t agent) const;
  void note_beginning(std::uint32_t agent, std::uint32_t node_word);
  void note_result(std::uint32_t agent, const NodeStep& step, bool is_just_begun);
  void explain_interruption(const NodeStep& step, std::uint32_t interrupted_word);
  void tell_wait(std::uint32_t agent);
  void tell_role(std::uint32_t agent, std::uint32_t role_word);
  void tell_restart(std::uint32_t agent, std::uint32_t node_word);
  void tell_end(std::uint32_t agent, bool has_succeeded);
  void note_ask(const Event& event);
  void note_cause(const std::string& cause, bool is_own_line);
  void tell_causes();

  const Session& session_;
  const ReplayOptions& options_;
  std::ostream& out_;
  KindSet kinds_ = all_kinds();
  // The line that may still grow: what happens, and details behind it, one below the other.
  bool is_open_ = false;
  std::uint64_t time_us_ = 0;
  std::uint32_t agent_ = 0;
  EventKind last_kind_ = EventKind::count;
  std::string last_name_;
  Words words_;
  std::vector<std::string> details_;
  std::map<std::uint32_t, History> histories_;
  std::string answers_;  // of the host's conditions and others, since something was told in this update
  // Trees of deciders, in this update:
  std::deque<DecideStep> reasons_;     // who was asked since something was told
  std::size_t forgotten_count_ = 0;    // of those, that were too many to be kept
  std::optional<DecideStep> visited_;  // the group that asks whether another child takes over
  DecideStepKind last_step_ = DecideStepKind::end;
  bool is_failure_told_ = false;                   // by an event, of the decider that fails next
  bool is_told_ = false;                           // something was; of synchronized trees too
  std::map<std::uint32_t, std::string> statuses_;  // of agents, after their last updates
  // Synchronized trees, in this update:
  struct Cause {
    std::string text;
    bool is_own_line;
  };
  std::vector<Cause> causes_;                  // of what is told next
  std::vector<Cause> untold_;                  // when the update is over
  std::string monitor_answers_;                // of the monitor that was asked again last
  NodeStep last_node_ = {};                    // the step before
  std::optional<std::uint32_t> entered_;       // the group or barrier that began just now
  std::optional<std::uint32_t> monitor_word_;  // the monitor that is entered, and not asked again
  std::vector<SeatView> seats_;                // of the agent, before it
};

}  // namespace espalier::replay
