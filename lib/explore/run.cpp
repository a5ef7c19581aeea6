// Steps on copies of a state. See run.h.
#include "explore/run.h"

#include <algorithm>
#include <cstring>

#include "explore/regions.h"
#include "replay/strategy.h"

namespace espalier::explore {

namespace {

constexpr std::uint64_t kEffortAPath = 64;  // choices in a path that is not long

}  // namespace

Run::Run(const World& world, const Observer& observer, Choices choices, Answers answers, const Budget& budget)
    : world_(world),
      observer_(observer),
      choices_(choices),
      answers_(answers),
      max_paths_(budget.choices),
      few_paths_(budget.few_choices),
      size_(bytes_of_states(world, answers)),
      words_(world.state_bytes() / 8) {
  state_ = reinterpret_cast<unsigned char*>(words_.data());
  world.start(state_);
  answers_begun_.assign(state_ + size_, state_ + world.state_bytes());
  std::size_t scratch = 0;
  for (const Side& side : world.sides()) scratch = std::max(scratch, scratch_bytes(side.tree));
  scratch_.resize((scratch + 7) / 8);
  statuses_.resize(world.sides().size() * world.agent_count());
  chains_.resize(world.agent_count() * world.names().size());
  is_changed_.resize(world.names().size());
  for (const Side& in : world.sides()) {
    Host& host = hosts_.emplace_back(in.engine->host);
    host.behaviors = in.behaviors.data();
    host.conditions = in.conditions.data();
    host.user = this;
    host.shared = state_ + in.shared_offset;
    host.group = state_ + in.group_offset;
    host.scratch = scratch_.data();
  }
  for (std::uint32_t name = 0; name < world.names().size(); ++name) {
    const std::vector<bool>& once = world.sides().front().is_asked_once;
    if (answers == Answers::kept || name >= once.size() || !once[name]) names_asked_again_.push_back(name);
  }
  if (observer.heard) listen();
  if (world.sides().size() > 1 && choices == Choices::wide)
    lists_.resize(world.sides().size() * chains_.size(), kNoGiven);
}

// ---- Steps

void Run::queue(std::uint32_t agent, std::uint32_t signal) {
  const Side& in = side();
  unsigned char* queue = state_ + in.queue_offset + std::size_t{agent} * 2 * (kMaxQueue + 1);
  std::uint16_t count = 0;
  std::memcpy(&count, queue, sizeof count);
  if (count == kMaxQueue || signal > 0xFFFF) {
    has_left_out_ = true;
    return;
  }
  const auto stored = static_cast<std::uint16_t>(signal);
  std::memcpy(queue + 2 * (1 + std::size_t{count}), &stored, sizeof stored);
  ++count;
  std::memcpy(queue, &count, sizeof count);
}

const Host& Run::host_of(std::size_t side) {
  hosts_[side].clock_us = clock_us_;
  return hosts_[side];
}

Seen Run::seen(std::size_t side, std::uint32_t agent, unsigned char* state) const {
  const Side& in = world_.sides()[side];
  Seen seen;
  seen.agent.tree = in.tree;
  seen.agent.block = World::block(in, state, agent);
  seen.agent.shared = state + in.shared_offset;
  seen.agent.time_us = clock_us_;
  seen.status = statuses_[side * world_.agent_count() + agent];
  seen.agent_number = agent;
  return seen;
}

void Run::begin(const unsigned char* state) {
  std::memcpy(state_, state, replayed_ != nullptr ? world_.state_bytes() : size_);
  if (replayed_ == nullptr) std::copy(answers_begun_.begin(), answers_begun_.end(), state_ + size_);
  place_ = 0;
  is_merged_ = false;
  is_going_on_ = false;
  is_unfinished_ = false;
  is_refused_ = false;
  clock_us_ = kNow;
  for (const Given& given : given_) chain_of(given.agent, given.name) = {};
  for (const Given& given : given_) {
    for (std::size_t i = given.agent * world_.names().size() + given.name; i < lists_.size(); i += chains_.size())
      lists_[i] = kNoGiven;
  }
  answered_.clear();
  for (std::vector<Heard>& heard : heard_) heard.clear();
  given_.clear();
  given_to_all_.clear();
  for (const std::uint32_t name : changed_) is_changed_[name] = 0;
  changed_.clear();
  weights_.clear();
  draws_.clear();
  marks_.clear();
  told_count_ = 0;
  std::fill(statuses_.begin(), statuses_.end(), std::nullopt);
}

void Run::deliver(std::uint32_t signal, unsigned char* block, const Host& host) {
  if (const Tracker* tracker = observer_.tracker; tracker != nullptr && tracker->signal) {
    Moment now = moment();
    tracker->signal(now, signal);
  }
  espalier::signal(side().tree, block, signal, host);
}

void Run::halt(unsigned char* block, const Host& host) {
  const auto halt_quietly = side().engine->halt_quietly;
  if (!observer_.heard && halt_quietly != nullptr && halt_quietly(side(), block)) return;
  notes_.clear();
  moment_.emplace(moment());
  side().engine->halt(side().tree, block, host, make_watcher());
}

void Run::apply_to(const Step& step, std::uint32_t agent) {
  agent_ = agent;
  for (side_ = 0; side_ < world_.sides().size(); ++side_) {
    const Side& in = side();
    unsigned char* block = World::block(in, state_, agent);
    const Host& host = host_of(side_);
    const auto id_in = [&](const std::vector<std::uint32_t>& ids) {
      return step.id < ids.size() ? ids[step.id] : kNoValue;
    };
    switch (step.kind) {
      case StepKind::signal:
        if (id_in(in.signals) != kNoValue) deliver(id_in(in.signals), block, host);
        break;
      case StepKind::set:
        if (id_in(in.variables) != kNoValue) set(in.tree, block, id_in(in.variables), step.value != 0);
        break;
      case StepKind::write:
        if (id_in(in.entries) != kNoValue &&
            !replay::write_entry(in.tree, block, id_in(in.entries), world_.entry_value(step)))
          is_refused_ = true;
        break;
      case StepKind::halt:
        halt(block, host);
        break;
      case StepKind::flags: {
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < in.variables.size(); ++i) {
          if ((step.value >> i & 1) != 0 && in.variables[i] != kNoValue) bits |= std::uint64_t{1} << in.variables[i];
        }
        set_flags(in.tree, block, bits);
        break;
      }
      case StepKind::stimulus:
        if (id_in(in.stimuli) == kNoValue) break;
        if (step.value != 0) {
          set_stimulus(in.tree, block, id_in(in.stimuli), clock_us_);
        } else {
          clear_stimulus(in.tree, block, id_in(in.stimuli));
        }
        break;
      case StepKind::jump:
        if (step.id == kReset || id_in(in.rules) != kNoValue)
          jump(in.tree, block, step.id == kReset ? kNoRule : id_in(in.rules), host);
        break;
      case StepKind::inject: {
        const std::uint32_t slot = id_in(in.slots);
        const bool is_emptied = step.value == kNoValue;
        const std::uint32_t tree = is_emptied ? kNoTree : in.trees[static_cast<std::size_t>(step.value)];
        if (slot != kNoValue && (is_emptied || tree != kNoValue))
          static_cast<void>(inject(in.tree, block, slot, tree, step.is_immediate, host));
        break;
      }
      case StepKind::host:
        if (answers_ == Answers::kept || world_.names()[step.id].is_fixed)
          *world_.answer(state_, agent, step.id) = static_cast<unsigned char>(step.value);
        break;
      case StepKind::tick:
      case StepKind::nothing:
      case StepKind::end:
        break;
    }
  }
  side_ = 0;
}

