// What the lines of a trace do. See session.h; what agents are and how they are updated is in session_agents.cpp.
#include "replay/session.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

// Names that are kept so as not to warn of them twice, and their bytes.
constexpr std::size_t kMaxTold = 1000;
constexpr std::size_t kMaxToldBytes = 200;

LineFault unsupported(const Line& line) {
  std::string owner = "decider trees";
  if (line.kind == LineKind::jump) owner = "Drag[en]gine trees";
  if (line.kind == LineKind::inject) owner = "synchronized trees";
  return {Rule::TRC_unsupported_line, line.key,
          text::quoted(key_of(line.kind)) + " belongs to " + owner + ", and this is a selection tree"};
}

bool is_answer(const JsonValue& answer) {
  if (answer.kind == JsonKind::boolean || answer.kind == JsonKind::number) return true;
  constexpr std::string_view kAnswers[] = {"running", "success", "failure", "refuse"};
  return answer.kind == JsonKind::string &&
         std::find(std::begin(kAnswers), std::end(kAnswers), answer.string) != std::end(kAnswers);
}

}  // namespace

Session::Session(const Asset& asset, const ReplayOptions& options, Listener listener)
    : asset_(&asset), options_(options), listener_(std::move(listener)) {}

const Agent* Session::agent(std::uint32_t index) const {
  return index < agents_.size() ? agents_[index].get() : nullptr;
}

// ---- The first line

Session::Faults Session::begin(const Line& line) {
  if (line.kind != LineKind::trace) {
    return LineFault{Rule::TRC_missing_header, line.key, "the trace does not begin with {\"trace\": 1}"};
  }
  if (auto fault = choose_tree(line)) return fault;
  if (const JsonValue* name = line.find("name")) name_ = name->string;
  if (const JsonValue* events = line.find("events")) {
    expected_kinds_ = {};
    for (const JsonValue& kind : events->values) {
      if (expected_kinds_.add(kind.string)) continue;
      return LineFault{Rule::TRC_wrong_value, kind.span, "there are no events of the kind " + text::quoted(kind.string),
                       text::did_you_mean(kind.string, kind_names())};
    }
  }
  bind_behaviors();
  const JsonValue* agents = line.find("agents");
  const std::uint32_t count = line.count("agents", 1);
  several_agents_ = count > 1;
  return add_agents(count, agents != nullptr ? agents->span : line.key);
}

Session::Faults Session::choose_tree(const Line& line) {
  const std::vector<std::string_view> names = tree_names(*asset_);
  if (const JsonValue* tree = line.find("tree")) {
    if (find_tree(*asset_, tree->string, &tree_) == Status::ok) return std::nullopt;
    std::string hint = text::did_you_mean(tree->string, names);
    if (hint.empty()) hint = (names.size() == 1 ? "there is " : "there are ") + listed(names);
    return LineFault{Rule::TRC_unknown_tree, tree->span, "there is no tree " + text::quoted(tree->string),
                     std::move(hint)};
  }
  if (names.size() == 1) {
    tree_ = espalier::tree(*asset_, 0);
    return std::nullopt;
  }
  return LineFault{Rule::TRC_unknown_tree, line.key, "the trace does not tell which tree it is for",
                   "add \"tree\": there are " + listed(names)};
}

// ---- Lines

Session::Faults Session::run(const Line& line) {
  switch (line.kind) {
    case LineKind::trace:
      return LineFault{Rule::TRC_unknown_key, line.key, "a first line that is not the first", "one file is one trace"};
    case LineKind::signal:
      return run_signal(line);
    case LineKind::set:
      return run_set(line);
    case LineKind::host:
      return run_host(line);
    case LineKind::tick:
      return run_tick(line);
    case LineKind::spawn:
      return run_spawn(line);
    case LineKind::destroy:
      return run_destroy(line);
    case LineKind::reload:
      return run_reload(line);
    case LineKind::save:
      return run_save(line);
    case LineKind::restore:
      return run_restore(line);
    case LineKind::flags:
    case LineKind::stimulus:
    case LineKind::jump:
    case LineKind::inject:
      return unsupported(line);
    case LineKind::expect:
    case LineKind::comment:
    case LineKind::event:
      break;
  }
  return std::nullopt;
}

