// Ticks: queued events are delivered, then agents are updated; and the scripted host. See session.h.
#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "replay/session.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/format/by_engine.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using rules::Rule;
using text::JsonValue;

// ---- Lines

Session::Faults Session::run_tick(const Line& line) {
  const std::uint64_t step_us = to_microseconds(line.value->number).value_or(0);
  const std::uint32_t times = line.count("times", 1);
  if (times > kMaxTimes) {
    return LineFault{rules::TRC_limit_exceeded, line.find("times")->span,
                     "a tick is repeated at most " + std::to_string(kMaxTimes) + " times"};
  }
  if (step_us > 0 && times > (kMaxClock_us - time_us_) / step_us) {
    return LineFault{rules::TRC_limit_exceeded, line.value->span, "the clock would pass 285 years"};
  }
  std::vector<std::uint32_t>& indices = targets_;
  indices.clear();
  if (line.agent) {
    if (auto fault = targets(line, &indices)) return fault;
  } else {
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr) indices.push_back(i);
    }
  }
  const JsonValue* const repetition = line.find("times");
  const text::Span span = repetition != nullptr ? repetition->span : line.value->span;
  // For agents that may settle, the number of updates is not known in advance.
  const auto settling_count =
      static_cast<std::size_t>(std::count_if(indices.begin(), indices.end(), [&](std::uint32_t index) {
        return agents_[index]->bound->strategy->may_settle;
      }));
  if (auto fault = take_updates(times * (indices.size() - settling_count), span)) return fault;
  for (std::uint32_t done = 1; done <= times; ++done) {
    time_us_ += step_us;
    bool is_settled = true;
    for (const std::uint32_t index : indices) {
      if (!agents_[index]->state.queue.empty()) deliver_queue(index);
    }
    for (const std::uint32_t index : indices) {
      act_as(index);
      // Also for agents whose updates are counted above: their scripts take some.
      if (auto fault = take_updates(strategy_->may_settle ? 1 : 0, span)) return fault;
      is_settled = update(index) && is_settled;
    }
    if (!unscripted_.empty() || !unheard_.empty() || !answer_faults_.empty()) warn_of_host_use(line);
    if (queued_count_ > kMaxQueued) {
      return LineFault{rules::TRC_limit_exceeded, line.key,
                       "more than " + std::to_string(kMaxQueued) + " events wait for agents to be updated"};
    }
    // Nothing changes agents between these updates, and time alone does not either: the others would do nothing.
    if (is_settled) {
      time_us_ += step_us * (times - done);
      break;
    }
  }
  return std::nullopt;
}

Session::Faults Session::take_updates(std::uint64_t count, text::Span span) {
  updates_ += count;
  if (updates_ <= options_.max_updates) return std::nullopt;
  return LineFault{rules::TRC_limit_exceeded, span,
                   "the trace asks for more than " + std::to_string(options_.max_updates) + " updates of agents",
                   "--max-updates N allows more"};
}

void Session::warn_of_host_use(const Line& line) {
  warn_of_unscripted(line);
  for (LineFault& fault : std::exchange(answer_faults_, {})) {
    fault.span = line.key;
    warn(std::move(fault));
  }
  for (const std::string& name : std::exchange(unheard_, {})) {
    const std::vector<std::string_view> names = known_signals();
    std::string hint = text::did_you_mean(name, names);
    if (hint.empty()) hint = "if actions of the game receive it, add it to \"events\" in espalier.json";
    warn({rules::TRC_unknown_signal, line.key,
          "signal " + text::quote(name) + " of a script reaches nobody: no tree knows it", std::move(hint)});
  }
}

