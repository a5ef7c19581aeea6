// What the lines of a trace do. See session.h.
#include "replay/session.h"

#include <algorithm>

#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;

LineFault fault_at(Rule rule, std::string_view text, std::string_view key, std::string message, std::string hint = {}) {
  return {rule, column_of(text, key), std::move(message), std::move(hint)};
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

LineFault unsupported(std::string_view text, LineKind kind) {
  const std::string_view key = key_of(kind);
  std::string owner = "decider trees";
  if (kind == LineKind::jump) owner = "Drag[en]gine trees";
  if (kind == LineKind::inject) owner = "synchronized trees";
  return fault_at(Rule::TRC_unsupported_line, text, key,
                  text::quoted(key) + " belongs to " + owner + ", and this is a selection tree");
}

bool is_answer(const Json& answer) {
  if (answer.is_boolean() || answer.is_number()) return true;
  return answer == "running" || answer == "success" || answer == "failure" || answer == "refuse";
}

}  // namespace

Session::Session(const Asset& asset, const ReplayOptions& options) : asset_(&asset), options_(options) {}

const Agent* Session::agent(std::uint32_t index) const {
  return index < agents_.size() ? agents_[index].get() : nullptr;
}

// ---- The first line -------------------------------------------------------------------------------------------------

Session::Faults Session::begin(std::string_view text, const Line& line) {
  if (line.kind != LineKind::trace) {
    return LineFault{Rule::TRC_missing_header, 1, "a trace begins with {\"trace\": 1}"};
  }
  if (auto fault = choose_tree(text, line)) return fault;
  const Json& object = line.object;
  name_ = object.value("name", std::string());
  if (object.contains("events")) {
    expected_kinds_ = {};
    std::string unknown;
    if (!kinds_from(object["events"].get<std::vector<std::string>>(), &expected_kinds_, &unknown)) {
      return fault_at(Rule::TRC_wrong_value, text, unknown, "there are no events of the kind " + text::quoted(unknown),
                      text::did_you_mean(unknown, kind_names()));
    }
  }
  const std::uint32_t count = object.value("agents", 1u);
  if (count > kMaxAgents) {
    return fault_at(Rule::TRC_too_much, text, "agents",
                    "a replay has at most " + std::to_string(kMaxAgents) + " agents");
  }
  bind_behaviors();
  several_agents_ = count > 1;
  add_agents(count);
  return std::nullopt;
}

Session::Faults Session::choose_tree(std::string_view text, const Line& line) {
  const std::vector<std::string_view> names = tree_names(*asset_);
  if (line.object.contains("tree")) {
    const std::string name = line.object["tree"].get<std::string>();
    if (find_tree(*asset_, name, &tree_) == Status::ok) return std::nullopt;
    std::string hint = text::did_you_mean(name, names);
    if (hint.empty() && !names.empty())
      hint = "there " + std::string(names.size() == 1 ? "is " : "are ") + listed(names);
    return fault_at(Rule::TRC_unknown_tree, text, "tree", "there is no tree " + text::quoted(name), hint);
  }
  if (names.size() == 1) {
    tree_ = espalier::tree(*asset_, 0);
    return std::nullopt;
  }
  if (names.empty()) return LineFault{Rule::TRC_unknown_tree, 1, "there is no tree to replay"};
  return LineFault{Rule::TRC_unknown_tree, 1, "the trace does not tell which tree it is for",
                   "add \"tree\": there are " + listed(names)};
}

void Session::add_agents(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    auto agent = std::make_unique<Agent>();
    agent->block.resize(agent_bytes(tree_) / sizeof(std::uint64_t));
    start(tree_, agent->block.data());
    agents_.push_back(std::move(agent));
  }
  living_count_ += count;
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

Session::Faults Session::run(std::string_view text, const Line& line) {
  switch (line.kind) {
    case LineKind::trace:
      return fault_at(Rule::TRC_unknown_key, text, "trace", "a second first line", "one file is one trace");
    case LineKind::signal:
      return run_signal(text, line);
    case LineKind::set:
      return run_set(text, line);
    case LineKind::host:
      return run_host(text, line);
    case LineKind::tick:
      return run_tick(text, line);
    case LineKind::spawn:
      return run_spawn(text, line);
    case LineKind::destroy:
      return run_destroy(text, line);
    case LineKind::reload:
      return run_reload(text, line);
    case LineKind::save:
      return run_save(text, line);
    case LineKind::restore:
      return run_restore(text, line);
    case LineKind::flags:
    case LineKind::stimulus:
    case LineKind::jump:
    case LineKind::inject:
      return unsupported(text, line.kind);
    case LineKind::expect:
    case LineKind::skipped:
      break;
  }
  return std::nullopt;
}

