// Whether one property holds in all runs of a tree. See proving.h.
#include "explore/property/proving.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <functional>
#include <utility>

#include "codegen/dump/disassemble.h"
#include "explore/allowance.h"
#include "explore/explore.h"
#include "explore/find.h"
#include "explore/known.h"
#include "explore/predicate.h"
#include "explore/property/about.h"
#include "explore/property/error.h"
#include "explore/property/events.h"
#include "explore/property/looking.h"
#include "explore/property/monitor.h"
#include "explore/property/steps.h"
#include "explore/search.h"
#include "explore/select/selecting.h"
#include "explore/shown.h"
#include "explore/slice.h"
#include "replay/answers.h"
#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

// ---- One property of one tree

// A condition in a world.
class WorldCondition {
 public:
  WorldCondition(const Condition& condition, World& world, const WantedEvents& events)
      : condition_(condition), predicate_(state_of(condition), world.sides().front().tree) {
    if (condition.kind == Condition::Kind::step) {
      if (has_no_effect(world, condition.value)) world.add_line_without_effect(step_line(condition));
      step_ = world_step(world, condition.value);
    }
    if (condition.kind != Condition::Kind::event) return;
    const auto& texts = events.texts();
    const auto place = std::find(texts.begin(), texts.end(), condition.value.values.front().string);
    event_ = EventSet{1} << (place - texts.begin());
  }

  const Predicate& predicate() const { return predicate_; }
  bool is_state() const { return condition_.kind == Condition::Kind::state; }
  bool is_event() const { return event_ != 0; }
  bool is_it(const World& world, const Step& step) const {
    return condition_.kind == Condition::Kind::step && is_step(world, step_, step);
  }
  bool is_it(EventSet events) const { return (events & event_) != 0; }
  bool holds(const Seen& seen) const { return is_state() && predicate_.holds(seen); }

 private:
  // Steps and events are no states.
  static const text::JsonValue& state_of(const Condition& condition) {
    static const text::JsonValue none{.kind = text::JsonKind::object};
    return condition.kind == Condition::Kind::state ? condition.value : none;
  }

  const Condition& condition_;
  const Predicate predicate_;
  text::JsonValue step_;  // as the world names it
  EventSet event_ = 0;
};

// Marks: the state that refutes the property, or that it asks for.
constexpr std::uint64_t kShown = 0;

class Proving {
 public:
  // `has_free_times`: as Facts have it.
  Proving(const Property& property, const Tree& tree, const Options& options, bool has_free_times = false)
      : property_(property),
        monitor_(property),
        keeps_status_(speaks_of(property, "status")),
        sees_all_(speaks_of(property, "agents")),
        claimed_agents_(agents_of(property.claim)),
        named_agents_(named_agents_of(property)),
        world_({version_of(property, tree, options)}, options.signal_only, kept_bytes(property, tree),
               facts_of(property, tree, options, has_free_times)),
        events_(world_, event_texts(property)),
        claim_(property.claim, world_, events_) {
    if (!steps_of(property).empty()) world_.add_host_steps();
    if (property.after) after_.emplace(*property.after, world_, events_);
    if (property.until) until_.emplace(*property.until, world_, events_);
    const std::vector<Step> steps = world_.steps();
    for (const Step& step : steps) {
      if (until_ && step.kind == StepKind::host && until_->is_it(world_, step)) world_.fix_answers(step.id);
    }
  }