void Session::warn_of_unscripted(const Line& line) {
  for (const auto& [kind, behavior, otherwise, agent] : std::exchange(unscripted_, {})) {
    const std::string name(behavior);
    if (!is_news(rules::TRC_unscripted_host, name)) continue;
    const auto has_it = [&](const auto& other) { return other != nullptr && other->answers.count(name) != 0; };
    const auto scripted = std::find_if(agents_.begin(), agents_.end(), has_it);
    const std::string whose = several_agents_ ? " of agent " + std::to_string(agent) : "";
    std::string hint =
        "add {\"host\": {" + text::json_string(name) + ": true}" + (several_agents_ ? ", \"agent\": \"all\"}" : "}");
    if (const auto count = std::count_if(agents_.begin(), agents_.end(), has_it); count == 1) {
      hint = "only agent " + std::to_string(scripted - agents_.begin()) +
             " has an answer; \"agent\": \"all\" in its line scripts it for every agent";
    } else if (count > 1) {
      hint = "other agents have an answer; add {\"host\": {" + text::json_string(name) +
             ": true}, \"agent\": " + std::to_string(agent) + "} after the agent is spawned";
    }
    warn({rules::TRC_unscripted_host, line.key,
          std::string(kind) + ' ' + text::quote(name) + whose + " has no scripted answer: it " + otherwise,
          std::move(hint)});
  }
}

// ---- Events from outside

Session::Faults Session::run_when(const Line& line, Agents agents) {
  Reaction reaction;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    const JsonValue& value = line.value->values[i];
    if (key.name != "behavior" && key.name != "signal" && key.name != "data") {
      return LineFault{rules::TRC_unknown_key, key.span, "unknown key " + text::quote(key.name) + " of 'when'",
                       text::did_you_mean(key.name, {"behavior", "signal", "data"})};
    }
    if (key.name == "data") {
      reaction.data = read_data_test(value);
      if (reaction.data) continue;
      return LineFault{rules::TRC_wrong_value, value.span,
                       "'data' should be a string, a number, a list of up to two of them, or {\"below\": 5}",
                       "{\"below\": N} and {\"above\": N} compare the first number of the signal's data"};
    }
    if (value.kind != text::JsonKind::string || value.string.empty()) {
      return LineFault{rules::TRC_wrong_value, value.span, text::quote(key.name) + " should be a name"};
    }
    if (key.name == "signal") {
      reaction.signal = value.string;
      continue;
    }
    reaction.behavior = value.string;
    const auto known = bound_->host_names.find(value.string);
    if (known == bound_->host_names.end() || !known->second) warn_of_host({value.string, value.span}, value.string);
  }
  std::vector<Line> acts;
  for (const LineKind kind : {LineKind::set, LineKind::stimulus, LineKind::signal}) {
    if (line.find(key_of(kind)) == nullptr) continue;
    Line& act = acts.emplace_back();
    act.kind = kind;
    act.object = line.object;
    act.value = act.find(key_of(kind));
    act.key = act.agent_span = line.key;
    if (auto fault = run_for(act, {})) return fault;  // checks its names
  }
  if (reaction.signal.empty() || reaction.behavior.empty() || acts.empty()) {
    return LineFault{rules::TRC_wrong_value, line.value->span, "'when' names no behaviour, no signal, or nothing to do",
                     "{\"when\": {\"behavior\": \"B\", \"signal\": \"S\"}, \"set\": {\"V\": true}}"};
  }
  reacted_.insert(reaction.signal);
  reaction.acts = std::make_shared<const std::vector<Line>>(std::move(acts));
  return for_each(agents, [&](std::uint32_t index) -> Faults {
    agents_[index]->reactions.push_back(reaction);
    agents_[index]->answer_bytes += reaction_bytes(reaction);
    return take_memory(reaction_bytes(reaction), line.value->span);
  });
}

