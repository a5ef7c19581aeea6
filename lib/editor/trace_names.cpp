// Names in JSON. See trace_names.h.
#include "editor/trace_names.h"

#include <algorithm>
#include <utility>

#include "replay/names.h"

namespace espalier::editor {
namespace {

const std::vector<JsonNames>& json_names() {
  using enum NameKind;
  static const std::vector<JsonNames> kNames = {
      {"tree", false, {tree}},
      {"file", false, {file}},
      {"spawn", false, {tree}},
      {"signal", false, {signal}},
      {"broadcast", false, {signal}},
      {"stimulus", false, {stimulus}},
      {"flags", false, {flag}},
      {"behavior", false, {behavior, node, action}},
      {"leaf", false, {node}},
      {"running", false, {behavior, action, host_node}},
      {"path", false, {decider}},
      {"rule", false, {rule}},
      {"jump", false, {rule}},
      {"inject", false, {tree}},
      {"set", true, {variable}},
      {"variables", true, {variable}},
      {"flags", true, {flag}},
      {"stimuli", true, {stimulus}},
      {"timestamps", true, {timestamp}},
      {"host", true, {action, condition, behavior, function, host_node}},
      {"runs", false, {behavior, action, host_node}},
  };
  return kNames;
}

std::string string_at(const text::JsonValue& object, std::string_view key) {
  const text::JsonValue* const value = object.find(key);
  return value != nullptr && value->kind == text::JsonKind::string ? value->string : std::string();
}

void walk(const text::JsonValue& value, std::string_view key, NamedTree tree, std::uint32_t begin,
          std::vector<JsonOccurrence>& names) {
  if (value.kind == text::JsonKind::object && value.find("tree") != nullptr)
    tree = named_tree(string_at(value, "tree"), string_at(value, "file"));
  const auto add = [&](std::string name, const text::Span& span, bool of_keys) {
    const std::vector<NameKind>& kinds = kinds_in_json(key, of_keys);
    if (kinds.empty()) return;
    Range range{begin + span.begin, begin + span.end};
    if (kinds.front() == NameKind::tree) {
      const std::size_t size = name.size();
      NamedTree named = named_tree(name, tree.file);
      if (named.name.size() < size && range.end - range.begin == size)
        range.begin += static_cast<std::uint32_t>(size - named.name.size());
      name = named.name;
      names.push_back({&kinds, std::move(name), range, std::move(named)});
    } else {
      names.push_back({&kinds, std::move(name), range, tree});
    }
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

NamedTree named_tree(std::string_view written, std::string_view file) {
  const replay::FileAndName parts = replay::split_tree_name(written);
  return {std::string(parts.name), std::string(parts.file.empty() ? file : parts.file)};
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
