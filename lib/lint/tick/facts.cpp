// Runs a tree on sets of states. See facts.h.
#include "lint/tick/facts.h"

#include <array>

#include "lint/flow.h"
#include "lint/tick/parallel.h"
#include "runtime/format/opcodes/tick.h"

namespace espalier::lint {
namespace {

using logic::Function;

constexpr Results kEach[] = {kRuns, kFails, kSucceeds};

// The states in which a node gives each result.
struct Posts {
  std::array<Function, 3> states;
  Function& operator[](Results one) { return states[one / 2]; }
};

// What the host can do while nodes are called, and whether a subtree changes anything that conditions look at.
struct Effects {
  struct At {
    SharedEffect own;        // of a call of the node, with what actions in other branches do when they hear of it
    SharedEffect elsewhere;  // of those actions
    SharedEffect ends;       // of ending the subtree before it is done
    bool changes = false;
  };
  std::vector<At> places;

  Effects(const Places& of_places, const TickStates& states) : places(of_places.size()) {
    std::vector<SharedEffect> actions(of_places.size());  // of the subtree
    for (std::size_t i = of_places.size(); i-- > 0;) {
      const ir::Node& node = *of_places[i].node;
      At& at = places[i];
      const bool is_action = node.opcode == opcode::tick_action;
      if (is_action || node.opcode == opcode::tick_wrapper) {
        at.own = at.ends = states.effect_of(node.as<ir::Behavior>());
        if (is_action) actions[i] = at.own;
      } else if (const ir::Scripts* scripts = node.as_if<ir::Scripts>()) {
        at.own = states.effect_of_script();
        const bool runs_at_end = node.opcode == opcode::tick_script_wrapper && !scripts->sources[1].empty();
        if (runs_at_end) at.ends = at.own;
      }
      at.changes = at.own != nullptr || node.opcode == opcode::tick_send;
      for (const PlaceIndex child : of_places[i].children) {
        at.ends = both(at.ends, places[child].ends);
        at.changes = at.changes || places[child].changes;
        actions[i] = both(actions[i], actions[child]);
      }
    }
    for (std::size_t parent = 0; parent < places.size(); ++parent) {
      const Place& place = of_places[parent];
      for (const PlaceIndex child : place.children) {
        places[child].elsewhere = places[parent].elsewhere;
        if (place.node->opcode != opcode::tick_parallel) continue;
        for (const PlaceIndex other : place.children) {
          if (other != child) places[child].elsewhere = both(places[child].elsewhere, actions[other]);
        }
      }
    }
    for (At& at : places) {
      if (at.own != nullptr && at.own->raises) at.own = both(at.own, at.elsewhere);
      if (at.ends != nullptr && at.ends->raises) at.ends = both(at.ends, at.elsewhere);
    }
  }
};

class Run {
 public:
  Run(const Places& places, const Facts& facts, Hosts hosts, Detail detail, TickStates& states)
      : places_(places),
        facts_(facts),
        hosts_(hosts),
        detail_(detail),
        states_(states),
        diagrams_(states.diagrams),
        effects_(places, states),
        never_{states.none(), states.none(), states.none()},
        begun_before_(places.size()),
        asked_results_(places.size()) {
    found_.places.assign(places.size(), {states.none(), states.none(), states.none()});
    found_.outcomes.resize(places.size());
  }

  // Repeated until no result is found that was missing when it was asked for.
  TickFacts run() {
    do {
      is_stale_ = false;
      begin(0, states_.any());
      go_on(0, states_.any());
    } while (is_stale_);
    return std::move(found_);
  }

 private:
  const ir::Node& node(PlaceIndex place) const { return *places_[place].node; }
  static const Flow& flow_of(const ir::Node& node) { return lint::flow_of(node.opcode, node.flags); }
  std::span<const PlaceIndex> children(PlaceIndex place) const { return places_[place].children; }
  bool may_be(Function states) const { return states_.may_be(states); }
  void add(Function& to, Function more) { to = diagrams_.disjunction(to, more); }
  Function both_of(Function one, Function other) { return diagrams_.conjunction(one, other); }
  Function without(Function one, Function other) { return both_of(one, diagrams_.negation(other)); }
  Posts always(Results results, Function states) {
    Posts posts = never_;
    for (const Results each : kEach) {
      if ((results & each) != 0) posts[each] = states;
    }
    return posts;
  }
  void add(Posts& to, const Posts& more, Results which = kRuns | kFails | kSucceeds) {
    for (std::size_t i = 0; i < to.states.size(); ++i) {
      if ((which >> i & 1) != 0) add(to.states[i], more.states[i]);
    }
  }

  // ---- Results found so far