void Session::deliver(std::string_view name, std::optional<std::uint32_t> signal, const void* data,
                      const JsonValue* value) {
  const std::vector<std::string_view> active = active_behaviors();
  if (const std::vector<std::string> reacting = reacting_to(name, active); reacting.empty()) {
    emit(EventKind::signal, name);
  } else {
    tell({.kind = EventKind::signal, .subject = name, .cause = reacting});
  }
  void* block = agents_[current_agent_]->state.block.data();
  if (strategy_->has_scripts && is_stopped(tree_, block)) {
    const std::string text = "The event '" + std::string(name) + "' was not handled: no tree is running.";
    go_wrong(RunFaultKind::signal_lost, {.subject = text},
             "signal " + text::quote(name) + " was lost: the agent has stopped");
  } else if (signal) {
    strategy_->signal(*this, *signal, data);
  }
  react(name, value, active);
}

// Those that get a signal; none if no behaviour of the agent reacts to any.
std::vector<std::string_view> Session::active_behaviors() const {
  std::vector<std::string_view> names;
  const Agent& agent = *agents_[current_agent_];
  if (agent.reactions.empty() || agent.state.is_refused) return names;
  const AgentView view{tree_, agent.state.block.data(), bound_->shared->data(), time_us_, {}};
  if (strategy_->running != nullptr) {
    for (const std::uint32_t behavior : strategy_->running(view)) names.push_back(behavior_name(*asset_, behavior));
  } else if (const std::uint32_t behavior = strategy_->current(view); behavior != kNoBehavior) {
    names.push_back(behavior_name(*asset_, behavior));
  }
  return names;
}

// The behaviours among `active` that react to a signal.
std::vector<std::string> Session::reacting_to(std::string_view signal,
                                              const std::vector<std::string_view>& active) const {
  std::vector<std::string> reacting;
  if (active.empty()) return reacting;
  for (const Reaction& each : agents_[current_agent_]->reactions) {
    const bool is_active = std::find(active.begin(), active.end(), each.behavior) != active.end();
    if (!each.is_running && each.signal == signal && is_active) reacting.push_back(each.behavior);
  }
  return reacting;
}

// A reaction does not set itself off.
void Session::react(std::string_view signal, const JsonValue* data, const std::vector<std::string_view>& active) {
  constexpr std::size_t kReactionsAnUpdate = 100;  // that can be looked at in its time
  const std::uint32_t index = current_agent_;
  updates_ += agents_[index]->reactions.size() / kReactionsAnUpdate;
  for (Reaction& reaction : agents_[index]->reactions) {
    const bool is_active = std::find(active.begin(), active.end(), reaction.behavior) != active.end();
    if (reaction.is_running || reaction.signal != signal || !is_active) continue;
    if (reaction.data && !reaction.data->holds(data)) continue;
    if (updates_++ >= options_.max_updates) return;
    reaction.is_running = true;
    // A name that a reloaded tree no longer has has no effect.
    for (const Line& act : *reaction.acts) static_cast<void>(run_for(act, {&index, 1}));
    reaction.is_running = false;
  }
}

void Session::deliver_queue(std::uint32_t index) {
  act_as(index);
  const std::vector<std::uint32_t> queue = std::exchange(agents_[index]->state.queue, {});
  queued_count_ -= queue.size();
  for (const std::uint32_t signal : queue) deliver(signal_name(tree_, signal), signal);
}

void Session::note_variable(void* session, std::uint32_t variable, bool value) {
  Session& self = *static_cast<Session*>(session);
  self.emit_name(EventKind::set, variable_name(self.tree_, variable), value ? "true" : "false");
}

// ---- Updates

bool Session::update(std::uint32_t index) {
  if (listener_.watches) emit(EventKind::begin, {});
  is_updating_ = true;
  const bool tells_path = strategy_->path != nullptr && tells_nodes();
  const Agent& agent = *agents_[index];
  const std::vector<std::uint32_t> before = tells_path ? strategy_->path(*this, agent) : std::vector<std::uint32_t>();
  const bool is_settled = strategy_->update(*this, *agents_[index]);
  if (options_.swaps) count_swaps(index);
  if (listener_.watches) emit(EventKind::end, {});
  is_updating_ = false;
  if (tells_path) tell_path(before, strategy_->path(*this, agent));
  return is_settled;
}

