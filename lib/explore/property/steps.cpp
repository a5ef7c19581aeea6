// Steps that a property names. See steps.h.
#include "explore/property/steps.h"

#include <algorithm>
#include <set>
#include <utility>

#include "explore/engine.h"
#include "replay/places.h"
#include "text/names.h"

namespace espalier::explore {

using text::JsonKind;
using text::JsonValue;

namespace {

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

std::string line_of(const JsonValue& written) {
  std::string text;
  append_json(text, written);
  return text;
}

bool is_step(const World& world, const text::JsonValue& written, const Step& step) {
  const auto is_named = [&](const std::vector<std::string>& names, std::string_view name, bool is_exact = true) {
    return step.id < names.size() && (is_exact ? names[step.id] == name : text::equal_any_case(names[step.id], name));
  };
  const auto string_of = [](const text::JsonValue* value) { return value == nullptr ? std::string() : value->string; };
  const auto* value = [&]() -> const text::JsonValue* {
    constexpr std::pair<StepKind, std::string_view> kKeys[] = {
        {StepKind::signal, "signal"}, {StepKind::set, "set"},           {StepKind::flags, "flags"},
        {StepKind::write, "set"},     {StepKind::stimulus, "stimulus"}, {StepKind::jump, "jump"},
        {StepKind::inject, "inject"}, {StepKind::host, "host"},         {StepKind::tick, "tick"}};
    if (step.kind == StepKind::nothing) return &written;
    for (const auto& [kind, key] : kKeys) {
      if (kind == step.kind) return written.find(key);
    }
    return nullptr;
  }();
  if (value == nullptr) return false;
  const text::JsonValue* agent = written.find("agent");
  if (agent != nullptr && step.kind != StepKind::nothing && step.agent != kAllAgents &&
      (agent->kind != JsonKind::number || agent->number != step.agent))
    return false;
  switch (step.kind) {
    case StepKind::tick:
      return true;
    case StepKind::nothing:
      return world.text(step) == line_of(written);
    case StepKind::signal:
      return is_named(world.signals(), value->string);
    case StepKind::set:
      return value->keys.size() == 1 && is_named(world.variables(), value->keys.front().name, false) &&
             value->values.front().boolean == (step.value != 0);
    case StepKind::write: {
      if (value->keys.size() != 1 || !is_named(world.entries(), value->keys.front().name)) return false;
      const std::optional<EntryValue> wanted = replay::trace_value(value->values.front());
      return wanted && text_of(*wanted) == text_of(world.entry_value(step));
    }
    case StepKind::end:
    case StepKind::halt:
      return false;
    case StepKind::flags: {
      std::uint64_t bits = 0;
      for (std::size_t i = 0; i < world.variables().size(); ++i) {
        const auto is_same = [&](const text::JsonValue& flag) { return flag.string == world.variables()[i]; };
        if (std::any_of(value->values.begin(), value->values.end(), is_same)) bits |= std::uint64_t{1} << i;
      }
      return bits == step.value;
    }
    case StepKind::stimulus: {
      if (written.find("timeout") != nullptr) return false;
      const text::JsonValue* clear = written.find("clear");
      return is_named(world.stimuli(), value->string) && (clear != nullptr && clear->boolean) == (step.value == 0);
    }
    case StepKind::jump:
      return value->kind == text::JsonKind::null ? step.id == kReset : is_named(world.rules(), value->string);
    case StepKind::inject: {
      const text::JsonValue* tree = value->find("tree");
      const text::JsonValue* immediate = written.find("immediate");
      const std::string name = step.value == kNoValue ? "" : world.trees()[static_cast<std::size_t>(step.value)];
      return is_named(world.slots(), string_of(value->find("slot"))) && string_of(tree) == name &&
             (immediate != nullptr && immediate->boolean) == step.is_immediate;
    }
    case StepKind::host: {
      if (value->keys.size() != 1 || step.id >= world.names().size()) return false;
      const HostName& name = world.names()[step.id];
      return name.name == value->keys.front().name &&
             answer_of(name, value->values.front()) == static_cast<Answer>(step.value);
    }
  }
  return false;
}

static std::string_view name_without_place(std::string_view name) {
  const auto placed = replay::read_place(name);
  return placed ? placed->name : name;
}

text::JsonValue world_step(const World& world, text::JsonValue step) {
  if (step.kind != text::JsonKind::object) return step;
  for (std::size_t i = 0; i < step.keys.size(); ++i) {
    if (step.keys[i].name != "host" || step.values[i].keys.size() != 1) continue;
    std::string& written = step.values[i].keys.front().name;
    const auto wanted = replay::read_place(written);
    if (!wanted) continue;
    const replay::Places places(world.sides().front().tree);
    const auto nodes = [&](const replay::PlacedName& place) {
      std::set<std::pair<std::uint32_t, std::uint32_t>> found;
      for (const auto& node : places.nodes_at(place, false)) found.emplace(node.word, node.number);
      return found;
    };
    const auto wanted_nodes = nodes(*wanted);
    for (const HostName& name : world.names()) {
      const auto placed = replay::read_place(name.name);
      if (!placed || placed->name != wanted->name || wanted_nodes.empty() || nodes(*placed) != wanted_nodes) continue;
      written = name.name;
      break;
    }
  }
  return step;
}

bool has_no_effect(const World& world, const text::JsonValue& written) {
  const auto lacks = [](const std::vector<std::string>& names, std::string_view name) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& each) { return text::equal_any_case(each, name); });
  };
  const auto lacks_keys = [&](const text::JsonValue& object, const std::vector<std::string>& names) {
    return std::all_of(object.keys.begin(), object.keys.end(),
                       [&](const text::JsonValue::Key& key) { return lacks(names, key.name); });
  };
  const EngineRow& engine = *world.sides().front().engine;
  if (const auto* signal = written.find("signal")) return !engine.has_signals || lacks(world.signals(), signal->string);
  const Tree& tree = world.sides().front().tree;
  const auto* entries = written.find("set");
  if (entries != nullptr && engine.host_values != nullptr) {
    std::uint32_t entry = 0;
    return std::none_of(entries->keys.begin(), entries->keys.end(), [&](const text::JsonValue::Key& key) {
      return espalier_find_entry(tree, "", key.name.c_str(), &entry) == Status::ok;
    });
  }
  if (const auto* set = written.find("set")) return !engine.has_variables || lacks_keys(*set, world.variables());
  if (const auto* host = written.find("host")) {
    // Another place of a name that the world has may be of the same nodes.
    std::vector<std::string> names;
    for (const HostName& name : world.names()) names.emplace_back(name_without_place(name.name));
    return std::all_of(host->keys.begin(), host->keys.end(),
                       [&](const text::JsonValue::Key& key) { return lacks(names, name_without_place(key.name)); });
  }
  const auto* inject = written.find("inject");
  const auto* slot = inject != nullptr ? inject->find("slot") : nullptr;
  return slot != nullptr && std::none_of(world.steps().begin(), world.steps().end(), [&](const Step& step) {
           return step.kind == StepKind::inject && world.slots()[step.id] == slot->string;
         });
}

}  // namespace espalier::explore