  Proof run(const Options& options) {
    Proof proof{.property = property_.name, .tree = std::string(tree_name(world_.sides().front().tree))};
    for (const auto& [step, condition] : {std::pair(&property_.after, &after_), {&property_.until, &until_}}) {
      if (!*step || (*step)->kind != Condition::Kind::step || may_come(**step, **condition)) continue;
      proof.hint = "exploration does not try this step";
      return proof;
    }
    if (is_known(proof)) return proof;
    const Side& side = world_.sides().front();
    const bool may_use_formulas = side.engine->uses_formulas != nullptr && is_plain();
    if (may_use_formulas && side.engine->uses_formulas(side.tree, options.method)) {
      run_by_formulas(options, proof);
      write_own_steps(proof);
      return proof;
    }
    const Observer observer = this->observer();
    const bool has_more = may_use_formulas && options.method == Method::by_size;
    Allowance left(options.budget);
    const auto begin = std::chrono::steady_clock::now();
    if (is_never_shown_by_more(options, left, proof)) return proof;
    const Findings found = find(observer, left.part(has_more ? 2 : 1));
    proof.state_count = found.state_count;
    proof.used_count += found.paid_count;
    const auto mark = found.marks.find(kShown);
    if (mark == found.marks.end() && !found.is_complete && has_more) {
      left.use(found.paid_count, begin);
      Options own = options;
      own.budget = left.part();
      run_by_formulas(own, proof);
      write_own_steps(proof);
      return proof;
    }
    const bool is_wanted = property_.kind == PropertyKind::reachable;
    if (mark == found.marks.end()) {
      const bool is_decided = found.is_complete && !is_blurred(world_, property_);
      if (!found.is_complete) proof.hint = world_.limit();
      if (found.is_complete && !is_decided) proof.hint = "exploration does not distinguish all values that it expects";
      proof.result = !is_decided ? Truth::undecided : is_wanted ? Truth::fails : Truth::holds;
      return proof;
    }
    proof.result = is_wanted ? Truth::holds : Truth::fails;
    proof.trace = mark->second.trace;
    mark->second.show();
    write_own_steps(proof);
    write_expectation(proof);
    if (!is_wanted) explain(proof);
    return proof;
  }

  // Does no run show it? Looked at without looking for shortest traces. False: it is not known.
  bool is_never_shown(const Budget& budget, Proof& proof) {
    Observer observer = this->observer();
    observer.first_alike = first_alike();
    Search search(world_, observer, Choices::wide, Answers::free, budget);
    search.run(1);
    proof.state_count = search.state_count();
    proof.used_count += search.paid_count();
    return search.is_complete() && search.marks().empty() && !is_blurred(world_, property_);
  }

  // Has the tree times, which the property does not speak of?
  bool may_have_free_times() const {
    return world_.may_have_free_times() && property_.for_us == 0 && !speaks_of(property_, "tick");
  }

 private:
  // From which agent on they are alike.
  std::uint32_t first_alike() const {
    return may_change_places() ? static_cast<std::uint32_t>(std::bit_width(named_agents_)) : kAllAgents;
  }

  Findings find(const Observer& observer, const Budget& budget) const {
    const std::uint32_t first_alike = this->first_alike();
    if (first_alike + 1 >= world_.agent_count()) return find_all(world_, observer, 1, budget);
    // Whether it can be shown at all is known sooner if agents that are alike are one.
    Observer alike = observer;
    alike.first_alike = first_alike;
    Allowance left(budget);
    const auto begin = std::chrono::steady_clock::now();
    Search search(world_, alike, Choices::wide, Answers::free, left.part(2));
    search.run(1);
    if (search.is_complete() && search.marks().empty())
      return {.marks = {}, .state_count = search.state_count(), .paid_count = search.paid_count(), .is_complete = true};
    left.use(search.paid_count(), begin);
    Findings found = find_all(world_, observer, 1, left.part());
    found.paid_count += search.paid_count();
    return found;
  }

  // An update of all agents is then as good as one of each after the other, in any order: with more moments, at which
  // more can be shown, but a scope may not end, and what is expected may not come.
  bool may_change_places() const {
    const auto is_of_moment = [](const Condition& condition) {
      if (condition.kind == Condition::Kind::step) return condition.value.find("tick") != nullptr;
      return condition.kind == Condition::Kind::state;
    };
    const std::vector<const Condition*> conditions = conditions_of(property_);
    const bool has_events_of_update = std::any_of(conditions.begin(), conditions.end(), [](const Condition* condition) {
      return condition->kind == Condition::Kind::state && speaks_of(condition->value, "event");
    });
    return property_.kind != PropertyKind::expect && !(property_.until && is_of_moment(*property_.until)) &&
           property_.for_us == 0 && !keeps_status_ && !has_events_of_update;
  }