void Session::count_swaps(std::uint32_t index) {
  if (strategy_->current == nullptr) return;
  const std::uint32_t behavior = strategy_->current(view(index));
  if (behavior == kNoBehavior) return;
  if (agents_[index]->swaps == nullptr) agents_[index]->swaps = std::make_unique<Swaps>();
  Swaps& swaps = *agents_[index]->swaps;
  if (!swaps.exceeds(*options_.swaps, behavior_name(*tree_.asset, behavior), time_us_)) return;
  keep({.kind = RunFaultKind::thrash,
        .message = "the behaviours " + text::quote(swaps.first()) + " and " + text::quote(swaps.second()) +
                   " replace each other more than " + std::to_string(options_.swaps->count) + " times in " +
                   number_text(static_cast<double>(options_.swaps->within_us) / 1e6) + " s"});
}

Result Session::update_watched(Agent& agent, const Watcher& watcher) {
  const Result result = espalier::update_watched(tree_, agent.state.block.data(), host(), watcher);
  if (result == Result::stopped) return result;
  agent.state.status = result;
  emit_name(EventKind::status, result_name(result));
  return result;
}

// ---- The host

Host Session::host() {
  Host host = strategy_->host;
  host.behaviors = bound_->behaviors.data();
  host.conditions = bound_->conditions.data();
  host.user = this;
  host.clock_us = time_us_;
  host.shared = bound_->shared->data();
  host.group = group_.data();
  host.scratch = bound_->scratch.data();
  return host;
}

Answers* Session::find_answers(const Call* call, std::string_view name) {
  const Agent& agent = *agents_[current_agent_];
  if (agent.answers.empty()) return nullptr;
  // A node of an agent asks for the same name each time; but one that is used at several places may be at another.
  const bool may_move = agent.has_placed_answers && (strategy_->node != nullptr || strategy_->rule != nullptr);
  if (may_move) {
    if (Answers* placed = find_placed_answers(call, name)) return placed;
  }
  const std::size_t place = (current_agent_ * 31 + call->node_word * 7 + call->behavior) % found_answers_.size();
  FoundAnswers& known = found_answers_[place];
  const bool is_known = known.version == answers_version_ && known.agent == current_agent_ &&
                        known.node_word == call->node_word && known.name == name.data();
  if (!is_known) {
    Answers* answers = agent.has_placed_answers && !may_move ? find_placed_answers(call, name) : nullptr;
    if (answers == nullptr) answers = find_unplaced_answers(call, name);
    known = {answers_version_, current_agent_, call->node_word, name.data(), answers};
  }
  return known.answers;
}

Answers* Session::find_unplaced_answers(const Call* call, std::string_view name) {
  AnswersByName& answers = agents_[current_agent_]->answers;
  auto found = strategy_->full_name != nullptr ? answers.find(strategy_->full_name(call)) : answers.end();
  if (found == answers.end()) found = answers.find(name);
  return found == answers.end() ? nullptr : &found->second;
}

Answers* Session::find_placed_answers(const Call* call, std::string_view name) {
  AnswersByName& answers = agents_[current_agent_]->answers;
  const NodeOf node = strategy_->node != nullptr ? strategy_->node(call) : NodeOf{call->tree.asset, call->node_word};
  if (node.asset == nullptr) return nullptr;
  const codegen::NodeDebug place = codegen::node_debug(*node.asset, node.word);
  const std::uint32_t rule = strategy_->rule != nullptr ? strategy_->rule(call) : kNoRule;
  const std::string_view rule_id = rule != kNoRule              ? espalier::rule_id(call->tree, rule)
                                   : strategy_->rule != nullptr ? places().rule_of(node.word)
                                                                : std::string_view();
  const std::string keys[] = {Places::key_of_place(name, place.file, place.line), Places::key_of_line(name, place.line),
                              rule_id.empty() ? std::string() : Places::key_of_rule(name, rule_id)};
  for (const std::string& key : keys) {
    if (const auto found = answers.find(key); found != answers.end()) return &found->second;
  }
  const std::string begin = std::string(name) + '@';
  for (auto found = answers.lower_bound(begin); found != answers.end() && found->first.starts_with(begin); ++found) {
    if (places().is_at_path(found->first, node.word, rule)) return &found->second;
  }
  return nullptr;
}