Session::Faults Session::targets(const Line& line, std::vector<std::uint32_t>* indices) const {
  if (line.all_agents) {
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr) indices->push_back(i);
    }
    return std::nullopt;
  }
  const std::uint32_t index = line.agent.value_or(0);
  if (agent(index) == nullptr) return no_agent(index, line.agent_span);
  indices->push_back(index);
  return std::nullopt;
}

LineFault Session::no_agent(std::uint32_t index, text::Span span) const {
  std::string hint;
  if (index < agents_.size()) {
    hint = "it was destroyed";
  } else if (agents_.size() == 1) {
    hint = "there is agent 0 alone; \"agents\" in the first line tells how many there are";
  } else if (!agents_.empty()) {
    hint = "agents are counted from 0: the last one is " + std::to_string(agents_.size() - 1);
  }
  return {Rule::TRC_no_such_agent, span, "there is no agent " + std::to_string(index), std::move(hint)};
}

Session::Faults Session::for_each_target(const Line& line, const std::function<Faults(std::uint32_t)>& act) {
  std::vector<std::uint32_t> indices;
  if (auto fault = targets(line, &indices)) return fault;
  for (const std::uint32_t index : indices) {
    current_agent_ = index;
    if (auto fault = act(index)) return fault;
  }
  return std::nullopt;
}

Session::Faults Session::find(const JsonValue::Key& variable, std::uint32_t* id) const {
  if (find_variable(tree_, variable.name, id) == Status::ok) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < variable_count(tree_); ++i) names.push_back(variable_name(tree_, i));
  return LineFault{Rule::TRC_unknown_name, variable.span,
                   "tree " + text::quoted(tree_name(tree_)) + " has no variable " + text::quoted(variable.name),
                   text::did_you_mean(variable.name, names)};
}

Session::Faults Session::run_signal(const Line& line) {
  const std::string& name = line.value->string;
  std::uint32_t id = 0;
  const bool is_known = find_signal(tree_, name, &id) == Status::ok;
  if (!is_known) {
    if (auto fault = warn_of_signal(line)) return fault;
  }
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    emit(EventKind::signal, name);
    if (!is_known) return std::nullopt;
    const auto changed = [](void* user, std::uint32_t variable, bool value) {
      Session& session = *static_cast<Session*>(user);
      session.emit(EventKind::set, variable_name(session.tree_, variable), value);
    };
    signal_watched(tree_, agents_[index]->state.block.data(), id, host(), nullptr, changed, this);
    return std::nullopt;
  });
}

// A signal that the tree does not list changes nothing; one that no tree lists is most likely misspelt.
Session::Faults Session::warn_of_signal(const Line& line) {
  const std::string& name = line.value->string;
  if (!is_news(Rule::TRC_unknown_signal, name)) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < tree_count(*asset_); ++i) {
    const Tree other = espalier::tree(*asset_, i);
    for (std::uint32_t j = 0; j < signal_count(other); ++j) names.push_back(signal_name(other, j));
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) return std::nullopt;
  return warn({Rule::TRC_unknown_signal, line.value->span, "no tree knows the signal " + text::quoted(name),
               text::did_you_mean(name, names)});
}

Session::Faults Session::run_set(const Line& line) {
  std::vector<std::pair<std::uint32_t, bool>> writes;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    std::uint32_t id = 0;
    if (auto fault = find(line.value->keys[i], &id)) return fault;
    const JsonValue& value = line.value->values[i];
    if (value.kind != JsonKind::boolean) {
      return LineFault{Rule::TRC_wrong_value, value.span, "a variable is set to true or false"};
    }
    writes.emplace_back(id, value.boolean);
  }
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    void* block = agents_[index]->state.block.data();
    for (const auto& [id, value] : writes) {
      if (variable(tree_, block, id) == value) continue;
      espalier::set(tree_, block, id, value);
      emit(EventKind::set, variable_name(tree_, id), value);
    }
    return std::nullopt;
  });
}

Session::Faults Session::run_host(const Line& line) {
  std::map<std::uint32_t, Script> scripts;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    Script script;
    if (auto fault = read_script(line.value->values[i], &script)) return fault;
    if (const auto id = behavior_ids_.find(key.name); id != behavior_ids_.end()) {
      scripts[id->second] = std::move(script);
      continue;
    }
    if (!is_news(Rule::TRC_unknown_host, key.name)) continue;
    std::vector<std::string_view> names;
    for (std::uint32_t j = 0; j < behavior_count(*asset_); ++j) names.push_back(behavior_name(*asset_, j));
    if (auto fault = warn({Rule::TRC_unknown_host, key.span, "no tree has a behaviour " + text::quoted(key.name),
                           text::did_you_mean(key.name, names)})) {
      return fault;
    }
  }
  is_scripted_ = true;
  return for_each_target(line, [&](std::uint32_t index) -> Faults {
    for (const auto& [behavior, script] : scripts) agents_[index]->scripts[behavior] = script;
    return std::nullopt;
  });
}

