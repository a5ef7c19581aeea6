// The rules of trees that tick, as plain recursion: see the header.
#include "runtime_ticking_model.h"

#include <functional>

#include "payloads.h"
#include "runtime/format/opcodes/tick.h"
#include "runtime_condition_model.h"

namespace espalier::test {
namespace {

std::string lower(std::string text) {
  for (char& letter : text) letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter);
  return text;
}

const std::vector<ir::Assignment> kNoAssignments;

std::uint64_t sum_or_largest(std::uint64_t a, std::uint64_t b) { return a + b < a ? ~std::uint64_t{0} : a + b; }

}  // namespace

TickingModel::TickingModel(const DraftTree& tree, std::uint64_t seed, DiceHost& host, ModelPlaces& places)
    : tree_(tree), host_(host), places_(places) {
  for (const ir::Variable& variable : tree.variables) state_.variables.push_back(variable.initial);
  state_.timestamps.resize(tree.as<ir::Ticking>().timestamps.size());
  state_.random.state = seed;
  const std::function<void(const Draft&)> number = [&](const Draft& node) {
    numbers_.emplace(&node, static_cast<std::uint32_t>(numbers_.size()));
    for (const Draft& child : node.children) number(child);
  };
  number(tree.root);
}

// ---- An agent

Result TickingModel::update() {
  if (state_.is_stopped) return Result::stopped;
  state_.changed_before = state_.changed;
  state_.changed = false;
  const Result result = tick(tree_.root);
  if (result != Result::running && tree_.as<ir::Ticking>().stays_stopped) state_.is_stopped = true;
  return result;
}

void TickingModel::raise(std::uint32_t signal, bool by_node) {
  if (state_.is_stopped) return;
  const bool is_named = signal < tree_.signals.size();  // else only the project declares it
  for (const ir::Assignment& assignment : is_named ? tree_.signals[signal].assignments : kNoAssignments) {
    const bool value = test::holds(tree_.conditions[assignment.condition], state_.variables);
    if (by_node && state_.variables[assignment.variable] != value) {
      host_.note(Told::changes, assignment.variable, value ? 1 : 0);
    }
    set(assignment.variable, value);
  }
  for (std::size_t i = 0; i < tree_.as<ir::Ticking>().timestamps.size(); ++i) {
    if (tree_.as<ir::Ticking>().timestamps[i].signal == signal)
      state_.timestamps[i] = {ModelTimestamp::Kind::set, clock_us};
  }
  for (const ir::Timestamp& each : tree_.as<ir::Ticking>().timestamps) {
    if (each.signal != signal || !each.exclusive_to) continue;
    ModelTimestamp& excluded = state_.timestamps[*each.exclusive_to];
    if (excluded.kind == ModelTimestamp::Kind::set) excluded.kind = ModelTimestamp::Kind::cleared;
  }
  event(tree_.root, signal);
}

void TickingModel::set(std::uint32_t variable, bool value) {
  if (state_.variables[variable] == value) return;
  state_.variables[variable] = value;
  state_.changed = true;
}

void TickingModel::stop() {
  terminate(tree_.root);
  state_.changed = false;
  state_.is_stopped = false;
}

void TickingModel::restore(const ModelState& saved) {
  count_inside(-1);
  state_ = saved;
  count_inside(1);
}

void TickingModel::count_inside(int change) {
  for (const auto& [node, state] : state_.active) {
    if (node->opcode == opcode::tick_limit) places_.limits[node] += change;
  }
  for (const std::string& scope : state_.held_scopes) places_.scopes[scope] += change;
}

// ---- The life of a node

// Branches, cases and states are not nodes in the rules; here they are nodes that behave as their child does.
bool TickingModel::is_named(const Draft& node) const {
  return node.opcode != opcode::tick_branch && node.opcode != opcode::tick_case && node.opcode != opcode::tick_state;
}

Result TickingModel::tick(const Draft& node) {
  if (!is_active(node)) {
    State& state = state_.active[&node];
    if (is_named(node)) host_.note(Told::begins, number_of(node));
    initialise(node, state);
  }
  const Result result = update(node, state_.active.at(&node));
  if (result == Result::running) return result;
  end(node, false);
  if (is_named(node)) host_.note(Told::completes, number_of(node), static_cast<std::uint32_t>(result));
  return result;
}