void Run::apply(const Step& step) {
  updates_one_ = false;
  if (step.kind == StepKind::tick) return tick(step);
  if (step.agent != kAllAgents) return apply_to(step, step.agent);
  for (std::uint32_t agent = 0; agent < world_.agent_count(); ++agent) apply_to(step, agent);
}

Watcher Run::make_watcher() {
  Watcher watcher;
  watcher.user = this;
  watcher.draw = [](void* user, espalier_draw_kind kind, std::uint64_t limit, std::uint64_t bits) {
    return static_cast<Run*>(user)->draw(kind, limit, bits);
  };
  const Tracker* tracker = observer_.tracker;
  if (may_merge() && side().engine->is_point != nullptr) {
    watcher.decide = [](void* user, const DecideStep* step) {
      Run& run = *static_cast<Run*>(user);
      const Tracker* own = run.observer_.tracker;
      if (own != nullptr && own->decide) own->decide(*run.moment_, *step);
      run.look_for_point(*step);
    };
  }
  if (tracker == nullptr) {
    if (observer_.heard) listen_to_nodes(watcher);
    return watcher;
  }
  if (tracker->node) {
    watcher.node = [](void* user, const NodeStep* step) {
      Run& run = *static_cast<Run*>(user);
      run.observer_.tracker->node(*run.moment_, *step);
    };
  }
  if (tracker->decide && watcher.decide == nullptr) {
    watcher.decide = [](void* user, const DecideStep* step) {
      Run& run = *static_cast<Run*>(user);
      run.observer_.tracker->decide(*run.moment_, *step);
    };
  }
  if (tracker->select) {
    watcher.step = [](void* user, const espalier::Step* step) {
      Run& run = *static_cast<Run*>(user);
      run.observer_.tracker->select(*run.moment_, *step);
    };
  }
  return watcher;
}

