// Reading properties. See properties.h.
#include "explore/properties.h"

#include <algorithm>
#include <array>
#include <map>

#include "replay/compiled_expectation.h"
#include "replay/names.h"
#include "replay/session.h"
#include "replay/strategy.h"
#include "rules/configuration.h"
#include "rules/rules.h"
#include "rules/traces.h"
#include "text/json_reader.h"
#include "text/names.h"

namespace espalier::explore {
namespace {

using rules::Rule;
using rules::Severity;
using text::JsonKind;
using text::JsonValue;

constexpr std::array<std::string_view, 4> kKinds = {"never", "always", "reachable", "after"};
constexpr std::array kPropertySteps = {replay::LineKind::signal,   replay::LineKind::set,   replay::LineKind::flags,
                                       replay::LineKind::stimulus, replay::LineKind::host,  replay::LineKind::tick,
                                       replay::LineKind::jump,     replay::LineKind::inject};

// ---- Reading

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
  void read(const JsonValue& entry, Property& property) {
    std::vector<PropertyKind> kinds;
    const JsonValue* name = nullptr;
    const JsonValue* expected = nullptr;
    const JsonValue* within = nullptr;
    std::vector<text::JsonReader::Entry> entries = {
        {"name", [&](const JsonValue& value) { name = &value; }},
        {"tree", [&](const JsonValue& value) { read_tree(value, property); }},
        {"expect", [&](const JsonValue& value) { expected = &value; }},
        {"within", [&](const JsonValue& value) { within = &value; }}};
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      entries.push_back({kKinds[i], [&, i](const JsonValue& value) {
                           property.kind = static_cast<PropertyKind>(i);
                           kinds.push_back(property.kind);
                           if (property.kind == PropertyKind::after) {
                             read_step(value, property);
                           } else {
                             read_expectation(value, kKinds[i], property);
                           }
                         }});
    }
    json_.read_object(entry, "a property", entries);
    if (entry.kind != JsonKind::object) return;
    read_name(entry, name, property);
    const auto is_known = [&](const JsonValue::Key& key) {
      return std::any_of(entries.begin(), entries.end(), [&](const auto& known) { return known.name == key.name; });
    };
    const bool is_misspelt = kinds.empty() && !std::all_of(entry.keys.begin(), entry.keys.end(), is_known);
    if (is_misspelt) return;  // which is reported
    if (kinds.size() != 1) {
      json_.add(rules::CFG_contradicting_declaration, text::place_of(entry),
                kinds.empty() ? "the property claims nothing" : "the property claims several things",
                "a property has one of 'never', 'always', 'reachable' and 'after'");
      return;
    }
    read_consequence(entry, expected, within, property);
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

  void read_expectation(const JsonValue& value, std::string_view key, Property& property) {
    if (!json_.expect(value, JsonKind::object, text::quote(key))) return;
    expect_unique_keys(value);
    if (replay::names_key(value, "events")) {
      json_.add(rules::CFG_unknown_key, text::place_of(value), "'events' cannot be expected by a property",
                "a property is about the state after an update");
    }
    property.expectation = value;
  }

  void expect_unique_keys(const JsonValue& value) {
    if (value.kind == JsonKind::object) json_.each_key(value, {}, [](const auto&, const auto&) {});
    for (const JsonValue& item : value.values) expect_unique_keys(item);
  }

  void read_step(const JsonValue& value, Property& property) {
    if (!json_.expect(value, JsonKind::object, "'after'")) return;
    property.step_text = sources_[value.span.file].text().substr(value.span.begin, value.span.end - value.span.begin);
    property.step = value;
    replay::Line line;
    if (auto fault = replay::read_line(property.step_text, line)) return add(std::move(*fault), value);
    if (line.agent || line.all_agents) {
      return add({rules::TRC_unknown_key, line.agent_span, "'agent' has no meaning in a property"}, value);
    }
    if (std::find(kPropertySteps.begin(), kPropertySteps.end(), line.kind) != kPropertySteps.end()) return;
    std::string names;
    for (const replay::LineKind kind : kPropertySteps) {
      names += (names.empty() ? "" : ", ") + text::quote(replay::key_of(kind));
    }
    json_.add(rules::CFG_unknown_key, text::place_of(value),
              value.keys.empty() ? "'after' is empty" : text::quote(replay::key_of(line.kind)) + " is not a step",
              "expected one of " + names);
  }

  void add(replay::LineFault fault, const JsonValue& at) {
    fault.span = {at.span.file, at.span.begin + fault.span.begin, at.span.begin + fault.span.end};
    findings_.add({fault.rule, Severity::error, fault.span, std::move(fault.message), std::move(fault.hint)});
  }

  // `expect` and `within`, which only `after` has.
  void read_consequence(const JsonValue& entry, const JsonValue* expected, const JsonValue* within,
                        Property& property) {
    if (property.kind != PropertyKind::after) {
      for (const auto& [value, key] : {std::pair(expected, "'expect'"), std::pair(within, "'within'")}) {
        if (value == nullptr) continue;
        json_.add(rules::CFG_contradicting_declaration, text::place_of(*value),
                  std::string(key) + " has no meaning without 'after'");
      }
      return;
    }
    if (expected == nullptr) {
      json_.add(rules::CFG_contradicting_declaration, text::place_of(entry), "'after' without 'expect' claims nothing",
                "add what holds after the step: \"expect\": {...}");
      return;
    }
    read_expectation(*expected, "expect", property);
    if (within != nullptr) property.within = json_.read_whole(*within, "'within'", 1, kMaxWithin).value_or(1);
  }

