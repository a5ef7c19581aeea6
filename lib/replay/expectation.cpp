// Checking `expect` lines. See expectation.h.
#include "replay/expectation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

constexpr std::size_t kRecentEvents = 8;
constexpr std::size_t kMaxEvents = kMaxLineBytes / 8;  // more than a line has room for

// What can be expected, with the trees that have it.
constexpr unsigned kSelecting = 1;
constexpr unsigned kTicking = 2;
constexpr unsigned kOfRules = 4;
constexpr unsigned kDeciding = 8;
constexpr unsigned kStoring = 16;
constexpr unsigned kAll = kSelecting | kTicking | kOfRules | kDeciding | kStoring;

struct KeyRow {
  std::string_view key;
  unsigned trees;
  std::string_view owner;  // of those that these trees do not have
};

constexpr KeyRow kKeys[] = {
    {"behavior", kSelecting | kDeciding, "selection and decider trees"},
    {"leaf", kSelecting, "selection trees"},
    {"status", kAll, {}},
    {"running", kTicking | kOfRules | kDeciding | kStoring, "trees with actions"},
    {"path", kDeciding, "decider trees"},
    {"rule", kOfRules, "Drag[en]gine trees"},
    {"inside", kStoring, "synchronized trees"},
    {"variables", kSelecting | kTicking, "trees with variables"},
    {"flags", kDeciding, "decider trees"},
    {"stimuli", kDeciding, "decider trees"},
    {"timestamps", kTicking, "modular trees"},
    {"events", kAll, {}},
};

LineFault value_fault(std::string_view key, const JsonValue& value, const char* should_be) {
  return {Rule::TRC_wrong_value, value.span, text::quote(key) + " should be " + should_be};
}

bool is_list_of_strings(const JsonValue& value) {
  const auto is_string = [](const JsonValue& item) { return item.kind == JsonKind::string; };
  return value.kind == JsonKind::list && std::all_of(value.values.begin(), value.values.end(), is_string);
}

bool is_string_or_null(const JsonValue& value) {
  return value.kind == JsonKind::string || value.kind == JsonKind::null;
}

// With its quotes, when it is a string: what stands in the line.
text::Span whole_span(const JsonValue& value) {
  if (value.kind != JsonKind::string) return value.span;
  return {value.span.file, value.span.begin - 1, value.span.end + 1};
}

}  // namespace

void EventLog::add(const Event& event, KindSet kinds) {
  if (kinds.has(event.kind) && since_.size() < kMaxEvents) since_.push_back(event);
  if (!is_news(event)) return;
  recent_.push_back(event);
  if (recent_.size() > kRecentEvents) recent_.pop_front();
}

bool EventLog::is_news(const Event& event) const {
  if (event.kind == EventKind::tick) return event.value != "running";
  if (event.kind != EventKind::status) return true;
  const auto is_alike = [&](const Event& other) { return other.kind == event.kind && other.agent == event.agent; };
  const auto last = std::find_if(recent_.rbegin(), recent_.rend(), is_alike);
  return last == recent_.rend() || last->name != event.name;
}

std::vector<std::string> EventLog::since_last(bool several_agents) const {
  std::vector<std::string> texts;
  for (const Event& event : since_) texts.push_back(event_text(event, several_agents));
  return texts;
}

std::optional<LineFault> Expectations::check(const Line& line, std::vector<Difference>* differences) {
  // These are of all agents: an agent that was destroyed may stand beside them.
  const auto is_of_all = [](const JsonValue::Key& key) { return key.name == "events" || key.name == "inside"; };
  std::vector<std::uint32_t> indices;
  if (!std::all_of(line.value->keys.begin(), line.value->keys.end(), is_of_all)) {
    if (auto fault = session_.targets(line, &indices)) return fault;
  }
  differences_ = differences;
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue::Key& key = line.value->keys[i];
    const JsonValue& expected = line.value->values[i];
    if (auto fault = find_fault(key)) return fault;
    if (is_of_all(key)) {
      if (auto fault = key.name == "events" ? check_events(expected) : check_inside(expected)) return fault;
      continue;
    }
    for (const std::uint32_t index : indices) {
      if (auto fault = check_key(key, expected, index)) return fault;
    }
  }
  std::stable_sort(differences->begin(), differences->end(),
                   [](const Difference& a, const Difference& b) { return a.span.begin < b.span.begin; });
  return std::nullopt;
}

std::optional<LineFault> Expectations::check_key(const JsonValue::Key& key, const JsonValue& expected,
                                                 std::uint32_t agent) {
  if (key.name == "behavior") return check_behavior(expected, agent);
  if (key.name == "leaf") return check_leaf(expected, agent);
  if (key.name == "status") return check_status(expected, agent);
  if (key.name == "running") return check_running(expected, agent);
  if (key.name == "rule") return check_rule(expected, agent);
  if (key.name == "timestamps") return check_timestamps(expected, agent);
  if (key.name == "path") return check_path(expected, agent);
  if (key.name == "stimuli") return check_stimuli(expected, agent);
  return check_variables(key.name, expected, agent);
}