void Run::tick(const Step& line) {
  clock_us_ = kNow + line.time_us;
  const bool is_of_all = line.agent == kAllAgents;
  unsigned char* turn = world_.turn(state_);
  const bool is_turn = is_of_all && takes_turns();
  const std::uint32_t first = is_turn ? *turn : is_of_all ? 0 : line.agent;
  const std::uint32_t end = is_of_all && !is_turn ? world_.agent_count() : first + 1;
  updates_one_ = end == first + 1;
  const Watcher watcher = make_watcher();
  for (side_ = 0; side_ < world_.sides().size(); ++side_) {
    const Side& in = side();
    const Host& host = host_of(side_);
    // Events that wait are delivered before any agent is updated.
    const std::uint32_t heard_by = is_turn ? (first == 0 ? world_.agent_count() : 0) : end;
    for (agent_ = first; in.has_queue && !is_asked_again_ && agent_ < heard_by; ++agent_) {
      unsigned char* queue = state_ + in.queue_offset + std::size_t{agent_} * 2 * (kMaxQueue + 1);
      std::uint16_t signals[kMaxQueue + 1];
      std::memcpy(signals, queue, sizeof signals);
      std::memset(queue, 0, sizeof signals);
      for (std::uint16_t i = 0; i < signals[0]; ++i) {
        deliver(signals[1 + i], World::block(in, state_, agent_), host);
      }
    }
    for (agent_ = first; agent_ < end; ++agent_) update(side_, agent_, watcher);
  }
  side_ = 0;
  agent_ = 0;
  if (is_turn) end_turn();
}

// What the agents returned is kept until all were updated.
void Run::end_turn() {
  unsigned char* turn = world_.turn(state_);
  const std::uint32_t agent = *turn;
  is_unfinished_ = agent + 1 < world_.agent_count();
  for (std::size_t i = 0; i < statuses_.size(); ++i) {
    unsigned char& kept = turn[1 + i];
    if (kept != 0) statuses_[i] = static_cast<Result>(kept - 1);
    kept = is_unfinished_ && statuses_[i] ? static_cast<unsigned char>(1 + static_cast<unsigned>(*statuses_[i])) : 0;
  }
  *turn = static_cast<unsigned char>(is_unfinished_ ? agent + 1 : 0);
}

