// Ticks: events that waited are delivered, then agents are updated. See session.h.
#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/session.h"
#include "runtime/asset/view.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonValue;

constexpr std::uint64_t kMaxKeptSteps = std::uint64_t{4} * 1024 * 1024;  // of all agents together

}  // namespace

// ---- Lines

Session::Faults Session::run_tick(const Line& line) {
  const std::uint64_t step_us = to_microseconds(line.value->number).value_or(0);
  const std::uint32_t times = line.count("times", 1);
  if (times > kMaxTimes) {
    return LineFault{Rule::TRC_limit_exceeded, line.find("times")->span,
                     "a tick is repeated at most " + std::to_string(kMaxTimes) + " times"};
  }
  if (step_us > 0 && times > (kMaxClock_us - time_us_) / step_us) {
    return LineFault{Rule::TRC_limit_exceeded, line.value->span, "the clock would pass 285 years"};
  }
  std::vector<std::uint32_t> indices;
  if (line.agent) {
    if (auto fault = targets(line, &indices)) return fault;
  } else {
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr) indices.push_back(i);
    }
  }
  const JsonValue* const repetition = line.find("times");
  const text::Span span = repetition != nullptr ? repetition->span : line.value->span;
  // Of agents that may settle it is not known before how often they are updated.
  const bool may_settle = engine_id_ == EngineId::select || has_rules();
  if (!may_settle) {
    if (auto fault = take_updates(times * indices.size(), span)) return fault;
  }
  for (std::uint32_t done = 1; done <= times; ++done) {
    time_us_ += step_us;
    bool is_settled = true;
    for (const std::uint32_t index : indices) deliver_queue(index);
    for (const std::uint32_t index : indices) {
      if (auto fault = take_updates(may_settle ? 1 : 0, span)) return fault;
      is_settled = update_settles(index) && is_settled;
    }
    if (auto fault = warn_of_unscripted(line)) return fault;
    if (queued_count_ > kMaxQueued) {
      return LineFault{Rule::TRC_limit_exceeded, line.key,
                       "more than " + std::to_string(kMaxQueued) + " events wait for agents to be updated"};
    }
    // Nothing changes agents between these updates, and time alone does not: the others would do nothing either.
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
  return LineFault{Rule::TRC_limit_exceeded, span,
                   "the trace asks for more than " + std::to_string(options_.max_updates) + " updates of agents",
                   "--max-updates N allows more"};
}

Session::Faults Session::warn_of_unscripted(const Line& line) {
  const std::vector<Unscripted> all = std::exchange(unscripted_, {});
  for (const auto& [kind, behavior, otherwise] : all) {
    const std::string name(behavior);
    if (!is_news(Rule::TRC_unscripted_host, name)) continue;
    std::string hint = "add {\"host\": {" + json_string(name) + ": true}}";
    if (options_.strict) hint += ", or leave out --strict";
    if (auto fault = warn({Rule::TRC_unscripted_host, line.key,
                           std::string(kind) + ' ' + text::quote(name) + " is used and not scripted: it " + otherwise,
                           std::move(hint)})) {
      return fault;
    }
  }
  return std::nullopt;
}

// ---- Events from outside

void Session::deliver(std::string_view name, std::optional<std::uint32_t> signal, const void* data) {
  emit(EventKind::signal, name);
  void* block = agents_[current_agent_]->state.block.data();
  if (ticks() && is_stopped(tree_, block)) {
    emit(EventKind::error, "The event '" + std::string(name) + "' was not handled: no tree is running.");
  } else if (signal && has_deciders()) {
    espalier::signal(tree_, block, *signal, host(), data);
  } else if (signal) {
    signal_watched(tree_, block, *signal, host(), nullptr, note_variable, this);
  }
}

void Session::deliver_queue(std::uint32_t index) {
  current_agent_ = index;
  const std::vector<std::uint32_t> queue = std::exchange(agents_[index]->state.queue, {});
  queued_count_ -= queue.size();
  for (const std::uint32_t signal : queue) deliver(signal_name(tree_, signal), signal);
}

void Session::note_variable(void* session, std::uint32_t variable, bool value) {
  const Session& self = *static_cast<const Session*>(session);
  self.emit(EventKind::set, variable_name(self.tree_, variable), value ? "true" : "false");
}

// ---- Updates