// A key that these trees do not have.
std::optional<LineFault> Expectations::find_fault(const JsonValue::Key& key) const {
  constexpr unsigned kTrees[] = {kSelecting, kTicking, kOfRules, kDeciding, kStoring};
  const unsigned trees = kTrees[static_cast<unsigned>(session_.engine())];
  std::vector<std::string_view> known;
  for (const KeyRow& row : kKeys) {
    const bool is_known = (row.trees & trees) != 0;
    if (is_known) known.push_back(row.key);
    if (row.key != key.name) continue;
    if (is_known) return std::nullopt;
    return LineFault{Rule::TRC_unsupported_line, key.span,
                     text::quote(key.name) + " can be expected of " + std::string(row.owner) + ", and this is a " +
                         std::string(session_.kind_name()) + " tree"};
  }
  return LineFault{Rule::TRC_unknown_key, key.span, "nothing called " + text::quote(key.name) + " can be expected",
                   text::did_you_mean(key.name, known)};
}

void Expectations::compare(std::string_view key, const JsonValue& expected, std::uint32_t agent,
                           const std::string* actual) {
  const bool is_equal = actual == nullptr ? expected.kind == JsonKind::null
                                          : expected.kind == JsonKind::string && expected.string == *actual;
  if (is_equal) return;
  differences_->push_back(
      {agent, std::string(key), whole_span(expected), actual == nullptr ? "null" : json_string(*actual)});
}

std::optional<LineFault> Expectations::check_behavior(const JsonValue& expected, std::uint32_t agent) {
  if (!is_string_or_null(expected)) return value_fault("behavior", expected, "the name of a behaviour, or null");
  const std::uint32_t behavior = behavior_of(agent);
  const std::string name(behavior == kNoBehavior ? "" : behavior_name(*session_.tree().asset, behavior));
  compare("behavior", expected, agent, behavior == kNoBehavior ? nullptr : &name);
  return std::nullopt;
}

// Of the path's last decider, or the current leaf.
std::uint32_t Expectations::behavior_of(std::uint32_t agent) const {
  if (!session_.has_deciders()) return current_behavior(session_.tree(), session_.block(agent));
  const std::vector<ActiveDecider> path = session_.active_path(agent);
  return path.empty() ? kNoBehavior : path.back().behavior;
}

// A leaf is told as it is asked for: by its path where the expectation has one, else by its name.
std::optional<LineFault> Expectations::check_leaf(const JsonValue& expected, std::uint32_t agent) {
  if (!is_string_or_null(expected)) return value_fault("leaf", expected, "the name or path of a leaf, or null");
  const Tree& tree = session_.tree();
  const std::uint32_t leaf = current_leaf(tree, session_.block(agent));
  if (leaf == kNoLeaf) {
    compare("leaf", expected, agent, nullptr);
    return std::nullopt;
  }
  if (leaf_tree_.asset != tree.asset || leaf_tree_.index != tree.index) {
    leaf_paths_ = codegen::leaf_paths(tree);
    leaf_tree_ = tree;
  }
  if (leaf >= leaf_paths_.size()) {
    return LineFault{Rule::TRC_stripped_names, expected.span, "the asset was stripped of the names of its leaves",
                     "expect \"behavior\" in place of \"leaf\""};
  }
  const std::string& path = leaf_paths_[leaf];
  const bool is_path = expected.string.find('/') != std::string::npos;
  const std::string name = is_path ? path : path.substr(path.rfind('/') + 1);
  compare("leaf", expected, agent, &name);
  return std::nullopt;
}

std::optional<LineFault> Expectations::check_status(const JsonValue& expected, std::uint32_t agent) {
  constexpr std::string_view kStatuses[] = {"running", "success", "failure", "error"};
  const bool is_status = expected.kind == JsonKind::null ||
                         std::find(std::begin(kStatuses), std::end(kStatuses), expected.string) != std::end(kStatuses);
  if (!is_status) {
    return value_fault(
        "status", expected,
        session_.has_deciders() ? "\"running\", \"failure\" or \"error\"" : "\"running\", \"success\" or \"failure\"");
  }
  const std::optional<Result> status = session_.agent(agent)->state.status;
  const std::string name(status ? result_name(*status) : "");
  compare("status", expected, agent, status ? &name : nullptr);
  return std::nullopt;
}

