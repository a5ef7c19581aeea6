// Trees that poll in a replay: entries of blackboards, halting, ports and answers. See strategy.h.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/compiled_expectation.h"
#include "replay/entry_changes.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/format/opcodes/poll.h"
#include "runtime/poll/blackboard.h"
#include "runtime/poll/poll.h"
#include "runtime/poll/tree.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using layout::PollType;
using rules::Rule;
using text::JsonKind;
using text::JsonValue;

layout::PollTree poll_record(const Tree& tree) { return PollTreeView(tree).record; }

// The name of the instance that calls; empty: it has none.
std::string_view instance_of(const Call* call) {
  const PollTreeView tree(call->tree);
  return tree.name(tree.polled_of(tree.nodes + call->node_word).instance);
}

// Does the text of an error begin with that of a fault that keeps an update from ending?
bool is_endless(std::string_view text) {
  struct Fault {
    std::string_view name;
    std::string_view text;
  };
  constexpr Fault kFaults[] = {
#define POLL_FAULT(name, text) {#name, text},
#include "runtime/poll/faults.def"
#undef POLL_FAULT
  };
  return std::any_of(std::begin(kFaults), std::end(kFaults), [&](const Fault& each) {
    return (each.name == "endless" || each.name == "locked") && text.starts_with(each.text);
  });
}

}  // namespace

namespace {

// The same for an entry that the tree does not have: its first value that is no text gives it a type.
bool write_unused(TraceValue& known, const TraceValue& value) {
  if (known.kind == TraceValue::Kind::text) {
    known = value;
    return true;
  }
  const espalier_value before = value_of(known);
  const bool is_large = before.whole != static_cast<std::int32_t>(before.whole);
  const PollType type = known.kind == TraceValue::Kind::boolean ? PollType::boolean
                        : known.kind == TraceValue::Kind::real  ? PollType::real64
                        : is_large                              ? PollType::int64
                                                                : PollType::int32;
  PollValue read = {};
  const espalier_value now = value_of(value);
  const PollValue written = now.kind == ESPALIER_VALUE_TEXT   ? text_value(value.text)
                            : now.kind == ESPALIER_VALUE_REAL ? real_value(now.real)
                                                              : whole_value(now.whole);
  char buffer[kNumberText];
  if (!as_type(written, type, &read, buffer)) return false;
  known.number = read.is_number() ? read.number() : 0;
  known.text = value.kind == TraceValue::Kind::whole ? value.text : "";
  return true;
}

}  // namespace

bool write_entry(const Tree& tree, void* block, std::uint32_t entry, const TraceValue& value) {
  const PollTreeView view(tree);
  const StoredEntry stored = PollAgent(view, block).entry(entry);
  if (stored.is_there && stored.type == layout::PollType::text && value.kind != TraceValue::Kind::text) {
    TraceValue written;
    written.kind = TraceValue::Kind::text;
    written.text = text_of(value_of(value));
    const espalier_value text = replay::value_of(written);
    return espalier_set_entry(tree, block, entry, &text);
  }
  if (value.kind == TraceValue::Kind::boolean) return espalier_set_entry_boolean(tree, block, entry, value.number != 0);
  const espalier_value written = value_of(value);
  return espalier_set_entry(tree, block, entry, &written);
}

bool write_outputs(const Call* call, const TraceOutputs& outputs) {
  return std::all_of(outputs.begin(), outputs.end(), [&](const TraceOutput& output) {
    std::uint32_t port = 0;
    if (espalier_find_port(call, output.port.c_str(), &port) != Status::ok) return true;
    const espalier_value value = value_of(output.value);
    const bool is_boolean = output.value.kind == TraceValue::Kind::boolean;
    return is_boolean ? espalier_write_port_boolean(call, port, output.value.number != 0)
                      : espalier_write_port(call, port, &value);
  });
}

struct PollEngine {
  static AnswerForms forms(bool) {
    AnswerForms forms;
    forms.has_refusal = false;
    forms.has_skipped = true;
    forms.has_ports = true;
    return forms;
  }

  // ---- Names

