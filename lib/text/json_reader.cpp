// Reads the JSON of a configuration. See json_reader.h.
#include "text/json_reader.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "rules/configuration.h"
#include "text/names.h"

namespace espalier::text {

Span place_of(const JsonValue& value) {
  Span span = value.span;
  if (value.kind == JsonKind::list || value.kind == JsonKind::object) span.end = span.begin + 1;
  return span;
}

std::string PartOf::operator()() const { return quote(part) + std::string(of) + whole; }

bool JsonReader::expect(const JsonValue& value, JsonKind kind, const What& what) {
  if (value.kind == kind) return true;
  add(rules::CFG_wrong_type, place_of(value),
      what.text() + " is " + std::string(kind_name(value.kind)) + ", not " + std::string(kind_name(kind)));
  return false;
}

void JsonReader::each_key(const JsonValue& value, const What& what,
                          const std::function<void(const JsonValue::Key&, const JsonValue&)>& read) {
  if (!expect(value, JsonKind::object, what)) return;
  std::map<std::string_view, Span> seen;
  for (std::size_t i = 0; i < value.keys.size(); ++i) {
    const JsonValue::Key& key = value.keys[i];
    const auto [first, is_new] = seen.try_emplace(key.name, key.span);
    if (is_new) {
      read(key, value.values[i]);
    } else {
      add(rules::CFG_duplicate_key, key.span, "duplicate key " + quote(key.name))
          .related.push_back({first->second, "first here"});
    }
  }
}

void JsonReader::read_object(const JsonValue& value, const What& what, std::span<const Entry> entries) {
  each_key(value, what, [&](const JsonValue::Key& key, const JsonValue& member) {
    for (const Entry& entry : entries) {
      if (entry.name == key.name) return entry.read(member);
    }
    std::vector<std::string_view> names;
    for (const Entry& entry : entries) names.push_back(entry.name);
    add(rules::CFG_unknown_key, key.span, "unknown key " + quote(key.name) + " in " + what.text(),
        did_you_mean(key.name, names));
  });
}

void JsonReader::each_string(const JsonValue& value, const What& what,
                             const std::function<void(const JsonValue&)>& read) {
  if (!expect(value, JsonKind::list, what)) return;
  for (const JsonValue& entry : value.values) {
    if (expect(entry, JsonKind::string, [&] { return "an entry of " + what.text(); })) read(entry);
  }
}

std::vector<std::string> JsonReader::read_names(const JsonValue& value, const What& what, bool with_case) {
  std::vector<std::string> names;
  std::map<std::string, Span> seen;
  each_string(value, what, [&](const JsonValue& entry) {
    if (entry.string.empty()) {
      add(rules::CFG_invalid_name, entry.span, "an entry of " + what.text() + " is empty");
      return;
    }
    const std::string name = with_case ? entry.string : lower_case(entry.string);
    const auto [first, is_new] = seen.try_emplace(name, entry.span);
    if (is_new) {
      names.push_back(entry.string);
    } else {
      add(rules::CFG_duplicate_declaration, entry.span, "duplicate entry " + quote(entry.string) + " in " + what.text())
          .related.push_back({first->second, "first here"});
    }
  });
  return names;
}

std::string JsonReader::read_string(const JsonValue& value, const What& what) {
  return expect(value, JsonKind::string, what) ? value.string : std::string();
}

bool JsonReader::read_boolean(const JsonValue& value, const What& what) {
  return expect(value, JsonKind::boolean, what) && value.boolean;
}

std::optional<double> JsonReader::read_number(const JsonValue& value, const What& what) {
  if (!expect(value, JsonKind::number, what)) return std::nullopt;
  return value.number;
}

std::optional<std::uint32_t> JsonReader::read_whole(const JsonValue& value, const What& what, std::uint32_t least,
                                                    std::uint32_t most) {
  const std::optional<double> number = read_number(value, what);
  if (!number) return std::nullopt;
  if (*number >= least && *number <= most && *number == std::floor(*number)) return static_cast<std::uint32_t>(*number);
  add(rules::CFG_invalid_number, value.span,
      what.text() + " is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return std::nullopt;
}

std::optional<std::size_t> JsonReader::read_word(const JsonValue& value, const What& what,
                                                 std::span<const std::string_view> words) {
  if (!expect(value, JsonKind::string, what)) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), value.string);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  std::string list;
  for (std::size_t i = 0; i < words.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + ('"' + std::string(words[i]) + '"');
  }
  const std::string hint = did_you_mean(value.string, {words.begin(), words.end()});
  add(rules::CFG_unknown_value, value.span, what.text() + " cannot be " + quote(value.string),
      hint.empty() ? list : hint);
  return std::nullopt;
}

}  // namespace espalier::text
