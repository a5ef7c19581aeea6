// How each key is compiled and compared. See expected_keys.h.
#include "replay/expected_keys.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "replay/entry_changes.h"
#include "replay/event.h"
#include "replay/strategy.h"
#include "rules/traces.h"
#include "runtime/asset/view.h"
#include "runtime/decide/layout.h"
#include "runtime/format/opcode.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

namespace {

using Faults = std::optional<LineFault>;

bool is_list_of_strings(const JsonValue& value) {
  const auto is_string = [](const JsonValue& item) { return item.kind == JsonKind::string; };
  return value.kind == JsonKind::list && std::all_of(value.values.begin(), value.values.end(), is_string);
}

bool is_string_or_null(const JsonValue& value) {
  return value.kind == JsonKind::string || value.kind == JsonKind::null;
}

bool contains(const std::vector<std::uint32_t>& ids, std::uint32_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

std::string json_or_null(std::string_view text, bool is_null) { return is_null ? "null" : text::json_string(text); }

}  // namespace

LineFault value_fault(std::string_view key, const JsonValue& value, std::string_view should_be) {
  return LineFault{rules::TRC_wrong_value, value.span, text::quote(key) + " should be " + std::string(should_be)};
}

// Each key has three functions: it is compiled, holds, and has an actual value.
struct ExpectedKeys {
  // ---- Current behaviours and rules

  static Faults compile_behavior(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                                 Check& check) {
    if (!is_string_or_null(value)) return value_fault("behavior", value, "the name of a behaviour, or null");
    if (value.kind == JsonKind::null) {
      check.ids = {kNoBehavior};
      return std::nullopt;
    }
    return find_behavior(compiler, value, check);
  }

