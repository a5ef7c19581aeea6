// Runs steps on copies of a state: what a step leads to, for each answer of the host and each random number.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "explore/engine.h"
#include "explore/hash.h"
#include "explore/heard.h"
#include "explore/known_branches.h"
#include "explore/known_writes.h"
#include "explore/numbers.h"
#include "explore/seen.h"
#include "explore/tracker.h"
#include "explore/world.h"

namespace espalier::explore {

// Which choices there are.
//   plain   the host gives one answer for a name until it is given another one, and ticks last until some wait, timeout
//           or comparison of times changes its answer (0.1 s if there is none), or end at once where EngineRow::waits
//           says so: what the steps of a trace are
//   wide    also: different answers for the nodes of one name within an update, or (EngineRow::asks_anew) for each
//           question, and updates before the first of those times
enum class Choices : std::uint8_t { plain, wide };

// Does a state tell what the host answers at present? Then the number of steps counts the lines of a trace that change
// answers, and there are many states. Otherwise any answer may come at any time, and each update is one step: what can
// be reached is the same, and there are far fewer states. Several agents are then updated one after the other, with a
// state after each: most of what they may do does not depend on what the others did in this update.
enum class Answers : std::uint8_t { kept, free };

// Of a state, so many of its first bytes tell it from others.
inline std::size_t bytes_of_states(const World& world, Answers answers) {
  return answers == Answers::kept ? world.state_bytes() : world.bytes_without_answers();
}

class Run;

// Watches what a step does. Its functions are called from several threads, each with a Run of its own.
struct Observer {
  const Tracker* tracker = nullptr;  // of a world's only version; may be null
  // After each step, with the state that it leads to, whose clock is still Run::clock_us(). Is the world to be explored
  // from there? May be empty.
  std::function<bool(Run& run, const Step& step, unsigned char* state)> after = {};
  // Is `after` also called when only some agents were updated (Answers::free)?
  bool sees_turns = false;
  // Does `after` change nothing and mark nothing after a write (set, write, stimulus), and does it let all go on?
  bool ignores_writes = false;
  // The number of something that the host hears, see Run::heard(), or kNotKept. Empty: nothing is kept.
  std::function<std::uint64_t(const Run& run, std::size_t side, const Hearing& hearing)> heard = {};
  // Does it matter from which state a step leads to another? Then ways from several states are never followed as one.
  bool sees_before = false;
  bool is_shown = false;       // Findings::Mark::show is called
  bool hears_answers = false;  // also what the host answers, and what trees that select enter
  // Agents from this one on may change places: states that differ only in these are one. A trace to such a state is
  // none of the world's, where agents are updated in their order.
  std::uint32_t first_alike = kAllAgents;
};

// A random number that a run needs.
struct Draw {
  std::uint32_t agent = 0;
  std::uint32_t side = 0;
  Numbers numbers = {};
};

constexpr std::uint32_t kNoGiven = 0xFFFFFFFF;

// An answer of the host in an update.
struct Given {
  std::uint32_t agent = 0;
  std::uint32_t name = 0;
  std::uint32_t node_word = 0;  // that asks
  Answer answer = {};
  bool is_foreseen = false;       // the node's next question is about it
  std::size_t side = 0;           // of Run::answered_
  std::uint32_t next = kNoGiven;  // to the same agent for the same name
  bool is_left = false;           // the first of a list that a version has not heard to its end
};

// A line that sets an answer for all agents.
struct GivenToAll {
  std::uint32_t name = 0;
  Answer answer = {};
};

// Points that were looked at, and those of them where a path ended: see Run::forget_points().
struct PointCounts {
  std::uint64_t looked_at = 0;
  std::uint64_t merged = 0;
};

// What leads from one state to the next.
struct Edge {
  Step step;
  std::uint32_t wait = 0;  // tick: until which of the times that the state waits for
  std::vector<GivenToAll> given_to_all;
  std::vector<Given> given;  // in the order in which the host is asked
  std::vector<Draw> draws;
  bool is_unfinished = false;  // a tick: the next edge is the update of the next agent
};

class Run {
 public:
  // Of the budget it takes the choices in one update; more are left out.
  Run(const World& world, const Observer& observer, Choices choices, Answers answers, const Budget& budget);
  Run(const Run&) = delete;

