// What an agent does: its behaviour, its actions, its rule.
#include "replay/expected_keys/functions.h"

#include <algorithm>

#include "codegen/dump/listing.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "runtime/decide/layout.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using text::JsonKind;
using text::JsonValue;
using Faults = std::optional<LineFault>;

static bool is_string_or_null(const JsonValue& value) {
  return value.kind == JsonKind::string || value.kind == JsonKind::null;
}

static bool contains(const std::vector<std::uint32_t>& ids, std::uint32_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

static std::string json_or_null(std::string_view text, bool is_null) {
  return is_null ? "null" : text::json_string(text);
}

Faults ExpectedKeys::compile_behavior(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                      Check& check) {
  if (!is_string_or_null(value)) return value_fault("behavior", value, "the name of a behaviour, or null");
  if (value.kind == JsonKind::null) {
    check.ids = {kNoBehavior};
    return std::nullopt;
  }
  return find_behavior(compiler, value, check);
}

// Adds the behaviours of this name to the ids, and the nodes if it has a place.
Faults ExpectedKeys::find_behavior(ExpectationCompiler& compiler, const JsonValue& value, Check& check) {
  const Asset& asset = *compiler.tree_.asset;
  std::vector<std::uint32_t>& ids = check.ids;
  const bool is_known = [&] {
    for (std::uint32_t i = 0; i < behavior_count(asset); ++i) {
      if (behavior_name(asset, i) == value.string) return true;
    }
    return false;
  }();
  std::optional<std::vector<Places::Found>> placed;
  if (!is_known) {
    if (auto fault = compiler.find_placed(value, false, &placed)) return fault;
  }
  if (placed) {
    const bool has_leaves = engine_of_tree(compiler.tree_) == EngineId::select;
    for (const Places::Found& node : *placed) check.nodes.push_back(has_leaves ? node.number : node.word);
    std::sort(check.nodes.begin(), check.nodes.end());
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < behavior_count(asset); ++i) {
    names.push_back(behavior_name(asset, i));
    if (names.back() == value.string) ids.push_back(i);
  }
  if (engine_of_tree(compiler.tree_) == EngineId::select) {  // only those of its leaves can be current
    names.clear();
    for (std::uint32_t i = 0; i < leaf_count(compiler.tree_); ++i) {
      names.push_back(behavior_name(asset, leaf_behavior(compiler.tree_, i)));
    }
  }
  const std::string_view runner = strategy_of(engine_of_tree(compiler.tree_)).runner;
  compiler.note_unknown(runner.empty() ? "behaviour" : runner, value, names);
  return std::nullopt;
}

// The node of the current behaviour; in trees that select, its leaf.
static std::uint32_t current_node(const AgentView& agent) {
  if (engine_of_tree(agent.tree) == EngineId::select) return current_leaf(agent.tree, agent.block);
  const std::vector<ActiveDecider> path = active_path(agent);
  return path.empty() ? layout::kNone : path.back().node_word;
}

static std::uint32_t current(const Observed& observed) {
  return strategy_of(engine_of_tree(observed.agent.tree)).current(observed.agent);
}
bool ExpectedKeys::holds_behavior(const Check& check, const Observed& observed) {
  if (!check.nodes.empty()) return contains(check.nodes, current_node(observed.agent));
  return contains(check.ids, current(observed));
}
std::string ExpectedKeys::actual_behavior(const Check&, const Observed& observed) {
  const std::uint32_t behavior = current(observed);
  if (behavior == kNoBehavior) return "null";
  return text::json_string(behavior_name(*observed.agent.tree.asset, behavior));
}

// A leaf is named as it is expected: by its path if the expected value has one, otherwise by its name.
Faults ExpectedKeys::compile_leaf(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                  Check& check) {
  if (!is_string_or_null(value)) return value_fault("leaf", value, "the name or path of a leaf, or null");
  const std::vector<std::string>& paths = compiler.leaf_paths();
  check.texts = paths;
  const bool is_path = value.string.find('/') != std::string::npos;
  for (std::string& text : check.texts) {
    if (!is_path) text.erase(0, text.rfind('/') + 1);
  }
  if (value.kind == JsonKind::null) {
    check.ids = {kNoLeaf};
    return std::nullopt;
  }
  if (is_stripped(*compiler.tree_.asset)) {
    return LineFault{rules::TRC_stripped_names, value.span, "the asset was stripped of the names of its leaves",
                     "expect \"behavior\" in place of \"leaf\""};
  }
  for (std::uint32_t leaf = 0; leaf < check.texts.size(); ++leaf) {
    if (check.texts[leaf] == value.string) check.ids.push_back(leaf);
  }
  std::optional<std::vector<Places::Found>> placed;
  if (check.ids.empty()) {
    if (auto fault = compiler.find_placed(value, true, &placed)) return fault;
  }
  if (placed) {
    for (const Places::Found& node : *placed) check.ids.push_back(node.number);
    std::sort(check.ids.begin(), check.ids.end());
    return std::nullopt;
  }
  compiler.note_unknown("leaf", value, {check.texts.begin(), check.texts.end()});
  return std::nullopt;
}

bool ExpectedKeys::holds_leaf(const Check& check, const Observed& observed) {
  return contains(check.ids, current_leaf(observed.agent.tree, observed.agent.block));
}
std::string ExpectedKeys::actual_leaf(const Check& check, const Observed& observed) {
  const std::uint32_t leaf = current_leaf(observed.agent.tree, observed.agent.block);
  if (leaf == kNoLeaf) return "null";
  return text::json_string(leaf < check.texts.size() ? check.texts[leaf] : '#' + std::to_string(leaf));
}

Faults ExpectedKeys::compile_status(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                    Check& check) {
  check.is_null = value.kind == JsonKind::null;
  const std::optional<Result> result =
      value.kind == JsonKind::string ? result_called(value.string) : std::optional<Result>();
  if (result) check.ids = {static_cast<std::uint32_t>(*result)};
  if (check.is_null || result) return std::nullopt;
  return value_fault("status", value, strategy_of(engine_of_tree(compiler.tree_)).statuses);
}
bool ExpectedKeys::holds_status(const Check& check, const Observed& observed) {
  if (check.is_null || !observed.status) return check.is_null && !observed.status;
  return check.ids.front() == static_cast<std::uint32_t>(*observed.status);
}
std::string ExpectedKeys::actual_status(const Check&, const Observed& observed) {
  return json_or_null(observed.status ? result_name(*observed.status) : "", !observed.status);
}

// A path has one part for each level, with the deciders that have its name.
Faults ExpectedKeys::compile_path(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                  Check& check) {
  if (!is_list_of_strings(value)) return value_fault("path", value, "a list of the names of deciders");
  if (!value.values.empty() && is_stripped(*compiler.tree_.asset)) {
    return LineFault{rules::TRC_stripped_names, value.span, "the asset was stripped of the names of its deciders",
                     "expect \"behavior\" and \"running\" in place of \"path\""};
  }
  const Tree& tree = compiler.tree_;
  const auto& record =
      records<layout::DeciderTree>(*tree.asset, layout::SectionId::decider_trees)[tree_record(tree).record];
  const std::uint32_t first_word = unit_record(*tree.asset, record.first_unit).first_word;
  std::vector<std::string_view> names;
  for (std::uint32_t i = 0; i < record.node_count && !value.values.empty(); ++i) {
    names.push_back(decider_name(tree, first_word + i * kDeciderWords));
  }
  for (const JsonValue& name : value.values) {
    Check& level = check.parts.emplace_back();
    for (std::uint32_t i = 0; i < names.size(); ++i) {
      if (names[i] == name.string) level.ids.push_back(first_word + i * kDeciderWords);
    }
    std::optional<std::vector<Places::Found>> placed;
    if (level.ids.empty()) {
      if (auto fault = compiler.find_placed(name, true, &placed)) return fault;
    }
    if (placed) {
      for (const Places::Found& node : *placed) level.ids.push_back(node.word);
      std::sort(level.ids.begin(), level.ids.end());
      continue;
    }
    compiler.note_unknown("decider", name, names);
  }
  return std::nullopt;
}
bool ExpectedKeys::holds_path(const Check& check, const Observed& observed) {
  const auto& [tree, block, shared, time_us, unused, crowd] = observed.agent;
  if (active_count(tree, block) != check.parts.size()) return false;
  for (std::uint32_t level = 0; level < check.parts.size(); ++level) {
    const ActiveDecider active = active_decider(tree, const_cast<void*>(block), level);
    if (!contains(check.parts[level].ids, active.node_word)) return false;
  }
  return true;
}
std::string ExpectedKeys::actual_path(const Check&, const Observed& observed) {
  std::vector<std::string> path;
  for (const ActiveDecider& decider : active_path(observed.agent)) {
    path.push_back(decider_text(observed.agent.tree, decider.node_word));
  }
  return json_list(path);
}

// A part for each action.
Faults ExpectedKeys::compile_actions(ExpectationCompiler& compiler, const JsonValue& value, Check& check) {
  if (!is_list_of_strings(value)) {
    const std::string_view runner = strategy_of(engine_of_tree(compiler.tree_)).runner;
    return value_fault(check.key->name, value, "a list of the names of " + std::string(runner) + "s");
  }
  for (const JsonValue& name : value.values) {
    Check& part = check.parts.emplace_back();
    if (auto fault = find_behavior(compiler, name, part)) return fault;
    if (part.ids.empty()) part.ids.push_back(kNoBehavior);  // which never runs
    std::sort(part.ids.begin(), part.ids.end());
  }
  return std::nullopt;
}
// In any order.
Faults ExpectedKeys::compile_running(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                     Check& check) {
  if (auto fault = compile_actions(compiler, value, check)) return fault;
  const auto has_place = [](const Check& part) { return !part.nodes.empty(); };
  if (std::any_of(check.parts.begin(), check.parts.end(), has_place)) return std::nullopt;
  for (const Check& part : check.parts) check.ids.insert(check.ids.end(), part.ids.begin(), part.ids.end());
  std::sort(check.ids.begin(), check.ids.end());
  check.ids.erase(std::unique(check.ids.begin(), check.ids.end()), check.ids.end());
  check.parts.clear();
  return std::nullopt;
}
static std::vector<std::uint32_t> running(const Observed& observed) {
  return strategy_of(engine_of_tree(observed.agent.tree)).running(observed.agent);
}
static bool is_meant(const Check& part, const RunningNode& node) {
  return part.nodes.empty() ? contains(part.ids, node.behavior) : contains(part.nodes, node.word);
}
// These run, each in a node of its own, and perhaps others too.
Faults ExpectedKeys::compile_runs(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                  Check& check) {
  if (auto fault = compile_actions(compiler, value, check)) return fault;
  std::stable_partition(check.parts.begin(), check.parts.end(), [](const Check& part) { return !part.nodes.empty(); });
  return std::nullopt;
}
bool ExpectedKeys::holds_runs(const Check& check, const Observed& observed) {
  std::vector<RunningNode> nodes = running_nodes(observed.agent);
  return std::all_of(check.parts.begin(), check.parts.end(), [&](const Check& part) {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const RunningNode& node) { return is_meant(part, node); });
    if (found == nodes.end()) return false;
    nodes.erase(found);
    return true;
  });
}
// Each that runs is expected, and each that is expected runs.
static bool hold_nodes(const std::vector<Check>& parts, const std::vector<RunningNode>& nodes) {
  const auto is_expected = [&](const RunningNode& node) {
    return std::any_of(parts.begin(), parts.end(), [&](const Check& part) { return is_meant(part, node); });
  };
  const auto runs = [&](const Check& part) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const RunningNode& node) { return is_meant(part, node); });
  };
  return std::all_of(nodes.begin(), nodes.end(), is_expected) && std::all_of(parts.begin(), parts.end(), runs);
}
bool ExpectedKeys::holds_running(const Check& check, const Observed& observed) {
  if (!check.parts.empty()) return hold_nodes(check.parts, running_nodes(observed.agent));
  std::vector<std::uint32_t> ids = running(observed);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids == check.ids;
}
std::string ExpectedKeys::actual_running(const Check&, const Observed& observed) {
  std::vector<std::string> names;
  for (const std::uint32_t behavior : running(observed)) {
    names.emplace_back(behavior_name(*observed.agent.tree.asset, behavior));
  }
  return json_list(names);
}

