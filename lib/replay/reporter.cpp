// What happens in a session is told. See reporter.h.
#include "replay/reporter.h"

#include <algorithm>
#include <iterator>

#include "rules/rules.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

// Limits on the names kept to avoid repeated warnings, and on their bytes.
constexpr std::size_t kMaxTold = 1000;
constexpr std::size_t kMaxToldBytes = 200;

}  // namespace

void Reporter::begin(std::optional<KindSet> expected, bool allows_errors) {
  if (expected) log_.expect(*expected);
  allows_errors_ = allows_errors;
  tells_nodes_ = listener_.gets_nodes || has_nodes(log_.expected());
  tells_inputs_ = listener_.gets_inputs || log_.expected().has(EventKind::read);
  is_watched_ = tells_nodes_ || listener_.watches;
}

void Reporter::be_silent() {
  listener_.event = nullptr;
  is_watched_ = tells_nodes_ = tells_inputs_ = listener_.watches = false;
}

// ---- Events

void Reporter::tell(Event event) {
  event.time_us = agents_.time_us();
  event.agent = agents_.current();
  if (is_written(event.kind)) {
    const std::string words = event_words(event);
    log_.add({event.time_us, event.agent, event.kind, words, {}, event.node}, false);
  }
  if (listener_.event) show(event);
}

void Reporter::emit(EventKind kind, std::string_view text, std::string_view value, NodeOf node) {
  if (is_written(kind)) log_.add({agents_.time_us(), agents_.current(), kind, text, value, node}, false);
  if (listener_.event) show({.kind = kind, .node = node, .subject = text, .value = value});
}

void Reporter::emit_name(EventKind kind, std::string_view name, std::string_view value, NodeOf node) {
  if (is_written(kind)) log_.add({agents_.time_us(), agents_.current(), kind, name, value, node}, true);
  if (listener_.event) show({.kind = kind, .node = node, .subject = name, .value = value});
}

void Reporter::emit_called(EventKind kind, const Call* call, std::string_view name, std::string_view value) {
  if (tells_inputs_ && kind == EventKind::enter) tell_inputs(call, name);
  if (is_written(kind)) log_.add({agents_.time_us(), agents_.current(), kind, name, value, node_of(call)}, true);
  if (!listener_.event) return;
  const Call* const entered = kind == EventKind::enter ? call : nullptr;
  show({.kind = kind, .node = node_of(call), .subject = name, .value = value, .call = entered});
}

void Reporter::tell_inputs(const Call* call, std::string_view name) {
  for (std::uint32_t i = 0; i < parameter_count(call); ++i) {
    const Parameter parameter = espalier::parameter(call, i);
    emit(EventKind::read, name, std::string(parameter.name) + ' ' + input_text(parameter), node_of(call));
  }
}

void Reporter::show(Event event) {
  event.time_us = agents_.time_us();
  event.agent = agents_.current();
  event.names_agent = agents_.are_several();
  if (listener_.watches) {
    // During an update of an agent nothing that a view refers to moves.
    if (!is_updating_ || watched_agent_ != agents_.current()) agents_.view(agents_.current(), &watched_);
    watched_agent_ = agents_.current();
    event.state = &watched_;
  }
  listener_.event(event);
}

void Reporter::tell_node(EventKind kind, std::uint32_t node_word, std::string_view value) {
  if (tells_nodes()) emit(kind, node_text(*agents_.tree().asset, node_word), value, {agents_.tree().asset, node_word});
}

void Reporter::tell_path(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& now,
                         const std::vector<std::uint32_t>& completed) {
  const auto [left, entered] = std::mismatch(before.begin(), before.end(), now.begin(), now.end());
  for (auto node = before.end(); node != left; --node) {
    const bool has_failed = std::find(completed.begin(), completed.end(), node[-1]) != completed.end();
    tell_node(has_failed ? EventKind::complete_node : EventKind::interrupt_node, node[-1], has_failed ? "failure" : "");
  }
  for (auto node = entered; node != now.end(); ++node) tell_node(EventKind::begin_node, *node);
}

// Not inlined, as most replays are not watched.
[[gnu::noinline]] void Reporter::tell_watched_step(const NodeStep& step) {
  if (step.kind == NodeStepKind::begin) tell_node(EventKind::begin_node, step.node_word);
  if (step.kind == NodeStepKind::interrupt) tell_node(EventKind::interrupt_node, step.node_word);
  if (step.kind == NodeStepKind::complete) {
    tell_node(EventKind::complete_node, step.node_word, result_name(static_cast<Result>(step.value)));
  }
  show_step(step);
}

void Reporter::show_any_step(const EngineStep& step) { show({.kind = EventKind::step, .subject = {}, .step = &step}); }

// ---- Lines

bool Reporter::is_news(rules::Rule rule, const std::string& name) {
  return !is_silent_ && told_.insert(std::string(rules::info(rule).code) + name.substr(0, kMaxToldBytes)).second;
}

void Reporter::warn(LineFault fault) {
  count_warning(&fault);
  listener_.warning(fault);
}

void Reporter::warn_of_host(LineFault fault, const std::string& name, const std::string& input) {
  count_warning(&fault);
  listener_.unknown_host(std::move(fault), name, input);
}

void Reporter::count_warning(LineFault* fault) {
  is_silent_ = told_.size() >= kMaxTold;
  if (is_silent_) fault->hint = "these are not all: warnings about further names are not shown";
}

Faults Reporter::all_of(std::vector<LineFault> faults) {
  LineFault first = std::move(faults.front());
  faults.erase(faults.begin());
  other_faults_ = std::move(faults);
  return first;
}

void Reporter::fail(text::Span span, std::string message, std::string hint) const {
  listener_.failure({span, std::move(message), std::move(hint)});
}

void Reporter::note_made(std::string_view name) {
  constexpr std::size_t kMaxMade = 10'000;
  makes_any_ = made_.size() >= kMaxMade || name.size() > kMaxLineBytes / kMaxMade;
  if (!makes_any_) made_.emplace(name);
}

bool Reporter::is_made(std::string_view name) const { return makes_any_ || made_.find(name) != made_.end(); }

// ---- What goes wrong

void Reporter::go_wrong(RunFaultKind kind, Event event, std::string message, std::string hint) {
  event.kind = EventKind::error;
  event.agent = agents_.current();
  RunFault fault{.kind = kind, .message = std::move(message), .node = event.node, .hint = std::move(hint)};
  fault.event = event_text(event, agents_.are_several());
  if (fault.hint.empty()) {
    const bool is_compared = log_.expected().has(EventKind::error);
    fault.hint = "if that is intended, " +
                 (is_compared ? "expect the event " + text::quote(fault.event) : std::string()) +
                 (is_compared ? "" : "write \"errors\": \"allowed\" in the first line");
  }
  keep(std::move(fault));
  tell(event);
}

void Reporter::keep(RunFault fault) const {
  if (allows_errors_ && info_of(fault.kind).is_acceptable) return;
  fault.time_us = agents_.time_us();
  fault.agent = agents_.current();
  listener_.run_fault(std::move(fault));
}

}  // namespace espalier::replay