bool Session::update_settles(std::uint32_t index) {
  Agent& agent = *agents_[index];
  current_agent_ = index;
  if (has_rules()) return update_rules(index);
  if (engine_id_ != EngineId::select) {
    if (ticks()) update_ticking(index);
    if (has_deciders()) update_deciders(index);
    if (stores()) update_synchronized(index);
    return false;  // there time alone may change something
  }
  before_ = agent.state.block;
  Update update{index, current_leaf(tree_, before_.data()), kNoLeaf, {}};
  const Result status = listener_.change ? update_keeping_steps(agent, update)
                                         : espalier::update(tree_, agent.state.block.data(), host());
  const bool is_new_status = agent.state.status != status;
  agent.state.status = status;
  if (is_new_status) emit(EventKind::status, result_name(status));
  update.new_leaf = current_leaf(tree_, agent.state.block.data());
  if (listener_.change && (is_new_status || update.new_leaf != update.old_leaf)) listener_.change(update);
  if (kept_steps_ > kMaxKeptSteps) {
    kept_steps_ -= agent.steps.size();
    agent.steps = {};
  }
  return !is_new_status && before_ == agent.state.block;
}

// The steps of the last evaluation stay with the agent; those of the one before go to `update`.
Result Session::update_keeping_steps(Agent& agent, Update& update) {
  std::vector<Step> steps;
  Watcher watcher;
  watcher.step = [](void* user, const Step* step) { static_cast<std::vector<Step>*>(user)->push_back(*step); };
  watcher.user = &steps;
  const Result status = update_watched(tree_, agent.state.block.data(), host(), watcher);
  if (steps.empty()) return status;  // nothing was evaluated
  kept_steps_ -= agent.steps.size();
  update.old_steps = std::move(agent.steps);
  agent.steps = std::move(steps);
  kept_steps_ += agent.steps.size();
  return status;
}

void Session::update_ticking(std::uint32_t index) {
  AgentState& state = agents_[index]->state;
  std::vector<std::uint32_t> active;
  if (listener_.change) active = active_nodes(tree_, state.block.data());
  completed_.clear();
  Watcher watcher;
  watcher.user = this;
  watcher.node = note_node;
  watcher.changed = note_variable;
  const Result result = update_watched(tree_, state.block.data(), host(), watcher);
  if (result == Result::stopped) return;
  state.status = result;
  emit(EventKind::status, result_name(result));
  if (result != Result::running) tell_completion(result, state.block.data());
  if (listener_.change && active_nodes(tree_, state.block.data()) != active) listener_.change({index});
}

void Session::update_telling(std::uint32_t index, const Watcher& watcher) {
  AgentState& state = agents_[index]->state;
  std::vector<std::uint32_t> active;
  if (listener_.change) active = active_nodes(tree_, state.block.data());
  const Result result = update_watched(tree_, state.block.data(), host(), watcher);
  state.status = result;
  emit(EventKind::status, result_name(result));
  if (listener_.change && active_nodes(tree_, state.block.data()) != active) listener_.change({index});
}

void Session::note_node(void* session, const NodeStep* step) {
  Session& self = *static_cast<Session*>(session);
  if (step->kind == NodeStepKind::complete) self.completed_.push_back(step->node_word);
  if (step->kind != NodeStepKind::send) return;
  Event event{self.time_us_, self.current_agent_, EventKind::send, std::string(signal_name(self.tree_, step->value))};
  event.waits = codegen::node_at(*self.asset_, step->node_word).opcode == Opcode::tick_queue;
  self.listener_.event(event);
}

// A root should never be done: all that ended in this update are told.
void Session::tell_completion(Result result, const void* block) const {
  std::string text = result == Result::success ? "The root node SUCCEEDED." : "The root node FAILED.";
  if (!is_stopped(tree_, block)) text += " Rebooting the tree next frame.";
  std::vector<std::string> completed;
  for (const std::uint32_t word : completed_) {
    const codegen::NodeDebug node = codegen::node_debug(*asset_, word);
    if (node.name.empty()) continue;
    completed.push_back('(' + std::to_string(node.line) + ") " + std::string(node.name) + '.');
  }
  emit(EventKind::error, text, {}, std::move(completed));
}

std::string_view result_name(Result result) {
  if (result == Result::running) return "running";
  if (result == Result::error) return "error";
  return result == Result::success ? "success" : "failure";
}

std::vector<std::uint32_t> active_nodes(const Tree& tree, const void* block) {
  std::vector<std::uint32_t> words;
  const auto add = [](void* user, std::uint32_t word) {
    static_cast<std::vector<std::uint32_t>*>(user)->push_back(word);
  };
  visit_active(tree, block, add, &words);
  return words;
}

}  // namespace espalier::replay
