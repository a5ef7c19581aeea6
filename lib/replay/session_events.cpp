// The events of a session: to its log, and to the observer. See session.h.
#include <algorithm>
#include <iterator>
#include <memory>

#include "replay/session.h"
#include "replay/strategy.h"
#include "runtime/asset/recorded.h"

namespace espalier::replay {
namespace {

constexpr std::uint32_t kMaxWithRecent = 1000;  // agents, by index, of which the last nodes are kept

}  // namespace

void Session::tell(Event event) {
  event.time_us = time_us_;
  event.agent = current_agent_;
  if (is_written(event.kind)) {
    const std::string words = event_words(event);
    log_.add({event.time_us, event.agent, event.kind, words, {}, event.node}, false);
  }
  if (listener_.event) show(event);
}

void Session::emit(EventKind kind, std::string_view text, std::string_view value, NodeOf node) {
  if (is_written(kind)) log_.add({time_us_, current_agent_, kind, text, value, node}, false);
  if (listener_.event) show({.kind = kind, .node = node, .subject = text, .value = value});
}

void Session::emit_name(EventKind kind, std::string_view name, std::string_view value, NodeOf node) {
  if (is_written(kind)) log_.add({time_us_, current_agent_, kind, name, value, node}, true);
  if (listener_.event) show({.kind = kind, .node = node, .subject = name, .value = value});
}

void Session::emit_called(EventKind kind, const Call* call, std::string_view name, std::string_view value) {
  if (is_written(kind)) log_.add({time_us_, current_agent_, kind, name, value, node_of(call)}, true);
  if (!listener_.event) return;
  const Call* const entered = kind == EventKind::enter ? call : nullptr;
  show({.kind = kind, .node = node_of(call), .subject = name, .value = value, .call = entered});
}

void Session::show(Event event) {
  event.time_us = time_us_;
  event.agent = current_agent_;
  event.names_agent = several_agents_;
  if (listener_.watches) {
    // During an update of an agent nothing that a view refers to moves.
    if (!is_updating_ || watched_agent_ != current_agent_) view(current_agent_, &watched_);
    watched_agent_ = current_agent_;
    event.state = &watched_;
  }
  listener_.event(event);
}

void Session::tell_node(EventKind kind, std::uint32_t node_word, std::string_view value) {
  if (tells_nodes()) emit(kind, node_text(*tree_.asset, node_word), value, {tree_.asset, node_word});
}

void Session::tell_node(const NodeStep& step) {
  if (step.kind == NodeStepKind::begin) tell_node(EventKind::begin_node, step.node_word);
  if (step.kind == NodeStepKind::interrupt) tell_node(EventKind::interrupt_node, step.node_word);
  if (step.kind != NodeStepKind::complete) return;
  tell_node(EventKind::complete_node, step.node_word, result_name(static_cast<Result>(step.value)));
}

void Session::tell_path(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now) {
  const auto [left, entered] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  for (auto node = before.end(); node != left; --node) {
    const bool has_failed = std::find(completed_.begin(), completed_.end(), node[-1]) != completed_.end();
    tell_node(has_failed ? EventKind::complete_node : EventKind::interrupt_node, node[-1], has_failed ? "failure" : "");
  }
  for (auto node = entered; node != now.end(); ++node) tell_node(EventKind::begin_node, *node);
}

void Session::tell_step(void* session, const NodeStep* step) {
  Session& self = *static_cast<Session*>(session);
  if (step->kind == NodeStepKind::complete) self.note_recent(*step);
  if (self.is_watched_) self.tell_watched_step(*step);
}

// Not inlined, as most replays are not watched.
[[gnu::noinline]] void Session::tell_watched_step(const NodeStep& step) {
  if (tells_nodes()) tell_node(step);
  show_step(step);
}

void Session::show_any_step(const EngineStep& step) { show({.kind = EventKind::step, .subject = {}, .step = &step}); }

void Session::note_recent(const NodeStep& step) {
  if (current_agent_ >= kMaxWithRecent || !is_recorded(*tree_.asset, step.node_word)) return;
  std::unique_ptr<Recent>& recent = agents_[current_agent_]->recent;
  if (recent == nullptr) {
    recent = std::make_unique<Recent>();
    recent->history.entries = recent->entries;
    recent->history.capacity = static_cast<std::uint32_t>(std::size(recent->entries));
  }
  record(recent->history, step, time_us_);
}

}  // namespace espalier::replay