  static AgentSet named_agents_of(const Property& property) {
    AgentSet named = 0;
    for (const Condition* condition : conditions_of(property)) named |= named_agents(*condition);
    return named;
  }

  Observer observer() {
    Observer observer;
    observer.is_shown = true;
    observer.after = [&](Run& run, const Step& step, unsigned char* state) { return look_at(run, step, state); };
    observer.ignores_writes = events_.is_empty() && steps_of(property_).empty() && property_.for_us == 0;
    if (events_.is_empty()) return observer;
    observer.sees_turns = observer.hears_answers = true;
    observer.heard = [&](const Run& run, std::size_t, const Hearing& hearing) { return events_.number(run, hearing); };
    return observer;
  }

  // What is neither found near the start nor by looking at few states may be shown by no run, and agents that can do
  // more tell that sooner: those of a tree without the parts that the property is not about, and those whose waits end
  // at any update.
  bool is_never_shown_by_more(const Options& options, Allowance& left, Proof& proof) {
    constexpr std::uint64_t kNearLook = 1024;  // parts of the budget
    constexpr std::uint64_t kFirstLook = 64;
    constexpr std::uint64_t kSliced = 16;
    constexpr std::uint64_t kFreed = 4;
    const Tree& tree = world_.sides().front().tree;
    const bool may_be_free = may_have_free_times();
    if (slice_of(tree, property_, options.host, false) == nullptr && !may_be_free) return false;
    const auto begin = std::chrono::steady_clock::now();
    if (is_decided_soon(Answers::kept, left.part(kNearLook), proof) ||
        is_decided_soon(Answers::free, left.part(kFirstLook), proof))
      return false;
    bool is_never = false;
    const auto look_at_slice = [&](bool keeps_tests, bool is_free) {
      const auto slice = is_never ? nullptr : slice_of(tree, property_, options.host, keeps_tests, is_free);
      if (slice == nullptr) return;
      Options own = options;
      own.host = slice->host;
      is_never = Proving(property_, slice->of_tree(), own, is_free).is_never_shown(left.part(kSliced), proof);
    };
    for (const bool is_free : {false, true}) {
      for (const bool keeps_tests : {false, true}) {
        if (may_be_free || !is_free) look_at_slice(keeps_tests, is_free);
      }
    }
    if (!is_never && may_be_free)
      is_never = Proving(property_, tree, options, true).is_never_shown(left.part(kFreed), proof);
    left.use(proof.used_count, begin);
    if (is_never) proof.result = property_.kind == PropertyKind::reachable ? Truth::fails : Truth::holds;
    return is_never;
  }

  // Does a part of the budget suffice for a trace, or for all states?
  bool is_decided_soon(Answers answers, Budget budget, Proof& proof) {
    constexpr std::uint32_t kFewChoices = 256;
    budget.choices = std::min(budget.choices, kFewChoices);
    const Observer observer = this->observer();
    Search search(world_, observer, Choices::plain, answers, budget);
    search.run(1);
    proof.used_count += search.paid_count();
    return !search.marks().empty() || (search.paid_count() < budget.states && !search.has_left_out());
  }

  static Facts facts_of(const Property& property, const Tree& tree, const Options& options, bool has_free_times) {
    Facts facts{.host = options.host, .expected = expected_of(property, tree), .watched_us = property.for_us};
    facts.has_free_times = has_free_times;
    return facts;
  }

  static std::uint32_t agent_count_of(const Property& property, const Tree& tree) {
    return property.agents.value_or(agents_to_explore(tree));
  }
  static World::Version version_of(const Property& property, const Tree& tree, const Options& options) {
    return {tree, agent_count_of(property, tree), &options.host.results, property.agents.has_value()};
  }

  // Is it about single updates, or those after a step?
  bool is_plain() const {
    if (world_.agent_count() > 1) return false;
    if (!events_.is_empty() || property_.until || property_.more_than != 0) return false;
    if (property_.kind != PropertyKind::expect) return !property_.after;
    return property_.after->kind == Condition::Kind::step;
  }