  // Where one step, with the answers before it, leads to. Valid during the call.
  struct Next {
    const unsigned char* state;  // all of its bytes
    std::span<const std::uint64_t> marks;
    bool goes_on;             // the world is to be explored from there
    std::uint32_t write = 0;  // that led there: 1 + its number among World::steps(); 0: something else
  };
  // Calls `take` for each next state that costs this many lines of a trace, always in the same order. It may leave out
  // the state itself, and those that the host and chance lead to in several ways but for the first one. False: none
  // costs more. `state`: bytes_of_states(). `write`: that led to it when it was found first; what it leads to with
  // another one may be left out if a search by distance has come there before.
  bool expand(const unsigned char* state, std::uint32_t cost, const std::function<void(const Next& next)>& take,
              std::uint32_t write = 0);
  // What the last call of one of these took: how many steps it looked at, where those in which the host is asked often
  // count as several; or with set_costs(), in 64ths of a microsecond of a usual processor, about.
  std::uint64_t work() const { return work_; }
  void set_costs() { counts_costs_ = true; }
  // expand() leaves out the rest when it has taken so much, or when `is_late` says so.
  void set_limit(std::uint64_t work) { most_work_ = work; }
  void set_late(std::function<bool()> is_late) { is_late_ = std::move(is_late); }
  // What it takes to keep a state, the same.
  static std::uint64_t work_to_keep(std::size_t bytes) { return bytes / 16; }
  // What leads to the first next state of this cost that is wanted.
  Edge edge(const unsigned char* state, std::uint32_t cost, const std::function<bool(const Next& next)>& is_wanted);
  // Takes a step, or if it is null one of those ticks that may come, with random answers and random numbers. `below`
  // gives a number below another one. The result is what leads there.
  using Below = std::function<std::uint32_t(std::uint32_t count)>;
  Edge go_at_random(const unsigned char* state, const Step* step, const Below& below,
                    const std::function<void(const Next& next)>& take);
  // Calls of expand() with free answers from now on, to add_points(), may leave out what those between have led to.
  void forget_points();
  // The points that were added since then, and at how many of those that were looked at a path ended.
  std::vector<Hash> take_points() { return std::exchange(new_points_, {}); }
  PointCounts point_counts() const { return point_counts_; }
  // Those that are known from before, all of whose next states are; must outlive the run. `looks_early`: they are
  // looked for from the first path of an update on.
  void set_points(const HashSet& points, bool looks_early) {
    known_points_ = &points;
    looks_early_ = looks_early;
  }
  // The same for writes of entries: a hash tells an entry, and all of a state but its value.
  void set_known_entries(const HashSet& entries) { known_entries_ = &entries; }
  // How branches end is found there, and kept.
  void set_branches(std::shared_ptr<KnownBranches> known);
  // What writes of entries do, the same.
  void set_known_writes(std::shared_ptr<KnownWrites> known);
  std::vector<Hash> take_entries() { return std::exchange(new_entries_, {}); }
  PointCounts entry_counts() const { return entry_counts_; }
  // Do agents with this seed do what the edges say, up to a last step with this mark? The times of the edges' ticks
  // become those of these agents: the states of a search stand for others with other times. `tells`: the observer is
  // shown the last step, with is_telling().
  bool replays(std::span<Edge> edges, std::uint64_t seed, std::uint64_t mark, bool tells = false);
  // Trackers need not mark these again: by mark, not 0.
  void set_marked(std::span<const unsigned char> is_marked) { is_marked_ = is_marked; }
  // Was something left out: too many choices in one update, too many events that wait?
  bool has_left_out() const { return has_left_out_; }