Session::Faults Session::targets(std::string_view text, const Line& line, std::vector<std::uint32_t>* indices) const {
  if (line.all_agents) {
    for (std::uint32_t i = 0; i < agents_.size(); ++i) {
      if (agents_[i] != nullptr) indices->push_back(i);
    }
    return std::nullopt;
  }
  const std::uint32_t index = line.agent.value_or(0);
  if (agent(index) == nullptr) {
    std::string message = "there is no agent " + std::to_string(index);
    if (index < agents_.size()) message += ": it was destroyed";
    return fault_at(Rule::TRC_no_such_agent, text, line.agent ? "agent" : key_of(line.kind), message);
  }
  indices->push_back(index);
  return std::nullopt;
}

Session::Faults Session::for_each_target(std::string_view text, const Line& line,
                                         const std::function<Faults(std::uint32_t)>& act) {
  std::vector<std::uint32_t> indices;
  if (auto fault = targets(text, line, &indices)) return fault;
  for (const std::uint32_t index : indices) {
    current_agent_ = index;
    if (auto fault = act(index)) return fault;
  }
  return std::nullopt;
}

Session::Faults Session::find(std::string_view text, const std::string& variable, std::uint32_t* id) const {
  if (find_variable(tree_, variable, id) == Status::ok) return std::nullopt;
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < variable_count(tree_); ++i) names.push_back(variable_name(tree_, i));
  return fault_at(Rule::TRC_unknown_name, text, variable,
                  "tree " + text::quoted(tree_name(tree_)) + " has no variable " + text::quoted(variable),
                  text::did_you_mean(variable, names));
}

// A signal that the tree does not list changes nothing; one that no tree lists is most likely misspelt.
Session::Faults Session::run_signal(std::string_view text, const Line& line) {
  const std::string name = line.value().get<std::string>();
  std::uint32_t id = 0;
  const bool is_known = find_signal(tree_, name, &id) == Status::ok;
  if (!is_known) {
    std::vector<std::string_view> names;
    bool is_elsewhere = false;
    for (std::uint32_t i = 0; i < tree_count(*asset_); ++i) {
      const Tree other = espalier::tree(*asset_, i);
      for (std::uint32_t j = 0; j < signal_count(other); ++j) {
        names.push_back(signal_name(other, j));
        is_elsewhere = is_elsewhere || names.back() == name;
      }
    }
    if (!is_elsewhere) {
      const std::string message = "no tree knows the signal " + text::quoted(name);
      const std::string hint = text::did_you_mean(name, names);
      if (options_.strict) return fault_at(Rule::TRC_unknown_signal, text, name, message, hint);
      warn_once(Rule::TRC_unknown_signal, name, message, hint);
    }
  }
  return for_each_target(text, line, [&](std::uint32_t index) -> Faults {
    emit(EventKind::signal, name);
    if (!is_known) return std::nullopt;
    const auto changed = [](void* user, std::uint32_t variable, bool value) {
      Session& session = *static_cast<Session*>(user);
      session.emit(EventKind::set, variable_name(session.tree_, variable), value);
    };
    signal_watched(tree_, agents_[index]->block.data(), id, changed, this);
    return std::nullopt;
  });
}

Session::Faults Session::run_set(std::string_view text, const Line& line) {
  std::vector<std::pair<std::uint32_t, bool>> writes;
  for (const auto& [name, value] : line.value().items()) {
    std::uint32_t id = 0;
    if (auto fault = find(text, name, &id)) return fault;
    if (!value.is_boolean()) return fault_at(Rule::TRC_wrong_value, text, name, "a variable is set to true or false");
    writes.emplace_back(id, value.get<bool>());
  }
  return for_each_target(text, line, [&](std::uint32_t index) -> Faults {
    void* block = agents_[index]->block.data();
    for (const auto& [id, value] : writes) {
      if (variable(tree_, block, id) == value) continue;
      espalier::set(tree_, block, id, value);
      emit(EventKind::set, variable_name(tree_, id), value);
    }
    return std::nullopt;
  });
}