Session::Faults Session::read_script(const JsonValue& answers, Script* script) const {
  const auto add = [&](const JsonValue& answer) -> Faults {
    script->refuses.push_back(answer.kind == JsonKind::string && answer.string == "refuse");
    if (is_answer(answer)) return std::nullopt;
    return LineFault{Rule::TRC_wrong_value, answer.span, "a behaviour cannot answer this",
                     "answers are \"running\", \"success\", \"failure\", \"refuse\", true, false and numbers"};
  };
  if (answers.kind != JsonKind::list) return add(answers);
  for (const JsonValue& answer : answers.values) {
    if (auto fault = add(answer)) return fault;
  }
  if (!answers.values.empty()) return std::nullopt;
  return LineFault{Rule::TRC_wrong_value, answers.span, "a list of answers needs at least one"};
}

Session::Faults Session::run_tick(const Line& line) {
  const std::uint64_t step_us = to_microseconds(line.value->number).value_or(0);
  const std::uint32_t times = line.count("times", 1);
  if (times > kMaxTimes) {
    return LineFault{Rule::TRC_too_much, line.find("times")->span,
                     "a tick is repeated at most " + std::to_string(kMaxTimes) + " times"};
  }
  if (step_us > 0 && times > (kMaxClock_us - time_us_) / step_us) {
    return LineFault{Rule::TRC_too_much, line.value->span, "the clock would pass 285 years"};
  }
  std::vector<std::uint32_t> indices;
  if (line.agent) {
    if (auto fault = targets(line, &indices)) return fault;
  } else {
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr) indices.push_back(i);
    }
  }
  for (std::uint32_t done = 1; done <= times; ++done) {
    time_us_ += step_us;
    bool is_settled = true;
    for (const std::uint32_t index : indices) is_settled = update_settles(index) && is_settled;
    if (auto fault = warn_of_unscripted(line)) return fault;
    // Nothing changes agents between these updates, and time alone does not: the others would do nothing either.
    if (is_settled) {
      time_us_ += step_us * (times - done);
      break;
    }
  }
  return std::nullopt;
}

Session::Faults Session::warn_of_unscripted(const Line& line) {
  const std::vector<std::uint32_t> behaviors = std::exchange(unscripted_, {});
  for (const std::uint32_t behavior : behaviors) {
    const std::string name = behavior_text(behavior);
    if (!is_news(Rule::TRC_unscripted_host, name)) continue;
    std::string hint = "add {\"host\": {" + json_string(name) + ": true}}";
    if (options_.strict) hint += ", or leave out --strict";
    if (auto fault =
            warn({Rule::TRC_unscripted_host, line.key,
                  "behaviour " + text::quoted(name) + " is used and not scripted: it accepts", std::move(hint)})) {
      return fault;
    }
  }
  return std::nullopt;
}

// ---- Telling

void Session::emit(EventKind kind, std::string_view name, bool value) const {
  listener_.event({time_us_, current_agent_, kind, std::string(name), value});
}

void Session::remark(std::uint32_t agent, const std::string& text) const {
  if (listener_.remark) listener_.remark(agent, text);
}

bool Session::is_news(Rule rule, const std::string& name) {
  return told_.size() < kMaxTold &&
         told_.insert(std::string(rules::info(rule).code) + name.substr(0, kMaxToldBytes)).second;
}

Session::Faults Session::warn(LineFault fault) const {
  if (options_.strict) return fault;
  if (listener_.warning) listener_.warning(fault);
  return std::nullopt;
}

std::vector<std::string_view> tree_names(const Asset& asset) {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) names.push_back(tree_name(tree(asset, i)));
  return names;
}

std::string listed(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 8;
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) list += (i == 0 ? "" : ", ") + text::quoted(names[i]);
  return names.size() > kShown ? list + " and " + std::to_string(names.size() - kShown) + " more" : list;
}

}  // namespace espalier::replay