  // Adds the behaviours of this name to the ids, and the nodes if it has a place.
  static Faults find_behavior(ExpectationCompiler& compiler, const JsonValue& value, Check& check) {
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
  static bool holds_behavior(const Check& check, const Observed& observed) {
    if (!check.nodes.empty()) return contains(check.nodes, current_node(observed.agent));
    return contains(check.ids, current(observed));
  }
  static std::string actual_behavior(const Check&, const Observed& observed) {
    const std::uint32_t behavior = current(observed);
    if (behavior == kNoBehavior) return "null";
    return text::json_string(behavior_name(*observed.agent.tree.asset, behavior));
  }

  // A leaf is named as it is expected: by its path if the expected value has one, otherwise by its name.
  static Faults compile_leaf(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
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

  static bool holds_leaf(const Check& check, const Observed& observed) {
    return contains(check.ids, current_leaf(observed.agent.tree, observed.agent.block));
  }
  static std::string actual_leaf(const Check& check, const Observed& observed) {
    const std::uint32_t leaf = current_leaf(observed.agent.tree, observed.agent.block);
    if (leaf == kNoLeaf) return "null";
    return text::json_string(leaf < check.texts.size() ? check.texts[leaf] : '#' + std::to_string(leaf));
  }

  static Faults compile_status(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                               Check& check) {
    check.is_null = value.kind == JsonKind::null;
    const std::optional<Result> result =
        value.kind == JsonKind::string ? result_called(value.string) : std::optional<Result>();
    if (result) check.ids = {static_cast<std::uint32_t>(*result)};
    if (check.is_null || result) return std::nullopt;
    return value_fault("status", value, strategy_of(engine_of_tree(compiler.tree_)).statuses);
  }
  static bool holds_status(const Check& check, const Observed& observed) {
    if (check.is_null || !observed.status) return check.is_null && !observed.status;
    return check.ids.front() == static_cast<std::uint32_t>(*observed.status);
  }
  static std::string actual_status(const Check&, const Observed& observed) {
    return json_or_null(observed.status ? result_name(*observed.status) : "", !observed.status);
  }

  // A path has one part for each level, with the deciders that have its name.
  static Faults compile_path(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
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
  static bool holds_path(const Check& check, const Observed& observed) {
    const auto& [tree, block, shared, time_us, unused, crowd] = observed.agent;
    if (active_count(tree, block) != check.parts.size()) return false;
    for (std::uint32_t level = 0; level < check.parts.size(); ++level) {
      const ActiveDecider active = active_decider(tree, const_cast<void*>(block), level);
      if (!contains(check.parts[level].ids, active.node_word)) return false;
    }
    return true;
  }
  static std::string actual_path(const Check&, const Observed& observed) {
    std::vector<std::string> path;
    for (const ActiveDecider& decider : active_path(observed.agent)) {
      path.push_back(decider_text(observed.agent.tree, decider.node_word));
    }
    return json_list(path);
  }

  // A part for each action.
  static Faults compile_actions(ExpectationCompiler& compiler, const JsonValue& value, Check& check) {
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
  static Faults compile_running(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
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
  static Faults compile_runs(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                             Check& check) {
    if (auto fault = compile_actions(compiler, value, check)) return fault;
    std::stable_partition(check.parts.begin(), check.parts.end(),
                          [](const Check& part) { return !part.nodes.empty(); });
    return std::nullopt;
  }
  static bool holds_runs(const Check& check, const Observed& observed) {
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
  static bool holds_running(const Check& check, const Observed& observed) {
    if (!check.parts.empty()) return hold_nodes(check.parts, running_nodes(observed.agent));
    std::vector<std::uint32_t> ids = running(observed);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids == check.ids;
  }
  static std::string actual_running(const Check&, const Observed& observed) {
    std::vector<std::string> names;
    for (const std::uint32_t behavior : running(observed)) {
      names.emplace_back(behavior_name(*observed.agent.tree.asset, behavior));
    }
    return json_list(names);
  }

  // Null: there is no current rule, or it has no id.
  static Faults compile_rule(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
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
  static bool holds_rule(const Check& check, const Observed& observed) {
    return contains(check.ids, current_rule(observed.agent.tree, observed.agent.block));
  }
  static std::string actual_rule(const Check&, const Observed& observed) {
    const std::uint32_t rule = current_rule(observed.agent.tree, observed.agent.block);
    const std::string_view id = rule == kNoRule ? std::string_view() : rule_id(observed.agent.tree, rule);
    return json_or_null(id, id.empty());
  }

  // ---- Values of names

  static Faults compile_variable(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                                 Check& check) {
    if (engine_of_tree(compiler.tree_) == EngineId::poll) return compile_entry(compiler, name, value, check);
    const std::string_view word = strategy_of(engine_of_tree(compiler.tree_)).variable;
    auto fault = find_name(compiler.tree_, ESPALIER_VARIABLES, word, name->name, name->span, &check.id);
    if (fault) return fault;
    if (value.kind != JsonKind::boolean) return value_fault(name->name, value, "true or false");
    check.number = value.boolean ? 1 : 0;
    return std::nullopt;
  }
  static bool holds_variable(const Check& check, const Observed& observed) {
    if (engine_of_tree(observed.agent.tree) == EngineId::poll) return holds_entry(check, observed);
    return variable(observed.agent.tree, observed.agent.block, check.id) == (check.number != 0);
  }
  static std::string actual_variable(const Check& check, const Observed& observed) {
    if (engine_of_tree(observed.agent.tree) == EngineId::poll) return actual_entry(check, observed);
    return variable(observed.agent.tree, observed.agent.block, check.id) ? "true" : "false";
  }

  struct EntryName {
    std::string path;
    std::string key;
  };
  static EntryName entry_name(const std::string& name) {
    const std::size_t slash = name.rfind('/');
    if (slash == std::string::npos) return {"", std::string(own_name(name))};
    return {name.substr(0, slash), name.substr(slash + 1)};
  }
  // An entry of a blackboard: "key", or "PATH/key" of a subtree's. Null: it is not there, or has no value.
  static Faults compile_entry(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                              Check& check) {
    const EntryName place = entry_name(name->name);
    if (espalier_find_entry(compiler.tree_, place.path.c_str(), place.key.c_str(), &check.id) != Status::ok)
      check.id = layout::kNone;
    check.is_null = value.kind == JsonKind::null;
    const bool is_text = value.kind == JsonKind::string;
    if (!check.is_null && !is_text && value.kind != JsonKind::number && value.kind != JsonKind::boolean) {
      return value_fault(name->name, value, "a number, a text, true, false or null");
    }
    if (!value.string.empty() || is_text) check.texts = {value.string};  // or digits of a number of 64 bits
    const double number = value.kind == JsonKind::boolean ? (value.boolean ? 1.0 : 0.0) : value.number;
    check.number = std::bit_cast<std::uint64_t>(number);
    return std::nullopt;
  }
  static espalier_value entry_of(const Check& check, const Observed& observed) {
    espalier_value value;
    const AgentView& agent = observed.agent;
    std::uint32_t entry = check.id;
    bool is_found = entry != layout::kNone;
    if (!is_found) {
      const EntryName place = entry_name(check.name);
      is_found =
          espalier_find_entry_now(agent.tree, agent.block, place.path.c_str(), place.key.c_str(), &entry) == Status::ok;
    }
    if (is_found) {
      espalier_entry(agent.tree, agent.block, entry, &value);
    } else if (observed.agent.unused_entries != nullptr) {
      const auto unused = observed.agent.unused_entries->find(own_name(check.name));
      if (unused != observed.agent.unused_entries->end()) return value_of(unused->second);
    }
    return value;
  }
  static bool holds_entry(const Check& check, const Observed& observed) {
    const espalier_value value = entry_of(check, observed);
    if (value.kind == ESPALIER_VALUE_NONE || check.is_null) return check.is_null == (value.kind == ESPALIER_VALUE_NONE);
    const bool is_text = !check.texts.empty() && check.number == 0;
    if (value.kind == ESPALIER_VALUE_TEXT) {
      return is_text && check.texts.front() == std::string_view(value.text, value.text_bytes);
    }
    if (is_text || entry_number(value) != std::bit_cast<double>(check.number)) return false;
    return check.texts.empty() || value.kind == ESPALIER_VALUE_REAL || check.texts.front() == text_of(value);
  }
  static std::string actual_entry(const Check& check, const Observed& observed) {
    const espalier_value value = entry_of(check, observed);
    if (value.kind == ESPALIER_VALUE_NONE) return "null";
    if (value.kind == ESPALIER_VALUE_TEXT) return text::json_string({value.text, value.text_bytes});
    return text_of(value);
  }

  // True: present; false: not; a string: present with this data.
  static Faults compile_stimulus(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                                 Check& check) {
    auto fault = find_name(compiler.tree_, ESPALIER_STIMULI, "stimulus", name->name, name->span, &check.id);
    if (fault) return fault;
    const bool has_data = value.kind == JsonKind::string;
    if (!has_data && value.kind != JsonKind::boolean) {
      return value_fault(name->name, value, "true, false, or the data it has");
    }
    check.number = has_data || value.boolean ? 1 : 0;
    if (has_data) check.texts = {value.string};
    return std::nullopt;
  }
  static bool holds_stimulus(const Check& check, const Observed& observed) {
    StimulusData data;
    const bool is_present = stimulus(observed.agent.tree, observed.agent.block, check.id, &data);
    if (is_present != (check.number != 0)) return false;
    if (check.texts.empty()) return true;
    const std::string& text = check.texts.front();
    return std::equal(text.begin(), text.end(), data.bytes, data.bytes + data.size_bytes,
                      [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; });
  }
  static std::string actual_stimulus(const Check& check, const Observed& observed) {
    StimulusData data;
    const bool is_present = stimulus(observed.agent.tree, observed.agent.block, check.id, &data);
    if (is_present && !check.texts.empty()) {
      return text::json_string(std::string(data.bytes, data.bytes + data.size_bytes));
    }
    return is_present ? "true" : "false";
  }

  // Seconds since a timestamp was set, or null.
  static Faults compile_timestamp(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                                  Check& check) {
    auto fault = find_name(compiler.tree_, ESPALIER_TIMESTAMPS, "timestamp", name->name, name->span, &check.id);
    if (fault) return fault;
    check.is_null = value.kind == JsonKind::null;
    const auto since_us = value.kind == JsonKind::number ? to_microseconds(value.number) : std::nullopt;
    if (!check.is_null && !since_us) return value_fault(name->name, value, "the seconds since it was set, or null");
    check.number = since_us.value_or(0);
    return std::nullopt;
  }
  static bool holds_timestamp(const Check& check, const Observed& observed) {
    std::uint64_t set_us = 0;
    const bool is_set = timestamp(observed.agent.tree, observed.agent.block, check.id, &set_us);
    return is_set ? !check.is_null && observed.agent.time_us - set_us == check.number : check.is_null;
  }
  static std::string actual_timestamp(const Check& check, const Observed& observed) {
    std::uint64_t set_us = 0;
    const bool is_set = timestamp(observed.agent.tree, observed.agent.block, check.id, &set_us);
    return is_set ? seconds_text(observed.agent.time_us - set_us) : "null";
  }

  // ---- Values of all agents

  // The number of agents in the gate or group of this name in any tree; if several have the name, their sum.
  static Faults compile_inside(ExpectationCompiler& compiler, const JsonValue::Key* name, const JsonValue& value,
                               Check& check) {
    if (is_stripped(*compiler.tree_.asset)) {
      return LineFault{rules::TRC_stripped_names, name->span,
                       "the asset was stripped of the names of its gates and groups",
                       "expect \"running\" and \"status\" in place of \"inside\""};
    }
    const auto& places = compiler.places();
    const auto found = places.find(name->name);
    std::optional<std::vector<Places::Found>> placed;
    for (std::size_t i = 0; found == places.end() && !placed && i < compiler.trees_.size(); ++i) {
      if (engine_of_tree(compiler.trees_[i]) != EngineId::store) continue;
      compiler.tree_ = compiler.trees_[i];
      JsonValue whole = {.span = name->span};
      whole.string = name->name;
      if (auto fault = compiler.find_placed(whole, true, &placed)) return fault;
    }
    if (found == places.end() && !placed) {
      std::vector<std::string_view> names;
      names.reserve(places.size());
      for (const auto& [known, words] : places) names.push_back(known);
      return LineFault{rules::TRC_unknown_name, name->span, "unknown gate or group " + text::quote(name->name),
                       text::did_you_mean(name->name, names)};
    }
    const bool is_count =
        value.kind == JsonKind::number && value.number >= 0 && std::trunc(value.number) == value.number;
    if (!is_count) return value_fault(name->name, value, "a number of agents");
    constexpr double kMost = 1e15;
    check.number = static_cast<std::uint64_t>(std::min(value.number, kMost));
    if (!placed) check.ids = found->second;
    for (std::size_t i = 0; placed && i < placed->size(); ++i) {
      const std::uint32_t word = (*placed)[i].word;
      const Opcode opcode = codegen::node_at(*compiler.tree_.asset, word).opcode;
      if (opcode == Opcode::store_gate || opcode == Opcode::store_group) check.ids.push_back(word);
    }
    return std::nullopt;
  }
  static std::uint64_t inside(const Check& check, const Observed& observed) {
    std::uint64_t count = 0;
    for (const std::uint32_t word : check.ids) {
      count += inside_count(*observed.agent.tree.asset, observed.agent.shared, word);
    }
    return count;
  }
  static bool holds_inside(const Check& check, const Observed& observed) {
    return inside(check, observed) == check.number;
  }
  static std::string actual_inside(const Check& check, const Observed& observed) {
    return std::to_string(inside(check, observed));
  }

  static Faults compile_events(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                               Check& check) {
    if (!is_list_of_strings(value)) {
      const auto wrong = std::find_if(value.values.begin(), value.values.end(),
                                      [](const JsonValue& event) { return event.kind != JsonKind::string; });
      const bool is_list = value.kind == JsonKind::list;
      return value_fault("events", is_list ? *wrong : value, "a list of events as strings");
    }
    for (const JsonValue& event : value.values) {
      check.texts.push_back(event.string);
      if (compiler.events_of_run.assets.empty()) continue;
      compiler.events_of_run.is_negated = check.is_negated || compiler.negations_ > 0;
      auto fault = compiler.expected_events_.check(event, compiler.events_of_run);
      if (fault) compiler.unknown.push_back(std::move(*fault));
    }
    return std::nullopt;
  }
  static bool holds_events(const Check& check, const Observed& observed) {
    return std::equal(check.texts.begin(), check.texts.end(), observed.events.begin(), observed.events.end());
  }
  static std::string actual_events(const Check&, const Observed& observed) { return json_list(observed.events); }

  // One of the events since the last expectation; its value may be left out.
  static Faults compile_event(ExpectationCompiler& compiler, const JsonValue::Key*, const JsonValue& value,
                              Check& check) {
    if (value.kind != JsonKind::string) return value_fault("event", value, "an event as a string");
    check.texts.push_back(value.string);
    if (compiler.events_of_run.assets.empty()) return std::nullopt;
    compiler.events_of_run.is_negated = check.is_negated || compiler.negations_ > 0;
    if (auto fault = compiler.expected_events_.check_begin(value, compiler.events_of_run))
      compiler.unknown.push_back(std::move(*fault));
    return std::nullopt;
  }
  static bool holds_event(const Check& check, const Observed& observed) {
    return std::any_of(observed.last_events.begin(), observed.last_events.end(),
                       [&](const std::string& event) { return is_event(event, check.texts.front()); });
  }
  static std::string actual_event(const Check&, const Observed& observed) { return json_list(observed.last_events); }

  static constexpr const char* kNamesAndValues = "an object of names and values";
  static const ExpectedKey kRows[];
};

using Keys = ExpectedKeys;

constexpr ExpectedKey ExpectedKeys::kRows[] = {
    {"behavior", "select decide", false, nullptr, Keys::compile_behavior, Keys::holds_behavior, Keys::actual_behavior},
    {"leaf", "select", false, nullptr, Keys::compile_leaf, Keys::holds_leaf, Keys::actual_leaf},
    {"status", "select tick rule decide store poll", false, nullptr, Keys::compile_status, Keys::holds_status,
     Keys::actual_status},
    {"running", "tick rule decide store poll", false, nullptr, Keys::compile_running, Keys::holds_running,
     Keys::actual_running},
    {"runs", "tick rule decide store poll", false, nullptr, Keys::compile_runs, Keys::holds_runs, Keys::actual_running},
    {"path", "decide", false, nullptr, Keys::compile_path, Keys::holds_path, Keys::actual_path},
    {"rule", "rule", false, nullptr, Keys::compile_rule, Keys::holds_rule, Keys::actual_rule},
    {"inside", "store", true, "an object of names of gates and groups, and numbers of agents", Keys::compile_inside,
     Keys::holds_inside, Keys::actual_inside},
    {"variables", "select tick poll", false, kNamesAndValues, Keys::compile_variable, Keys::holds_variable,
     Keys::actual_variable},
    {"flags", "decide", false, kNamesAndValues, Keys::compile_variable, Keys::holds_variable, Keys::actual_variable},
    {"stimuli", "decide", false, kNamesAndValues, Keys::compile_stimulus, Keys::holds_stimulus, Keys::actual_stimulus},
    {"timestamps", "tick", false, "an object of names and seconds", Keys::compile_timestamp, Keys::holds_timestamp,
     Keys::actual_timestamp},
    {"events", "select tick rule decide store poll", true, nullptr, Keys::compile_events, Keys::holds_events,
     Keys::actual_events},
    {"event", "select tick rule decide store poll", true, nullptr, Keys::compile_event, Keys::holds_event,
     Keys::actual_event},
};

std::span<const ExpectedKey> expected_keys() { return ExpectedKeys::kRows; }

}  // namespace espalier::replay