// Null: there is no current rule, or it has no id.
Faults ExpectedKeys::compile_rule(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                  Check& check) {
  if (!is_string_or_null(value)) return value_fault("rule", value, "the id of a rule, or null");
  const bool is_null = value.kind == JsonKind::null;
  std::vector<std::string_view> ids;
  for (std::uint32_t rule = 0; rule < rule_count(compiler.tree_); ++rule) {
    const std::string_view id = rule_id(compiler.tree_, rule);
    if (id.empty() ? is_null : !is_null && id == value.string) check.ids.push_back(rule);
    if (!id.empty()) ids.push_back(id);
  }
  if (is_null) check.ids.push_back(kNoRule);
  if (!is_null) compiler.note_unknown("rule", value, ids);
  return std::nullopt;
}
bool ExpectedKeys::holds_rule(const Check& check, const Observed& observed) {
  return contains(check.ids, current_rule(observed.agent.tree, observed.agent.block));
}
std::string ExpectedKeys::actual_rule(const Check&, const Observed& observed) {
  const std::uint32_t rule = current_rule(observed.agent.tree, observed.agent.block);
  const std::string_view id = rule == kNoRule ? std::string_view() : rule_id(observed.agent.tree, rule);
  return json_or_null(id, id.empty());
}
}  // namespace espalier::replay
