// Updates of agents, and the scripted host. See updates.h.
#include "replay/updates.h"

#include <algorithm>

#include "codegen/dump/disassemble.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/asset/recorded.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using text::JsonValue;

namespace {

constexpr std::uint32_t kMaxWithRecent = 1000;  // agents, by index, of which the last nodes are kept

}  // namespace

// ---- Ticks

Faults Updates::run(const Line& line) {
  const std::uint64_t step_us = to_microseconds(line.value->number).value_or(0);
  const std::uint32_t times = line.count("times", 1);
  if (times > kMaxTimes) {
    return LineFault{rules::TRC_limit_exceeded, line.find("times")->span,
                     "a tick is repeated at most " + std::to_string(kMaxTimes) + " times"};
  }
  if (step_us > 0 && times > (kMaxClock_us - agents.time_us()) / step_us) {
    return LineFault{rules::TRC_limit_exceeded, line.value->span, "the clock would pass 285 years"};
  }
  if (line.no_agents) {
    agents.pass(step_us * times);
    return std::nullopt;
  }
  std::vector<std::uint32_t>& indices = updated_;
  indices.clear();
  if (line.agent) {
    if (auto fault = agents.targets(line, &indices)) return fault;
  } else {
    agents.add_living(&indices);
  }
  const JsonValue* const repetition = line.find("times");
  const text::Span span = repetition != nullptr ? repetition->span : line.value->span;
  // For agents that may settle, the number of updates is not known in advance.
  const auto settling_count = static_cast<std::size_t>(std::count_if(
      indices.begin(), indices.end(), [&](std::uint32_t index) { return agents[index].bound->strategy->may_settle; }));
  if (auto fault = agents.take_updates(times * (indices.size() - settling_count), span)) return fault;
  for (std::uint32_t done = 1; done <= times; ++done) {
    agents.pass(step_us);
    bool is_settled = true;
    for (const std::uint32_t index : indices) {
      if (!agents[index].state.queue.empty()) deliver_queue(index);
    }
    for (const std::uint32_t index : indices) {
      agents.act_as(index);
      // Also for agents whose updates are counted above: their scripts take some.
      if (auto fault = agents.take_updates(agents.strategy().may_settle ? 1 : 0, span)) return fault;
      is_settled = update() && is_settled;
    }
    if (!unscripted_.empty() || !unheard_.empty() || !answer_faults_.empty()) warn_of_host_use(line);
    if (agents.is_queue_full()) {
      return LineFault{rules::TRC_limit_exceeded, line.key,
                       "more than " + std::to_string(kMaxQueued) + " events wait for agents to be updated"};
    }
    // Nothing changes agents between these updates, and time alone does not either: the others would do nothing.
    if (is_settled) {
      agents.pass(step_us * (times - done));
      break;
    }
  }
  return std::nullopt;
}

void Updates::warn_of_host_use(const Line& line) {
  warn_of_unscripted(line);
  for (LineFault& fault : std::exchange(answer_faults_, {})) {
    fault.span = line.key;
    reporter.warn(std::move(fault));
  }
  for (const std::string& name : std::exchange(unheard_, {})) {
    const std::vector<std::string_view> names = agents.known_signals();
    std::string hint = text::did_you_mean(name, names);
    if (hint.empty()) hint = "if actions of the game receive it, add it to \"events\" in espalier.json";
    reporter.warn({rules::TRC_unknown_signal, line.key,
                   "signal " + text::quote(name) + " of a script reaches nobody: no tree knows it", std::move(hint)});
  }
}

void Updates::warn_of_unscripted(const Line& line) {
  for (const auto& [kind, behavior, otherwise, agent] : std::exchange(unscripted_, {})) {
    const std::string name(behavior);
    if (!reporter.is_news(rules::TRC_unscripted_host, name)) continue;
    std::uint32_t scripted_count = 0;
    std::uint32_t scripted = 0;
    for (std::uint32_t other = agents.count(); other-- > 0;) {
      if (agents.find(other) == nullptr || agents[other].answers.count(name) == 0) continue;
      ++scripted_count;
      scripted = other;
    }
    const std::string whose = agents.are_several() ? " of agent " + std::to_string(agent) : "";
    std::string hint = "add {\"host\": {" + text::json_string(name) + ": true}" +
                       (agents.are_several() ? ", \"agent\": \"all\"}" : "}");
    if (scripted_count == 1) {
      hint = "only agent " + std::to_string(scripted) +
             " has an answer; \"agent\": \"all\" in its line scripts it for every agent";
    } else if (scripted_count > 1) {
      hint = "other agents have an answer; add {\"host\": {" + text::json_string(name) +
             ": true}, \"agent\": " + std::to_string(agent) + "} after the agent is spawned";
    }
    reporter.warn({rules::TRC_unscripted_host, line.key,
                   std::string(kind) + ' ' + text::quote(name) + whose + " has no scripted answer: it " + otherwise,
                   std::move(hint)});
  }
}

// ---- Events from outside