std::optional<LineFault> Expectations::check_variables(const std::string& key, const JsonValue& expected,
                                                       std::uint32_t agent) {
  if (expected.kind != JsonKind::object) return value_fault(key, expected, "an object of names and values");
  for (std::size_t i = 0; i < expected.keys.size(); ++i) {
    const JsonValue::Key& name = expected.keys[i];
    const JsonValue& value = expected.values[i];
    std::uint32_t id = 0;
    if (auto fault = session_.find(name.name, name.span, &id)) return fault;
    if (value.kind != JsonKind::boolean) return value_fault(name.name, value, "true or false");
    const bool actual = variable(session_.tree(), session_.block(agent), id);
    if (actual != value.boolean) {
      differences_->push_back({agent, key + '.' + name.name, value.span, actual ? "true" : "false"});
    }
  }
  return std::nullopt;
}

// True: present; false: not; a string: present with this data.
std::optional<LineFault> Expectations::check_stimuli(const JsonValue& expected, std::uint32_t agent) {
  if (expected.kind != JsonKind::object) return value_fault("stimuli", expected, "an object of names and values");
  for (std::size_t i = 0; i < expected.keys.size(); ++i) {
    const JsonValue::Key& name = expected.keys[i];
    const JsonValue& value = expected.values[i];
    std::uint32_t id = 0;
    if (auto fault = session_.find_stimulus(name.name, name.span, &id)) return fault;
    const bool is_of_data = value.kind == JsonKind::string;
    if (!is_of_data && value.kind != JsonKind::boolean) {
      return value_fault(name.name, value, "true, false, or the data it has");
    }
    StimulusData data;
    const bool is_present = stimulus(session_.tree(), session_.block(agent), id, &data);
    const std::string text(data.bytes, data.bytes + data.size_bytes);
    if (is_of_data ? is_present && text == value.string : is_present == value.boolean) continue;
    std::string actual = is_present ? "true" : "false";
    if (is_of_data && is_present) actual = json_string(text);
    differences_->push_back({agent, "stimuli." + name.name, whole_span(value), std::move(actual)});
  }
  return std::nullopt;
}

std::optional<LineFault> Expectations::check_path(const JsonValue& expected, std::uint32_t agent) {
  if (!is_list_of_strings(expected)) return value_fault("path", expected, "a list of the names of deciders");
  const Tree& tree = session_.tree();
  std::vector<std::string> path;
  for (const ActiveDecider& decider : session_.active_path(agent)) {
    path.push_back(decider_text(tree, decider.node_word));
    if (!expected.values.empty() && decider_name(tree, decider.node_word).empty()) {
      return LineFault{Rule::TRC_stripped_names, expected.span, "the asset was stripped of the names of its deciders",
                       "expect \"behavior\" and \"running\" in place of \"path\""};
    }
  }
  const auto is_equal = [](const JsonValue& name, const std::string& text) { return name.string == text; };
  if (std::equal(expected.values.begin(), expected.values.end(), path.begin(), path.end(), is_equal)) {
    return std::nullopt;
  }
  differences_->push_back({agent, "path", expected.span, json_list(path)});
  return std::nullopt;
}

// The actions that are active, in the order of the file; of deciders all behaviours of the path.
std::vector<std::string> Expectations::running_behaviors(std::uint32_t agent) const {
  const Tree& tree = session_.tree();
  const void* block = session_.block(agent);
  std::vector<std::string> names;
  if (session_.has_deciders()) {
    for (const ActiveDecider& decider : session_.active_path(agent)) {
      if (decider.behavior != kNoBehavior) names.emplace_back(behavior_name(*tree.asset, decider.behavior));
    }
    return names;
  }
  std::vector<std::uint32_t> words;
  if (!session_.has_rules()) {
    words = active_nodes(tree, block);
  } else if (is_action_running(tree, block)) {
    words = {rule_node(tree, current_rule(tree, block))};
  }
  for (const std::uint32_t word : words) {
    const codegen::NodeView node = codegen::node_at(*tree.asset, word);
    const bool is_action =
        node.opcode == Opcode::tick_action || node.opcode == Opcode::rule_action || node.opcode == Opcode::store_action;
    if (!is_action) continue;
    names.emplace_back(behavior_name(*tree.asset, *codegen::operand(node, OperandKind::behavior)));
  }
  return names;
}

// Expected in any order.
std::optional<LineFault> Expectations::check_running(const JsonValue& expected, std::uint32_t agent) {
  if (!is_list_of_strings(expected)) {
    return value_fault(
        "running", expected,
        session_.has_deciders() ? "a list of the names of behaviours" : "a list of the names of actions");
  }
  const std::vector<std::string> running = running_behaviors(agent);
  std::set<std::string> wanted;
  for (const JsonValue& value : expected.values) wanted.insert(value.string);
  if (wanted == std::set<std::string>(running.begin(), running.end())) return std::nullopt;
  differences_->push_back({agent, "running", expected.span, json_list(running)});
  return std::nullopt;
}

