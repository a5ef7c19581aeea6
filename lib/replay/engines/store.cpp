// Synchronized trees in a replay: injection into slots, updates, and the agents in gates and groups. See strategy.h.
#include "runtime/format/opcodes/store.h"
#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "text/names.h"

namespace espalier::replay {
// The values of {"slot": "S", "tree": "T"}. (A lambda below has one: g++ warns in a unity build if its type has no
// linkage.)
struct Injection {
  const text::JsonValue* slot = nullptr;
  const text::JsonValue* tree = nullptr;
};

namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

std::optional<LineFault> read_injection(const Line& line, Injection* injection) {
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    const JsonValue& value = line.value->values[i];
    const bool is_slot = key.name == "slot";
    if (!is_slot && key.name != "tree") {
      return LineFault{rules::TRC_unknown_key, key.span, "unknown key " + text::quote(key.name) + " of 'inject'",
                       text::did_you_mean(key.name, {"slot", "tree"})};
    }
    const bool is_right = value.kind == JsonKind::string || (!is_slot && value.kind == JsonKind::null);
    if (!is_right) {
      return LineFault{rules::TRC_wrong_value, value.span,
                       is_slot ? "'slot' should be a string" : "'tree' should be a string or null"};
    }
    (is_slot ? injection->slot : injection->tree) = &value;
  }
  if (injection->slot != nullptr && injection->tree != nullptr) return std::nullopt;
  return LineFault{rules::TRC_wrong_value, line.value->span,
                   std::string("'inject' needs a ") + (injection->slot == nullptr ? "'slot'" : "'tree'"),
                   "{\"inject\": {\"slot\": \"S\", \"tree\": \"T\"}} fills a slot; null in place of \"T\" empties it"};
}

bool is_synchronized(const Tree& tree) { return &strategy_of(engine_of_tree(tree)) == &kStoreStrategy; }

// If no synchronized tree has this name, a tree of another kind is found.
bool find_exactly(const Asset& asset, std::string_view name, std::uint32_t* index) {
  bool is_found = false;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) {
    const Tree tree = espalier::tree(asset, i);
    if (tree_name(tree) != name) continue;
    *index = i;
    is_found = true;
    if (is_synchronized(tree)) break;
  }
  return is_found;
}

// Why a tree was not put into a slot.
const char* refusal(Status status, const Asset& asset, std::uint32_t index) {
  const bool is_tree = index != kNoTree;
  if (is_tree && !is_synchronized(tree(asset, index))) return "it is not a synchronized tree";
  if (status == Status::not_accepted) return "the slot does not accept it";
  if (status == Status::too_large) return "it is larger than the slot's budget";
  return "the agent's tree has no such slot";
}

}  // namespace

struct StoreEngine {
  static std::string_view hint(LineKind kind) {
    if (kind != LineKind::save && kind != LineKind::restore) return {};
    return "what an agent shares with others, such as places in gates and groups, cannot be restored";
  }

  // A name may be that of an action, of a condition, or of both.
  static AnswerForms forms(bool may_be_behavior) {
    AnswerForms forms;
    forms.has_refusal = false;
    forms.has_running = may_be_behavior;
    return forms;
  }

  // ---- Lines

  static std::optional<LineFault> inject(Updates& updates, const Line& line, Indices indices) {
    Injection injection;
    if (auto fault = read_injection(line, &injection)) return fault;
    const JsonValue* immediate = line.find("immediate");
    const bool is_immediate = immediate != nullptr && immediate->boolean;
    const bool is_emptied = injection.tree->kind == JsonKind::null;
    const std::string& slot_name = injection.slot->string;
    const std::string tree_name = is_emptied ? "None" : injection.tree->string;  // as events write it
    std::uint32_t slot = 0;
    std::uint32_t index = kNoTree;
    const bool has_slot = find_slot(updates.agents.asset(), slot_name, &slot) == Status::ok;
    const bool has_tree = is_emptied || find_exactly(updates.agents.asset(), tree_name, &index);
    if (!has_slot) updates.reporter.note_made(slot_name);
    if (!has_tree) updates.reporter.note_made(tree_name);
    warn_of_names(updates, injection, has_slot, has_tree);
    return updates.agents.for_each(indices, [&](std::uint32_t agent) -> std::optional<LineFault> {
      void* block = updates.agents[agent].block();
      const auto inject = [&](bool is_at_once) {
        if (!has_slot || !has_tree) return Status(Status::not_found);
        return espalier::inject(updates.agents.tree(), block, slot, index, is_at_once, updates.host());
      };
      const Status status = inject(false);
      if (status == Status::ok) {
        Event event{.kind = EventKind::inject, .subject = slot_name};
        if (!is_emptied) event.value = tree_name;
        const std::string immediate_word = "immediate";
        if (is_immediate) event.details = {&immediate_word, 1};
        updates.reporter.tell(event);
        // Again, so that the injection is reported before what it resets.
        if (is_immediate) static_cast<void>(inject(true));
        return std::nullopt;
      }
      const char* unknown = has_slot ? "there is no such tree" : "no tree has such a slot";
      const std::string cause = has_slot && has_tree ? refusal(status, updates.agents.asset(), index) : unknown;
      const std::string names[] = {slot_name, tree_name};
      const Event event{.kind = EventKind::error, .subject = "inject", .details = names, .cause = {&cause, 1}};
      if (has_slot && has_tree) {
        refuse(updates, injection, event);
      } else {
        updates.reporter.tell(event);  // unknown names were reported at once
      }
      return std::nullopt;
    });
  }