  // "ID:name" for a node with a name of its own, else empty.
  static std::string full_name(const Call* call) {
    const std::string_view instance = instance_of(call);
    if (instance.empty()) return {};
    const Asset& asset = *call->tree.asset;
    const codegen::NodeView node = codegen::node_at(asset, call->node_word);
    const bool is_condition = node.opcode == opcode::poll_condition || node.opcode == opcode::poll_gate;
    const std::string_view id =
        is_condition ? host_condition_name(asset, call->behavior) : behavior_name(asset, call->behavior);
    return std::string(id) + ':' + std::string(instance);
  }

  template <typename Visit>
  static void for_each_host(const Tree& polled, const Visit& visit) {
    const PollTreeView tree(polled);
    for (std::uint32_t i = 0; i < tree.unit.node_count; ++i) {
      const std::uint32_t* const node = tree.node(i);
      const Opcode opcode = opcode_of(node);
      const bool is_action = opcode == opcode::poll_action || opcode == opcode::poll_sync_action;
      if (!is_action && opcode != opcode::poll_condition && opcode != opcode::poll_gate) continue;
      Call call = {};
      call.tree = polled;
      call.behavior = tree.polled_of(node).host;
      call.node_word = tree.word_of(node);
      visit(call, is_action);
    }
  }

  static void names(BoundTree& bound) {
    for_each_host(bound.tree, [&](const Call& call, bool is_action) {
      if (std::string name = full_name(&call); !name.empty()) bound.host_names.emplace(std::move(name), is_action);
    });
  }

  static void inputs(const Tree& tree, InputsByName& inputs) {
    for_each_host(tree, [&](const Call& call, bool is_action) {
      const std::string_view id =
          is_action ? behavior_name(*tree.asset, call.behavior) : host_condition_name(*tree.asset, call.behavior);
      for (const std::string& name : {std::string(id), full_name(&call)}) {
        auto& own = inputs[name];
        for (std::uint32_t port = 0; port < espalier_port_count(&call); ++port) {
          if (espalier_is_input(&call, port)) own.insert(espalier_port_name(&call, port));
        }
      }
    });
  }

  static bool is_used(const Tree& tree) { return (poll_record(tree).flags & layout::kIsNotMain) != 0; }

  // ---- Lines

  static std::optional<LineFault> run(Updates& updates, const Line& line, Indices indices) {
    if (line.kind != LineKind::halt) return set(updates, line, indices);
    return line.value->boolean ? halt(updates, indices) : std::nullopt;
  }

  static std::optional<LineFault> halt(Updates& updates, Indices indices) {
    return updates.agents.for_each(indices, [&](std::uint32_t index) -> std::optional<LineFault> {
      void* const block = updates.agents[index].block();
      updates.notes.entry_changes.emplace(updates.agents.tree(), block);
      stop(updates.agents.tree(), block, updates.host());
      end_changes(updates);
      return std::nullopt;
    });
  }

  static LineFault bad_value(const std::string& name, text::Span span) {
    return {rules::TRC_wrong_value, span,
            "the entry " + text::quote(name) + " has another type, or no room for the text"};
  }

