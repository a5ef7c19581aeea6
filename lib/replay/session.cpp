// Executes the lines of a trace. See session.h.
#include "replay/session.h"

#include <algorithm>

#include "replay/compiled_expectation.h"
#include "replay/script_host.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "text/names.h"

namespace espalier::replay {

using text::JsonKind;
using text::JsonValue;

Session::Session(const Asset& asset, const ReplayOptions& options, Listener listener)
    : options_(options),
      agents_(asset, options, ScriptHost::functions(updates_)),
      reporter_(agents_, std::move(listener)),
      updates_(agents_, reporter_, options, [this](const Line& act, std::uint32_t index) {
        static_cast<void>(run_for(act, {&index, 1}));
      }) {}

// ---- The first line

Faults Session::begin(const Line& line) {
  if (line.kind != LineKind::trace) {
    return LineFault{rules::TRC_missing_header, line.key, "the trace does not begin with {\"trace\": 1}"};
  }
  std::vector<LineFault> faults = first_line_faults(line);
  if (!faults.empty()) return reporter_.all_of(std::move(faults));
  std::vector<Tree> trees;
  if (auto fault = choose_trees(line, &trees)) return fault;
  if (const JsonValue* name = line.find("name")) name_ = name->string;
  std::optional<KindSet> kinds;
  if (const JsonValue* events = line.find("events")) {
    kinds.emplace();
    for (const JsonValue& kind : events->values) static_cast<void>(kinds->add(kind.string));
  }
  reporter_.begin(kinds, line.find("errors") != nullptr);
  agents_.seed_with(line.seed);
  agents_.choose(trees.front());
  const JsonValue* agents = line.find("agents");
  const text::Span span = agents != nullptr ? agents->span : line.key;
  if (trees.size() == 1) {
    const std::uint32_t count = line.count("agents", 1);
    if (count > 1) agents_.be_several();
    if (auto fault = agents_.add(trees.front(), count, span)) return fault;
    if (options_.start) agents_.start_as(*options_.start);
    return std::nullopt;
  }
  agents_.be_several();
  for (const Tree& tree : trees) {
    if (auto fault = agents_.add(tree, 1, span)) return fault;
  }
  if (options_.start) agents_.start_as(*options_.start);
  agents_.act_as(0);
  return std::nullopt;
}

std::vector<LineFault> Session::first_line_faults(const Line& line) const {
  std::vector<LineFault> faults;
  const auto each_text = [&](const char* key, const auto& check) {
    const JsonValue* const value = line.find(key);
    if (value == nullptr) return;
    for (const JsonValue& item : value->kind == JsonKind::list ? std::span(value->values) : std::span(value, 1)) {
      if (item.kind == JsonKind::string) check(item);
    }
  };
  each_text("tree", [&](const JsonValue& name) {
    Tree tree;
    if (auto fault = agents_.find_named(name, &tree, line.find("file"))) faults.push_back(std::move(*fault));
  });
  each_text("events", [&](const JsonValue& kind) {
    if (is_kind_name(kind.string)) return;
    faults.push_back({rules::TRC_wrong_value, kind.span, "unknown event kind " + text::quote(kind.string),
                      text::did_you_mean(kind.string, kind_names())});
  });
  return faults;
}

Faults Session::choose_trees(const Line& line, std::vector<Tree>* trees) const {
  const JsonValue* wanted = line.find("tree");
  if (wanted == nullptr) {
    const JsonValue* const file = line.find("file");
    const std::optional<Tree> only =
        file == nullptr ? Agents::only_tree(agents_.asset()) : Agents::only_tree(agents_.asset(), file->string);
    if (only) trees->push_back(*only);
    if (only) return std::nullopt;
    return LineFault{rules::TRC_unknown_tree, line.key, "the trace does not say which tree it is for",
                     "add \"tree\": one of " + listed(tree_names(agents_.asset()))};
  }
  const JsonValue* agents = line.find("agents");
  if (wanted->kind == JsonKind::list && agents != nullptr) {
    return LineFault{rules::TRC_unknown_key, agents->span, "'agents' has no meaning beside a list of trees",
                     "the list has one tree for each agent"};
  }
  const std::span<const JsonValue> names =
      wanted->kind == JsonKind::list ? std::span(wanted->values) : std::span(wanted, 1);
  for (const JsonValue& name : names) {
    if (auto fault = agents_.find_named(name, &trees->emplace_back(), line.find("file"))) return fault;
  }
  return std::nullopt;
}

// ---- Lines

Faults Session::take_work(const Line& line) {
  constexpr std::size_t kLineBytesAnUpdate = 256;
  if (!line.all_agents || line.kind == LineKind::tick) return std::nullopt;
  const text::Span span = line.object.span;
  return agents_.take_updates(agents_.living_count() * (1 + (span.end - span.begin) / kLineBytesAnUpdate),
                              line.agent_span);
}

Faults Session::run(const Line& line) {
  switch (line.kind) {
    case LineKind::trace:
      return LineFault{rules::TRC_unknown_key, line.key, "'trace' can only be in the first line",
                       "one file is one trace"};
    case LineKind::tick:
      return updates_.run(line);
    case LineKind::spawn:
      return run_spawn(line);
    case LineKind::destroy:
      return run_destroy(line);
    case LineKind::reload:
      return run_reload(line);
    case LineKind::expect:
    case LineKind::comment:
    case LineKind::event:
    case LineKind::finding:
      return std::nullopt;
    default:
      break;
  }
  std::vector<std::uint32_t>& indices = targets_;
  if (auto fault = agents_.targets(line, &indices)) return fault;
  // The agents in order, those with the same tree together as far as they follow each other.
  for (auto first = indices.begin(); first != indices.end();) {
    agents_.act_as(*first);
    const auto last = std::find_if(first, indices.end(),
                                   [&](std::uint32_t index) { return agents_[index].bound != &agents_.bound(); });
    if (auto fault = run_for(line, Indices(&*first, static_cast<std::size_t>(last - first)))) return fault;
    first = last;
  }
  return std::nullopt;
}

// Lines for agents are run for none of them, which checks their names.
Faults Session::check(const Line& line) {
  reporter_.be_silent();
  switch (line.kind) {
    case LineKind::spawn:
    case LineKind::destroy:
    case LineKind::reload:
      return run(line);
    case LineKind::tick:
      if (!line.agent) return std::nullopt;
      [[fallthrough]];
    default:
      break;
  }
  if (is_passed_over(line.kind) || line.kind == LineKind::trace || line.kind == LineKind::expect) return std::nullopt;
  std::vector<std::uint32_t> indices;
  if (auto fault = agents_.targets(line, &indices)) return fault;
  if (indices.empty() || line.kind == LineKind::tick) return std::nullopt;
  if (line.kind == LineKind::restore) return std::nullopt;  // nothing was saved
  agents_.act_as(indices.front());
  return run_for(line, {});
}

Faults Session::run_for(const Line& line, Indices indices) {
  if (line.kind == LineKind::signal || line.kind == LineKind::broadcast) return run_signal(line, indices);
  if (line.kind == LineKind::host) return run_host(line, indices);
  if (line.kind == LineKind::when) return run_when(line, indices);
  if (line.kind == LineKind::print) return run_print(line, indices);
  if (!agents_.strategy().accepts.has(line.kind)) return unsupported(line);
  if (line.kind == LineKind::set && !agents_.strategy().sets_values) return run_set(line, indices);
  if (line.kind == LineKind::save) return run_save(line, indices);
  if (line.kind == LineKind::restore) return run_restore(line, indices);
  return agents_.strategy().run(updates_, line, indices);
}

// The text of the runtime's printer, as the value of an event.
Faults Session::run_print(const Line& line, Indices indices) {
  return agents_.for_each(indices, [&](std::uint32_t index) -> Faults {
    const AgentView agent = agents_.view(index);
    const Host now = updates_.host();
    PrintOptions options;
    options.active_only = line.value->string == "active";
    options.host = &now;
    if (const std::unique_ptr<Recent>& recent = agents_[index].recent) options.history = &recent->history;
    std::string text;
    const auto add = [](void* to, const char* piece, std::size_t size_bytes) {
      static_cast<std::string*>(to)->append(piece, size_bytes);
    };
    print(agent.tree, agent.block, options, add, &text);
    reporter_.emit(EventKind::print, line.value->string, text);
    return std::nullopt;
  });
}

LineFault Session::unsupported(const Line& line) const {
  LineFault fault{
      rules::TRC_unsupported_line, line.key,
      text::quote(key_of(line.kind)) + " is not supported for " + std::string(agents_.strategy().kind) + " trees",
      std::string(agents_.strategy().hint != nullptr ? agents_.strategy().hint(line.kind) : std::string_view())};
  if (!fault.hint.empty()) return fault;
  fault.hint = "it is for " + trees_text([&](EngineId id) { return strategy_of(id).accepts.has(line.kind); });
  return fault;
}

Faults Session::run_signal(const Line& line, Indices indices) {
  const std::string& name = line.value->string;
  std::uint32_t id = 0;
  const bool is_known = find_signal(agents_.tree(), name, &id) == Status::ok;
  if (!is_known) reporter_.note_made(name);
  if (!is_known && reacted_.count(name) == 0) warn_of_signal(line);
  const std::optional<StimulusData> data = data_of(line);
  const JsonValue* const value = line.find("data");
  return agents_.for_each(indices, [&](std::uint32_t) -> Faults {
    updates_.deliver(name, is_known ? std::optional(id) : std::nullopt, data ? &*data : nullptr, value);
    return std::nullopt;
  });
}

// A signal that the tree does not list has no effect; one that no tree lists is most likely misspelt.
void Session::warn_of_signal(const Line& line) {
  const std::string& name = line.value->string;
  const auto has_signals = [](const auto& bound) { return bound->strategy->has_signals; };
  const bool is_for_others = line.kind == LineKind::broadcast &&
                             std::any_of(agents_.bound_trees().begin(), agents_.bound_trees().end(), has_signals);
  if ((is_for_others && !agents_.strategy().has_signals) || !reporter_.is_news(rules::TRC_unknown_signal, name)) return;
  if (!agents_.strategy().has_signals) {
    return reporter_.warn({rules::TRC_unknown_signal, line.value->span,
                           "signal " + text::quote(name) + " has no effect: " + std::string(agents_.strategy().kind) +
                               " trees have no signals"});
  }
  const std::vector<std::string_view> names = agents_.known_signals();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  reporter_.warn({rules::TRC_unknown_signal, line.value->span, "unknown signal " + text::quote(name),
                  text::did_you_mean(name, names)});
}

// A host that sets an undeclared variable of a modular tree gets an error event, and nothing changes.
Faults Session::run_set(const Line& line, Indices indices) {
  struct Write {
    const std::string& name;
    std::optional<std::uint32_t> variable;
    bool value;
  };
  std::vector<Write> writes;
  std::vector<LineFault> faults;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    const JsonValue& value = line.value->values[i];
    std::uint32_t id = 0;
    auto fault = find_name(agents_.tree(), ESPALIER_VARIABLES, agents_.strategy().variable, key.name, key.span, &id);
    if (fault && agents_.strategy().declares_variables) {
      faults.push_back(std::move(*fault));
    } else if (value.kind != JsonKind::boolean) {
      faults.push_back({rules::TRC_wrong_value, value.span, text::quote(key.name) + " should be true or false"});
    } else {
      if (fault) reporter_.note_made(key.name);
      if (fault && reporter_.is_news(rules::TRC_undeclared_name, key.name)) {
        fault->rule = rules::TRC_undeclared_name;
        reporter_.warn(*fault);
      }
      writes.push_back({key.name, fault ? std::nullopt : std::optional(id), value.boolean});
    }
  }
  if (!faults.empty()) return reporter_.all_of(std::move(faults));
  return agents_.for_each(indices, [&](std::uint32_t index) -> Faults {
    void* block = agents_[index].block();
    for (const Write& write : writes) {
      if (!write.variable) {
        const std::string text = "The variable '" + write.name + "' is not declared.";
        reporter_.tell({.kind = EventKind::error, .subject = text});  // known to be a warning before the line was run
      } else if (variable(agents_.tree(), block, *write.variable) != write.value) {
        espalier::set(agents_.tree(), block, *write.variable, write.value);
        Updates::note_variable(&updates_, *write.variable, write.value);
      }
    }
    return std::nullopt;
  });
}

