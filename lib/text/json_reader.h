// Reading the JSON of configurations and properties: checks kinds and keys, and reports faults at their places.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/finding.h"
#include "text/json.h"

namespace espalier::text {

class JsonReader {
 public:
  explicit JsonReader(Findings& findings) : findings_(findings) {}

  // A key and what reads its value.
  struct Entry {
    std::string_view name;
    std::function<void(const JsonValue&)> read;
  };

  // `what` names a value in messages: "'paths'".
  bool expect(const JsonValue& value, JsonKind kind, std::string_view what);
  void read_object(const JsonValue& value, std::string_view what, const std::vector<Entry>& entries);
  // Calls `read` for each key of an object. A duplicate key is reported, and the first one counts.
  void each_key(const JsonValue& value, std::string_view what,
                const std::function<void(const JsonValue::Key&, const JsonValue&)>& read);
  // Calls `read` for each string of a list.
  void each_string(const JsonValue& value, std::string_view what, const std::function<void(const JsonValue&)>& read);
  // The strings of a list of names. An empty or duplicate one is reported.
  std::vector<std::string> read_names(const JsonValue& value, std::string_view what, bool with_case = true);
  // For values of another kind, these return an empty string, false or nothing.
  std::string read_string(const JsonValue& value, std::string_view what);
  bool read_boolean(const JsonValue& value, std::string_view what);
  std::optional<double> read_number(const JsonValue& value, std::string_view what);
  // Reports a number that is not whole or out of range.
  std::optional<std::uint32_t> read_whole(const JsonValue& value, std::string_view what, std::uint32_t least,
                                          std::uint32_t most);
  // Index of a string in `words`; any other string is reported.
  std::optional<std::size_t> read_word(const JsonValue& value, std::string_view what,
                                       std::span<const std::string_view> words);

  Finding& add(Rule rule, Span span, std::string message, std::string hint = {}) {
    return findings_.add(rule, span, std::move(message), std::move(hint));
  }

 private:
  Findings& findings_;
};

// The place of a value in findings: of a list or object only its beginning, since it may be most of the file.
Span place_of(const JsonValue& value);

}  // namespace espalier::text