void TickingModel::terminate(const Draft& node) {
  if (!is_active(node)) return;
  end(node, true);
  if (is_named(node)) host_.note(Told::interrupted, number_of(node));
}

// Children first, then the node's own effects; only then is it idle.
void TickingModel::end(const Draft& node, bool is_interrupted) {
  for (const Draft& child : node.children) terminate(child);
  const State& state = state_.active.at(&node);
  switch (node.opcode) {
    case opcode::tick_limit:
      if (state.is_open) --places_.limits[&node];
      break;
    case opcode::tick_scope:
      if (state.is_open) leave_scope(node);
      break;
    case opcode::tick_script_wrapper:
      run_script(node, 1);
      break;
    case opcode::tick_wrapper:
    case opcode::tick_action: {
      const Functions functions = functions_of(node.as<ir::Behavior>().name);
      if (is_interrupted && functions.interrupt) {
        host_with_memory(node).tell(Told::interrupt, number_of(node));
      } else if (functions.leave) {
        host_with_memory(node).tell(Told::leave, number_of(node));
      }
      break;
    }
    default:
      break;
  }
  state_.active.erase(&node);
}

void TickingModel::event(const Draft& node, std::uint32_t signal) {
  if (!is_active(node)) return;
  State& state = state_.active.at(&node);
  switch (node.opcode) {
    case opcode::tick_machine: {
      const Draft& from = node.children[state.pending];
      for (const ir::EventTransition& transition : from.as<ir::EventTransitions>().transitions) {
        if (transition.signal != signal) continue;
        if (watch_transition) {
          watch_transition(from,
                           static_cast<std::size_t>(&transition - &from.as<ir::EventTransitions>().transitions[0]));
        }
        state.pending = transition.target;
        state.transition_waits = true;
        break;
      }
      event(node.children[state.present], signal);
      return;
    }
    case opcode::tick_wait_event:
      if (node.as<ir::Event>().signal == signal) state.has_come = true;
      return;
    case opcode::tick_action:
      if (functions_of(node.as<ir::Behavior>().name).event)
        host_with_memory(node).tell(Told::event, number_of(node), signal);
      return;
    default:
      for (const Draft& child : node.children) event(child, signal);  // idle ones do not receive it
      return;
  }
}

// For the call of a behaviour: the host sees the memory of an action.
DiceHost& TickingModel::host_with_memory(const Draft& node) {
  std::vector<unsigned char>& memory = state_.active.at(&node).memory;
  host_.use(memory.data(), memory.size(), number_of(node));
  return host_;
}

// ---- Initialising

void TickingModel::initialise(const Draft& node, State& state) {
  switch (node.opcode) {
    case opcode::tick_parallel:
      state.unfinished.assign(node.children.size(), true);
      return;
    case opcode::tick_guard:
      state.is_open = holds(node);
      return;
    case opcode::tick_chance_guard: {
      const std::uint64_t always = std::uint64_t{1} << 53;
      const std::uint64_t chance = node.as<ir::Chance>().number;
      const bool draws = chance > 0 && chance < always;
      if (draws && opens_instead) {
        state.is_open = opens_instead(chance);
      } else {
        state.is_open = draws ? state_.random.next() / 2048 <= chance : chance == always;
      }
      return;
    }
    case opcode::tick_time_guard:
      state.is_open = time_compares(node);
      return;
    case opcode::tick_limit:
      state.is_open = enter_limit(node);
      return;
    case opcode::tick_scope:
      state.is_open = enter_scope(node);
      return;
    case opcode::tick_script_guard:
      state.is_open = run_script(node, 0);
      return;
    case opcode::tick_script_wrapper:
      run_script(node, 0);
      return;
    case opcode::tick_log:
      log(node, 0);
      return;
    case opcode::tick_wrapper:
      if (functions_of(node.as<ir::Behavior>().name).enter) host_.tell(Told::enter, number_of(node));
      if (functions_of(node.as<ir::Behavior>().name).gate) state.is_open = host_.gate(number_of(node));
      return;
    case opcode::tick_action:
      state.memory.assign(node.as<ir::Behavior>().memory_bytes, 0);
      if (functions_of(node.as<ir::Behavior>().name).enter) host_with_memory(node).tell(Told::enter, number_of(node));
      return;
    case opcode::tick_wait: {
      const ir::Duration& wait = node.as<ir::Duration>();
      std::uint64_t more_us = 0;
      if (wait.random_us > 0) {
        const double part = static_cast<double>(state_.random.next() / 2048) / 9007199254740992.0;
        more_us = static_cast<std::uint64_t>(part * static_cast<double>(wait.random_us));
      }
      state.end_us = sum_or_largest(clock_us, sum_or_largest(wait.time_us, more_us));
      return;
    }
    case opcode::tick_send:
      host_.note(Told::sends, number_of(node), node.as<ir::Event>().signal);
      raise(node.as<ir::Event>().signal, true);
      return;
    case opcode::tick_queue:
      host_.note(Told::sends, number_of(node), node.as<ir::Event>().signal);
      host_.tell(Told::queue, number_of(node), node.as<ir::Event>().signal | (node.flags / 4u) << 16);
      return;
    default:
      return;
  }
}