  bool may_run(PlaceIndex place) { return may_give(place, kRuns, kRuns); }
  bool may_give(PlaceIndex place, Results first, Results later) {
    const Outcome& outcome = found_.outcomes[place];
    if ((outcome.first & first) != 0 || (outcome.later & later) != 0) return true;
    asked_results_[place].first |= first;
    asked_results_[place].later |= later;
    return false;
  }
  const Outcome& all_results(PlaceIndex place) {
    asked_results_[place] = {ir::kAnyResult, ir::kAnyResult};
    return found_.outcomes[place];
  }
  void note(PlaceIndex place, Posts& posts, Results Outcome::*when) {
    Results& known = found_.outcomes[place].*when;
    for (const Results each : kEach) {
      if ((known & each) != 0 || !may_be(posts[each])) continue;
      known |= each;
      if ((asked_results_[place].*when & each) != 0) is_stale_ = true;
    }
  }

  // ---- Updates

  // The update that begins a node, in one of these states. It depends on nothing else, so it is run once for each set.
  Posts begin(PlaceIndex place, Function before) {
    if (!may_be(before)) return never_;
    if (detail_ == Detail::coarse) before = states_.any();
    if (before.is_known()) {
      for (const auto& [known, posts] : begun_before_[place]) {
        if (diagrams_.is_equal(known, before) == logic::Answer::yes) return posts;
      }
    }
    add(found_.places[place].begun, before);
    Posts posts = children(place).empty() ? begin_leaf(place, before) : begin_inner(place, before);
    note(place, posts, &Outcome::first);
    if (before.is_known()) begun_before_[place].emplace_back(before, posts);
    return posts;
  }

  // A later update of a node that is running, which begins it in one of these states.
  Posts go_on(PlaceIndex place, Function before) {
    if (!may_be(before) || !may_run(place)) return never_;
    if (detail_ == Detail::coarse) before = states_.any();
    add(found_.places[place].updated, before);
    Posts posts = children(place).empty() ? update_leaf(place, before) : update_inner(place, before);
    note(place, posts, &Outcome::later);
    return posts;
  }

  Posts begin_leaf(PlaceIndex place, Function before) {
    const ir::Node& own = node(place);
    const Results result = bit(static_cast<Result>(own.flags & kResultMask));
    switch (own.opcode) {
      case opcode::tick_wait: {
        const ir::Duration& wait = own.as<ir::Duration>();
        const unsigned at_once = wait.time_us == 0 ? result : 0u;
        const unsigned runs = wait.time_us != 0 || wait.random_us != 0 ? kRuns : 0u;
        return always(static_cast<Results>(at_once | runs), before);
      }
      case opcode::tick_wait_event:
        return always(kRuns, before);
      case opcode::tick_send:
        before = states_.after_event(before, own.as<ir::Event>().signal);
        return always(result, states_.after(before, effects_.places[place].elsewhere));
      default:
        return update_leaf(place, before);
    }
  }

  Posts update_leaf(PlaceIndex place, Function before) {
    const ir::Node& own = node(place);
    const Results result = bit(static_cast<Result>(own.flags & kResultMask));
    switch (own.opcode) {
      case opcode::tick_condition:
      case opcode::tick_time: {
        add(found_.places[place].asked, before);
        const Function holds = states_.holds(own);
        Posts posts = always(kSucceeds, both_of(before, holds));
        add(posts[result], without(before, holds));
        return posts;
      }
      default: {
        const bool is_host = flow_of(own).shape == FlowShape::host;
        const Results results =
            is_host ? results_of_host(own, facts_, hosts_) : results_of({.opcode = own.opcode, .flags = own.flags}, {});
        return always(results, states_.after(before, effects_.places[place].own));
      }
    }
  }

  Posts begin_inner(PlaceIndex place, Function before) {
    const Flow& flow = flow_of(node(place));
    switch (flow.shape) {
      case FlowShape::row:
        return row(place, before, states_.none(), goes_on_after(flow));
      case FlowShape::parallel:
        return begin_parallel(place, before);
      case FlowShape::loop:
        return begin_loop(place, before);
      case FlowShape::choice:
        if (flow.opcode == opcode::tick_priority) return begin_priority(place, before);
        return begin(children(place)[0], before);  // a machine
      default:
        return begin_gate(place, before);
    }
  }

  Posts update_inner(PlaceIndex place, Function before) {
    const Flow& flow = flow_of(node(place));
    switch (flow.shape) {
      case FlowShape::row:
        return row(place, states_.none(), before, goes_on_after(flow));
      case FlowShape::parallel:
        return update_parallel(place, before);
      case FlowShape::loop:
        return update_loop(place, before);
      case FlowShape::choice:
        if (flow.opcode == opcode::tick_priority) return update_priority(place, before);
        return update_machine(place, before);
      default:
        return update_gate(place, before);
    }
  }

