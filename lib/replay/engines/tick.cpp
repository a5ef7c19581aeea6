// Modular trees in a replay: actions, decorators, scripts, and signals that trees send. See strategy.h.
#include "runtime/format/opcodes/tick.h"
#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/script_host.h"
#include "replay/strategy.h"

namespace espalier::replay {
namespace {

// Work that takes about as long as an update.
constexpr std::uint64_t kScriptStepsAnUpdate = 100;
constexpr std::uint64_t kReceiversAnUpdate = 100;

constexpr const char* kScriptNames[] = {"LuaGate", "AssertLua", "ExecuteLua", "LuaWrapper"};

// Does the script's result matter?
bool decides(const Asset& asset, std::uint32_t node_word) {
  const codegen::NodeView node = codegen::node_at(asset, node_word);
  return node.opcode == opcode::tick_script_guard ||
         (node.opcode == opcode::tick_script && (node.flags & kScriptDecides) != 0);
}

}  // namespace

const char* script_name(const Asset& asset, std::uint32_t node_word) {
  const codegen::NodeView node = codegen::node_at(asset, node_word);
  if (node.opcode == opcode::tick_script_guard) return "LuaGate";
  if (node.opcode == opcode::tick_script_wrapper) return "LuaWrapper";
  return (node.flags & kScriptDecides) != 0 ? "AssertLua" : "ExecuteLua";
}

struct TickEngine {
  static AnswerForms forms(bool) {
    AnswerForms forms;
    forms.has_refusal = false;
    return forms;
  }

  // ---- Names

  // "Tag:V" for a node with the parameter name="V", else empty.
  static std::string full_name(const Call* call) {
    Parameter parameter = {};
    if (find_parameter(call, "name", &parameter) != Status::ok) return {};
    std::string text(parameter.text);
    if (parameter.type == ParameterType::whole) text = std::to_string(parameter.whole);
    if (parameter.type == ParameterType::boolean) text = parameter.whole != 0 ? "true" : "false";
    return std::string(behavior_name(*call->tree.asset, call->behavior)) + ':' + text;
  }

  static void names(BoundTree& bound) {
    for (const char* name : kScriptNames) bound.host_names.emplace(name, false);
    ScriptHost::add_names(bound);
    for (std::uint32_t i = 0; i < tree_count(*bound.tree.asset); ++i) {
      const Tree tree = espalier::tree(*bound.tree.asset, i);
      codegen::visit_tree(tree, [&](const codegen::NodeView& node, std::size_t, std::uint32_t) {
        if (node.opcode != opcode::tick_action && node.opcode != opcode::tick_wrapper) return;
        Call call = {};
        call.tree = tree;
        call.behavior = *codegen::operand(node, OperandKind::behavior);
        call.node_word = node.word;
        if (std::string name = full_name(&call); !name.empty()) bound.host_names.emplace(std::move(name), true);
      });
    }
  }

  // ---- Agents

  static void signal(Updates& updates, std::uint32_t signal, const void*) {
    void* block = updates.agents.self().block();
    signal_watched(updates.agents.tree(), block, signal, updates.host(), nullptr, Updates::note_variable, &updates);
  }

  static bool update(Updates& updates, Agent& agent) {
    updates.notes.completed.clear();
    Watcher watcher;
    watcher.user = &updates;
    watcher.node = note_node;
    watcher.changed = Updates::note_variable;
    const Result result = updates.update_watched(agent, watcher);
    const bool is_done = result != Result::running && result != Result::stopped;
    if (is_done) tell_completion(updates, result, agent.block());
    return false;
  }

  static void note_node(void* user, const NodeStep* step) {
    Updates& updates = *static_cast<Updates*>(user);
    Updates::tell_step(user, step);
    if (step->kind == NodeStepKind::complete) updates.notes.completed.push_back(step->node_word);
    if (step->kind != NodeStepKind::send) return;
    updates.reporter.emit_name(EventKind::send, signal_name(updates.agents.tree(), step->value), {},
                               {&updates.agents.asset(), step->node_word});
  }

  // A root should never complete: the nodes that completed in this update explain why it did.
  static void tell_completion(Updates& updates, Result result, const void* block) {
    std::string text = result == Result::success ? "The root node SUCCEEDED." : "The root node FAILED.";
    const bool stops = is_stopped(updates.agents.tree(), block);
    if (!stops) text += " Rebooting the tree next frame.";
    std::vector<std::string> completed;
    for (const std::uint32_t word : updates.notes.completed) {
      const codegen::NodeDebug node = codegen::node_debug(updates.agents.asset(), word);
      if (node.name.empty()) continue;
      completed.push_back('(' + std::to_string(node.line) + ") " + std::string(node.name) + '.');
    }
    updates.reporter.go_wrong(stops ? RunFaultKind::agent_stopped : RunFaultKind::root_completed,
                              {.subject = text, .details = completed},
                              std::string("the root ") + (result == Result::success ? "succeeded" : "failed") +
                                  (stops ? ", which stops the agent" : ", and the tree starts again"));
  }

