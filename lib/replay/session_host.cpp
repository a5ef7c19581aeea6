// The scripted host: what behaviours, scripts and logs do in a replay. See session.h.
#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/session.h"

namespace espalier::replay {
namespace {

// What takes about as long as an update does.
constexpr std::uint64_t kScriptStepsAnUpdate = 100;
constexpr std::uint64_t kReceiversAnUpdate = 100;

constexpr const char* kScriptNames[] = {"LuaGate", "AssertLua", "ExecuteLua", "LuaWrapper"};

// Does it matter what the script gives?
bool decides(const Asset& asset, std::uint32_t node_word) {
  const codegen::NodeView node = codegen::node_at(asset, node_word);
  return node.opcode == Opcode::tick_script_guard ||
         (node.opcode == Opcode::tick_script && (node.flags & kScriptDecides) != 0);
}

// How a script is called is what its node is called; known of stripped assets too.
const char* script_name(const Asset& asset, std::uint32_t node_word) {
  const codegen::NodeView node = codegen::node_at(asset, node_word);
  if (node.opcode == Opcode::tick_script_guard) return "LuaGate";
  if (node.opcode == Opcode::tick_script_wrapper) return "LuaWrapper";
  return (node.flags & kScriptDecides) != 0 ? "AssertLua" : "ExecuteLua";
}

// "Tag:V" for a node with the parameter name="V", else empty.
std::string name_with_parameter(const Call* call) {
  Parameter parameter = {};
  if (find_parameter(call, "name", &parameter) != Status::ok) return {};
  std::string text(parameter.text);
  if (parameter.type == ParameterType::whole) text = std::to_string(parameter.whole);
  if (parameter.type == ParameterType::boolean) text = parameter.whole != 0 ? "true" : "false";
  return std::string(behavior_name(*call->tree.asset, call->behavior)) + ':' + text;
}

}  // namespace

// ---- Binding

void Session::bind_behaviors() {
  Behavior behavior;
  if (engine_id_ == EngineId::select) {
    behavior.enter = select_behavior;
    behavior.leave = leave_selected;
  } else if (has_deciders()) {
    behavior.activate = activate;
    behavior.tick = tick_behavior;
    behavior.deactivate = leave_node;
  } else {
    behavior.enter = enter_node;
    behavior.leave = leave_node;
    behavior.interrupt = interrupt_node;
    behavior.reset = reset_action;
    behavior.tick = tick_action;
    behavior.allow = ask_wrapper;
    behavior.is_bound = is_bound;
  }
  behaviors_.assign(behavior_count(*asset_), behavior);
  Behavior condition;
  condition.ask = ask_condition;
  condition.decide = decide;
  conditions_.assign(host_condition_count(*asset_), condition);
  bind_names();
}

void Session::bind_names() {
  host_names_.clear();
  for (std::uint32_t i = 0; i < behaviors_.size(); ++i) host_names_.emplace(behavior_name(*asset_, i), true);
  for (std::uint32_t i = 0; i < conditions_.size(); ++i) host_names_.emplace(host_condition_name(*asset_, i), false);
  if (!ticks()) return;
  for (const char* name : kScriptNames) host_names_.emplace(name, false);
  for (std::uint32_t i = 0; i < tree_count(*asset_); ++i) {
    const Tree tree = espalier::tree(*asset_, i);
    codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
      if (node.opcode != Opcode::tick_action && node.opcode != Opcode::tick_wrapper) return;
      Call call = {};
      call.tree = tree;
      call.behavior = *codegen::operand(node, OperandKind::behavior);
      call.node_word = node.word;
      if (std::string name = name_with_parameter(&call); !name.empty()) host_names_.emplace(std::move(name), true);
    });
  }
}

Host Session::host() {
  Host host;
  host.behaviors = behaviors_.data();
  host.conditions = conditions_.data();
  host.user = this;
  host.clock_us = time_us_;
  host.shared = shared_.data();
  host.group = group_.data();
  host.scratch = scratch_.data();
  host.script = run_script;
  host.log = log_text;
  host.queue = queue_signal;
  host.too_deep = note_depth;
  return host;
}

// ---- Answers

Answers* Session::find_answers(const Call* call, std::string_view name) {
  AnswersByName& answers = agents_[current_agent_]->answers;
  if (answers.empty()) return nullptr;
  auto found = ticks() ? answers.find(name_with_parameter(call)) : answers.end();
  if (found == answers.end()) found = answers.find(name);
  return found == answers.end() ? nullptr : &found->second;
}

