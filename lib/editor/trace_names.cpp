// Names in JSON. See trace_names.h.
#include "editor/trace_names.h"

#include <algorithm>

namespace espalier::editor {
namespace {

const std::vector<JsonNames>& json_names() {
  using enum NameKind;
  static const std::vector<JsonNames> kNames = {
      {"tree", false, {tree}},
      {"spawn", false, {tree}},
      {"signal", false, {signal}},
      {"broadcast", false, {signal}},
      {"stimulus", false, {stimulus}},
      {"flags", false, {flag}},
      {"behavior", false, {behavior, node, action}},
      {"leaf", false, {node}},
      {"running", false, {behavior, action}},
      {"path", false, {decider}},
      {"rule", false, {rule}},
      {"jump", false, {rule}},
      {"inject", false, {tree}},
      {"set", true, {variable}},
      {"variables", true, {variable}},
      {"flags", true, {flag}},
      {"stimuli", true, {stimulus}},
      {"timestamps", true, {timestamp}},
      {"host", true, {action, condition, behavior, function}},
  };
  return kNames;
}

void walk(const text::JsonValue& value, std::string_view key, std::string tree, std::uint32_t begin,
          std::vector<JsonOccurrence>& names) {
  const text::JsonValue* const named = value.kind == text::JsonKind::object ? value.find("tree") : nullptr;
  if (named != nullptr) tree = named->string;
  const auto add = [&](const std::string& name, const text::Span& span, bool of_keys) {
    const std::vector<NameKind>& kinds = kinds_in_json(key, of_keys);
    if (!kinds.empty()) names.push_back({&kinds, name, {begin + span.begin, begin + span.end}, tree});
  };
  if (value.kind == text::JsonKind::string) add(value.string, value.span, false);
  for (std::size_t i = 0; i < value.values.size(); ++i) {
    const bool is_object = i < value.keys.size();
    if (is_object) add(value.keys[i].name, value.keys[i].span, true);
    walk(value.values[i], is_object ? std::string_view(value.keys[i].name) : key, tree, begin, names);
  }
}

}  // namespace

const std::vector<NameKind>& kinds_in_json(std::string_view key, bool of_keys) {
  static const std::vector<NameKind> kNone;
  for (const JsonNames& each : json_names()) {
    if (each.key == key && each.of_keys == of_keys) return each.kinds;
  }
  return kNone;
}

std::vector<JsonOccurrence> names_in_json(std::string_view text, bool is_lines) {
  std::vector<JsonOccurrence> names;
  text::JsonFault fault;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = is_lines ? std::min(text.find('\n', begin), text.size()) : text.size();
    const auto value = text::parse_json(text.substr(begin, end - begin), 0, fault);
    if (value) walk(*value, {}, {}, static_cast<std::uint32_t>(begin), names);
    begin = end + 1;
  }
  return names;
}

}  // namespace espalier::editor
