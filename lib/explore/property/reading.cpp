// Reading properties. See explore/properties.h.
#include <algorithm>
#include <array>
#include <cmath>

#include "explore/properties.h"
#include "explore/property/about.h"
#include "replay/expected_keys.h"
#include "replay/line.h"
#include "rules/configuration.h"
#include "rules/rules.h"
#include "rules/traces.h"
#include "text/json_reader.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

using rules::Severity;
using text::JsonKind;
using text::JsonValue;

constexpr std::array<std::string_view, 4> kClaims = {"never", "always", "reachable", "expect"};
constexpr std::array kPropertySteps = {replay::LineKind::signal,   replay::LineKind::set,   replay::LineKind::flags,
                                       replay::LineKind::stimulus, replay::LineKind::host,  replay::LineKind::tick,
                                       replay::LineKind::jump,     replay::LineKind::inject};
constexpr double kMostSeconds = 1e6;

// Are these keys of `expect`? The decision flags of a step are a list.
bool is_expectation(const JsonValue& value) {
  const auto is_known = [](std::string_view key) {
    const auto keys = replay::expected_keys();
    return key == "not" || std::any_of(keys.begin(), keys.end(), [&](const auto& row) { return row.name == key; });
  };
  if (value.keys.empty()) return false;
  if (value.keys.front().name == "flags") return value.values.front().kind == JsonKind::object;
  return is_known(value.keys.front().name);
}

class PropertyReader {
 public:
  PropertyReader(const text::Sources& sources, text::Findings& findings, std::vector<Property>& properties)
      : sources_(sources), findings_(findings), json_(findings), properties_(properties) {}

  void read_list(const JsonValue& list) {
    if (!json_.expect(list, JsonKind::list, "'properties'")) return;
    for (const JsonValue& entry : list.values) {
      const std::size_t before = findings_.all().size();
      Property property;
      read(entry, property);
      if (findings_.all().size() == before) properties_.push_back(std::move(property));
    }
  }

  void read_file(const JsonValue& root) {
    if (root.kind == JsonKind::list) {
      json_.add(rules::CFG_wrong_type, text::place_of(root), "the file is a list, not an object",
                "write {\"properties\": [...]}");
      return;
    }
    bool has_list = false;
    json_.read_object(root, "the file",
                      {{"$schema", [&](const JsonValue& value) { json_.read_string(value, "'$schema'"); }},
                       {"properties", [&](const JsonValue& value) {
                          has_list = true;
                          read_list(value);
                        }}});
    if (has_list || root.kind != JsonKind::object) return;
    json_.add(rules::CFG_wrong_type, text::place_of(root), "the file has no 'properties'",
              "a file of properties is {\"properties\": [...]}");
  }

 private:
  // The values of a property's keys; null: it has none.
  struct Values {
    const JsonValue* name = nullptr;
    const JsonValue* after = nullptr;
    const JsonValue* until = nullptr;
    const JsonValue* between = nullptr;
    const JsonValue* within = nullptr;
    const JsonValue* more_than = nullptr;
    const JsonValue* for_seconds = nullptr;
    const JsonValue* agents = nullptr;
    std::vector<PropertyKind> kinds = {};
  };

  void read(const JsonValue& entry, Property& property) {
    Values values;
    const auto keep = [](const JsonValue*& to) { return [&to](const JsonValue& value) { to = &value; }; };
    std::vector<text::JsonReader::Entry> entries = {
        {"name", keep(values.name)},          {"tree", [&](const JsonValue& value) { read_tree(value, property); }},
        {"after", keep(values.after)},        {"until", keep(values.until)},
        {"between", keep(values.between)},    {"within", keep(values.within)},
        {"moreThan", keep(values.more_than)}, {"forSeconds", keep(values.for_seconds)},
        {"agents", keep(values.agents)}};
    for (std::size_t i = 0; i < kClaims.size(); ++i) {
      entries.push_back({kClaims[i], [&, i](const JsonValue& value) {
                           property.kind = static_cast<PropertyKind>(i);
                           values.kinds.push_back(property.kind);
                           read_state(value, kClaims[i], property.claim);
                         }});
    }
    json_.read_object(entry, "a property", entries);
    if (entry.kind != JsonKind::object) return;
    read_name(entry, values.name, property);
    const auto is_known = [&](const JsonValue::Key& key) {
      return std::any_of(entries.begin(), entries.end(), [&](const auto& known) { return known.name == key.name; });
    };
    const bool is_misspelt = values.kinds.empty() && !std::all_of(entry.keys.begin(), entry.keys.end(), is_known);
    if (is_misspelt) return;  // which is reported
    if (values.kinds.size() != 1) {
      contradict(entry, values.kinds.empty() ? "the property claims nothing" : "the property claims several things",
                 "a property has one of 'never', 'always', 'reachable' and 'expect'");
      return;
    }
    read_scope(values, property);
    read_numbers(values, property);
    read_agents(entry, values, property);
    if (property.kind == PropertyKind::expect && values.after == nullptr && values.between == nullptr &&
        values.until == nullptr)
      contradict(entry, "'expect' has no meaning without 'after' or 'between'", "add the step after which it holds");
  }