  // ---- Rows

  // A child is begun when the one before it has given `next` in the same update: `begun`, or from one that goes on.
  Posts row(PlaceIndex place, Function begun, Function goes_on, Results next) {
    const auto others = static_cast<Results>(ir::kAnyResult & ~next);
    Posts posts = never_;
    for (const PlaceIndex child : children(place)) {
      Posts now = begin(child, begun);
      add(now, go_on(child, goes_on));
      add(posts, now, others);
      begun = now[next];
    }
    posts[next] = begun;
    return posts;
  }

  // ---- Gates, and other nodes with one child

  Posts begin_gate(PlaceIndex place, Function before) {
    const ir::Node& own = node(place);
    if (own.opcode != opcode::tick_script_wrapper || !own.as<ir::Scripts>().sources[0].empty()) {
      before = states_.after(before, effects_.places[place].own);
    }
    const Opening opening = opening_of(own, facts_, hosts_);
    Function open = opening.can_hold ? before : states_.none();
    Function closed = opening.can_fail ? before : states_.none();
    if (own.opcode == opcode::tick_guard || own.opcode == opcode::tick_time_guard) {
      add(found_.places[place].asked, before);
      const Function holds = states_.holds(own);
      open = both_of(before, holds);
      closed = without(before, holds);
    }
    Posts posts = changed_by_gate(place, begin(children(place)[0], open));
    add(posts[kFails], closed);
    return posts;
  }

  Posts update_gate(PlaceIndex place, Function before) {
    const PlaceIndex child = children(place)[0];
    Posts posts = go_on(child, before);
    const bool keeps = result_after(flow_of(node(place)), Result::success) == kRuns;
    if (keeps && may_give(child, kSucceeds, kSucceeds)) add(posts, begin(child, before));
    return changed_by_gate(place, posts);
  }

  // What a gate makes of the results of its child.
  Posts changed_by_gate(PlaceIndex place, Posts posts) {
    const ir::Node& own = node(place);
    for (const Result from : {Result::failure, Result::success}) {
      const Results to = result_after(flow_of(own), from);
      if (to == bit(from)) continue;
      add(posts[to], posts[bit(from)]);
      posts[bit(from)] = states_.none();
    }
    const bool is_called = own.opcode == opcode::tick_wrapper ||
                           (own.opcode == opcode::tick_script_wrapper && !own.as<ir::Scripts>().sources[1].empty());
    if (!is_called) return posts;
    for (const Results each : {kFails, kSucceeds}) posts[each] = states_.after(posts[each], effects_.places[place].own);
    return posts;
  }

  // ---- Loops

  // It counts the results `counted` and ends with that result at the `count`th (0: never), or at once with the other.
  struct Rounds {
    Results counted;
    std::uint32_t count;
    Results breaks() const { return static_cast<Results>(kDone & ~counted); }
  };
  Rounds rounds_of(PlaceIndex place) const {
    return {goes_on_after(flow_of(node(place))), node(place).as<ir::Limit>().maximum};
  }

  Posts begin_loop(PlaceIndex place, Function before) {
    const Rounds rounds = rounds_of(place);
    Posts posts = begin(children(place)[0], before);
    if (rounds.count == 1) return posts;
    add(posts[kRuns], posts[rounds.counted]);
    posts[rounds.counted] = states_.none();
    return posts;
  }

  // A child that was running is begun again in the update in which it ends, which is not counted; one that has ended in
  // the update that began it is begun again in the next update.
  Posts update_loop(PlaceIndex place, Function before) {
    const PlaceIndex child = children(place)[0];
    const Rounds rounds = rounds_of(place);
    Posts posts = go_on(child, before);
    if (rounds.count == 1) return posts;
    Posts again = begin(child, posts[rounds.counted]);
    add(again[kRuns], again[rounds.counted]);
    add(posts, again, static_cast<Results>(rounds.breaks() | kRuns));
    if (may_give(child, rounds.counted, 0)) {
      Posts anew = begin(child, before);
      add(anew[kRuns], anew[rounds.counted]);
      add(posts, anew);
    }
    if (rounds.count == 0) posts[rounds.counted] = states_.none();
    return posts;
  }

  // ---- Parallels

