// Trees of deciders in a replay: decision flags, stimuli, updates, and answers of Decide functions. See strategy.h.
#include <algorithm>

#include "replay/compiled_expectation.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/decide/layout.h"
#include "runtime/decide/tree.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using rules::Rule;
using text::JsonValue;

std::optional<StimulusData> data_of(const Line& line) {
  const JsonValue* value = line.find("data");
  if (value == nullptr) return std::nullopt;
  StimulusData data;
  const std::string text = data_text(*value);
  data.size_bytes = static_cast<std::uint32_t>(text.size());
  std::copy(text.begin(), text.end(), data.bytes);
  return data;
}

struct DecideEngine {
  static std::string_view hint(LineKind kind) {
    if (kind != LineKind::set) return {};
    return "{\"flags\": [...]} names the decision flags that are 1 from then on";
  }

  // A name may be that of a behaviour, of a Decide function, or of both, which then share the scripted answers.
  static AnswerForms forms(bool may_be_behavior) {
    AnswerForms forms;
    forms.yes = Answer::running;
    forms.has_words = may_be_behavior;
    return forms;
  }

  // ---- Lines

  static std::optional<LineFault> run(Updates& updates, const Line& line, Indices indices) {
    return line.kind == LineKind::flags ? run_flags(updates, line, indices) : run_stimulus(updates, line, indices);
  }

  static std::optional<LineFault> run_flags(Updates& updates, const Line& line, Indices indices) {
    std::uint64_t bits = 0;
    std::string names;
    for (const JsonValue& name : line.value->values) {
      std::uint32_t flag = 0;
      if (auto fault = find_name(updates.agents.tree(), ESPALIER_VARIABLES, kDecideStrategy.variable, name.string,
                                 name.span, &flag)) {
        return fault;
      }
      bits |= std::uint64_t{1} << flag;
      names += (names.empty() ? "" : ", ") + name.string;
    }
    return updates.agents.for_each(indices, [&](std::uint32_t index) -> std::optional<LineFault> {
      set_flags(updates.agents.tree(), updates.agents[index].block(), bits);
      updates.reporter.emit(EventKind::flags, names);
      return std::nullopt;
    });
  }

  static std::optional<LineFault> run_stimulus(Updates& updates, const Line& line, Indices indices) {
    const std::string& name = line.value->string;
    const JsonValue* clear = line.find("clear");
    const bool is_cleared = clear != nullptr && clear->boolean;
    for (const char* key : {"data", "timeout"}) {
      const JsonValue* value = line.find(key);
      if (!is_cleared || value == nullptr) continue;
      return LineFault{rules::TRC_wrong_value, value->span, "a stimulus that is cleared has no " + std::string(key)};
    }
    std::uint32_t id = 0;
    if (auto fault = find_name(updates.agents.tree(), ESPALIER_STIMULI, "stimulus", name, line.value->span, &id))
      return fault;
    const std::optional<StimulusData> data = data_of(line);
    const JsonValue* timeout = line.find("timeout");
    if (timeout != nullptr && DeciderTree(updates.agents.tree()).stimulus(id).timeout == layout::kNone) {
      return LineFault{
          rules::TRC_wrong_value, timeout->span,
          "the stimulus " + text::quote(name) + " has no timeout in the tree, so agents keep no time for it",
          "give it a 'timeout' in 'Stimuli'"};
    }
    const std::optional<std::uint64_t> timeout_us =
        timeout != nullptr ? to_microseconds(timeout->number) : std::nullopt;
    return updates.agents.for_each(indices, [&](std::uint32_t index) -> std::optional<LineFault> {
      void* block = updates.agents[index].block();
      const StimulusData* bytes = data ? &*data : nullptr;
      Event event{.kind = is_cleared ? EventKind::clear : EventKind::stimulus, .subject = name};
      const std::string lasts_for = timeout_us ? seconds_text(*timeout_us) : std::string();
      if (timeout_us) event.details = {&lasts_for, 1};
      const std::string value = data ? text::json_string(line.find("data")->string) : std::string();
      event.value = value;
      if (is_cleared) {
        clear_stimulus(updates.agents.tree(), block, id);
      } else if (timeout_us) {
        static_cast<void>(
            set_stimulus_for(updates.agents.tree(), block, id, updates.agents.time_us(), *timeout_us, bytes));
      } else {
        set_stimulus(updates.agents.tree(), block, id, updates.agents.time_us(), bytes);
      }
      updates.reporter.tell(event);
      return std::nullopt;
    });
  }

  // ---- Agents

  static void signal(Updates& updates, std::uint32_t signal, const void* data) {
    void* block = updates.agents.self().block();
    espalier::signal(updates.agents.tree(), block, signal, updates.host(), data);
  }

  static std::vector<std::uint32_t> path(const Updates& updates, const Agent& agent) {
    std::vector<std::uint32_t> words;
    for (const ActiveDecider& decider : active_path({updates.agents.tree(), agent.block()})) {
      words.push_back(decider.node_word);
    }
    return words;
  }