// ---- Updating

Result TickingModel::update(const Draft& node, State& state) {
  switch (node.opcode) {
    case opcode::tick_sequence:
      return update_row(node, state, Result::success);
    case opcode::tick_selector:
      return update_row(node, state, Result::failure);
    case opcode::tick_parallel:
      return update_parallel(node, state);
    case opcode::tick_priority:
      return update_priority(node, state);
    case opcode::tick_machine:
      return update_machine(node, state);
    case opcode::tick_loop:
      return update_loop(node, state);
    case opcode::tick_suppress:
      return tick(node.children[0]) == Result::running ? Result::running : Result::success;
    case opcode::tick_wrapper: {
      if (!state.is_open) return Result::failure;
      const Result result = tick(node.children[0]);
      const bool keeps = node.flags != 0;
      return keeps && result == Result::success ? Result::running : result;
    }
    case opcode::tick_guard:
    case opcode::tick_chance_guard:
    case opcode::tick_time_guard:
    case opcode::tick_limit:
    case opcode::tick_scope:
    case opcode::tick_script_guard:
      return state.is_open ? tick(node.children[0]) : Result::failure;
    case opcode::tick_branch:
    case opcode::tick_case:
    case opcode::tick_state:
    case opcode::tick_script_wrapper:
      return tick(node.children[0]);
    case opcode::tick_log: {
      const Result result = tick(node.children[0]);
      if (result != Result::running) log(node, result == Result::success ? 1 : 2);
      return result;
    }
    default:
      return update_leaf(node, state);
  }
}

Result TickingModel::update_row(const Draft& node, State& state, Result goes_on) {
  while (state.present < node.children.size()) {
    const Result result = tick(node.children[state.present]);
    if (result != goes_on) return result;
    ++state.present;
  }
  return goes_on;
}

Result TickingModel::update_parallel(const Draft& node, State& state) {
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (!state.unfinished[i]) continue;
    const Result result = tick(node.children[i]);
    if (result == Result::running) continue;
    state.unfinished[i] = false;
    ++(result == Result::success ? state.successes : state.failures);
  }
  const bool succeeds_with_any = (node.flags & 1) != 0;
  const bool fails_with_all = (node.flags & 2) != 0;
  const std::size_t all = node.children.size();
  if (state.successes >= (succeeds_with_any ? 1 : all)) return Result::success;
  if (state.failures >= (fails_with_all ? all : 1)) return Result::failure;
  return Result::running;
}

Result TickingModel::update_priority(const Draft& node, State& state) {
  if (!state.chosen || has_changed()) {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < node.children.size() && !first; ++i) {
      if (holds(node.children[i])) first = i;
    }
    if (first != state.chosen) {
      if (state.chosen) terminate(node.children[*state.chosen]);
      state.chosen = first;
    }
  }
  if (!state.chosen) return Result::failure;
  return tick(node.children[*state.chosen]);
}