// None if the trace has no answer; the host then does `otherwise`.
std::optional<Answer> Session::take_answer(const Call* call, std::string_view name, const char* kind,
                                           const char* otherwise) {
  if (Answers* answers = find_answers(call, name)) return answers->take();
  note_unscripted({kind, name, otherwise});
  return std::nullopt;
}

// That a behaviour starts and goes on is news only in a trace that scripts one.
void Session::note_unscripted(Unscripted unscripted) {
  unscripted.agent = current_agent_;
  if (unscripted.kind != "behaviour" || is_scripted_) unscripted_.push_back(unscripted);
}

void HostCalls::enter(const Call* call) {
  Session::of(call).emit_called(EventKind::enter, call, Session::called_name(call));
}

void HostCalls::leave(const Call* call) {
  Session::of(call).emit_called(EventKind::leave, call, Session::called_name(call));
}

void HostCalls::interrupt(const Call* call) {
  Session::of(call).emit_called(EventKind::interrupt, call, Session::called_name(call));
}

espalier_result HostCalls::tick(const Call* call) {
  Session& session = Session::of(call);
  const std::string_view name = Session::called_name(call);
  const Answer answer = session.take_answer(call, name, "action", "succeeds").value_or(Answer::success);
  Result result = Result::failure;
  if (answer == Answer::running) result = Result::running;
  if (answer == Answer::success) result = Result::success;
  session.emit_called(EventKind::tick, call, name, result_name(result));
  return result;
}

bool HostCalls::ask(const Call* call) {
  Session& session = Session::of(call);
  const std::string_view name = Session::asked_name(call);
  const Answer answer = session.take_answer(call, name, "condition", "is true").value_or(Answer::success);
  if (answer == Answer::refuse) {
    session.emit_called(EventKind::refuse, call, name);
    return false;
  }
  session.emit_called(EventKind::ask, call, name, answer == Answer::failure ? "false" : "true");
  return answer != Answer::failure;
}

// ---- The table

const Strategy& strategy_of(EngineId engine) {
  constexpr ByEngine<const Strategy*> kStrategies = {.select = &kSelectStrategy,
                                                     .tick = &kTickStrategy,
                                                     .rule = &kRuleStrategy,
                                                     .decide = &kDecideStrategy,
                                                     .store = &kStoreStrategy,
                                                     .poll = &kPollStrategy};
  return *kStrategies[engine];
}

bool is_for_trees(const Asset& asset, LineKind kind) {
  std::uint32_t of_some = 0;
  for (unsigned i = 0; i < kEngineIds; ++i) of_some |= strategy_of(static_cast<EngineId>(i)).accepts.bits;
  const bool is_signal = kind == LineKind::signal || kind == LineKind::broadcast;
  if (!is_signal && (of_some >> static_cast<unsigned>(kind) & 1) == 0) return true;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Strategy& strategy = strategy_of(engine_of_tree({&asset, i}));
    if (is_signal ? strategy.has_signals : strategy.accepts.has(kind)) return true;
  }
  return false;
}

std::string trees_text(const std::function<bool(EngineId)>& has) {
  std::vector<std::string_view> kinds;
  for (unsigned i = 0; i < kEngineIds; ++i) {
    if (has(static_cast<EngineId>(i))) kinds.push_back(strategy_of(static_cast<EngineId>(i)).kind);
  }
  std::string text;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == kinds.size() ? " and " : ", ") + std::string(kinds[i]);
  }
  return text + " trees";
}

}  // namespace espalier::replay