// None when the trace has none; the host then does `otherwise`.
std::optional<Answer> Session::take_answer(const Call* call, std::string_view name, const char* kind,
                                           const char* otherwise) {
  if (Answers* answers = find_answers(call, name)) return answers->take();
  note_unscripted({kind, name, otherwise});
  return std::nullopt;
}

void Session::note_unscripted(const Unscripted& unscripted) {
  if (is_scripted_ || options_.strict) unscripted_.push_back(unscripted);
}

// ---- Behaviours of selection trees

void Session::select_behavior(const Call* call) {
  Session& session = of(call);
  bool& is_refused = session.agents_[session.current_agent_]->state.is_refused;
  const std::string_view name = behavior_name(*call->tree.asset, call->behavior);
  is_refused = session.take_answer(call, name, "behaviour", "accepts") == Answer::refuse;
  session.emit(is_refused ? EventKind::refuse : EventKind::enter, name);
}

void Session::leave_selected(const Call* call) {
  const Session& session = of(call);
  if (session.agents_[session.current_agent_]->state.is_refused) return;
  session.emit(EventKind::leave, behavior_name(*call->tree.asset, call->behavior));
}

// ---- Actions and decorators

void Session::enter_node(const Call* call) {
  of(call).emit(EventKind::enter, behavior_name(*call->tree.asset, call->behavior));
}

void Session::leave_node(const Call* call) {
  of(call).emit(EventKind::leave, behavior_name(*call->tree.asset, call->behavior));
}

void Session::interrupt_node(const Call* call) {
  of(call).emit(EventKind::interrupt, behavior_name(*call->tree.asset, call->behavior));
}

espalier_result Session::tick_action(const Call* call) {
  Session& session = of(call);
  const std::string_view name = behavior_name(*call->tree.asset, call->behavior);
  const Answer answer = session.take_answer(call, name, "action", "succeeds").value_or(Answer::success);
  Result result = Result::success;
  const char* word = "success";
  if (answer == Answer::running) {
    result = Result::running;
    word = "running";
  } else if (answer != Answer::success) {
    result = Result::failure;
    word = "failure";
  }
  session.emit(EventKind::tick, name, word);
  return result;
}

bool Session::ask_wrapper(const Call* call) {
  Session& session = of(call);
  const std::string_view name = behavior_name(*call->tree.asset, call->behavior);
  const bool is_open = session.take_answer(call, name, "decorator", "is open") != Answer::failure;
  session.emit(EventKind::ask, name, is_open ? "true" : "false");
  return is_open;
}

// What a gate or an assertion asks for is the script's truth; of the others, whether it ran.
bool Session::run_script(const Call* call, std::uint32_t script) {
  Session& session = of(call);
  const char* name = script_name(*call->tree.asset, call->node_word);
  AnswersByName& answers = session.agents_[session.current_agent_]->answers;
  const auto found = answers.find(std::string_view(name));
  const bool is_true =
      found != answers.end() ? found->second.take() != Answer::failure : session.run_lua(call, script, name);
  session.emit(EventKind::ask, name, is_true ? "true" : "false");
  return is_true;
}

// "(12) AssertLua: attempt to index a nil value (global 'target')".
bool Session::run_lua(const Call* call, std::uint32_t script, const char* name) {
  if (std::exchange(script_asset_, call->tree.asset) != call->tree.asset) scripts_->use(*call->tree.asset);
  const script::Outcome outcome = scripts_->run(current_agent_, script);
  updates_ += outcome.step_count / kScriptStepsAnUpdate;
  if (outcome.error) {
    const std::uint32_t line = codegen::node_debug(*call->tree.asset, call->node_word).line;
    std::string place = line != 0 ? '(' + std::to_string(line) + ") " : "";
    emit(EventKind::error, place + name + ": " + *outcome.error);
    return false;
  }
  return outcome.truth || !decides(*call->tree.asset, call->node_word);
}

// ---- What trees say

void Session::log_text(const Call* call, const char* text) { of(call).emit(EventKind::log, text); }

void Session::queue_signal(const Call* call, std::uint32_t signal, espalier_receivers receivers) {
  Session& session = of(call);
  const auto queue = [&](std::uint32_t index) {
    if (session.agents_[index] == nullptr || session.queued_count_ > kMaxQueued) return;
    session.agents_[index]->state.queue.push_back(signal);
    ++session.queued_count_;
  };
  if (receivers == Receivers::sender) return queue(session.current_agent_);
  session.updates_ += session.agents_.size() / kReceiversAnUpdate;
  for (std::uint32_t index = 0; index < session.agents_.size(); ++index) {
    if (receivers == Receivers::group || index != session.current_agent_) queue(index);
  }
}

}  // namespace espalier::replay
