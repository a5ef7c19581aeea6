// What reading the JSON of a configuration has in common: kinds are checked, keys are known and stand once, and what
// is wrong is a finding at its place.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/finding.h"
#include "text/json.h"

namespace espalier::project {

class JsonReader {
 public:
  explicit JsonReader(text::Findings& findings) : findings_(findings) {}

  // A key and what reads its value.
  struct Entry {
    std::string_view name;
    std::function<void(const text::JsonValue&)> read;
  };

  // `what` is how messages call a value: "'paths'".
  bool expect(const text::JsonValue& value, text::JsonKind kind, std::string_view what);
  void read_object(const text::JsonValue& value, std::string_view what, const std::vector<Entry>& entries);
  // Calls `read` for each key of an object; one that stands twice is told, and the first counts.
  void each_key(const text::JsonValue& value, std::string_view what,
                const std::function<void(const text::JsonValue::Key&, const text::JsonValue&)>& read);
  // Calls `read` for each string of a list.
  void each_string(const text::JsonValue& value, std::string_view what,
                   const std::function<void(const text::JsonValue&)>& read);
  // The strings of a list of names. One that is empty or stands twice is told.
  std::vector<std::string> read_names(const text::JsonValue& value, std::string_view what, bool with_case = true);
  // Of another kind: empty, false, nothing.
  std::string read_string(const text::JsonValue& value, std::string_view what);
  bool read_boolean(const text::JsonValue& value, std::string_view what);
  std::optional<double> read_number(const text::JsonValue& value, std::string_view what);
  // Which one of `words` a string is; another one is told.
  std::optional<std::size_t> read_word(const text::JsonValue& value, std::string_view what,
                                       std::span<const std::string_view> words);

  text::Finding& add(text::Rule rule, text::Span span, std::string message, std::string hint = {}) {
    return findings_.add(rule, span, std::move(message), std::move(hint));
  }

 private:
  text::Findings& findings_;
};

// The place of a value as a finding marks it: a list or object where it begins, as all of it may be most of the file.
text::Span place_of(const text::JsonValue& value);

}  // namespace espalier::project