  // ---- For observers
  bool is_telling() const { return wanted_ == number_; }  // the step is the last one of a replay that tells
  const World& world() const { return world_; }
  void mark(std::uint64_t mark) { marks_.push_back(mark); }
  std::vector<std::uint64_t>& marks() { return marks_; }
  std::uint64_t clock_us() const { return clock_us_; }
  Seen seen(std::size_t side, std::uint32_t agent, unsigned char* state) const;
  const unsigned char* before() const { return from_; }  // the state before the step
  std::uint32_t agent() const { return agent_; }         // that a hearing is of
  const unsigned char* block() const { return World::block(side(), state_, agent_); }
  bool is_unfinished() const { return is_unfinished_; }  // agents are still to be updated
  // What the host heard of an agent in the step, in order.
  const std::vector<Heard>& heard(std::size_t side, std::uint32_t agent) const {
    return heard_[side * world_.agent_count() + agent];
  }

  // ---- For engines
  static Run& of(const Call* call) { return *static_cast<Run*>(call->host->user); }
  const Side& side() const { return world_.sides()[side_]; }
  Answer ask(std::uint32_t name, std::uint32_t node_word);
  // Is all that follows in the update known, or is a branch passed? Where EngineRow::gives_up, the answer is then none.
  bool gives_up() const { return (is_merged_ && is_going_on_) || is_leaving_; }
  // The answer that ask() will give to the node's next question. If it is `last` instead, there is no such question.
  Answer foresee(std::uint32_t name, std::uint32_t node_word, Answer last);
  Answer ask_behavior(const Call* call) { return ask_about(*call, side().behavior_names[call->behavior]); }
  Answer ask_condition(const Call* call) { return ask_about(*call, side().condition_names[call->behavior]); }
  // The host's functions of engines whose actions succeed, fail or run, and whose conditions are true or false.
  static espalier_result tick_action(const Call* call);
  static bool ask_host(const Call* call) { return of(call).ask_condition(call) != Answer::failure; }
  void queue(std::uint32_t agent, std::uint32_t signal);