void Updates::deliver(std::string_view name, std::optional<std::uint32_t> signal, const void* data,
                      const JsonValue* value) {
  const std::vector<std::string_view> active = active_behaviors();
  if (const std::vector<std::string> reacting = reacting_to(name, active); reacting.empty()) {
    reporter.emit(EventKind::signal, name);
  } else {
    reporter.tell({.kind = EventKind::signal, .subject = name, .cause = reacting});
  }
  void* block = agents.self().block();
  if (agents.strategy().has_scripts && is_stopped(agents.tree(), block)) {
    const std::string text = "The event '" + std::string(name) + "' was not handled: no tree is running.";
    reporter.go_wrong(RunFaultKind::signal_lost, {.subject = text},
                      "signal " + text::quote(name) + " was lost: the agent has stopped");
  } else if (signal) {
    agents.strategy().signal(*this, *signal, data);
  }
  react(name, value, active);
}

// Those that get a signal; none if no behaviour of the agent reacts to any.
std::vector<std::string_view> Updates::active_behaviors() const {
  std::vector<std::string_view> names;
  const Agent& agent = agents.self();
  if (agent.reactions.empty() || agent.state.is_refused) return names;
  const AgentView view{agents.tree(), agent.block(), agents.bound().shared->data(), agents.time_us(), {}};
  if (agents.strategy().running != nullptr) {
    for (const std::uint32_t behavior : agents.strategy().running(view))
      names.push_back(behavior_name(agents.asset(), behavior));
  } else if (const std::uint32_t behavior = agents.strategy().current(view); behavior != kNoBehavior) {
    names.push_back(behavior_name(agents.asset(), behavior));
  }
  return names;
}

// The behaviours among `active` that react to a signal.
std::vector<std::string> Updates::reacting_to(std::string_view signal,
                                              const std::vector<std::string_view>& active) const {
  std::vector<std::string> reacting;
  if (active.empty()) return reacting;
  for (const Reaction& each : agents.self().reactions) {
    const bool is_active = std::find(active.begin(), active.end(), each.behavior) != active.end();
    if (!each.is_running && each.signal == signal && is_active) reacting.push_back(each.behavior);
  }
  return reacting;
}

// A reaction does not set itself off.
void Updates::react(std::string_view signal, const JsonValue* data, const std::vector<std::string_view>& active) {
  constexpr std::size_t kReactionsAnUpdate = 100;  // that can be looked at in its time
  const std::uint32_t index = agents.current();
  agents.add_work(agents[index].reactions.size() / kReactionsAnUpdate);
  for (Reaction& reaction : agents[index].reactions) {
    const bool is_active = std::find(active.begin(), active.end(), reaction.behavior) != active.end();
    if (reaction.is_running || reaction.signal != signal || !is_active) continue;
    if (reaction.data && !reaction.data->holds(data)) continue;
    const bool is_in_limit = agents.has_updates_left();
    agents.add_work(1);
    if (!is_in_limit) return;
    reaction.is_running = true;
    // A name that a reloaded tree no longer has has no effect.
    for (const Line& act : *reaction.acts) act_(act, index);
    reaction.is_running = false;
  }
}

void Updates::deliver_queue(std::uint32_t index) {
  agents.act_as(index);
  for (const std::uint32_t signal : agents.take_queue(index)) deliver(signal_name(agents.tree(), signal), signal);
}

void Updates::note_variable(void* updates, std::uint32_t variable, bool value) {
  Updates& self = *static_cast<Updates*>(updates);
  self.reporter.emit_name(EventKind::set, variable_name(self.agents.tree(), variable), value ? "true" : "false");
}

// ---- Updates

bool Updates::update() {
  if (reporter.watches()) reporter.emit(EventKind::begin, {});
  reporter.begin_update();
  const bool tells_path = agents.strategy().path != nullptr && reporter.tells_nodes();
  Agent& agent = agents.self();
  const std::vector<std::uint32_t> before =
      tells_path ? agents.strategy().path(*this, agent) : std::vector<std::uint32_t>();
  const bool is_settled = agents.strategy().update(*this, agent);
  if (options_.swaps) count_swaps();
  if (reporter.watches()) reporter.emit(EventKind::end, {});
  reporter.end_update();
  if (tells_path) reporter.tell_path(before, agents.strategy().path(*this, agent), notes.completed);
  return is_settled;
}

void Updates::count_swaps() {
  if (agents.strategy().current == nullptr) return;
  const std::uint32_t behavior = agents.strategy().current(agents.view(agents.current()));
  if (behavior == kNoBehavior) return;
  std::unique_ptr<Swaps>& own = agents.self().swaps;
  if (own == nullptr) own = std::make_unique<Swaps>();
  Swaps& swaps = *own;
  if (!swaps.exceeds(*options_.swaps, behavior_name(*agents.tree().asset, behavior), agents.time_us())) return;
  reporter.keep({.kind = RunFaultKind::thrash,
                 .message = "the behaviours " + text::quote(swaps.first()) + " and " + text::quote(swaps.second()) +
                            " replace each other more than " + std::to_string(options_.swaps->count) + " times in " +
                            number_text(static_cast<double>(options_.swaps->within_us) / 1e6) + " s"});
}