  // Is it decided without exploring? What needs a trace is not.
  bool is_known(Proof& proof) const {
    if (!claim_.is_state() || speaks_of(property_.claim.value, "event")) return false;
    const std::optional<bool> value = known_value(claim_.predicate().check(), *world_.sides().front().tree.asset);
    const PropertyKind kind = property_.kind;
    const bool never_holds = value == false && (kind == PropertyKind::never || kind == PropertyKind::reachable);
    const bool always_holds =
        value == true && (kind == PropertyKind::always || (kind == PropertyKind::expect && !property_.until));
    if (!never_holds && !always_holds) return false;
    proof.result = kind == PropertyKind::reachable ? Truth::fails : Truth::holds;
    return true;
  }

  // Is the step one that is explored? Of others nothing is known: a line that sets several variables, lists of answers,
  // numbers that a Decide function does not give, timeouts; and data that the claim is about.
  bool may_come(const Condition& step, const WorldCondition& condition) const {
    if (has_data(step, property_)) return false;
    return step.value.find("tick") != nullptr ||
           std::any_of(world_.steps().begin(), world_.steps().end(),
                       [&](const Step& each) { return condition.is_it(world_, each); });
  }

  // A trace has the steps as the property has them: with data, or another number that means the same.
  void write_own_steps(Proof& proof) const {
    if (!proof.trace || world_.agent_count() > 1) return;
    for (const auto& [own, condition] : {std::pair(&property_.after, &after_), {&property_.until, &until_}}) {
      if (!*own || (*own)->kind != Condition::Kind::step || (*own)->value.find("tick") != nullptr) continue;
      for (const Step& step : world_.steps()) {
        if ((*condition)->is_it(world_, step))
          std::replace(proof.trace->steps.begin(), proof.trace->steps.end(), world_.text(step), step_line(**own));
      }
    }
  }