 private:
  // Answers to one agent for one name.
  struct Chain {
    std::uint32_t first = kNoGiven;
    std::uint32_t last = kNoGiven;
  };
  struct Choice {
    std::uint32_t option = 0;
    std::uint32_t count = 1;
  };
  void expand_step(const unsigned char* state, const Step& step, const std::function<void(const Next& next)>& take);
  void expand_tick(const unsigned char* state, std::uint64_t time_us, std::uint8_t agent,
                   const std::function<void(const Next& next)>& take);
  std::uint64_t work_so_far() const;
  void begin_work();
  bool has_done_enough() const;
  bool is_known_write(std::uint32_t before, std::uint32_t number) const;
  bool is_set_already(const Step& step, const unsigned char* state) const;
  bool may_know_entries() const;
  bool may_know_writes() const;
  bool writes_as_before(const unsigned char* state, const Step& step, std::uint32_t number,
                        const std::function<void(const Next& next)>& take);
  bool find_write(const unsigned char* state, const Step& step, const Places& places, KnownWrites::OfStep& known);
  void find_known_entries(const unsigned char* state);
  void forget_points_of_updates();
  void listen();
  void listen_to_nodes(Watcher& watcher) const;
  Behavior heard_action(const Behavior& own) const;
  Behavior heard_condition(const Behavior& own) const;
  void hear(const Hearing& hearing);
  void hear_call(const Call* call, HeardKind kind, std::string_view text = {});
  void hear_answer(const Call* call, std::string_view word);
  Answer ask_about(const Call& call, std::uint32_t name);
  Answer replayed_answer(std::uint32_t name);
  std::uint32_t choose(std::uint32_t count);
  bool next_path();
  void begin(const unsigned char* state);
  template <typename Visit>
  void for_each_agent(const Visit& visit) {
    std::size_t index = 0;
    for (const Side& in : world_.sides()) {
      for (std::uint32_t agent = 0; agent < in.agent_count; ++agent) visit(in, agent, index++);
    }
  }
  // Of an update of one agent: all else that what follows depends on is in the state.
  bool may_merge() const { return hosts_.size() == 1 && updates_one_ && replayed_ == nullptr; }
  // Are points of one update known in others? Those that hear something may look at the state before.
  bool shares_points() const { return answers_ == Answers::free && !observer_.heard && !observer_.sees_before; }
  bool may_go_on() const { return side().engine->go_on != nullptr && may_merge() && below_ == nullptr; }
  struct Asked;
  // Asks, and keeps what was there before if there is a choice. `fill`: what it goes on with; false: it cannot.
  template <typename Fill>
  Answer ask_and_keep(std::uint32_t name, std::uint32_t node_word, const Fill& fill) {
    const std::size_t choice_count = path_.size();
    const std::size_t given_count = given_.size();
    const std::size_t changed_count = changed_.size();
    const std::uint64_t ask_count = ask_count_ - asked_before_;
    const bool is_refused = is_refused_;
    const Answer answer = ask(name, node_word);
    if (path_.size() == choice_count || !may_keep_asked()) return answer;
    Asked& asked = add_asked();
    if (!fill(asked)) return answer;
    ++asked_count_;
    asked.place = choice_count;
    asked.given_count = given_count;
    asked.changed_count = changed_count;
    asked.ask_count = ask_count;
    asked.is_refused = is_refused;
    return answer;
  }
  bool may_keep_asked() const;
  Asked& add_asked();
  void go_back_to(const Asked& asked);
  void go_back_to_asked();
  bool uses_passages() const { return known_branches_ != nullptr && may_go_on(); }
  Gate* gate_at(const Call& call, std::uint32_t name);
  bool enters_branch(const Call& call, std::uint32_t name);
  Result pass_question(Gate& gate, const Host& host, const Watcher& watcher);
  Result pass_gate(const Host& host, const Watcher& watcher);
  Result leave_gate(Gate& gate, const BranchEnds& ends, const Host& host, const Watcher& watcher);
  Result begin_with_gates(const Host& host, const Watcher& watcher);
  template <typename Walk>
  Result pass(Passages& from, const Walk& walk);
  template <typename Walk>
  Result record(Passages& from, const Walk& walk);
  void end_recording(const Call* call, std::uint32_t name);
  Result come_to(Gate& gate);
  const BranchEnds& ends_from(Gate& gate, bool was_left, const Host& host, const Watcher& watcher);
  BranchEnds walk_branch(const Asked& asked, const Gate& gate, const Host& host, const Watcher& watcher);
  void forget_asked(std::size_t place);
  void forget_given(std::size_t count);
  bool may_be_point() const;
  bool ends_as_before();
  void leave_points(std::size_t place);
  void look_for_point(const DecideStep& step);
  void look_for_point(const Call& call);
  void look_for_point(const Hash& rest);
  void begin_point(const void* bytes, std::size_t size) {
    point_size_ = 0;
    add_to_point(bytes, size);
  }
  void add_to_point(const void* bytes, std::size_t size) {
    if (point_size_ + size > point_bytes_.size()) point_bytes_.resize(2 * (point_size_ + size));
    std::memcpy(point_bytes_.data() + point_size_, bytes, size);
    point_size_ += size;
  }
  void add_point();
  void add_answers_to_point();
  bool takes_turns() const { return answers_ == Answers::free && world_.agent_count() > 1 && replayed_ == nullptr; }
  void apply(const Step& step);
  void apply_to(const Step& step, std::uint32_t agent);
  Watcher make_watcher();
  void tick(const Step& step);
  void end_turn();
  void update(std::size_t side, std::uint32_t agent, const Watcher& watcher);
  Moment moment() { return {side().tree, World::block(side(), state_, agent_), marks_, notes_, is_marked_}; }

  void finish(const Step& step, const std::function<void(const Next&)>& take);
  std::optional<Answer> answer_in_turn(std::uint32_t name, std::uint32_t node_word);
  void note_in_turn(std::uint32_t name, std::uint32_t node_word, Answer answer);
  std::size_t turn_of(std::uint32_t name) const {
    return (side_ * world_.agent_count() + agent_) * world_.names().size() + name;
  }
  bool is_allowed(const HostName& asked, std::uint32_t node_word, Answer answer) {
    return !side().has_limits || is_within_limits(asked, node_word, answer);
  }
  bool is_within_limits(const HostName& asked, std::uint32_t node_word, Answer answer);
  Answer choose_answer(std::uint32_t name, std::uint32_t node_word);
  void give(std::uint32_t name, std::uint32_t node_word, Answer answer);
  Chain& chain_of(std::uint32_t agent, std::uint32_t name) { return chains_[agent * world_.names().size() + name]; }
  bool may_change(std::uint32_t name);
  void mark_left_lists();
  std::uint32_t settle_answers();
  void give_to_all(std::uint32_t name);
  void find_numbers(espalier_draw_kind kind, std::uint64_t limit);
  std::uint64_t draw(espalier_draw_kind kind, std::uint64_t limit, std::uint64_t bits);
  void settle(std::uint64_t passed_us);
  bool settle_write(const Step& step);
  void settle_watched(std::uint64_t passed_us);
  void end_times(const unsigned char* state, const std::function<void(const Next&)>& take);
  void find_waits(unsigned char* state, std::vector<std::uint64_t>& waits_us);
  void add_watched_waits(unsigned char* state, std::vector<std::uint64_t>& waits_us) const;
  const Host& host_of(std::size_t side);
  void deliver(std::uint32_t signal, unsigned char* block, const Host& host);
  void halt(unsigned char* block, const Host& host);