// Null: there is no current rule, or it has no id.
std::optional<LineFault> Expectations::check_rule(const JsonValue& expected, std::uint32_t agent) {
  if (!is_string_or_null(expected)) return value_fault("rule", expected, "the id of a rule, or null");
  const std::uint32_t rule = current_rule(session_.tree(), session_.block(agent));
  const std::string id(rule == kNoRule ? std::string_view() : rule_id(session_.tree(), rule));
  const std::size_t count = differences_->size();
  compare("rule", expected, agent, id.empty() ? nullptr : &id);
  std::uint32_t found = 0;
  if (differences_->size() == count || expected.kind == JsonKind::null) return std::nullopt;
  if (find_rule(session_.tree(), expected.string, &found) == Status::ok) return std::nullopt;
  const std::string hint = session_.nearest_rule(expected.string);
  differences_->back().note = "the tree has no such rule" + (hint.empty() ? "" : ": " + hint);
  return std::nullopt;
}

// Seconds since a timestamp was set, or null.
std::optional<LineFault> Expectations::check_timestamps(const JsonValue& expected, std::uint32_t agent) {
  if (expected.kind != JsonKind::object) return value_fault("timestamps", expected, "an object of names and seconds");
  const Tree& tree = session_.tree();
  for (std::size_t i = 0; i < expected.keys.size(); ++i) {
    const JsonValue::Key& key = expected.keys[i];
    const JsonValue& value = expected.values[i];
    std::uint32_t id = 0;
    if (find_timestamp(tree, key.name, &id) != Status::ok) {
      std::vector<std::string_view> names;
      for (std::uint32_t j = 0; j < timestamp_count(tree); ++j) names.push_back(timestamp_name(tree, j));
      return LineFault{Rule::TRC_unknown_name, key.span,
                       "tree " + text::quote(tree_name(tree)) + " has no timestamp " + text::quote(key.name),
                       text::did_you_mean(key.name, names)};
    }
    const bool is_time = value.kind == JsonKind::number && to_microseconds(value.number);
    if (value.kind != JsonKind::null && !is_time) {
      return value_fault(key.name, value, "the seconds since it was set, or null");
    }
    std::uint64_t set_us = 0;
    const bool is_set = timestamp(tree, session_.block(agent), id, &set_us);
    const std::uint64_t since_us = session_.time_us() - set_us;
    const bool is_equal = is_set ? value.kind == JsonKind::number && to_microseconds(value.number) == since_us
                                 : value.kind == JsonKind::null;
    if (is_equal) continue;
    differences_->push_back({agent, "timestamps." + key.name, value.span, is_set ? seconds_text(since_us) : "null"});
  }
  return std::nullopt;
}

// How many agents are in gates and groups.
std::optional<LineFault> Expectations::check_inside(const JsonValue& expected) {
  if (expected.kind != JsonKind::object) {
    return value_fault("inside", expected, "an object of names of gates and groups, and numbers of agents");
  }
  for (std::size_t i = 0; i < expected.keys.size(); ++i) {
    const JsonValue::Key& name = expected.keys[i];
    const JsonValue& value = expected.values[i];
    std::uint64_t count = 0;
    if (auto fault = session_.find_inside(name.name, name.span, &count)) return fault;
    const bool is_count =
        value.kind == JsonKind::number && value.number >= 0 && std::trunc(value.number) == value.number;
    if (!is_count) return value_fault(name.name, value, "a number of agents");
    if (value.number == static_cast<double>(count)) continue;
    differences_->push_back({std::nullopt, "inside." + name.name, value.span, std::to_string(count)});
  }
  return std::nullopt;
}

std::optional<LineFault> Expectations::check_events(const JsonValue& expected) {
  if (expected.kind != JsonKind::list) return value_fault("events", expected, "a list of events as strings");
  for (const JsonValue& event : expected.values) {
    if (event.kind != JsonKind::string) return value_fault("events", event, "a list of events as strings");
  }
  const std::vector<std::string> actual = log_.since_last(session_.has_several_agents());
  const auto is_equal = [](const JsonValue& event, const std::string& text) { return event.string == text; };
  const auto [differs, is] =
      std::mismatch(expected.values.begin(), expected.values.end(), actual.begin(), actual.end(), is_equal);
  if (differs == expected.values.end() && is == actual.end()) return std::nullopt;
  std::string note;
  if (differs == expected.values.end()) {
    note = "beyond those expected: " + json_string(*is);
  } else if (is == actual.end()) {
    note = "did not happen: " + json_string(differs->string);
  } else if (expected.values.size() > 1) {
    note = "the first that differs is number " + std::to_string(is - actual.begin() + 1) + ": " + json_string(*is);
  }
  differences_->push_back({std::nullopt, "events", expected.span, json_list(actual), std::move(note)});
  return std::nullopt;
}

}  // namespace espalier::replay