Result Updates::update_watched(Agent& agent, const Watcher& watcher) {
  const Result result = espalier::update_watched(agents.tree(), agent.block(), host(), watcher);
  if (result == Result::stopped) return result;
  agent.state.status = result;
  reporter.emit_name(EventKind::status, result_name(result));
  return result;
}

void Updates::tell_step(void* updates, const NodeStep* step) {
  Updates& self = *static_cast<Updates*>(updates);
  if (step->kind == NodeStepKind::complete) self.note_recent(*step);
  self.reporter.tell_step(*step);
}

void Updates::note_recent(const NodeStep& step) {
  if (agents.current() >= kMaxWithRecent || !is_recorded(*agents.tree().asset, step.node_word)) return;
  std::unique_ptr<Recent>& recent = agents.self().recent;
  if (recent == nullptr) {
    recent = std::make_unique<Recent>();
    recent->history.entries = recent->entries;
    recent->history.capacity = static_cast<std::uint32_t>(std::size(recent->entries));
  }
  record(recent->history, step, agents.time_us());
}

// ---- The host

Host Updates::host() {
  Host host = agents.strategy().host;
  host.behaviors = agents.bound().behaviors.data();
  host.conditions = agents.bound().conditions.data();
  host.user = this;
  host.clock_us = agents.time_us();
  host.shared = agents.bound().shared->data();
  host.group = agents.group();
  host.scratch = agents.bound().scratch.data();
  return host;
}

Answers* Updates::find_answers(const Call* call, std::string_view name) {
  const Agent& agent = agents.self();
  if (agent.answers.empty()) return nullptr;
  // A node of an agent asks for the same name each time; but one that is used at several places may be at another.
  const bool may_move =
      agent.has_placed_answers && (agents.strategy().node != nullptr || agents.strategy().rule != nullptr);
  if (may_move) {
    if (Answers* placed = find_placed_answers(call, name)) return placed;
  }
  const std::size_t place = (agents.current() * 31 + call->node_word * 7 + call->behavior) % found_answers_.size();
  FoundAnswers& known = found_answers_[place];
  const bool is_known = known.version == answers_version_ && known.agent == agents.current() &&
                        known.node_word == call->node_word && known.name == name.data();
  if (!is_known) {
    Answers* answers = agent.has_placed_answers && !may_move ? find_placed_answers(call, name) : nullptr;
    if (answers == nullptr) answers = find_unplaced_answers(call, name);
    known = {answers_version_, agents.current(), call->node_word, name.data(), answers};
  }
  return known.answers;
}

Answers* Updates::find_unplaced_answers(const Call* call, std::string_view name) {
  AnswersByName& answers = agents.self().answers;
  auto found = agents.strategy().full_name != nullptr ? answers.find(agents.strategy().full_name(call)) : answers.end();
  if (found == answers.end()) found = answers.find(name);
  return found == answers.end() ? nullptr : &found->second;
}

Answers* Updates::find_placed_answers(const Call* call, std::string_view name) {
  AnswersByName& answers = agents.self().answers;
  const NodeOf node =
      agents.strategy().node != nullptr ? agents.strategy().node(call) : NodeOf{call->tree.asset, call->node_word};
  if (node.asset == nullptr) return nullptr;
  const codegen::NodeDebug place = codegen::node_debug(*node.asset, node.word);
  const std::uint32_t rule = agents.strategy().rule != nullptr ? agents.strategy().rule(call) : kNoRule;
  const std::string_view rule_id = rule != kNoRule                     ? espalier::rule_id(call->tree, rule)
                                   : agents.strategy().rule != nullptr ? places_of(agents.bound()).rule_of(node.word)
                                                                       : std::string_view();
  const std::string keys[] = {Places::key_of_place(name, place.file, place.line), Places::key_of_line(name, place.line),
                              rule_id.empty() ? std::string() : Places::key_of_rule(name, rule_id)};
  for (const std::string& key : keys) {
    if (const auto found = answers.find(key); found != answers.end()) return &found->second;
  }
  const std::string begin = std::string(name) + '@';
  for (auto found = answers.lower_bound(begin); found != answers.end() && found->first.starts_with(begin); ++found) {
    if (places_of(agents.bound()).is_at_path(found->first, node.word, rule)) return &found->second;
  }
  return nullptr;
}

std::optional<Answer> Updates::take_answer(const Call* call, std::string_view name, const char* kind,
                                           const char* otherwise) {
  if (Answers* answers = find_answers(call, name)) return answers->take();
  note_unscripted(kind, name, otherwise);
  return std::nullopt;
}

// That a behaviour starts and goes on is news only in a trace that scripts one.
void Updates::note_unscripted(std::string_view kind, std::string_view name, const char* otherwise) {
  if (kind != "behaviour" || is_scripted_) unscripted_.push_back({kind, name, otherwise, agents.current()});
}

}  // namespace espalier::replay