void Run::update(std::size_t side, std::uint32_t agent, const Watcher& watcher) {
  const Side& in = world_.sides()[side];
  Host host = host_of(side);
  host.first_agent = agent;
  ++update_count_;
  moment_.emplace(moment());
  unsigned char* const block = World::block(in, state_, agent);
  Result result = Result::running;
  is_going_on_ = in.engine->gives_up && (is_asked_again_ || uses_passages());
  if (is_asked_again_) {
    const Asked& asked = asked_[asked_count_ - 1];
    result = asked.ends != nullptr   ? leave_gate(*asked.gate, *asked.ends, host, watcher)
             : asked.gate != nullptr ? pass_question(*asked.gate, host, watcher)
                                     : in.engine->go_on(in, block, asked.rest, host, watcher);
  } else {
    notes_.clear();
    asked_before_ = ask_count_;
    result =
        uses_passages() ? begin_with_gates(host, watcher) : espalier::update_watched(in.tree, block, host, watcher);
  }
  while (gate_ != nullptr) result = pass_gate(host, watcher);
  if (gives_up()) return;
  if (result != Result::stopped) statuses_[side * world_.agent_count() + agent] = result;
  if (const Tracker* tracker = observer_.tracker; tracker != nullptr && tracker->updated) {
    tracker->updated(*moment_);
  }
}

// A time that is measured no longer than it matters.
void Run::settle_watched(std::uint64_t passed_us) {
  if (world_.watched_us() == 0) return;
  unsigned char* const bytes = world_.watched_time(state_);
  std::uint64_t time_us = 0;
  std::memcpy(&time_us, bytes, sizeof time_us);
  if (time_us == 0) return;
  time_us = std::max(time_us - passed_us, kNow - world_.watched_us());
  std::memcpy(bytes, &time_us, sizeof time_us);
  settling_.times.push_back({bytes});
}

void Run::settle(std::uint64_t passed_us) {
  settling_.times.clear();
  for (const Side& in : world_.sides()) {
    for (std::uint32_t agent = 0; agent < in.agent_count; ++agent) {
      in.engine->settle(in, World::block(in, state_, agent), state_ + in.shared_offset, passed_us, settling_);
    }
    if (in.engine->settle_shared != nullptr) in.engine->settle_shared(in, state_, passed_us, settling_);
  }
  settle_watched(passed_us);
  if (replayed_ == nullptr && !settling_.times.empty()) order_times(settling_, world_.sides().front().granule_us);
}

void Run::finish(const Step& step, const std::function<void(const Next&)>& take) {
  if (is_refused_) {  // a trace cannot have the line here
    ++number_;
    return;
  }
  const std::uint32_t cost = 1 + settle_answers();
  has_more_ |= cost > cost_;
  // Where an update came to a point that is known, so is what it leads to.
  const bool is_known = is_merged_ && below_ == nullptr;
  if (cost != cost_ || is_known || (step.kind == StepKind::tick && ends_as_before())) {
    ++number_;
    return;
  }
  const bool is_seen = observer_.after && (!is_unfinished_ || observer_.sees_turns) &&
                       !(observer_.ignores_writes && is_write(step.kind));
  const bool goes_on = !is_seen || observer_.after(*this, step, state_);
  const bool is_same = replayed_ == nullptr && clock_us_ == kNow && std::memcmp(state_, from_, size_) == 0;
  if (is_same && goes_on && marks_.empty() && wanted_ != number_) {
    ++number_;
    return;
  }
  // A write leaves nothing behind that has to be cleared.
  if (!is_same && step.kind != StepKind::set && !settle_write(step)) settle(clock_us_ - kNow);
  if (observer_.first_alike < world_.agent_count() && !is_unfinished_)
    world_.sort_agents(state_, observer_.first_alike);
  const Next next{state_, marks_, goes_on, write_};
  const bool is_first = is_kept_ && !is_over_ && is_kept_(next);
  is_over_ = is_over_ || is_first;
  if (is_first || wanted_ == number_) edge_ = {step, wait_, given_to_all_, given_, draws_, is_unfinished_};
  told_marks_.insert(marks_.begin(), marks_.end());
  take(next);
  ++number_;
}