  static std::optional<LineFault> set(Updates& updates, const Line& line, Indices indices) {
    struct Write {
      std::string name;
      std::uint32_t entry;
      TraceValue value;
      text::Span span;
    };
    std::vector<Write> writes;
    std::vector<LineFault> faults;
    const bool can_name = poll_record(updates.agents.tree()).named_count != 0;
    for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
      const JsonValue::Key& key = line.value->keys[i];
      const JsonValue& value = line.value->values[i];
      std::optional<TraceValue> read = trace_value(value);
      if (!read) {
        faults.push_back(
            {rules::TRC_wrong_value, value.span, text::quote(key.name) + " should be a number, a text, true or false"});
        continue;
      }
      std::uint32_t entry = 0;
      if (espalier_find_entry(updates.agents.tree(), "", key.name.c_str(), &entry) != Status::ok) {
        const bool is_news = !can_name && updates.reporter.is_news(rules::TRC_undeclared_name, key.name);
        if (auto fault = find_name(updates.agents.tree(), ESPALIER_ENTRIES, "entry", key.name, key.span, &entry);
            fault && is_news) {
          fault->rule = rules::TRC_undeclared_name;
          fault->message = "nothing in the tree uses the entry " + text::quote(key.name);
          updates.reporter.warn(std::move(*fault));
        }
        entry = layout::kNone;
      }
      writes.push_back({std::string(own_name(key.name)), entry, std::move(*read), value.span});
    }
    if (!faults.empty()) return updates.reporter.all_of(std::move(faults));
    return updates.agents.for_each(indices, [&](std::uint32_t index) -> std::optional<LineFault> {
      void* const block = updates.agents[index].block();
      for (const Write& write : writes) {
        const espalier_value value = value_of(write.value);
        std::uint32_t entry = write.entry;
        if (entry == layout::kNone && can_name &&
            espalier_name_entry(updates.agents.tree(), block, write.name.c_str(), &entry) != Status::ok) {
          return LineFault{rules::TRC_wrong_value, write.span,
                           "there is no room for the entry " + text::quote(write.name)};
        }
        if (entry == layout::kNone) {
          const auto [known, is_new] = updates.agents[index].unused_entries.try_emplace(write.name, write.value);
          if (!is_new && !write_unused(known->second, write.value)) return bad_value(write.name, write.span);
        } else if (!write_entry(updates.agents.tree(), block, entry, write.value)) {
          return bad_value(write.name, write.span);
        }
        updates.reporter.emit(EventKind::set, write.name, text_of(value));
      }
      return std::nullopt;
    });
  }

  // ---- Agents

  static void signal(Updates&, std::uint32_t, const void*) {}  // the trees have no signals

  static void stop(const Tree& tree, void* block, const Host& host) {
    Watcher watcher;
    watcher.user = host.user;
    watcher.node = [](void* user, const NodeStep* step) {
      tell_changes(*static_cast<Updates*>(user), {});
      Updates::tell_step(user, step);
    };
    stop_polling_watched(tree, block, host, watcher);
  }

  static bool update(Updates& updates, Agent& agent) {
    Watcher watcher;
    watcher.user = &updates;
    watcher.node = [](void* user, const NodeStep* step) {
      Updates& self = *static_cast<Updates*>(user);
      tell_changes(self, {self.agents.tree().asset, step->node_word});
      Updates::tell_step(user, step);
    };
    updates.notes.entry_changes.emplace(updates.agents.tree(), agent.block());
    static_cast<void>(updates.update_watched(agent, watcher));
    end_changes(updates);
    return false;
  }

  static void end_changes(Updates& updates) {
    tell_changes(updates, {});
    updates.notes.entry_changes.reset();
  }

  // What scripts, outputs and nodes of the library have written: of the node that is told next.
  static void tell_changes(Updates& updates, NodeOf node) {
    if (!updates.notes.entry_changes) return;
    updates.notes.entry_changes->take(
        [&](std::string_view key, std::string_view value) { updates.reporter.emit(EventKind::set, key, value, node); });
  }

  static std::vector<std::uint32_t> running(const AgentView& agent) {
    std::vector<std::uint32_t> behaviors;
    const PollTreeView tree(agent.tree);
    const PollAgent own(tree, const_cast<void*>(agent.block));
    for (std::uint32_t i = 0; i < tree.unit.node_count; ++i) {
      const std::uint32_t* const node = tree.node(i);
      const bool is_action = opcode_of(node) == opcode::poll_action;
      if (is_action && own.status(node) == PollStatus::running) behaviors.push_back(tree.polled_of(node).host);
    }
    return behaviors;
  }

  // ---- The host

  // Reads all inputs, in the order of their names, but for those that the next answer says are not read.
  static void read_inputs(const Call* call, std::string_view name) {
    Updates& updates = Updates::of(call);
    const Answers* const answers = espalier_port_count(call) == 0 ? nullptr : updates.find_answers(call, name);
    const UnreadPorts* const unread = answers == nullptr ? nullptr : answers->next_unread();
    for (std::uint32_t port = 0; port < espalier_port_count(call); ++port) {
      if (!espalier_is_input(call, port)) continue;
      const std::string_view shown = espalier_port_name(call, port);
      if (unread != nullptr && std::find(unread->begin(), unread->end(), shown) != unread->end()) continue;
      char buffer[ESPALIER_NUMBER_TEXT];
      espalier_value value;
      if (espalier_read_port(call, port, &value, buffer)) {
        updates.reporter.emit(EventKind::read, name, std::string(shown) + ' ' + text_of(value), node_of(call));
      } else {
        miss_input(updates, call, name, port, answers == nullptr ? Answer::success : answers->next());
      }
    }
  }

  // The word of a trace.
  static std::string_view word_of(Answer answer) {
    switch (answer) {
      case Answer::running:
        return "\"running\"";
      case Answer::skipped:
        return "\"skipped\"";
      case Answer::success:
        return "true";
      default:
        return "false";
    }
  }

  static void miss_input(Updates& updates, const Call* call, std::string_view name, std::uint32_t port, Answer next) {
    const std::string shown = std::string(espalier_port_name(call, port)) + " error";
    const std::string cause = has_value(call, port) ? "a value of another type" : "no value";
    const Event event{.agent = updates.agents.current(),
                      .kind = EventKind::read,
                      .node = node_of(call),
                      .subject = name,
                      .value = shown,
                      .cause = {&cause, 1}};
    const std::string port_name = espalier_port_name(call, port);
    updates.reporter.keep(
        {.kind = RunFaultKind::input_missing,
         .message = "the input " + text::quote(port_name) + " of " + text::quote(name) + " has " + cause,
         .node = event.node,
         .hint = "if the node does not need it: {\"host\": {" + text::json_string(name) + ": {\"answer\": " +
                 std::string(word_of(next)) + ", \"unread\": [" + text::json_string(port_name) + "]}}}",
         .event = event_text(event, updates.agents.are_several())});
    updates.reporter.tell(event);
  }

  // Has the entry of a port a value, or the port itself?
  static bool has_value(const Call* call, std::uint32_t port) {
    const PollTreeView tree(call->tree);
    const PollPort& own = tree.port_of(tree.nodes + call->node_word, port);
    if (own.kind != static_cast<std::uint8_t>(layout::PollPortKind::key)) return true;
    const PollAgent agent(tree, const_cast<void*>(call->agent));
    const Blackboard board(tree, agent);
    const Blackboard::Found found = board.find(own.value);
    return found.entry != layout::kNone && board.value(found.entry).kind != espalier::ValueKind::none;
  }

  static void enter(const Call* call) {
    read_inputs(call, Updates::called_name(call));
    HostCalls::enter(call);
  }

  // An output that is nearly the name of a port was misspelt. Any other one may be of a port that this node does not
  // connect.
  static void note_misspelt(const Call* call, std::string_view name, const TraceOutputs& outputs) {
    const auto is_unknown = [&](const TraceOutput& output) {
      std::uint32_t port = 0;
      return espalier_find_port(call, output.port.c_str(), &port) != Status::ok;
    };
    if (std::none_of(outputs.begin(), outputs.end(), is_unknown)) return;
    Updates& updates = Updates::of(call);
    std::vector<std::string_view> ports;
    for (std::uint32_t port = 0; port < espalier_port_count(call); ++port) {
      const char* const known = espalier_port_name(call, port);
      const auto is_it = [&](const TraceOutput& output) { return output.port == known; };
      if (std::none_of(outputs.begin(), outputs.end(), is_it)) ports.emplace_back(known);
    }
    for (const TraceOutput& output : outputs) {
      if (!is_unknown(output)) continue;
      std::string hint = text::did_you_mean(output.port, ports);
      const std::string written = std::string(name) + '.' + output.port;
      if (hint.empty() || !updates.reporter.is_news(rules::TRC_undeclared_name, written)) continue;
      updates.note_fault({rules::TRC_undeclared_name,
                          {},
                          text::quote(name) + " has no port " + text::quote(output.port) + " to write",
                          std::move(hint)});
    }
  }

  // Another answer than "failure" of what is declared to fail whenever its node was idle.
  static void note_excluded_anew(const Call* call, std::string_view name) {
    Updates& updates = Updates::of(call);
    const auto declared = updates.options().answers.find({EngineId::poll, std::string(name)});
    if (declared == updates.options().answers.end() || (declared->second & kFailsAnew) == 0) return;
    const PollTreeView tree(call->tree);
    const PollAgent agent(tree, const_cast<void*>(call->agent));
    if (agent.status(tree.nodes + call->node_word) != PollStatus::idle) return;
    if (!updates.reporter.is_news(rules::TRC_excluded_answer, std::string(name))) return;
    updates.note_fault({rules::TRC_excluded_answer,
                        {},
                        text::quote(name) + " is declared to fail whenever it starts again, as it does here",
                        "script a \"failure\" before the answer, as in [\"failure\", \"success\"]"});
  }

  // None: an output could not be written, and the update ends with an error.
  static std::optional<Answer> answer(const Call* call, std::string_view name, const char* kind,
                                      const char* otherwise) {
    Updates& updates = Updates::of(call);
    Answers* const answers = updates.find_answers(call, name);
    if (answers == nullptr) {
      updates.note_unscripted(kind, name, otherwise);
      return Answer::success;
    }
    std::shared_ptr<const TraceOutputs> outputs;
    const Answer word = answers->take(&outputs);
    if (word != Answer::failure) note_excluded_anew(call, name);
    if (outputs != nullptr) note_misspelt(call, name, *outputs);
    if (outputs != nullptr && !write_outputs(call, *outputs)) return std::nullopt;
    return word;
  }

  static espalier_result result_of(Answer word) {
    switch (word) {
      case Answer::running:
        return ESPALIER_RUNNING;
      case Answer::success:
        return ESPALIER_SUCCESS;
      case Answer::skipped:
        return ESPALIER_SKIPPED;
      default:
        return ESPALIER_FAILURE;
    }
  }

  static espalier_result tick(const Call* call) {
    const std::string_view name = Updates::called_name(call);
    const std::optional<Answer> word = answer(call, name, "action", "succeeds");
    if (!word) return ESPALIER_FAILURE;
    tell_changes(Updates::of(call), node_of(call));
    const espalier_result result = result_of(*word);
    Updates::of(call).reporter.emit_called(EventKind::tick, call, name, result_name(Result(result)));
    return result;
  }

  static espalier_result ask(const Call* call) {
    const std::string_view name = Updates::asked_name(call);
    read_inputs(call, name);
    const std::optional<Answer> word = answer(call, name, "condition", "is true");
    if (!word) return ESPALIER_FAILURE;
    tell_changes(Updates::of(call), node_of(call));
    const std::string_view shown = word == Answer::running   ? "running"
                                   : word == Answer::skipped ? "skipped"
                                   : word == Answer::success ? "true"
                                                             : "false";
    Updates::of(call).reporter.emit_called(EventKind::ask, call, name, shown);
    return result_of(*word);
  }

  // Why an update ends with an error, or what a script of _onHalted could not do.
  static void log(const Call* call, const char* text) {
    Updates& updates = Updates::of(call);
    tell_changes(updates, node_of(call));
    const RunFaultKind kind = !updates.reporter.is_updating() ? RunFaultKind::halt_failed
                              : is_endless(text)              ? RunFaultKind::run_away
                                                              : RunFaultKind::update_failed;
    const char* const what =
        kind == RunFaultKind::halt_failed ? "an error while the tree was halted: " : "an update ended with an error: ";
    updates.reporter.go_wrong(kind, {.node = node_of(call), .subject = text}, std::string(what) + text);
  }
};

constinit const Strategy kPollStrategy = {
    .kind = "btcpp",
    .hosted = "action, condition or decorator",
    .variable = "entry",
    .statuses = "\"running\", \"success\", \"failure\", \"skipped\" or \"error\"",
    .runner = "action",
    .has_signals = false,
    .sets_values = true,
    .accepts = {LineKind::set, LineKind::halt, LineKind::save, LineKind::restore},
    .forms = PollEngine::forms,
    .behavior = {.enter = PollEngine::enter,
                 .leave = HostCalls::leave,
                 .tick = PollEngine::tick,
                 .interrupt = HostCalls::interrupt},
    .condition = {.tick = PollEngine::ask},
    .host = {.log = PollEngine::log},
    .full_name = PollEngine::full_name,
    .names = PollEngine::names,
    .inputs = PollEngine::inputs,
    .is_used = PollEngine::is_used,
    .run = PollEngine::run,
    .signal = PollEngine::signal,
    .stop = PollEngine::stop,
    .update = PollEngine::update,
    .running = PollEngine::running,
};

}  // namespace espalier::replay