Session::Faults Session::run_host(std::string_view text, const Line& line) {
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < behavior_count(*asset_); ++i) names.push_back(behavior_name(*asset_, i));
  std::map<std::string, std::vector<bool>> scripts;
  for (const auto& [name, answers] : line.value().items()) {
    std::vector<bool>& script = scripts[name];
    const std::vector<Json> list = answers.is_array() ? answers.get<std::vector<Json>>() : std::vector<Json>{answers};
    for (const Json& answer : list) {
      if (!is_answer(answer)) {
        return fault_at(Rule::TRC_wrong_value, text, name, "a behaviour cannot answer " + answer.dump(),
                        "answers are \"running\", \"success\", \"failure\", \"refuse\", true, false and numbers");
      }
      script.push_back(answer == "refuse");
    }
    if (list.empty()) return fault_at(Rule::TRC_wrong_value, text, name, "a list of answers needs at least one");
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      warn_once(Rule::TRC_unknown_host, name, "no tree has a behaviour " + text::quoted(name),
                text::did_you_mean(name, names));
    }
  }
  is_scripted_ = true;
  return for_each_target(text, line, [&](std::uint32_t index) -> Faults {
    for (const auto& [name, script] : scripts) agents_[index]->scripts[name] = script;
    return std::nullopt;
  });
}

Session::Faults Session::run_tick(std::string_view text, const Line& line) {
  const std::uint64_t step_us = to_microseconds(line.value().get<double>()).value_or(0);
  const std::uint32_t times = line.object.value("times", 1u);
  if (times > kMaxTimes) {
    return fault_at(Rule::TRC_too_much, text, "times",
                    "a tick is repeated at most " + std::to_string(kMaxTimes) + " times");
  }
  std::vector<std::uint32_t> indices;
  if (line.agent) {
    if (auto fault = targets(text, line, &indices)) return fault;
  }
  for (std::uint32_t i = 0; i < times; ++i) {
    time_us_ += step_us;
    if (line.agent) {
      update_agent(indices.front());
    } else {
      for (std::uint32_t index = 0; index < agents_.size(); ++index) {
        if (agents_[index] != nullptr) update_agent(index);
      }
    }
    if (!unscripted_.empty()) {
      return fault_at(Rule::TRC_unscripted_host, text, "tick",
                      "behaviour " + text::quoted(unscripted_) + " is used and not scripted",
                      "add {\"host\": {\"" + unscripted_ + "\": true}}, or leave out --strict");
    }
  }
  return std::nullopt;
}

Session::Faults Session::run_spawn(std::string_view text, const Line& line) {
  const std::uint32_t count = line.value().get<std::uint32_t>();
  if (count > kMaxAgents - living_count_ || agents_.size() + count > std::size_t{16} * kMaxAgents) {
    return fault_at(Rule::TRC_too_much, text, "spawn",
                    "a replay has at most " + std::to_string(kMaxAgents) + " agents");
  }
  several_agents_ = true;
  add_agents(count);
  return std::nullopt;
}

Session::Faults Session::run_destroy(std::string_view text, const Line& line) {
  const std::uint32_t index = line.value().get<std::uint32_t>();
  if (agent(index) == nullptr) {
    return fault_at(Rule::TRC_no_such_agent, text, "destroy", "there is no agent " + std::to_string(index));
  }
  current_agent_ = index;
  stop(tree_, agents_[index]->block.data(), host());
  agents_[index].reset();
  --living_count_;
  return std::nullopt;
}

// Variables are carried over by name; what runs is left, and selected anew at the next update.
Session::Faults Session::run_reload(std::string_view text, const Line& line) {
  const std::string path = line.value().get<std::string>();
  std::string reason = "traces cannot reload here";
  const Asset* loaded = options_.load ? options_.load(path, &reason) : nullptr;
  if (loaded == nullptr)
    return fault_at(Rule::TRC_cannot_reload, text, "reload", "cannot reload " + text::quoted(path) + ": " + reason);
  const Tree old_tree = tree_;
  Tree new_tree;
  if (find_tree(*loaded, tree_name(old_tree), &new_tree) != Status::ok) {
    return fault_at(Rule::TRC_cannot_reload, text, "reload",
                    text::quoted(path) + " has no tree " + text::quoted(tree_name(old_tree)),
                    "there are " + listed(tree_names(*loaded)));
  }
  for (std::uint32_t index = 0; index < agents_.size(); ++index) {
    if (agents_[index] == nullptr) continue;
    current_agent_ = index;
    stop(old_tree, agents_[index]->block.data(), host());
  }
  asset_ = loaded;
  tree_ = new_tree;
  bind_behaviors();
  snapshots_.clear();
  for (auto& agent : agents_) {
    if (agent == nullptr) continue;
    std::vector<std::uint64_t> block(agent_bytes(new_tree) / sizeof(std::uint64_t));
    start(new_tree, block.data());
    for (std::uint32_t i = 0; i < variable_count(old_tree); ++i) {
      std::uint32_t id = 0;
      if (find_variable(new_tree, variable_name(old_tree, i), &id) != Status::ok) continue;
      espalier::set(new_tree, block.data(), id, variable(old_tree, agent->block.data(), i));
    }
    agent->block = std::move(block);
    agent->steps.clear();
  }
  return std::nullopt;
}