void Run::find_waits(unsigned char* state, std::vector<std::uint64_t>& waits_us) {
  if (world_.has_free_times()) return waits_us.assign(1, 0);
  waits_us.clear();
  for (const Side& in : world_.sides()) {
    for (std::uint32_t agent = 0; agent < in.agent_count; ++agent) {
      in.engine->waits(in, World::block(in, state, agent), state + in.shared_offset, waits_us);
    }
  }
  const bool is_idle = waits_us.empty();
  if (world_.watched_us() != 0) add_watched_waits(state, waits_us);
  if (is_idle) {
    waits_us.push_back(kIdle_us);
  } else if (choices_ == Choices::wide) {
    waits_us.push_back(0);
  }
  std::sort(waits_us.begin(), waits_us.end());
  waits_us.erase(std::unique(waits_us.begin(), waits_us.end()), waits_us.end());
  // Traces are easier to read if time passes.
  if (world_.watched_us() != 0 && waits_us.front() == 0)
    std::rotate(waits_us.begin(), waits_us.begin() + 1, waits_us.end());
}

// An update may come just before what the tree waits for, to begin the time that is watched or to miss its end: before
// the time at which anything else ends. Any number of updates may come at once, if nothing waits, and before the time
// that is watched ends.
void Run::add_watched_waits(unsigned char* state, std::vector<std::uint64_t>& waits_us) const {
  const std::uint64_t granule_us = world_.sides().front().granule_us;
  std::uint64_t since_us = 0;
  std::memcpy(&since_us, world_.watched_time(state), sizeof since_us);
  const std::size_t count = waits_us.size();
  const bool is_open = since_us + world_.watched_us() > kNow;
  if (count == 0 || is_open) waits_us.push_back(0);
  if (is_open) waits_us.push_back(since_us + world_.watched_us() - kNow);
  std::vector<std::uint64_t> ends_us = {0, granule_us};  // within a granule
  for (const std::uint64_t wait_us : waits_us) ends_us.push_back(wait_us % granule_us);
  std::sort(ends_us.begin(), ends_us.end());
  std::uint64_t least_us = granule_us;
  for (std::size_t i = 1; i < ends_us.size(); ++i) {
    if (ends_us[i] != ends_us[i - 1]) least_us = std::min(least_us, ends_us[i] - ends_us[i - 1]);
  }
  const std::uint64_t just_us = std::max<std::uint64_t>(1, least_us / 2);
  for (std::size_t i = 0; i < count; ++i) {
    if (waits_us[i] > just_us) waits_us.push_back(waits_us[i] - just_us);
  }
}

void Run::begin_work() {
  number_ = 0;
  ask_count_ = 0;
  update_count_ = 0;
}

// As measured over trees of all engines: copying and comparing states, running agents, and answering.
std::uint64_t Run::work_so_far() const {
  constexpr std::uint64_t kAsksAStep = 16;
  if (!counts_costs_) return number_ + ask_count_ / kAsksAStep;
  constexpr std::uint64_t kStepCost = 4;
  constexpr std::uint64_t kUpdateCost = 30;
  constexpr std::uint64_t kAskCost = 5;
  const std::uint64_t bytes = world_.state_bytes();
  return number_ * (kStepCost + bytes / 48) + update_count_ * (kUpdateCost + bytes / 128) + ask_count_ * kAskCost;
}

bool Run::has_done_enough() const {
  constexpr std::uint32_t kPathsALook = 256;
  if (work_so_far() >= most_work_) return true;
  return is_late_ && path_count_ % kPathsALook == kPathsALook - 1 && is_late_();
}