  const text::Sources& sources_;
  text::Findings& findings_;
  text::JsonReader json_;
  std::vector<Property>& properties_;
};

// ---- Names

// The faults of a property in one tree; none: it can be proved.
std::vector<replay::LineFault> faults_in(const Property& property, const Tree& tree) {
  std::vector<replay::LineFault> faults;
  replay::ExpectationCompiler compiler;
  replay::Check check;
  if (auto fault = compiler.compile(property.expectation, tree, {&tree, 1}, &check)) faults.push_back(*fault);
  faults.insert(faults.end(), compiler.unknown.begin(), compiler.unknown.end());
  if (property.kind != PropertyKind::after) return faults;

  // The step is run, and its names are found as those of any trace.
  replay::ReplayOptions options;
  std::vector<replay::LineFault> of_step;
  replay::Listener listener;
  listener.severity = [](Rule) { return std::optional(Severity::error); };
  listener.warning = [&](const replay::LineFault& fault) { of_step.push_back(fault); };
  listener.run_fault = [](const replay::RunFault&) {};
  listener.failure = [&](const replay::LineFailure& failure) {
    of_step.push_back({rules::TRC_unknown_name, failure.span, failure.message, failure.hint});
  };
  replay::Session session(*tree.asset, options, std::move(listener));
  replay::Line line;
  const std::string header = "{\"trace\": 1, " + replay::tree_members(tree_name(tree)) + "}";
  std::optional<replay::LineFault> fault = replay::read_line(header, line);
  if (!fault) fault = session.begin(line);
  if (!fault) fault = replay::read_line(property.step_text, line);
  if (!fault && line.kind == replay::LineKind::signal && session.agents().strategy().has_signals) {  // of this tree
    std::uint32_t signal = 0;
    fault = replay::find_name(tree, ESPALIER_SIGNALS, "signal", line.value->string, line.value->span, &signal);
  }
  // An update would ask the host, of which nothing is known.
  if (!fault && line.kind != replay::LineKind::tick) fault = session.run(line);
  if (fault) of_step.push_back(*fault);
  const text::Span& at = property.step.span;
  for (replay::LineFault& each : of_step) {
    each.span = {at.file, at.begin + each.span.begin, at.begin + each.span.end};
    faults.push_back(std::move(each));
  }
  return faults;
}

// The trees that the property names: all if it names none.
std::vector<Tree> named_trees(const Property& property, const Asset& asset) {
  if (property.tree) return replay::trees_called(asset, *property.tree);
  std::vector<Tree> trees;
  for (std::uint32_t i = 0; i < tree_count(asset); ++i) trees.push_back(tree(asset, i));
  return trees;
}

// ---- JSON

void append_json(std::string& text, const JsonValue& value) {
  const auto append_all = [&](char first, char last) {
    text += first;
    for (std::size_t i = 0; i < value.values.size(); ++i) {
      if (i > 0) text += ", ";
      if (!value.keys.empty()) text += text::json_string(value.keys[i].name) + ": ";
      append_json(text, value.values[i]);
    }
    text += last;
  };
  switch (value.kind) {
    case JsonKind::null:
      text += "null";
      break;
    case JsonKind::boolean:
      text += value.boolean ? "true" : "false";
      break;
    case JsonKind::number:
      text += replay::number_text(value.number);
      break;
    case JsonKind::string:
      text += text::json_string(value.string);
      break;
    case JsonKind::list:
      append_all('[', ']');
      break;
    case JsonKind::object:
      append_all('{', '}');
      break;
  }
}

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

std::vector<Tree> trees_of(const Property& property, const Asset& asset) {
  std::vector<Tree> trees = named_trees(property, asset);
  if (property.tree && trees.size() > 1) return {};
  std::erase_if(trees, [&](const Tree& tree) { return !faults_in(property, tree).empty(); });
  return trees;
}

void check_names(const Property& property, const Asset& asset, text::Findings& findings) {
  const std::vector<Tree> trees = named_trees(property, asset);
  if (property.tree && trees.size() != 1) {
    const std::vector<std::string_view> names = replay::tree_names(asset);
    std::string hint = text::did_you_mean(*property.tree, names);
    if (hint.empty() || !trees.empty()) hint = "expected one of " + replay::listed(names);
    findings.add(rules::TRC_unknown_tree, property.tree_span,
                 (trees.empty() ? "unknown tree " : "several trees are called ") + text::quote(*property.tree),
                 std::move(hint));
    return;
  }
  // If no tree knows all names, the one that lacks the fewest is most likely the one that is meant.
  std::vector<replay::LineFault> fewest;
  for (const Tree& tree : trees) {
    std::vector<replay::LineFault> faults = faults_in(property, tree);
    if (faults.empty()) return;
    if (fewest.empty() || faults.size() < fewest.size()) fewest = std::move(faults);
  }
  for (replay::LineFault& fault : fewest) {
    // What a trace may name without effect, a property must have.
    const bool is_error = rules::info(fault.rule).severity == Severity::error;
    findings.add({is_error ? fault.rule : rules::TRC_unknown_name, Severity::error, fault.span,
                  std::move(fault.message), std::move(fault.hint)});
  }
}

std::string step_line(const Property& property) {
  std::string text;
  append_json(text, property.step);
  return text;
}

std::string expect_line(const Property& property) {
  std::string text;
  append_json(text, property.expectation);
  if (property.kind == PropertyKind::never) text = "{\"not\": " + text + '}';
  return "{\"expect\": " + text + '}';
}

}  // namespace espalier::explore