Faults Session::run_when(const Line& line, Indices indices) {
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
    const auto known = agents_.bound().host_names.find(value.string);
    if (known == agents_.bound().host_names.end() || !known->second)
      warn_of_host({value.string, value.span}, value.string);
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
  const std::uint64_t bytes = Agents::answer_bytes(reaction.behavior.size() + reaction.signal.size());
  return agents_.for_each(indices, [&](std::uint32_t index) -> Faults {
    agents_[index].reactions.push_back(reaction);
    agents_[index].answer_bytes += bytes;
    return agents_.take_memory(bytes, line.value->span);
  });
}

// ---- Agents

Faults Session::run_spawn(const Line& line) {
  Tree tree = agents_.bound_trees().front()->tree;
  if (const JsonValue* name = line.find("tree")) {
    if (auto fault = agents_.find_named(*name, &tree)) return fault;
  }
  const std::uint32_t first = agents_.count();
  if (auto fault = agents_.add(tree, static_cast<std::uint32_t>(line.value->number), line.value->span)) return fault;
  agents_.be_several();
  if (agents_.count() == first) return std::nullopt;
  agents_.act_as(first);
  reporter_.emit(EventKind::spawn, {}, std::to_string(agents_.count() - first));
  return std::nullopt;
}

Faults Session::run_destroy(const Line& line) {
  const auto index = static_cast<std::uint32_t>(line.value->number);
  if (agents_.find(index) == nullptr) return agents_.no_agent(index, line.value->span);
  agents_.act_as(index);
  reporter_.emit(EventKind::destroy, {});
  agents_.destroy(updates_.host());
  return std::nullopt;
}

