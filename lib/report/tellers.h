// One teller for each engine: it selects the events that are worth showing, and words them. A teller gets every event
// of the agents that the story shows, including `told` events and those of updates.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/branch.h"
#include "report/reasons.h"
#include "report/store_words.h"
#include "report/story.h"

namespace espalier::report {

using replay::active_nodes;
using replay::Event;
using replay::EventKind;
using Style = Page::Style;

// Common to all tellers.
struct Telling {
  const Event* const& event;  // that is being told
  const StoryOptions& options;
  Page& page;
  replay::KindSet kinds = replay::written_kinds(options.events);
  // Were kinds of events asked for? Then only events of these kinds are shown, and all of them.
  bool is_filtered = replay::selects_kinds(options.events);

  // The event's agent.
  const AgentView& agent() const { return *event->state; }
  Views views(ViewMode otherwise = ViewMode::changes) const {
    return {page, options.view.value_or(is_filtered ? ViewMode::never : otherwise)};
  }
};

// Says what an event alone tells, on the open line: "enters Flee". `effect`: what a signal does.
void say_plainly(Page& page, const Event& event, std::string_view effect = {});

// Selection trees: the conditions because of which another behaviour was chosen.
class SelectTeller {
 public:
  explicit SelectTeller(const Telling& telling) : telling_(telling), views_(telling.views(ViewMode::never)) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  void end(std::uint32_t agent);
  void tell_reasons(const std::vector<Step>& before, const std::vector<Step>& now, bool selects);

  Telling telling_;
  Views views_;
  // Of the update in progress.
  std::uint32_t old_leaf_ = kNoLeaf;
  bool is_status_new_ = false;
  std::vector<Step> steps_;
  std::map<std::uint32_t, std::vector<Step>> last_steps_;  // by agent, of the last evaluation
  std::uint64_t kept_count_ = 0;                           // of all agents
};

// Starts and ends, and results, in the engines that have actions.
class PlainTeller {
 public:
  explicit PlainTeller(const Telling& telling) : telling_(telling) {}
  void tell(const Event& event);

 private:
  void tell_result(const Event& event, bool is_just_entered);
  void tell_answer(const Event& event, bool is_just_entered);

  Telling telling_;
};

// Modular trees: what starts and stops, then the active branch; and the history before an error.
class TickTeller {
 public:
  explicit TickTeller(const Telling& telling) : telling_(telling), plain_(telling), views_(telling.views()) {}
  void event(const Event& event);

 private:
  // The recent events of each agent, shown when something went wrong.
  struct History {
    std::deque<std::string> messages;
    std::deque<std::string> events;
  };
  void end(std::uint32_t agent);
  void remember(const Event& event);
  void tell_history(std::uint32_t agent);

  Telling telling_;
  PlainTeller plain_;
  Views views_;
  std::map<std::uint32_t, History> histories_;
};

// Drag[en]gine trees: what starts and stops, with the answers of the host's conditions that led to it.
class RuleTeller {
 public:
  explicit RuleTeller(const Telling& telling) : telling_(telling), plain_(telling), views_(telling.views()) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  void end(std::uint32_t agent);
  void tell_run_away(const Event& event);
  void note_answer(const Event& event);

  Telling telling_;
  PlainTeller plain_;
  Views views_;
  Reasons answers_;               // since the last line of this update
  std::uint32_t rule_ = kNoRule;  // that is run
  bool was_stopped_ = false;
  bool runs_ = false;  // after this update
};

// Trees that poll: what starts, stops and is skipped, with the inputs that were read, the entries that were written and
// the answers of conditions, then the branch.
class PollTeller {
 public:
  explicit PollTeller(const Telling& telling) : telling_(telling), plain_(telling), views_(telling.views()) {}
  void event(const Event& event);

 private:
  // The nodes of an agent that were skipped in an update, by their words, with the reasons.
  using Reasons = std::set<std::pair<std::uint32_t, std::uint32_t>>;
  struct Skips {
    Reasons before;
    Reasons now;
  };
  void tell(const Event& event);
  bool note(const Event& event);
  void tell_plain(const Event& event);
  void add_notes();
  void forget();
  void step(const Event& event, const NodeStep& step);
  void end(std::uint32_t agent);