  static bool update(Updates& updates, Agent& agent) {
    updates.notes.completed.clear();
    Watcher watcher;
    watcher.user = &updates;
    watcher.decide = [](void* user, const DecideStep* step) {
      Updates& self = *static_cast<Updates*>(user);
      const bool is_event = step->kind == DecideStepKind::failed || step->kind == DecideStepKind::overrun ||
                            step->kind == DecideStepKind::breach;
      if (is_event || self.reporter.watches()) note_step(self, *step);
    };
    static_cast<void>(updates.update_watched(agent, watcher));
    return false;
  }

  // Not inlined: most steps are of no use, and should cost nothing else.
  [[gnu::noinline]] static void note_step(Updates& updates, const DecideStep& step) {
    if (step.kind == DecideStepKind::failed) updates.notes.completed.push_back(step.node_word);
    if (step.kind == DecideStepKind::overrun) {
      const std::string name = text::quote(decider_text(updates.agents.tree(), step.node_word));
      updates.reporter.go_wrong(RunFaultKind::run_away,
                                {.node = {&updates.agents.asset(), step.node_word}, .subject = "redecides"},
                                "an update does not end: " + name + " decides again and again");
    }
    if (step.kind == DecideStepKind::breach) warn_of_breach(updates, step);
    updates.reporter.show_step(step);
  }

  static void warn_of_breach(const Updates& updates, const DecideStep& step) {
    updates.reporter.keep(
        {.kind = RunFaultKind::group_breached,
         .message = "the group " + text::quote(decider_text(updates.agents.tree(), step.node_word)) +
                    " accepted, but none of its children did: a breach of the Subset Rule",
         .hint = "its Decide function may accept only if a child will; delegate=\"true\" asks the children"});
  }

  static std::vector<std::uint32_t> running(const AgentView& agent) {
    std::vector<std::uint32_t> behaviors;
    for (const ActiveDecider& decider : active_path(agent)) {
      if (decider.behavior != kNoBehavior) behaviors.push_back(decider.behavior);
    }
    return behaviors;
  }

  static std::uint32_t current(const AgentView& agent) {
    const std::uint32_t count = active_count(agent.tree, agent.block);
    if (count == 0) return kNoBehavior;
    return active_decider(agent.tree, const_cast<void*>(agent.block), count - 1).behavior;
  }

  // ---- The host

  // An answer other than a refusal is kept for the next tick.
  static bool activate(const Call* call) {
    Updates& updates = Updates::of(call);
    const std::string_view name = Updates::called_name(call);
    Answers* answers = updates.find_answers(call, name);
    const bool is_refused = answers != nullptr && answers->next() == Answer::refuse;
    if (is_refused) static_cast<void>(answers->take());
    updates.reporter.emit_called(is_refused ? EventKind::refuse : EventKind::enter, call, name);
    return !is_refused;
  }

  static espalier_result tick(const Call* call) {
    Updates& updates = Updates::of(call);
    const std::string_view name = Updates::called_name(call);
    const auto answer = updates.take_answer(call, name, "behaviour", "accepts and goes on").value_or(Answer::running);
    const Result result = answer == Answer::running ? Result::running : Result::failure;
    updates.reporter.emit_called(EventKind::tick, call, name, result_name(result));
    return result;
  }

  // Of a decider; empty in stripped assets.
  static std::string_view name_of(Updates& updates, const Call& call) {
    auto& known = updates.notes.named_deciders[call.node_word / kDeciderWords % updates.notes.named_deciders.size()];
    if (known.asset != call.tree.asset || known.node_word != call.node_word) {
      known = {call.tree.asset, call.node_word, decider_name(call.tree, call.node_word)};
    }
    return known.name;
  }

  static double decide(const Call* call) {
    Updates& updates = Updates::of(call);
    const std::string_view name = Updates::asked_name(call);
    double value = 1;
    if (Answers* answers = updates.find_answers(call, name)) {
      value = answers->take_number();
    } else {
      updates.note_unscripted("Decide function", name, "gives 1");
    }
    const std::string_view decider = name_of(updates, *call);
    const std::string_view digit = digit_text(value);
    if (!decider.empty() && !digit.empty()) {
      updates.reporter.emit_called(EventKind::decide, call, decider, digit);
    } else {
      updates.reporter.emit(EventKind::decide, decider_text(call->tree, call->node_word), number_text(value),
                            node_of(call));
    }
    return value;
  }
};

constinit const Strategy kDecideStrategy = {
    .kind = "decider",
    .hosted = "behaviour or Decide function",
    .variable = "decision flag",
    .statuses = "\"running\", \"failure\" or \"error\"",
    .runner = "behaviour",
    .accepts = {LineKind::flags, LineKind::stimulus, LineKind::save, LineKind::restore},
    .hint = DecideEngine::hint,
    .forms = DecideEngine::forms,
    .behavior = {.tick = DecideEngine::tick, .activate = DecideEngine::activate, .deactivate = HostCalls::leave},
    .condition = {.decide = DecideEngine::decide},
    .run = DecideEngine::run,
    .signal = DecideEngine::signal,
    .update = DecideEngine::update,
    .path = DecideEngine::path,
    .running = DecideEngine::running,
    .current = DecideEngine::current,
};

}  // namespace espalier::replay