  Posts begin_parallel(PlaceIndex place, Function before) {
    // By the set of results of the branches so far.
    std::array<Function, 8> mixes;
    mixes.fill(states_.none());
    mixes[0] = before;
    for (const PlaceIndex branch : children(place)) {
      Posts posts = begin(branch, before);
      std::array<Function, 8> next;
      next.fill(states_.none());
      before = states_.none();
      for (unsigned mix = 0; mix < mixes.size(); ++mix) {
        if (!may_be(mixes[mix])) continue;
        for (const Results each : kEach) {
          // A branch that changes nothing gives its result in each of these states by itself.
          const bool changes = effects_.places[branch].changes;
          add(next[mix | each], changes ? posts[each] : both_of(mixes[mix], posts[each]));
        }
      }
      mixes = next;
      for (const Function& mix : mixes) add(before, mix);
    }
    Posts posts = never_;
    for (unsigned mix = 0; mix < mixes.size(); ++mix) add(posts[parallel_result(node(place).flags, mix)], mixes[mix]);
    return ended(place, posts);
  }

  Posts update_parallel(PlaceIndex place, Function before) {
    std::vector<Outcome> branches;
    for (const PlaceIndex branch : children(place)) {
      Posts posts = go_on(branch, before);
      if (effects_.places[branch].changes) {
        for (const Results each : kEach) add(before, posts[each]);
      }
      branches.push_back(all_results(branch));
    }
    return ended(place, always(parallel_outcome(node(place).flags, branches).later, before));
  }

  // Branches that are running when the parallel has a result are interrupted.
  Posts ended(PlaceIndex place, Posts posts) {
    for (const Results each : {kFails, kSucceeds}) {
      posts[each] = states_.after(posts[each], effects_.places[place].ends);
    }
    return posts;
  }

  // ---- Priorities

  Posts begin_priority(PlaceIndex place, Function before) {
    return look(
        place, before, [&](PlaceIndex chosen, Function states) { return begin(chosen, states); },
        [](Function states) { return states; });
  }

  // It goes on with its case, or interrupts it for another one, or for none.
  Posts update_priority(PlaceIndex place, Function before) {
    const auto interrupted = [&](PlaceIndex chosen, Function states) {
      bool is_any = false;
      SharedEffect effect;
      for (const PlaceIndex other : children(place)) {
        if (other == chosen || !may_run(other)) continue;
        is_any = true;
        effect = both(effect, effects_.places[other].ends);
      }
      return is_any ? states_.after(states, effect) : states_.none();
    };
    return look(
        place, before,
        [&](PlaceIndex chosen, Function states) {
          Posts posts = go_on(chosen, states);
          add(posts, begin(chosen, interrupted(chosen, states)));
          return posts;
        },
        [&](Function states) { return interrupted(kNoPlace, states); });
  }

  template <typename Choose, typename Fail>
  Posts look(PlaceIndex place, Function open, const Choose& choose, const Fail& fail) {
    Posts posts = never_;
    bool is_doubtful = false;
    for (const PlaceIndex child : children(place)) {
      add(found_.places[child].asked, open);
      const Function holds = states_.holds(node(child));
      const bool is_misspelt = node(child).is_doubtful;  // its consequences are not reported
      add(posts, choose(child, is_misspelt ? open : both_of(open, holds)));
      const bool is_last = diagrams_.is_tautology(holds) == logic::Answer::yes;  // whatever is known of the others
      if (!is_misspelt) open = is_last ? states_.none() : without(open, holds);
      is_doubtful = is_doubtful || is_misspelt;
    }
    if (!is_doubtful) add(posts[kFails], fail(open));
    return posts;
  }

  // ---- Machines

  Posts update_machine(PlaceIndex place, Function before) {
    Posts posts = never_;
    const std::span<const PlaceIndex> states = children(place);
    if (!may_run(states[0])) return posts;
    const std::vector<bool> reached = reached_states(node(place));
    SharedEffect effect;
    for (const PlaceIndex state : states) {
      if (may_run(state)) effect = both(effect, effects_.places[state].ends);
    }
    const Function interrupted = states_.after(before, effect);
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (!reached[i]) continue;
      const ir::EventTransitions& own = node(states[i]).as<ir::EventTransitions>();
      for (const ir::EventTransition& transition : own.transitions) {
        if (!is_shadowed(own, transition)) add(posts, begin(states[transition.target], interrupted));
      }
    }
    for (const PlaceIndex state : states) add(posts, go_on(state, before));
    return posts;
  }

  const Places& places_;
  const Facts& facts_;
  const Hosts hosts_;
  const Detail detail_;
  TickStates& states_;
  logic::Diagrams& diagrams_;
  const Effects effects_;
  const Posts never_;
  TickFacts found_;
  std::vector<std::vector<std::pair<Function, Posts>>> begun_before_;
  std::vector<Outcome> asked_results_;  // of each place, that were asked for and not found yet
  bool is_stale_ = false;
};

}  // namespace

TickFacts find_tick_facts(const Places& places, const Facts& facts, Hosts hosts, Detail detail, TickStates& states) {
  return Run(places, facts, hosts, detail, states).run();
}

}  // namespace espalier::lint