  void contradict(const JsonValue& at, std::string message, std::string hint = {}) {
    json_.add(rules::CFG_contradicting_declaration, text::place_of(at), std::move(message), std::move(hint));
  }

  void read_name(const JsonValue& entry, const JsonValue* name, Property& property) {
    if (name == nullptr) {
      json_.add(rules::CFG_invalid_name, text::place_of(entry), "the property has no 'name'",
                "reports show the name: \"never shoots what it does not see\"");
      return;
    }
    if (!json_.expect(*name, JsonKind::string, "'name'")) return;
    property.name = name->string;
    property.span = name->span;
    if (property.name.empty()) json_.add(rules::CFG_invalid_name, name->span, "the name of the property is empty");
    for (const Property& other : properties_) {
      if (other.name != property.name) continue;
      json_.add(rules::CFG_duplicate_declaration, name->span, "duplicate property " + text::quote(name->string))
          .related.push_back({other.span, "first here"});
    }
  }

  void read_tree(const JsonValue& value, Property& property) {
    property.tree = json_.read_string(value, "'tree'");
    property.tree_span = value.span;
  }

  // ---- Conditions

  void read_state(const JsonValue& value, std::string_view key, Condition& condition) {
    if (!json_.expect(value, JsonKind::object, text::quote(key))) return;
    expect_unique_keys(value);
    if (replay::names_key(value, "events")) {
      json_.add(rules::CFG_unknown_key, text::place_of(value), "'events' cannot be expected by a property",
                "name one event: \"event\": \"enter Attack\"");
    }
    const bool is_event = value.keys.size() == 1 && value.keys.front().name == "event";
    condition.kind = is_event ? Condition::Kind::event : Condition::Kind::state;
    if (is_event && value.values.front().kind == JsonKind::object) condition.kind = Condition::Kind::state;  // a `not`
    condition.value = value;
  }

  void expect_unique_keys(const JsonValue& value) {
    if (value.kind == JsonKind::object) json_.each_key(value, "", [](const auto&, const auto&) {});
    for (const JsonValue& item : value.values) expect_unique_keys(item);
  }

  // What is after or until: a step, or what `expect` can say.
  void read_limit(const JsonValue& value, std::string_view key, Condition& condition) {
    if (!json_.expect(value, JsonKind::object, text::quote(key))) return;
    if (is_expectation(value)) return read_state(value, key, condition);
    condition.kind = Condition::Kind::step;
    condition.text = sources_[value.span.file].text().substr(value.span.begin, value.span.end - value.span.begin);
    condition.value = value;
    replay::Line line;
    if (auto fault = replay::read_line(condition.text, line)) return add(std::move(*fault), value);
    if (std::find(kPropertySteps.begin(), kPropertySteps.end(), line.kind) != kPropertySteps.end()) return;
    std::string names;
    for (const replay::LineKind kind : kPropertySteps) {
      names += (names.empty() ? "" : ", ") + text::quote(replay::key_of(kind));
    }
    json_.add(
        rules::CFG_unknown_key, text::place_of(value),
        value.keys.empty() ? text::quote(key) + " is empty" : text::quote(replay::key_of(line.kind)) + " is not a step",
        "expected one of " + names + ", or a key of 'expect'");
  }

  void add(replay::LineFault fault, const JsonValue& at) {
    fault.span = {at.span.file, at.span.begin + fault.span.begin, at.span.begin + fault.span.end};
    findings_.add({fault.rule, Severity::error, fault.span, std::move(fault.message), std::move(fault.hint)});
  }