  const World& world_;
  const Observer& observer_;
  const Choices choices_;
  const Answers answers_;
  const std::uint32_t max_paths_, few_paths_;
  const std::size_t size_;                    // bytes_of_states()
  const unsigned char* from_ = nullptr;       // so many bytes
  std::vector<std::uint64_t> words_;          // of `state_`
  std::vector<unsigned char> answers_begun_;  // behind size_
  unsigned char* state_ = nullptr;
  std::vector<std::uint64_t> scratch_;
  std::vector<std::optional<Result>> statuses_;   // of agents, side by side
  std::vector<Host> hosts_;                       // of sides
  std::vector<std::vector<Behavior>> listening_;  // of sides: actions, conditions
  std::vector<std::vector<Heard>> heard_;         // of agents, side by side; empty: nothing is kept
  std::span<const unsigned char> is_marked_;
  std::size_t side_ = 0;
  std::uint32_t agent_ = 0;
  bool updates_one_ = false;  // the step is an update of one agent
  std::uint64_t clock_us_ = kNow;
  std::vector<Choice> path_;
  std::size_t place_ = 0;  // in the path
  std::uint32_t path_count_ = 0;
  bool is_merged_ = false;  // what follows was explored: nothing is chosen any more
  // A point of the present update, at this place of its path: all that may follow is known once the path has left it.
  struct Passed {
    std::size_t place;
    Hash point;
  };
  // A choice of an answer in the present update, and what was there before: from there it goes on with another answer.
  struct Asked {
    std::size_t place = 0;  // of the choice in the path
    std::string rest = {};  // see EngineRow::rest_of_update
    std::vector<unsigned char> state = {};
    std::vector<std::uint64_t> notes = {};
    std::size_t given_count = 0, changed_count = 0, draw_count = 0, mark_count = 0, told_count = 0, heard_count = 0;
    std::uint32_t agent = 0;      // of the only side
    std::uint64_t ask_count = 0;  // since the update began
    bool is_refused = false;
    Gate* gate = nullptr;              // where it is; null: it asks again
    const BranchEnds* ends = nullptr;  // that there are
  };
  std::vector<Asked> asked_;        // some more than asked_count_: their memory is used again
  std::size_t asked_count_ = 0;     // in the order of the path
  bool is_asked_again_ = false;     // what was heard when it was asked is known
  bool is_going_on_ = false;        // the update goes on from there, and may end where the rest is known
  std::uint64_t asked_before_ = 0;  // of ask_count_: when the update began
  std::shared_ptr<KnownBranches> known_branches_;
  std::vector<bool> is_free_branch_;  // by branch: see set_branches()
  std::vector<std::uint64_t> branch_words_;
  std::string rest_;
  Gate* gate_ = nullptr;     // that the update has come to
  bool is_leaving_ = false;  // as a walk that ends there; then asked_ has what was there
  // What the update does to its end, or to the first question of the host.
  struct Recorded {
    Visits visits = {};
    std::vector<unsigned char> before = {}, after = {};  // blocks
    std::size_t mark_count = 0;                          // at the end
    Passage passage = {};
    bool is_known = false;
  };
  Recorded recorded_;
  std::optional<Answer> known_answer_;  // to the next question
  bool is_recording_ = false;
  bool is_walking_ = false;     // one to its end
  bool is_in_unknown_ = false;  // it goes on where a branch begins that is not known
  HashSet points_;              // at which updates were: see EngineRow::is_point
  PointCounts point_counts_;    // since points are kept
  bool looks_early_ = false;    // see set_points()
  std::vector<Passed> passed_;
  // How a path through an update ended.
  struct End {
    std::uint64_t number = 0;  // it counts only with end_number_
    std::uint64_t clock_us = 0;
  };
  static constexpr std::size_t kEndBytes = std::size_t{1} << 16;  // of all of them
  static constexpr std::size_t kLeastEnds = 4;
  static constexpr std::size_t kMostEnds = 256;
  std::vector<End> ends_;  // by hash of the state: the last one; and its state, and the statuses
  std::vector<unsigned char> end_states_;
  std::vector<std::optional<Result>> end_statuses_;
  std::uint64_t end_number_ = 1;
  std::vector<std::uint32_t> names_asked_again_;  // that later questions of an update may be about
  std::vector<Hash> new_points_;
  const HashSet* known_points_ = nullptr;
  const HashSet* known_entries_ = nullptr;  // see set_known_entries()
  HashSet own_entries_;                     // the same, of this run
  std::vector<Hash> new_entries_;
  std::vector<Hash> values_;                   // of the entries of a state; of all else
  std::vector<unsigned char> is_entry_known_;  // by entry: not 0
  PointCounts entry_counts_;                   // since points are kept
  std::shared_ptr<KnownWrites> known_writes_;
  std::vector<std::uint64_t> before_, after_;  // of an entry that is written
  std::string point_key_;
  std::vector<unsigned char> point_bytes_;  // the first point_size_
  std::size_t point_size_ = 0;
  std::unordered_set<std::uint64_t> told_marks_;  // of the next states that were taken since points are kept
  std::size_t told_count_ = 0;                    // so many of the first of marks_ are among these
  std::vector<std::uint64_t> failed_;
  std::vector<Given> given_;
  std::vector<Chain> chains_;  // of these, by agent and name
  std::vector<GivenToAll> given_to_all_;
  std::vector<std::uint32_t> taken_;  // of the answers that are replayed, by side, agent and name
  std::vector<std::uint32_t> lists_;  // how far a list of answers is used, the same; see answer_in_turn()
  std::vector<Given> answered_;       // several versions: the answer of each node in this step, unless it is asked anew
  std::vector<std::uint64_t> weights_;
  std::vector<Numbers> numbers_;  // of each thing that the number to be drawn can decide
  std::vector<Draw> draws_;
  std::vector<std::uint64_t> marks_;
  std::vector<std::uint64_t> notes_;
  std::optional<Moment> moment_;  // of the agent that is updated
  std::vector<std::uint64_t> waits_us_;
  Settling settling_;
  std::uint32_t write_ = 0;         // see Next::write
  std::uint32_t wait_ = 0;          // tick: until which of waits_us_
  std::uint32_t number_ = 0;        // of the next state
  std::uint64_t ask_count_ = 0;     // since the last call of expand()
  std::uint64_t update_count_ = 0;  // the same
  std::uint64_t work_ = 0;
  std::uint64_t most_work_ = ~std::uint64_t{0};
  std::function<bool()> is_late_ = {};
  bool counts_costs_ = false;
  std::uint32_t cost_ = 1;                              // of those that are wanted
  std::vector<std::uint32_t> changed_;                  // names whose answers change
  std::vector<unsigned char> is_changed_;               // by name: not 0
  bool is_unfinished_ = false;                          // agents are still to be updated
  bool is_refused_ = false;                             // the step: an entry does not take the value
  bool has_more_ = false;                               // some cost more
  std::optional<std::uint32_t> wanted_;                 // is told
  std::function<bool(const Next& next)> is_kept_ = {};  // its edge: of the first one
  bool is_over_ = false;                                // no more next states are wanted
  const Edge* replayed_ = nullptr;                      // by replays()
  const Below* below_ = nullptr;                        // by go_at_random()
  Edge edge_;
  bool has_left_out_ = false;
};

}  // namespace espalier::explore