  // The line that fails, or holds, at the end of the trace. What is expected between two things has not come before the
  // second one: that one should not be there.
  void write_expectation(Proof& proof) const {
    const bool is_missed =
        property_.kind == PropertyKind::expect && property_.until && property_.until->kind != Condition::Kind::step;
    const Condition& expected = is_missed ? *property_.until : property_.claim;
    if (property_.kind == PropertyKind::expect && property_.until && !is_missed && holds_at_end_) {
      proof.expectation = R"({"expect": {"not": {}}})";  // it came too early
      return;
    }
    proof.expectation =
        expect_line(expected, is_missed || property_.kind == PropertyKind::never, world_.agent_count() > 1);
    if (!speaks_of(expected.value, "event")) return;
    for (const std::string& event : events_.texts()) {
      const std::string text(split_event(event).text);
      const std::string kind = text.substr(0, text.find(' '));
      std::vector<std::string>& kinds = proof.trace->events;
      if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
    const std::vector<std::string>& steps = proof.trace->steps;
    const bool is_late = property_.kind == PropertyKind::expect && !property_.until;
    const std::size_t first = is_late ? first_in_time(steps) : steps.size() - 1;
    const auto is_silent = [](const std::string& step) { return step.starts_with("{\"host\""); };
    if (!std::all_of(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(first), is_silent))
      proof.first_expected = first;
  }

  // The place in a trace of the first update in which the claim would be in time: of the last `within` ones. If the
  // event that asks for it is in one of them, what came before it is not looked at.
  std::size_t first_in_time(const std::vector<std::string>& steps) const {
    const std::uint32_t update_count = after_->is_event() ? property_.within - 1 : property_.within;
    std::size_t place = steps.size();
    for (std::uint32_t i = 0; i < update_count && place > 0;) {
      const std::string& step = steps[--place];
      constexpr std::string_view kAgent = "\"agent\": ";
      const std::size_t agent = step.find(kAgent);  // of a tick; none: all of them
      const bool is_own =
          agent == std::string::npos || (claimed_agents_ >> std::stoul(step.substr(agent + kAgent.size())) & 1) != 0;
      if (step.starts_with("{\"tick\"") && is_own) ++i;
    }
    return place;
  }

  void run_by_formulas(const Options& options, Proof& proof) {
    const auto is_trigger = [&](const Step& step) { return after_ && after_->is_it(world_, step); };
    SelectingProof found =
        prove_selecting(world_, {property_.kind, claim_.predicate(), is_trigger, property_.within}, options);
    proof.result = found.result;
    proof.trace = std::move(found.trace);
    proof.state_count = std::max(proof.state_count, found.state_count);
    if (proof.result == Truth::undecided) proof.used_count += options.budget.states;
    if (proof.trace) write_expectation(proof);
    place_ = found.place;
    reason_ = std::move(found.reason);
    if (proof.result == Truth::fails && proof.trace) explain(proof);
  }

  // What a state holds beside the world; behind it, 1 + the status of each agent's last update if later ones may have
  // none, and if it is needed the time since which the scope is open.
  struct Kept {
    EventSet happened = 0;  // in the turns of an update that other agents have not ended yet
    std::uint16_t count = 0;
    std::uint8_t scope = 0;  // and whether the claim was true
  };
  static constexpr std::size_t kKeptBytes = 7;
  static std::size_t kept_bytes(const Property& property, const Tree& tree) {
    const std::size_t bytes = kKeptBytes + (speaks_of(property, "status") ? agent_count_of(property, tree) : 1);
    return property.for_us == 0 ? bytes : (bytes + 7) / 8 * 8 + sizeof(std::uint64_t);
  }

  Seen seen_of_first(const Run& run, unsigned char* state, std::vector<replay::ObservedAgent>& all) const {
    unsigned char* const statuses = keeps_status_ ? world_.own(state) + kKeptBytes : nullptr;
    return explore::seen_of_first(run, state, statuses, sees_all_ ? &all : nullptr);
  }

  // The agent that an answer shows: the first one that the claim is about.
  Seen seen_to_tell(const Run& run, unsigned char* state) const {
    const auto agent = static_cast<std::uint32_t>(std::countr_zero(claimed_agents_));
    return run.seen(0, std::min(agent, world_.agent_count() - 1), state);
  }

  bool look_at(Run& run, const Step& step, unsigned char* state) {
    Kept kept;
    std::memcpy(static_cast<void*>(&kept), world_.own(state), kKeptBytes);
    constexpr std::uint8_t kWasTrue = 0x80;
    PropertyMonitor::State monitored = {.count = kept.count,
                                        .scope = static_cast<std::uint8_t>(kept.scope & ~kWasTrue),
                                        .was_true = static_cast<std::uint8_t>((kept.scope & kWasTrue) != 0 ? 1 : 0)};
    const bool is_timed = property_.for_us != 0;
    if (is_timed) std::memcpy(&monitored.since_us, world_.watched_time(state), sizeof monitored.since_us);
    const PropertyMonitor::Verdict verdict = follow(run, step, state, kept, monitored);
    if (is_timed) std::memcpy(world_.watched_time(state), &monitored.since_us, sizeof monitored.since_us);
    kept.count = monitored.count;
    kept.scope = static_cast<std::uint8_t>(monitored.scope | (monitored.was_true != 0 ? kWasTrue : 0));
    std::memcpy(world_.own(state), &kept, kKeptBytes);
    if (verdict == PropertyMonitor::Verdict::shown) run.mark(kShown);
    return verdict == PropertyMonitor::Verdict::open;
  }

  // The moments of a step, in their order: its events, then the state after an update; a line comes before the events
  // that it makes, but an update counts for what came before it.
  PropertyMonitor::Verdict follow(const Run& run, const Step& step, unsigned char* state, Kept& kept,
                                  PropertyMonitor::State& monitored) {
    using Verdict = PropertyMonitor::Verdict;
    Verdict verdict = Verdict::open;
    std::vector<replay::ObservedAgent> all;
    const auto advance = [&](PropertyMoment moment) {
      moment.time_us = run.clock_us();
      if (verdict == Verdict::open) verdict = monitor_.advance(monitored, moment);
      return verdict != Verdict::shown;
    };
    const bool is_tick = step.kind == StepKind::tick;
    const PropertyMoment of_step = {.after = after_ && after_->is_it(world_, step),
                                    .until = until_ && until_->is_it(world_, step)};
    if (!is_tick) advance(of_step);
    if (!is_tick && run.is_telling()) holds_at_end_ = keeps_status_ || claim_.holds(seen_of_first(run, state, all));
    if (!events_.is_empty()) {
      events_.visit(run, step, state, [&](EventSet events, std::uint32_t node_word) {
        kept.happened |= events;
        const bool was_open = verdict == Verdict::open;
        advance({.is_looked = claim_.is_event(),
                 .claim = claim_.is_it(events),
                 .after = after_ && after_->is_it(events),
                 .until = until_ && until_->is_it(events)});
        if (was_open && verdict == Verdict::shown && run.is_telling())
          tell_event(seen_to_tell(run, state), events, node_word);
      });
    }
    if (is_tick && !run.is_unfinished()) {
      Seen seen = seen_of_first(run, state, all);
      std::vector<std::string> happened;
      for (std::size_t i = 0; i < events_.texts().size(); ++i) {
        if ((kept.happened >> i & 1) != 0) happened.push_back(events_.texts()[i]);
      }
      seen.events = happened;
      const bool is_update = step.agent == kAllAgents || (claimed_agents_ >> step.agent & 1) != 0;
      const bool was_open = verdict == Verdict::open;
      advance(
          {.is_update = is_update,
           .is_looked = claim_.is_state() && (is_update || property_.until || property_.kind != PropertyKind::expect),
           .claim = claim_.holds(seen),
           .after = after_ && after_->holds(seen),
           .until = until_ && until_->holds(seen)});
      if (was_open && verdict == Verdict::shown && run.is_telling()) {
        place_ = place_of_shown(seen_to_tell(run, state));
        reason_ = reason_of_shown(seen_to_tell(run, state));
      }
      if (run.is_telling()) holds_at_end_ = claim_.is_event() ? claim_.is_it(kept.happened) : claim_.holds(seen);
      advance(of_step);
    }
    if (!run.is_unfinished()) kept.happened = 0;
    return verdict;
  }

  void tell_event(const Seen& seen, EventSet events, std::uint32_t node_word) {
    place_ = place_of_shown(seen);
    reason_ = reason_of_shown(seen);
    if (node_word == WantedEvents::kNoNode) return;
    const codegen::NodeDebug node = codegen::node_debug(*world_.sides().front().tree.asset, node_word);
    std::size_t number = 0;
    while ((events >> number & 1) == 0) ++number;
    place_ = {std::string(node.file), node.line, node.column};
    reason_ = text::quote(events_.texts()[number]) + " comes from this node";
  }

  // What fails an update says more than what runs after it.
  void explain(Proof& proof) const {
    proof.hint_place = place_;
    proof.hint = reason_;
    const std::optional<RunError> error =
        keeps_status_ ? last_error(*world_.sides().front().tree.asset, *proof.trace) : std::nullopt;
    if (!error) return;
    const bool has_place = error->place.line != 0;
    if (has_place) proof.hint_place = error->place;
    proof.hint = error->message + (has_place || reason_.empty() ? "" : "; " + reason_);
  }

  const Property& property_;
  const PropertyMonitor monitor_;
  const bool keeps_status_;
  const bool sees_all_;  // what each agent does
  const AgentSet claimed_agents_;
  const AgentSet named_agents_;  // told apart from others
  World world_;
  WantedEvents events_;
  const WorldCondition claim_;
  std::optional<const WorldCondition> after_, until_;
  SourcePlace place_;  // what is shown when the claim is refuted
  std::string reason_;
  bool holds_at_end_ = false;  // the claim, after a line; or perhaps
};

}  // namespace

std::optional<bool> is_never_shown_by_slice(const Property& property, const Tree& tree, const Options& options,
                                            bool keeps_tests, bool has_free_times) {
  const bool is_free = has_free_times && Proving(property, tree, options).may_have_free_times();
  const auto slice = slice_of(tree, property, options.host, keeps_tests, is_free);
  if (slice == nullptr) return std::nullopt;
  Options own = options;
  own.host = slice->host;
  Proof proof;
  return Proving(property, slice->of_tree(), own, is_free).is_never_shown(options.budget, proof);
}

Proof prove_property(const Property& property, const Tree& tree, const Options& options) {
  return Proving(property, tree, options).run(options);
}

}  // namespace espalier::explore