Result TickingModel::update_machine(const Draft& node, State& state) {
  if (state.transition_waits) {
    terminate(node.children[state.present]);
    state.present = state.pending;
    state.transition_waits = false;
  }
  return tick(node.children[state.present]);
}

Result TickingModel::update_loop(const Draft& node, State& state) {
  const bool until_success = (node.flags & 1) != 0;
  const Result counted = until_success ? Result::failure : Result::success;
  Result result = tick(node.children[0]);
  if (result == counted) {
    if (const std::uint32_t count = node.as<ir::Limit>().maximum; count > 0) {
      if (state.counted + 1 == count) return counted;
      ++state.counted;
    }
    if (state.child_was_running) result = tick(node.children[0]);
  }
  state.child_was_running = is_active(node.children[0]);
  const Result other = until_success ? Result::success : Result::failure;
  return result == other ? other : Result::running;
}

Result TickingModel::update_leaf(const Draft& node, const State& state) {
  const auto given = static_cast<Result>(node.flags & 3);
  switch (node.opcode) {
    case opcode::tick_message:
      log(node, 0);
      return Result::success;
    case opcode::tick_wait:
      return clock_us >= state.end_us ? given : Result::running;
    case opcode::tick_wait_event:
      return state.has_come ? given : Result::running;
    case opcode::tick_condition:
      return holds(node) ? Result::success : given;
    case opcode::tick_time:
      return time_compares(node) ? Result::success : given;
    case opcode::tick_script: {
      const bool is_true = run_script(node, 0);
      return node.flags == 0 || is_true ? Result::success : Result::failure;
    }
    case opcode::tick_action:
      return functions_of(node.as<ir::Behavior>().name).action ? host_with_memory(node).update(number_of(node))
                                                               : Result::success;
    default:  // tick_result, tick_send, tick_queue
      return given;
  }
}

// ---- Small things

bool TickingModel::holds(const Draft& node) const {
  const ir::Condition* const condition = condition_of(tree_, node);
  return condition == nullptr || test::holds(*condition, state_.variables);
}

bool TickingModel::time_compares(const Draft& node) const {
  const ir::TimeTest& own = node.as<ir::TimeTest>();
  const ModelTimestamp timestamp = own.timestamp ? state_.timestamps[*own.timestamp] : ModelTimestamp{};
  if (timestamp.kind == ModelTimestamp::Kind::never_set) return (node.flags & 8) != 0;
  if (timestamp.kind == ModelTimestamp::Kind::cleared) return false;
  const auto elapsed_us = static_cast<std::int64_t>(clock_us - timestamp.time_us);
  const auto bound_us = static_cast<std::int64_t>(own.threshold_us);
  return (node.flags & 4) != 0 ? elapsed_us < bound_us : elapsed_us > bound_us;
}

bool TickingModel::run_script(const Draft& node, std::size_t which) {
  const std::string& script = node.as<ir::Scripts>().sources[which];
  return !script.empty() && host_.script(number_of(node), number_in(script));
}

void TickingModel::log(const Draft& node, std::size_t which) {
  const std::string& text = node.as<ir::Texts>().texts[which];
  if (!text.empty()) host_.tell(Told::log, number_of(node), number_in(text));
}

bool TickingModel::enter_limit(const Draft& node) {
  int& inside = places_.limits[&node];
  if (inside >= static_cast<int>(node.as<ir::Limit>().maximum)) return false;
  ++inside;
  return true;
}

bool TickingModel::enter_scope(const Draft& node) {
  const std::string name = lower(node.as<ir::Limit>().scope);
  int& inside = places_.scopes[name];
  if (inside >= static_cast<int>(node.as<ir::Limit>().maximum)) return false;
  if (state_.held_scopes.insert(name).second) ++inside;
  return true;
}

void TickingModel::leave_scope(const Draft& node) {
  const std::string name = lower(node.as<ir::Limit>().scope);
  if (state_.held_scopes.erase(name) != 0) --places_.scopes[name];
}

}  // namespace espalier::test