Faults Session::run_save(const Line& line, Indices indices) {
  return agents_.for_each(indices, [&](std::uint32_t) -> Faults {
    Saved now;
    const Strategy& strategy = agents_.strategy();
    if (strategy.save != nullptr && !strategy.save(updates_, line, now)) return std::nullopt;
    if (auto fault = agents_.save(line.value->string, std::move(now), line.value->span)) return fault;
    reporter_.emit(EventKind::save, line.value->string);
    return std::nullopt;
  });
}

Faults Session::run_restore(const Line& line, Indices indices) {
  return agents_.for_each(indices, [&](std::uint32_t) -> Faults {
    Faults fault;
    const Saved* const saved = agents_.find_saved(*line.value, &fault);
    if (saved == nullptr) return fault;
    const Strategy& strategy = agents_.strategy();
    if (strategy.restore != nullptr && !strategy.restore(updates_, line, *saved)) return std::nullopt;
    if (strategy.restore == nullptr) fault = agents_.restore(*saved, updates_.host(), line.value->span);
    if (!fault) reporter_.emit(EventKind::restore, line.value->string);
    return fault;
  });
}

Faults Session::run_reload(const Line& line) {
  const std::string& path = line.value->string;
  if (auto too_much = agents_.take_updates(agents_.living_count(), line.value->span)) return too_much;
  const auto fault = [&](std::string message, std::string hint = {}) {
    return LineFault{rules::TRC_cannot_reload, line.value->span, std::move(message), std::move(hint)};
  };
  ReplayOptions::LoadFault load_fault;
  const Asset* loaded = options_.load ? options_.load(path, &load_fault) : nullptr;
  if (loaded == nullptr) {
    return fault("cannot reload " + text::quote(path) + ": " + load_fault.reason, load_fault.hint);
  }
  std::vector<Tree> new_trees;
  for (const auto& bound : agents_.bound_trees()) {
    const std::string name = text::quote(tree_name(bound->tree));
    if (!agents_.find_reloaded(*loaded, *bound, &new_trees.emplace_back())) {
      return fault(text::quote(path) + " has no tree " + name, "it has " + listed(tree_names(*loaded)));
    }
    if (&strategy_of(engine_of_tree(new_trees.back())) != bound->strategy) {
      return fault("tree " + name + " of " + text::quote(path) + " is not a " + std::string(bound->strategy->kind) +
                   " tree");
    }
  }
  updates_.forget_answers();
  return agents_.reload(
      *loaded, new_trees, line.value->span, [this] { return updates_.host(); },
      [&] { reporter_.emit(EventKind::reload, path); });
}

}  // namespace espalier::replay