  void read_scope(const Values& values, Property& property) {
    if (values.after != nullptr) read_limit(*values.after, "after", property.after.emplace());
    if (values.until != nullptr) read_limit(*values.until, "until", property.until.emplace());
    if (values.until != nullptr && property.kind == PropertyKind::expect)
      contradict(*values.until, "'until' has no meaning with 'expect'",
                 "\"between\": [A, B] expects it after each A, before B comes");
    if (values.between == nullptr) return;
    if (values.after != nullptr || values.until != nullptr)
      contradict(*values.between, "'between' has no meaning with 'after' or 'until'");
    if (!json_.expect(*values.between, JsonKind::list, "'between'")) return;
    if (values.between->values.size() != 2) {
      json_.add(rules::CFG_wrong_type, text::place_of(*values.between), "'between' does not list two things",
                "write what begins it and what ends it: \"between\": [{...}, {...}]");
      return;
    }
    read_limit(values.between->values.front(), "between", property.after.emplace());
    read_limit(values.between->values.back(), "between", property.until.emplace());
  }

  // ---- Agents

  void read_agents(const JsonValue& entry, const Values& values, Property& property) {
    if (values.agents != nullptr) {
      property.agents = json_.read_whole(*values.agents, "'agents'", 1, kMaxAgents);
      if (!property.agents) return;
    }
    for (const Condition* condition : conditions_of(property)) {
      const bool is_step = condition->kind == Condition::Kind::step;
      if (!property.agents && (is_step ? condition->value.find("agent") != nullptr : names_agents(*condition))) {
        contradict(entry, "the property names agents, and does not say how many there are", "add \"agents\": 2");
        return;
      }
      if (!is_step) expect_enough_agents(condition->value, property.agents.value_or(1));
    }
  }

  static bool names_agents(const Condition& condition) {
    return speaks_of(condition.value, "agents") || agents_of(condition) != AgentSet{1};
  }

  // A list is about agents that are not the same.
  void expect_enough_agents(const JsonValue& value, std::uint32_t count) {
    for (std::size_t i = 0; i < value.values.size(); ++i) {
      const JsonValue& inner = value.values[i];
      const bool is_list = !value.keys.empty() && value.keys[i].name == "agents" && inner.kind == JsonKind::list;
      if (is_list && inner.values.size() > count)
        contradict(inner, "'agents' lists " + std::to_string(inner.values.size()) + " different agents, and there " +
                              (count == 1 ? "is 1" : "are " + std::to_string(count)));
      expect_enough_agents(inner, count);
    }
  }

  // ---- Numbers

  void read_numbers(const Values& values, Property& property) {
    const bool is_expected = property.kind == PropertyKind::expect;
    if (values.within != nullptr) {
      if (!is_expected || values.between != nullptr)
        contradict(*values.within,
                   is_expected ? "'within' has no meaning with 'between'" : "'within' has no meaning without 'expect'");
      property.within = json_.read_whole(*values.within, "'within'", 1, kMaxWithin).value_or(1);
    }
    if (values.more_than != nullptr) {
      if (property.kind != PropertyKind::never)
        contradict(*values.more_than, "'moreThan' has no meaning without 'never'");
      property.more_than = json_.read_whole(*values.more_than, "'moreThan'", 1, kMaxTimes).value_or(1);
    }
    if (values.for_seconds == nullptr) return;
    if (is_expected || !property.after)
      contradict(*values.for_seconds, is_expected ? "'forSeconds' has no meaning with 'expect'"
                                                  : "'forSeconds' has no meaning without 'after'");
    if (values.more_than != nullptr) contradict(*values.for_seconds, "'forSeconds' has no meaning with 'moreThan'");
    const std::optional<double> seconds = json_.read_number(*values.for_seconds, "'forSeconds'");
    if (!seconds) return;
    if (!(*seconds > 0 && *seconds <= kMostSeconds)) {
      json_.add(rules::CFG_invalid_number, values.for_seconds->span,
                "'forSeconds' is not a number above 0, up to 1000000");
      return;
    }
    property.for_us = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(*seconds * 1e6)));
  }

  const text::Sources& sources_;
  text::Findings& findings_;
  text::JsonReader json_;
  std::vector<Property>& properties_;
};

}  // namespace

void read_properties(const JsonValue& list, const text::Sources& sources, text::Findings& findings,
                     std::vector<Property>& properties) {
  PropertyReader(sources, findings, properties).read_list(list);
}

void read_property_file(text::FileId file, const text::Sources& sources, text::Findings& findings,
                        std::vector<Property>& properties) {
  text::JsonFault fault;
  const std::optional<JsonValue> root = text::parse_json(sources[file].text(), file, fault);
  if (root) {
    PropertyReader(sources, findings, properties).read_file(*root);
  } else {
    findings.add(rules::CFG_malformed_json, fault.span, std::move(fault.message), std::move(fault.hint));
  }
}

}  // namespace espalier::explore