bool Run::expand(const unsigned char* state, std::uint32_t cost, const std::function<void(const Next&)>& take,
                 std::uint32_t write) {
  from_ = state;
  if (known_branches_ != nullptr) known_branches_->forget_if_full();
  begin_work();
  cost_ = cost;
  has_more_ = false;
  if (takes_turns() && *world_.turn(const_cast<unsigned char*>(state)) != 0) {
    wait_ = 0;
    expand_tick(state, 0, kAllAgents, take);
    work_ = work_so_far();
    return false;
  }
  const bool is_seen = observer_.after && !observer_.ignores_writes;
  const bool looks_at_entries = !is_seen && cost == 1 && may_know_entries();
  if (looks_at_entries) find_known_entries(state);
  const bool knows_writes = !is_seen && cost == 1 && may_know_writes();
  // These cost one line each, unless the host is asked.
  for (std::uint32_t i = 0; i < world_.steps().size(); ++i) {
    const Step& step = world_.steps()[i];
    if (cost != 1 && step.kind != StepKind::halt) continue;
    if (!is_seen && (is_known_write(write, i) || is_set_already(step, state) ||
                     (looks_at_entries && step.kind == StepKind::write && is_entry_known_[step.id] != 0))) {
      ++number_;
      continue;
    }
    write_ = is_write(step.kind) ? i + 1 : 0;
    if (knows_writes && writes_as_before(state, step, i, take)) continue;
    expand_step(state, step, take);
  }
  write_ = 0;
  if (world_.has_free_times() && cost == 1) end_times(state, take);
  begin(state);
  find_waits(state_, waits_us_);
  for (wait_ = 0; wait_ < waits_us_.size(); ++wait_) expand_tick(state, waits_us_[wait_], kAllAgents, take);
  for (std::uint32_t agent = 0; agent < world_.agent_count() && world_.agent_count() > 1; ++agent) {
    for (wait_ = 0; wait_ < waits_us_.size(); ++wait_) {
      expand_tick(state, waits_us_[wait_], static_cast<std::uint8_t>(agent), take);
    }
  }
  work_ = work_so_far();
  return has_more_;
}

// The host may be asked there, too, where an agent is halted.
void Run::expand_step(const unsigned char* state, const Step& step, const std::function<void(const Next&)>& take) {
  path_.clear();
  path_count_ = 0;
  for (std::uint32_t count = 0; count < max_paths_; ++count) {
    asked_count_ = 0;
    begin(state);
    apply(step);
    finish(step, take);
    path_.resize(place_);
    if (!next_path()) return;
  }
  has_left_out_ = true;
}

// See Facts::has_free_times. Each time that waits ends as if by a step of its own.
void Run::end_times(const unsigned char* state, const std::function<void(const Next&)>& take) {
  path_.clear();
  path_count_ = 0;
  asked_count_ = 0;
  begin(state);
  settle(0);
  const std::vector<TimeField> waiting = settling_.times;  // in state_
  for (const TimeField& field : waiting) {
    begin(state);
    const std::uint64_t long_ago = 1 + field.added;
    std::memcpy(field.bytes, &long_ago, sizeof long_ago);
    finish({.kind = StepKind::end}, take);
  }
}

void Run::expand_tick(const unsigned char* state, std::uint64_t time_us, std::uint8_t agent,
                      const std::function<void(const Next&)>& take) {
  path_.clear();
  path_count_ = 0;
  asked_count_ = 0;
  if (!shares_points() || world_.agent_count() > 1) ++end_number_;
  if (!shares_points()) forget_points_of_updates();
  // Of an update that asks often, such as one with a loop, fewer paths are taken: each question looks at those before.
  std::uint64_t effort_left = kEffortAPath * std::uint64_t{max_paths_};
  const Step step{.kind = StepKind::tick, .agent = agent, .time_us = time_us};
  do {
    if (asked_count_ == 0) {
      begin(state);
    } else {
      go_back_to_asked();
    }
    apply(step);
    finish(step, take);
    if (is_over_ || (wanted_ && number_ > *wanted_)) return;
    path_.resize(place_);
    const std::uint64_t effort = place_ * (1 + place_ / kEffortAPath);
    effort_left -= std::min(effort_left, effort);
    const bool is_last = !next_path();
    leave_points(path_.size());
    forget_asked(path_.size());
    if (is_last) return;
    ++path_count_;
  } while (path_count_ < max_paths_ && effort_left != 0 && !has_done_enough());
  has_left_out_ = true;
  forget_points_of_updates();
}

Edge Run::edge(const unsigned char* state, std::uint32_t cost, const std::function<bool(const Next& next)>& is_wanted) {
  forget_points();
  edge_ = {};
  is_kept_ = is_wanted;
  static_cast<void>(expand(state, cost, [](const Next&) {}));
  is_kept_ = {};
  is_over_ = false;
  return std::move(edge_);
}

}  // namespace espalier::explore