  Telling telling_;
  PlainTeller plain_;
  Views views_;
  std::map<std::uint32_t, Skips> skipped_;  // by agent
  bool is_inside_ = false;                  // an update
  // Since the last line of this update:
  std::string inputs_;                           // of the node that is called next
  std::string written_;                          // entries
  std::string notes_;                            // answers
  std::set<std::string> noted_;                  // answers of this update, each of which is told once
  std::set<std::string, std::less<>> inferred_;  // entries whose values are inferred
};

// Trees of deciders: which deciders were asked, their answers, and which one takes over.
class DecideTeller {
 public:
  explicit DecideTeller(const Telling& telling) : telling_(telling), views_(telling.views()) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  void tell_words(const Event& event);
  void step(const Event& event, const DecideStep& step);
  void tell_takeover(std::uint32_t agent, const DecideStep& step);
  void note_failure(std::uint32_t agent, const DecideStep& step);
  // Opens a line. Its details are the reasons since the previous line.
  void open_with_reasons(std::uint64_t time_us, std::uint32_t agent);
  std::string reason(const DecideStep& step) const;

  Telling telling_;
  Views views_;
  // In this update:
  Ends<DecideStep> reasons_{5, 3};     // deciders that were asked since the previous line
  std::set<std::string> told_;         // reasons
  std::optional<DecideStep> visited_;  // the group that asks whether another child takes over
  DecideStepKind last_step_ = DecideStepKind::end;
  bool is_failure_told_ = false;                   // an event has reported the failure of the decider that fails next
  bool is_told_ = false;                           // a line was written
  std::map<std::uint32_t, std::string> statuses_;  // by agent, after its last update
};

// Synchronized trees: the places and roles of agents, who waits for whom, and what makes a tree restart.
class StoreTeller {
 public:
  explicit StoreTeller(const Telling& telling) : telling_(telling), plain_(telling), views_(telling.views()) {}
  void event(const Event& event);

 private:
  void tell(const Event& event);
  bool join_resets(const Event& event);
  void tell_slot_error(const Event& event);
  void begin();
  void note_status(const Event& event);
  void end(std::uint32_t agent);
  bool has_other_nodes() const;
  void step(std::uint32_t agent, const NodeStep& step);
  void note_beginning(std::uint32_t agent, std::uint32_t node_word);
  void note_result(std::uint32_t agent, const NodeStep& step, bool is_just_begun);
  void explain_interruption(const NodeStep& step, std::uint32_t interrupted_word);
  void tell_wait(std::uint32_t agent);
  void tell_role(std::uint32_t agent, std::uint32_t role_word);
  void tell_restart(std::uint32_t agent, std::uint32_t node_word);
  void tell_root_result(std::uint32_t agent, bool has_succeeded);
  void note_ask(const Event& event);
  void note_cause(std::string_view cause, bool is_own_line);
  void tell_causes();
  void open(std::uint32_t agent);

  struct Cause {
    std::string text;
    bool is_own_line;
  };
  Telling telling_;
  PlainTeller plain_;
  Views views_;
  std::map<std::uint32_t, std::string> statuses_;  // by agent, after its last update
  // In this update:
  std::vector<std::uint64_t> block_;           // of the agent, before the update
  std::vector<SeatView> seats_;                // of the agent, before the update
  bool is_told_ = false;                       // a line was written
  std::vector<Cause> causes_;                  // of the next line
  std::vector<Cause> untold_;                  // causes left when the update ended
  std::vector<std::string> monitor_answers_;   // of the monitor that was asked again last
  std::set<std::string> noted_;                // causes, each of which is told once
  std::string answer_;                         // the last one
  NodeStep last_node_ = {};                    // the previous step
  std::optional<std::uint32_t> entered_;       // the group or barrier that has just begun
  std::optional<std::uint32_t> monitor_word_;  // the monitor that is entered, rather than asked again
};

}  // namespace espalier::report