  // The event is that of the refusal.
  static void refuse(Updates& updates, const Injection& injection, Event event) {
    const bool is_emptied = injection.tree->kind == JsonKind::null;
    const bool is_compared = updates.reporter.log().expected().has(EventKind::error);
    const std::string slot = text::quote(injection.slot->string);
    event.agent = updates.agents.current();
    updates.reporter.keep({.kind = RunFaultKind::inject_refused,
                           .message = (is_emptied ? "slot " + slot + " was not emptied: "
                                                  : "tree " + text::quote(injection.tree->string) +
                                                        " was not put into slot " + slot + ": ") +
                                      event.cause.front(),
                           .hint = std::string("if that is intended, ") +
                                   (is_compared ? "" : "add 'error' to the 'events' of the first line, and ") +
                                   "expect the event " + text::quote(event_text(event, updates.agents.are_several())),
                           .span = (is_emptied ? injection.slot : injection.tree)->span,
                           .event = event_text(event, updates.agents.are_several())});
    updates.reporter.tell(event);
  }

  // Warns of unknown names, which are most likely misspelt.
  static void warn_of_names(Updates& updates, const Injection& injection, bool has_slot, bool has_tree) {
    const auto warn = [&](const char* word, const JsonValue& name, const std::vector<std::string_view>& names) {
      if (!updates.reporter.is_news(rules::TRC_undeclared_name, name.string)) return;
      updates.reporter.warn({rules::TRC_undeclared_name, name.span,
                             "unknown " + (word + (' ' + text::quote(name.string))),
                             text::did_you_mean(name.string, names)});
    };
    if (!has_slot) {
      std::vector<std::string_view> names;
      for (std::uint32_t i = 0; i < slot_count(updates.agents.asset()); ++i)
        names.push_back(slot_name(updates.agents.asset(), i));
      warn("slot", *injection.slot, names);
    }
    if (!has_tree) warn("tree", *injection.tree, tree_names(updates.agents.asset()));
  }

  // ---- Agents

  static void signal(Updates&, std::uint32_t, const void*) {}  // the tree has no signals

  static bool update(Updates& updates, Agent& agent) {
    Watcher watcher;
    watcher.user = &updates;
    watcher.node = Updates::tell_step;
    static_cast<void>(updates.update_watched(agent, watcher));
    return false;
  }

  static std::vector<std::uint32_t> running(const AgentView& agent) {
    std::vector<std::uint32_t> behaviors;
    for (const std::uint32_t word : active_nodes(agent.tree, agent.block)) {
      const codegen::NodeView node = codegen::node_at(*agent.tree.asset, word);
      if (node.opcode == opcode::store_action) behaviors.push_back(*codegen::operand(node, OperandKind::behavior));
    }
    return behaviors;
  }

  // ---- The host

  static void reset(const Call* call) {
    Updates::of(call).reporter.emit_called(EventKind::reset, call, Updates::called_name(call));
  }

  static void note_depth(const Call* call, std::uint32_t slot) {
    const std::string name(slot_name(*call->tree.asset, slot));
    Updates::of(call).reporter.go_wrong(
        RunFaultKind::slot_too_deep, {.node = node_of(call), .subject = "depth", .details = {&name, 1}},
        "the tree in slot " + text::quote(name) + " does not run: slots are nested too deeply");
  }
};

constinit const Strategy kStoreStrategy = {
    .kind = "synchronized",
    .hosted = "action or condition",
    .variable = "variable",
    .statuses = "\"running\", \"success\" or \"failure\"",
    .runner = "action",
    .has_signals = false,
    .accepts = {LineKind::inject},
    .hint = StoreEngine::hint,
    .forms = StoreEngine::forms,
    .behavior = {.enter = HostCalls::enter,
                 .leave = HostCalls::leave,
                 .tick = HostCalls::tick,
                 .interrupt = HostCalls::interrupt,
                 .reset = StoreEngine::reset},
    .condition = {.ask = HostCalls::ask},
    .host = {.too_deep = StoreEngine::note_depth},
    .run = StoreEngine::inject,
    .signal = StoreEngine::signal,
    .update = StoreEngine::update,
    .running = StoreEngine::running,
};

}  // namespace espalier::replay
