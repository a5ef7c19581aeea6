// One teller an engine: what of the events of its agents is worth telling, and in which words. A teller gets every
// event of the agents that the story is of, told ones and those of updates too.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/branch.h"
#include "report/store_words.h"
#include "report/story.h"

namespace espalier::report {

using replay::active_nodes;
using replay::Event;
using replay::EventKind;
using Style = Page::Style;

// What every teller has.
struct Telling {
  const replay::Session& session;
  const StoryOptions& options;
  Page& page;
  replay::KindSet kinds = replay::written_kinds(options.events);

  // Were kinds of events asked for? Then each of them is told, and nothing else.
  bool is_filtered() const { return !options.events.empty(); }
};

// Selection trees: the conditions that chose another behaviour.
class SelectTeller {
 public:
  explicit SelectTeller(const Telling& telling) : telling_(telling) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  void end(std::uint32_t agent);
  void tell_reasons(const std::vector<Step>& before, const std::vector<Step>& now, bool selects);
  std::string reason(const Step& step) const;

  Telling telling_;
  // Of the update that goes on.
  std::uint32_t old_leaf_ = kNoLeaf;
  std::optional<Result> old_status_;
  std::vector<Step> steps_;
  std::map<std::uint32_t, std::vector<Step>> last_steps_;  // by agent, of the last evaluation
  std::uint64_t kept_count_ = 0;                           // of all agents
};

// What starts and stops, and how, in the engines that have actions.
class PlainTeller {
 public:
  explicit PlainTeller(const Telling& telling) : telling_(telling) {}
  void tell(const Event& event);

 private:
  void tell_result(const Event& event, bool is_just_entered);
  void tell_answer(const Event& event, bool is_just_entered);
  void tell_other(const Event& event);

  Telling telling_;
};

// Lines of the active branch, below an update.
void tell_branch(const Telling& telling, std::uint32_t agent, const std::vector<NodeLine>& lines);

// Modular trees: what starts and stops, then the active branch; and what led to a root that is done.
class TickTeller {
 public:
  explicit TickTeller(const Telling& telling) : telling_(telling), plain_(telling) { telling.page.set_no_effect({}); }
  void event(const Event& event);

 private:
  // What is kept of each agent to show it when something went wrong.
  struct History {
    std::deque<std::string> messages;
    std::deque<std::string> events;
  };
  void remember(const Event& event);
  void tell_history(std::uint32_t agent);

  Telling telling_;
  PlainTeller plain_;
  std::vector<std::uint32_t> active_;  // nodes, before the update
  std::map<std::uint32_t, History> histories_;
};

// Drag[en]gine trees: what starts and stops, with the answers of the host's conditions that led there.
class RuleTeller {
 public:
  explicit RuleTeller(const Telling& telling) : telling_(telling), plain_(telling) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  void end(std::uint32_t agent);
  void tell_run_away(const Event& event);
  void note_answer(const std::string& answer);

  Telling telling_;
  PlainTeller plain_;
  std::string answers_;  // since something was told in this update
  bool was_stopped_ = false;
  std::map<std::uint32_t, std::uint32_t> last_rules_;  // by agent, the current one when the last update ended running
};

// Trees of deciders: who was asked and what came of it, and who takes over.
class DecideTeller {
 public:
  explicit DecideTeller(const Telling& telling) : telling_(telling) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  void tell_plainly(const Event& event);
  void step(const Event& event, const DecideStep& step);
  void tell_step(std::uint32_t agent, const DecideStep& step);
  void tell_takeover(std::uint32_t agent, const DecideStep& step);
  void note_failure(std::uint32_t agent, const DecideStep& step);
  void note_reason(const DecideStep& step);
  void forget_reasons();
  // Opens a line with what was asked since the last one as its details.
  void open_with_reasons(std::uint64_t time_us, std::uint32_t agent);
  std::string reason(const DecideStep& step) const;

  Telling telling_;
  std::vector<std::uint32_t> active_;
  // In this update:
  std::deque<DecideStep> reasons_;     // who was asked since something was told
  std::size_t forgotten_count_ = 0;    // of those, that were too many to be kept
  std::optional<DecideStep> visited_;  // the group that asks whether another child takes over
  DecideStepKind last_step_ = DecideStepKind::end;
  bool is_failure_told_ = false;                   // by an event, of the decider that fails next
  bool is_told_ = false;                           // something was
  std::map<std::uint32_t, std::string> statuses_;  // of agents, after their last updates
};

// Synchronized trees: who has which place and role, who waits for whom, what makes a tree restart.
class StoreTeller {
 public:
  explicit StoreTeller(const Telling& telling) : telling_(telling), plain_(telling) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  bool join_resets(const Event& event);
  void tell_slot_error(const Event& event);
  void begin(std::uint32_t agent);
  void note_status(const Event& event);
  void end(std::uint32_t agent);
  void step(std::uint32_t agent, const NodeStep& step);
  void note_beginning(std::uint32_t agent, std::uint32_t node_word);
  void note_result(std::uint32_t agent, const NodeStep& step, bool is_just_begun);
  void explain_interruption(const NodeStep& step, std::uint32_t interrupted_word);
  void tell_wait(std::uint32_t agent);
  void tell_role(std::uint32_t agent, std::uint32_t role_word);
  void tell_restart(std::uint32_t agent, std::uint32_t node_word);
  void tell_root_result(std::uint32_t agent, bool has_succeeded);
  void note_ask(const Event& event);
  void note_cause(const std::string& cause, bool is_own_line);
  void tell_causes();
  void open(std::uint32_t agent);
  replay::AgentView view(std::uint32_t agent) const { return telling_.session.view(agent); }

  struct Cause {
    std::string text;
    bool is_own_line;
  };
  Telling telling_;
  PlainTeller plain_;
  std::map<std::uint32_t, std::string> statuses_;  // of agents, after their last updates
  // In this update:
  std::vector<std::uint32_t> active_;          // nodes, before it
  std::vector<SeatView> seats_;                // of the agent, before it
  bool is_told_ = false;                       // something was
  std::vector<Cause> causes_;                  // of what is told next
  std::vector<Cause> untold_;                  // when the update is over
  std::string monitor_answers_;                // of the monitor that was asked again last
  NodeStep last_node_ = {};                    // the step before
  std::optional<std::uint32_t> entered_;       // the group or barrier that began just now
  std::optional<std::uint32_t> monitor_word_;  // the monitor that is entered, and not asked again
};

}  // namespace espalier::report
