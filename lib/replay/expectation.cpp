// Checking `expect` lines. See expectation.h.
#include "replay/expectation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/dump/disassemble.h"
#include "replay/strategy.h"
#include "runtime/asset/view.h"
#include "text/json.h"
#include "text/names.h"

namespace espalier::replay {
namespace {

using rules::Rule;
using text::JsonKind;
using text::JsonValue;

bool is_list_of_strings(const JsonValue& value) {
  const auto is_string = [](const JsonValue& item) { return item.kind == JsonKind::string; };
  return value.kind == JsonKind::list && std::all_of(value.values.begin(), value.values.end(), is_string);
}

bool is_string_or_null(const JsonValue& value) {
  return value.kind == JsonKind::string || value.kind == JsonKind::null;
}

// The whole value in the line, including the quotes of a string.
text::Span whole_span(const JsonValue& value) {
  if (value.kind != JsonKind::string) return value.span;
  return {value.span.file, value.span.begin - 1, value.span.end + 1};
}

constexpr std::uint32_t kAnyAgent = 0xFFFFFFFFu;

}  // namespace

// ---- Keys

const Expectations::Key Expectations::kKeys[] = {
    {"behavior", "select decide", false, &Expectations::check_behavior},
    {"leaf", "select", false, &Expectations::check_leaf},
    {"status", "select tick rule decide store", false, &Expectations::check_status},
    {"running", "tick rule decide store", false, &Expectations::check_running},
    {"path", "decide", false, &Expectations::check_path},
    {"rule", "rule", false, &Expectations::check_rule},
    {"inside", "store", true, &Expectations::check_inside},
    {"variables", "select tick", false, &Expectations::check_variables},
    {"flags", "decide", false, &Expectations::check_variables},
    {"stimuli", "decide", false, &Expectations::check_stimuli},
    {"timestamps", "tick", false, &Expectations::check_timestamps},
    {"events", "select tick rule decide store", true, &Expectations::check_events},
};

bool Expectations::is_key_of_all(std::string_view name) {
  return std::any_of(std::begin(kKeys), std::end(kKeys),
                     [&](const Key& key) { return key.name == name && key.is_of_all; });
}

std::optional<LineFault> Expectations::find_key(const JsonValue::Key& name, const Key** key) const {
  std::vector<std::string_view> known;
  for (const Key& row : kKeys) {
    const bool is_known = has_key(row);
    if (is_known) known.push_back(row.name);
    if (row.name != name.name) continue;
    *key = &row;
    if (is_known) return std::nullopt;
    return LineFault{
        Rule::TRC_unsupported_line, name.span,
        text::quote(name.name) + " cannot be expected of " + std::string(session_.strategy().kind) + " trees",
        "it is for " + trees_text([&](EngineId id) { return names_engine(row.engines, id); })};
  }
  return LineFault{Rule::TRC_unknown_key, name.span, "unknown key " + text::quote(name.name) + " of 'expect'",
                   text::did_you_mean(name.name, known)};
}

// For a key of all agents: does any tree have it?
bool Expectations::has_key(const Key& key) const {
  if (!key.is_of_all) return names_engine(key.engines, session_.engine());
  const std::vector<Tree> trees = session_.trees();
  return std::any_of(trees.begin(), trees.end(),
                     [&](const Tree& tree) { return names_engine(key.engines, engine_of_tree(tree)); });
}

std::optional<LineFault> Expectations::check(std::string_view text, const Line& line, std::vector<Failure>* failures) {
  text_ = text;
  failures_ = failures;
  std::optional<std::vector<std::uint32_t>> agents;
  for (const JsonValue::Key& name : line.value->keys) {  // with only keys for all agents, the agent may be destroyed
    if (agents || is_key_of_all(name.name)) continue;
    if (auto fault = session_.targets(line, &agents.emplace())) return fault;
  }
  for (std::size_t i = 0; i < line.value->keys.size(); ++i) {
    const JsonValue& expected = line.value->values[i];
    const bool is_of_all = is_key_of_all(line.value->keys[i].name);
    for (const std::uint32_t agent : is_of_all || !agents ? std::vector{kAnyAgent} : *agents) {
      if (agent != kAnyAgent) session_.act_as(agent);
      if (auto fault = find_key(line.value->keys[i], &key_)) return fault;
      if (auto fault = (this->*key_->check)(expected, agent)) return fault;
    }
  }
  std::stable_sort(failures->begin(), failures->end(),
                   [](const Failure& a, const Failure& b) { return a.span.begin < b.span.begin; });
  return std::nullopt;
}

// ---- Common to all checks

LineFault Expectations::value_fault(std::string_view key, const JsonValue& value, std::string_view should_be) const {
  return {Rule::TRC_wrong_value, value.span, text::quote(key) + " should be " + std::string(should_be)};
}

void Expectations::fail(std::string_view subkey, const JsonValue& expected, std::uint32_t agent, std::string actual,
                        std::string note) {
  Failure failure;
  failure.span = whole_span(expected);
  failure.key = std::string(key_->name) + (subkey.empty() ? "" : "." + std::string(subkey));
  if (!key_->is_of_all) failure.agent = agent;
  failure.expected = text_.substr(failure.span.begin, failure.span.end - failure.span.begin);
  failure.actual = std::move(actual);
  failure.note = std::move(note);
  failures_->push_back(std::move(failure));
}

void Expectations::compare(const JsonValue& expected, std::uint32_t agent, const std::string* actual) {
  const bool is_equal = actual == nullptr ? expected.kind == JsonKind::null
                                          : expected.kind == JsonKind::string && expected.string == *actual;
  if (!is_equal) fail({}, expected, agent, actual == nullptr ? "null" : text::json_string(*actual));
}

std::optional<LineFault> Expectations::check_names(
    const JsonValue& expected, std::uint32_t agent, const char* should_be,
    const std::function<Checked(const JsonValue::Key& name, const JsonValue& value)>& check) {
  if (expected.kind != JsonKind::object) return value_fault(key_->name, expected, should_be);
  for (std::size_t i = 0; i < expected.keys.size(); ++i) {
    Checked checked = check(expected.keys[i], expected.values[i]);
    if (checked.fault) return checked.fault;
    if (checked.actual) fail(expected.keys[i].name, expected.values[i], agent, std::move(*checked.actual));
  }
  return std::nullopt;
}

// ---- Current behaviours and rules

std::optional<LineFault> Expectations::check_behavior(const JsonValue& expected, std::uint32_t agent) {
  if (!is_string_or_null(expected)) return value_fault("behavior", expected, "the name of a behaviour, or null");
  const std::uint32_t behavior = session_.strategy().current(session_.view(agent));
  const std::string name(behavior == kNoBehavior ? "" : behavior_name(*session_.tree().asset, behavior));
  compare(expected, agent, behavior == kNoBehavior ? nullptr : &name);
  return std::nullopt;
}

// A leaf is named as it is expected: by its path if the expected value has one, otherwise by its name.
std::optional<LineFault> Expectations::check_leaf(const JsonValue& expected, std::uint32_t agent) {
  if (!is_string_or_null(expected)) return value_fault("leaf", expected, "the name or path of a leaf, or null");
  const Tree& tree = session_.tree();
  const std::uint32_t leaf = current_leaf(tree, session_.block(agent));
  if (leaf == kNoLeaf) {
    compare(expected, agent, nullptr);
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
  compare(expected, agent, &name);
  return std::nullopt;
}

std::optional<LineFault> Expectations::check_status(const JsonValue& expected, std::uint32_t agent) {
  constexpr std::string_view kStatuses[] = {"running", "success", "failure", "error"};
  const bool is_status = expected.kind == JsonKind::null ||
                         std::find(std::begin(kStatuses), std::end(kStatuses), expected.string) != std::end(kStatuses);
  if (!is_status) return value_fault("status", expected, session_.strategy().statuses);
  const std::optional<Result> status = session_.agent(agent)->state.status;
  const std::string name(status ? result_name(*status) : "");
  compare(expected, agent, status ? &name : nullptr);
  return std::nullopt;
}

std::optional<LineFault> Expectations::check_path(const JsonValue& expected, std::uint32_t agent) {
  if (!is_list_of_strings(expected)) return value_fault("path", expected, "a list of the names of deciders");
  const Tree& tree = session_.tree();
  std::vector<std::string> path;
  for (const ActiveDecider& decider : active_path(session_.view(agent))) {
    path.push_back(decider_text(tree, decider.node_word));
    if (!expected.values.empty() && decider_name(tree, decider.node_word).empty()) {
      return LineFault{Rule::TRC_stripped_names, expected.span, "the asset was stripped of the names of its deciders",
                       "expect \"behavior\" and \"running\" in place of \"path\""};
    }
  }
  const auto is_equal = [](const JsonValue& name, const std::string& text) { return name.string == text; };
  if (!std::equal(expected.values.begin(), expected.values.end(), path.begin(), path.end(), is_equal)) {
    fail({}, expected, agent, json_list(path));
  }
  return std::nullopt;
}

// In any order.
std::optional<LineFault> Expectations::check_running(const JsonValue& expected, std::uint32_t agent) {
  if (!is_list_of_strings(expected)) {
    return value_fault("running", expected, "a list of the names of " + std::string(session_.strategy().runner) + "s");
  }
  std::vector<std::string> running;
  for (const std::uint32_t behavior : session_.strategy().running(session_.view(agent))) {
    running.emplace_back(behavior_name(*session_.tree().asset, behavior));
  }
  std::set<std::string> wanted;
  for (const JsonValue& value : expected.values) wanted.insert(value.string);
  if (wanted != std::set<std::string>(running.begin(), running.end())) fail({}, expected, agent, json_list(running));
  return std::nullopt;
}

// Null: there is no current rule, or it has no id.
std::optional<LineFault> Expectations::check_rule(const JsonValue& expected, std::uint32_t agent) {
  if (!is_string_or_null(expected)) return value_fault("rule", expected, "the id of a rule, or null");
  const std::uint32_t rule = current_rule(session_.tree(), session_.block(agent));
  const std::string id(rule == kNoRule ? std::string_view() : rule_id(session_.tree(), rule));
  const std::size_t count = failures_->size();
  compare(expected, agent, id.empty() ? nullptr : &id);
  std::uint32_t found = 0;
  if (failures_->size() == count || expected.kind == JsonKind::null) return std::nullopt;
  if (find_rule(session_.tree(), expected.string, &found) == Status::ok) return std::nullopt;
  const std::string hint = nearest_rule(session_.tree(), expected.string);
  failures_->back().note = "the tree has no such rule" + (hint.empty() ? "" : ": " + hint);
  return std::nullopt;
}

// ---- Values of names

std::optional<LineFault> Expectations::check_variables(const JsonValue& expected, std::uint32_t agent) {
  return check_names(expected, agent, "an object of names and values", [&](const auto& name, const auto& value) {
    std::uint32_t id = 0;
    auto fault = session_.find(ESPALIER_VARIABLES, session_.strategy().variable, name.name, name.span, &id);
    if (!fault && value.kind != JsonKind::boolean) fault = value_fault(name.name, value, "true or false");
    if (fault) return Checked{fault};
    const bool actual = variable(session_.tree(), session_.block(agent), id);
    return actual == value.boolean ? Checked{} : Checked{{}, actual ? "true" : "false"};
  });
}

// True: present; false: not; a string: present with this data.
std::optional<LineFault> Expectations::check_stimuli(const JsonValue& expected, std::uint32_t agent) {
  return check_names(expected, agent, "an object of names and values", [&](const auto& name, const auto& value) {
    std::uint32_t id = 0;
    const bool is_of_data = value.kind == JsonKind::string;
    auto fault = session_.find(ESPALIER_STIMULI, "stimulus", name.name, name.span, &id);
    if (!fault && !is_of_data && value.kind != JsonKind::boolean) {
      fault = value_fault(name.name, value, "true, false, or the data it has");
    }
    if (fault) return Checked{fault};
    StimulusData data;
    const bool is_present = stimulus(session_.tree(), session_.block(agent), id, &data);
    const std::string text(data.bytes, data.bytes + data.size_bytes);
    if (is_of_data ? is_present && text == value.string : is_present == value.boolean) return Checked{};
    if (is_of_data && is_present) return Checked{{}, text::json_string(text)};
    return Checked{{}, is_present ? "true" : "false"};
  });
}

// Seconds since a timestamp was set, or null.
std::optional<LineFault> Expectations::check_timestamps(const JsonValue& expected, std::uint32_t agent) {
  return check_names(expected, agent, "an object of names and seconds", [&](const auto& name, const auto& value) {
    std::uint32_t id = 0;
    auto fault = session_.find(ESPALIER_TIMESTAMPS, "timestamp", name.name, name.span, &id);
    const bool is_time = value.kind == JsonKind::number && to_microseconds(value.number);
    if (!fault && value.kind != JsonKind::null && !is_time) {
      fault = value_fault(name.name, value, "the seconds since it was set, or null");
    }
    if (fault) return Checked{fault};
    std::uint64_t set_us = 0;
    const bool is_set = timestamp(session_.tree(), session_.block(agent), id, &set_us);
    const std::uint64_t since_us = session_.time_us() - set_us;
    const bool is_equal = is_set ? is_time && to_microseconds(value.number) == since_us : !is_time;
    return is_equal ? Checked{} : Checked{{}, is_set ? seconds_text(since_us) : "null"};
  });
}

// The number of agents in gates and groups.
std::optional<LineFault> Expectations::check_inside(const JsonValue& expected, std::uint32_t) {
  const char* should_be = "an object of names of gates and groups, and numbers of agents";
  return check_names(expected, 0, should_be, [&](const auto& name, const auto& value) {
    std::uint64_t count = 0;
    auto fault = session_.find_inside(name.name, name.span, &count);
    const bool is_count =
        value.kind == JsonKind::number && value.number >= 0 && std::trunc(value.number) == value.number;
    if (!fault && !is_count) fault = value_fault(name.name, value, "a number of agents");
    if (fault) return Checked{fault};
    return value.number == static_cast<double>(count) ? Checked{} : Checked{{}, std::to_string(count)};
  });
}

// ---- Events

std::optional<LineFault> Expectations::check_events(const JsonValue& expected, std::uint32_t) {
  if (!is_list_of_strings(expected)) {
    const auto wrong = std::find_if(expected.values.begin(), expected.values.end(),
                                    [](const JsonValue& event) { return event.kind != JsonKind::string; });
    const bool is_list = expected.kind == JsonKind::list;
    return value_fault("events", is_list ? *wrong : expected, "a list of events as strings");
  }
  const std::vector<std::string> actual = session_.log().since_last(session_.has_several_agents());
  const auto is_equal = [](const JsonValue& event, const std::string& text) { return event.string == text; };
  const auto [differs, is] =
      std::mismatch(expected.values.begin(), expected.values.end(), actual.begin(), actual.end(), is_equal);
  if (differs == expected.values.end() && is == actual.end()) return std::nullopt;
  std::string note;
  if (differs == expected.values.end()) {
    note = "beyond those expected: " + text::json_string(*is);
  } else if (is == actual.end()) {
    note = "did not happen: " + text::json_string(differs->string);
  } else if (expected.values.size() > 1) {
    note =
        "the first that differs is number " + std::to_string(is - actual.begin() + 1) + ": " + text::json_string(*is);
  }
  fail({}, expected, 0, json_list(actual), std::move(note));
  return std::nullopt;
}

}  // namespace espalier::replay