Session::Faults Session::run_save(std::string_view text, const Line& line) {
  const std::string label = line.value().get<std::string>();
  return for_each_target(text, line, [&](std::uint32_t index) -> Faults {
    snapshots_[{index, label}] = *agents_[index];
    return std::nullopt;
  });
}

Session::Faults Session::run_restore(std::string_view text, const Line& line) {
  const std::string label = line.value().get<std::string>();
  return for_each_target(text, line, [&](std::uint32_t index) -> Faults {
    const auto snapshot = snapshots_.find({index, label});
    if (snapshot == snapshots_.end()) {
      return fault_at(Rule::TRC_unknown_snapshot, text, "restore",
                      "nothing was saved under " + text::quoted(label) + " for agent " + std::to_string(index));
    }
    *agents_[index] = snapshot->second;
    return std::nullopt;
  });
}

// ---- Updates and the host -------------------------------------------------------------------------------------------

void Session::update_agent(std::uint32_t index) {
  Agent& agent = *agents_[index];
  current_agent_ = index;
  void* block = agent.block.data();
  Update update{index, current_leaf(tree_, block), kNoLeaf, {}};
  Result status = Result::failure;
  if (on_change) {
    std::vector<Step> steps;
    const Watcher watcher = {
        [](void* user, const Step& step) { static_cast<std::vector<Step>*>(user)->push_back(step); }, &steps};
    status = update_watched(tree_, block, host(), watcher);
    if (!steps.empty()) {
      update.old_steps = std::move(agent.steps);
      agent.steps = std::move(steps);
    }
  } else {
    status = espalier::update(tree_, block, host());
  }
  const bool is_new_status = agent.status != status;
  agent.status = status;
  if (is_new_status) emit(EventKind::status, status == Result::running ? "running" : "failure");
  update.new_leaf = current_leaf(tree_, block);
  if (on_change && update.new_leaf != update.old_leaf) on_change(update);
}

Host Session::host() { return {behaviors_.data(), this, time_us_}; }

void Session::emit(EventKind kind, std::string_view name, bool value) {
  if (on_event) on_event({time_us_, current_agent_, kind, std::string(name), value});
}

void Session::warn_once(Rule rule, const std::string& name, const std::string& message, const std::string& hint) {
  if (warned_.insert(std::string(rules::info(rule).code) + name).second && on_warning) on_warning(rule, message, hint);
}

// Does the host take the behaviour, or refuse it?
bool Session::takes(Agent& agent, const std::string& behavior) {
  const auto script = agent.scripts.find(behavior);
  if (script == agent.scripts.end()) {
    if (options_.strict && unscripted_.empty()) unscripted_ = behavior;
    if (is_scripted_ && !options_.strict) {
      warn_once(Rule::TRC_unscripted_host, behavior,
                "behaviour " + text::quoted(behavior) + " is used and not scripted: it accepts", {});
    }
    return true;
  }
  const bool refuses = script->second.front();
  if (script->second.size() > 1) script->second.erase(script->second.begin());
  return !refuses;
}

void Session::bind_behaviors() {
  behaviors_.assign(behavior_count(*asset_), Behavior{enter_behavior, leave_behavior, nullptr});
}

void Session::enter_behavior(const Call& call) {
  Session& session = *static_cast<Session*>(call.host);
  Agent& agent = *session.agents_[session.current_agent_];
  const std::string name(behavior_name(*call.tree.asset, call.behavior));
  agent.is_refused = !session.takes(agent, name);
  session.emit(agent.is_refused ? EventKind::refuse : EventKind::enter, name);
}

void Session::leave_behavior(const Call& call) {
  Session& session = *static_cast<Session*>(call.host);
  if (session.agents_[session.current_agent_]->is_refused) return;
  session.emit(EventKind::leave, behavior_name(*call.tree.asset, call.behavior));
}

}  // namespace espalier::replay
