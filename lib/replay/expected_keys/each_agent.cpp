// `agents`: what each of several agents does. {"1": X}: agent 1 is as X says; [X, Y]: one agent is as X says, and
// another one as Y does.
#include <algorithm>
#include <functional>

#include "replay/expected_keys/functions.h"
#include "rules/traces.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using text::JsonKind;
using text::JsonValue;
using Faults = std::optional<LineFault>;

namespace {

constexpr std::size_t kMostOfAgents = 64;
constexpr std::string_view kForms =
    "a list of objects with the keys of 'expect', or such objects by the numbers of agents";

bool is_agent_number(const std::string& name) {
  constexpr std::size_t kMostDigits = 9;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return !name.empty() && name.size() <= kMostDigits && std::all_of(name.begin(), name.end(), is_digit) &&
         (name.size() == 1 || name.front() != '0');
}

// Is the agent as this part says, in its tree?
bool is_as(const Check& part, const ObservedAgent& agent) {
  return std::any_of(part.parts.begin(), part.parts.end(), [&](const Check& in_tree) {
    return in_tree.id == agent.view.tree.index && holds(in_tree, {.agent = agent.view, .status = agent.status});
  });
}

// Has each part an agent of its own? Each takes one that is free, or whose part can take another one.
bool can_all_be_given(const std::vector<Check>& parts, const std::vector<ObservedAgent>& agents) {
  constexpr std::size_t kFree = SIZE_MAX;
  std::vector<std::size_t> given(agents.size(), kFree);  // the parts of agents
  std::vector<bool> is_tried;
  const std::function<bool(std::size_t)> give = [&](std::size_t part) {
    for (std::size_t agent = 0; agent < agents.size(); ++agent) {
      if (is_tried[agent] || !is_as(parts[part], agents[agent])) continue;
      is_tried[agent] = true;
      if (given[agent] != kFree && !give(given[agent])) continue;
      given[agent] = part;
      return true;
    }
    return false;
  };
  for (std::size_t part = 0; part < parts.size(); ++part) {
    is_tried.assign(agents.size(), false);
    if (!give(part)) return false;
  }
  return true;
}

}  // namespace

// Compiled for each tree that agents have: what one of them knows is enough.
Faults ExpectedKeys::compile_of_agent(ExpectationCompiler& compiler, const JsonValue& value, Check& check) {
  if (value.kind != JsonKind::object) return value_fault("agents", value, kForms);
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    if (!is_of_all_agents(value.keys[i], value.values[i])) continue;
    return LineFault{rules::TRC_unsupported_line, value.keys[i].span,
                     text::quote(value.keys[i].name) + " is the same for all agents", "write it beside 'agents'"};
  }
  const Tree tree = compiler.tree_;
  const std::span<const Tree> trees = compiler.trees_;
  const std::vector<LineFault> unknown_before = compiler.unknown;
  std::optional<std::vector<LineFault>> fewest_unknown;
  Faults first_fault;
  for (const Tree& each : trees) {
    Check in_tree{.id = each.index};
    compiler.unknown.clear();
    Faults fault = compiler.compile(value, each, trees, &in_tree);
    if (fault && !first_fault) first_fault = std::move(fault);
    if (fault) continue;
    if (!fewest_unknown || compiler.unknown.size() < fewest_unknown->size()) fewest_unknown = compiler.unknown;
    check.parts.push_back(std::move(in_tree));
  }
  compiler.tree_ = tree;
  compiler.trees_ = trees;
  compiler.unknown = unknown_before;
  if (!fewest_unknown) return first_fault;
  compiler.unknown.insert(compiler.unknown.end(), fewest_unknown->begin(), fewest_unknown->end());
  return std::nullopt;
}

Faults ExpectedKeys::compile_agents(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                    Check& check) {
  const bool is_list = value.kind == JsonKind::list;
  if (!is_list && value.kind != JsonKind::object) return value_fault("agents", value, kForms);
  if (value.values.size() > kMostOfAgents)
    return LineFault{rules::TRC_limit_exceeded, value.span,
                     "'agents' is about more than " + std::to_string(kMostOfAgents) + " agents"};
  check.is_null = is_list;  // parts have no numbers
  for (std::size_t i = 0; i < value.values.size(); ++i) {
    Check& part = check.parts.emplace_back();
    if (!is_list) {
      const JsonValue::Key& key = value.keys[i];
      if (!is_agent_number(key.name))
        return LineFault{rules::TRC_wrong_value, key.span, text::quote(key.name) + " is not the number of an agent"};
      part.number = std::stoul(key.name);
      if (!compiler.events_of_run.assets.empty() && part.number >= compiler.events_of_run.agent_count)
        return LineFault{rules::TRC_no_such_agent, key.span, "unknown agent " + key.name};
    }
    if (auto fault = compile_of_agent(compiler, value.values[i], part)) return fault;
  }
  return std::nullopt;
}

bool ExpectedKeys::holds_agents(const Check& check, const Observed& observed) {
  if (observed.agents == nullptr) return check.parts.empty();
  const std::vector<ObservedAgent>& agents = *observed.agents;
  if (check.is_null) return can_all_be_given(check.parts, agents);
  return std::all_of(check.parts.begin(), check.parts.end(), [&](const Check& part) {
    return std::any_of(agents.begin(), agents.end(),
                       [&](const ObservedAgent& agent) { return agent.number == part.number && is_as(part, agent); });
  });
}

// Of each agent the values of the keys that are expected of it, or of the first one of a list.
std::string ExpectedKeys::actual_agents(const Check& check, const Observed& observed) {
  std::string text;
  for (std::size_t i = 0; observed.agents != nullptr && i < observed.agents->size(); ++i) {
    const ObservedAgent& agent = (*observed.agents)[i];
    const auto part = std::find_if(check.parts.begin(), check.parts.end(),
                                   [&](const Check& each) { return check.is_null || each.number == agent.number; });
    if (part == check.parts.end()) continue;
    for (const Check& in_tree : part->parts) {
      if (in_tree.id != agent.view.tree.index) continue;
      text += (text.empty() ? "\"" : ", \"") + std::to_string(agent.number) +
              "\": " + actual_json(in_tree, {.agent = agent.view, .status = agent.status});
    }
  }
  return '{' + text + '}';
}

}  // namespace espalier::replay