  static std::vector<std::uint32_t> running(const AgentView& agent) {
    std::vector<std::uint32_t> behaviors;
    for (const std::uint32_t word : active_nodes(agent.tree, agent.block)) {
      const codegen::NodeView node = codegen::node_at(*agent.tree.asset, word);
      if (node.opcode == opcode::tick_action) behaviors.push_back(*codegen::operand(node, OperandKind::behavior));
    }
    return behaviors;
  }

  // ---- The host

  static bool allow(const Call* call) {
    Updates& updates = Updates::of(call);
    const std::string_view name = Updates::called_name(call);
    const bool is_open = updates.take_answer(call, name, "decorator", "is open") != Answer::failure;
    updates.reporter.emit_called(EventKind::ask, call, name, is_open ? "true" : "false");
    return is_open;
  }

  // A gate or an assertion uses the script's result; the others, whether it ran.
  static bool run_script(const Call* call, std::uint32_t script) {
    Updates& updates = Updates::of(call);
    const char* name = script_name(*call->tree.asset, call->node_word);
    Answers* answers = updates.find_answers(call, name);
    const bool is_true = answers != nullptr ? answers->take() != Answer::failure : run_lua(updates, call, script, name);
    updates.reporter.emit_called(EventKind::ask, call, name, is_true ? "true" : "false");
    return is_true;
  }

  // "(12) AssertLua: attempt to index a nil value (global 'target')".
  static bool run_lua(Updates& updates, const Call* call, std::uint32_t script, const char* name) {
    const Asset& asset = *call->tree.asset;
    if (std::exchange(updates.notes.script_asset, &asset) != &asset) updates.agents.scripts().use(asset);
    const script::Outcome outcome = updates.agents.scripts().run(updates.agents.current(), script);
    updates.agents.add_work(outcome.step_count / kScriptStepsAnUpdate);
    for (const std::string& error : outcome.prelude_errors) {
      updates.reporter.go_wrong(RunFaultKind::script_failed, {.node = node_of(call), .subject = error},
                                "a prelude has an error: " + error);
    }
    if (!outcome.error) return outcome.truth || !decides(asset, call->node_word);
    const std::uint32_t line = codegen::node_debug(asset, call->node_word).line;
    const std::string place = line != 0 ? '(' + std::to_string(line) + ") " : "";
    const std::string text = place + name + ": " + *outcome.error;
    updates.reporter.go_wrong(RunFaultKind::script_failed, {.node = node_of(call), .subject = text},
                              std::string("the script of ") + name + " has an error: " + *outcome.error);
    return false;
  }

  static void log(const Call* call, const char* text) {
    Updates::of(call).reporter.emit(EventKind::log, text, {}, node_of(call));
  }

  // Agents of other trees know the signal by its name, or not at all.
  static void queue(const Call* call, std::uint32_t signal, espalier_receivers receivers) {
    Updates& updates = Updates::of(call);
    const auto add = [&](std::uint32_t index) {
      if (updates.agents.find(index) == nullptr || updates.agents.is_queue_full()) return;
      const BoundTree& bound = *updates.agents[index].bound;
      std::uint32_t id = signal;
      const bool is_other = &bound != &updates.agents.bound();
      if (is_other && find_signal(bound.tree, signal_name(updates.agents.tree(), signal), &id) != Status::ok) return;
      updates.agents.queue(index, id);
    };
    if (receivers == Receivers::sender) return add(updates.agents.current());
    updates.agents.add_work(updates.agents.count() / kReceiversAnUpdate);
    for (std::uint32_t index = 0; index < updates.agents.count(); ++index) {
      if (receivers == Receivers::group || index != updates.agents.current()) add(index);
    }
  }
};

constinit const Strategy kTickStrategy = {
    .kind = "modular",
    .hosted = "action, decorator or script",
    .variable = "variable",
    .statuses = "\"running\", \"success\" or \"failure\"",
    .runner = "action",
    .declares_variables = false,
    .has_scripts = true,
    .accepts = {LineKind::set, LineKind::save, LineKind::restore},
    .forms = TickEngine::forms,
    .behavior = {.enter = HostCalls::enter,
                 .leave = HostCalls::leave,
                 .tick = HostCalls::tick,
                 .interrupt = HostCalls::interrupt,
                 .allow = TickEngine::allow},
    .host = {.script = TickEngine::run_script, .log = TickEngine::log, .queue = TickEngine::queue},
    .full_name = TickEngine::full_name,
    .names = TickEngine::names,
    .signal = TickEngine::signal,
    .update = TickEngine::update,
    .running = TickEngine::running,
};

}  // namespace espalier::replay
