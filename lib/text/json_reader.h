// Reading the JSON of configurations and properties: checks kinds and keys, and reports faults at their places.
#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "text/finding.h"
#include "text/json.h"

namespace espalier::text {

// What a value is called in messages, such as "'paths'", or a function that returns it: most values need no message.
// Only for arguments: it refers to what it is made of.
class What {
 public:
  template <typename Said>
  What(const Said& said) : said_(&said), text_of_(&text_of<Said>) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] std::string text() const { return text_of_(said_); }

 private:
  template <typename Said>
  static std::string text_of(const void* said) {
    if constexpr (std::is_invocable_v<const Said&>) {
      return (*static_cast<const Said*>(said))();
    } else {
      return std::string(*static_cast<const Said*>(said));
    }
  }

  const void* said_;
  std::string (*text_of_)(const void* said);
};

// "'min' of attribute 'speed'"
struct PartOf {
  std::string_view part;
  std::string_view of;  // " of ", " of the "
  const std::string& whole;

  std::string operator()() const;
};

class JsonReader {
 public:
  explicit JsonReader(Findings& findings) : findings_(findings) {}

  // A key and what reads its value.
  struct Entry {
    std::string_view name;
    std::function<void(const JsonValue&)> read;
  };

  bool expect(const JsonValue& value, JsonKind kind, const What& what);
  void read_object(const JsonValue& value, const What& what, std::span<const Entry> entries);
  void read_object(const JsonValue& value, const What& what, std::initializer_list<Entry> entries) {
    read_object(value, what, std::span(entries.begin(), entries.size()));
  }
  // Calls `read` for each key of an object. A duplicate key is reported, and the first one counts.
  void each_key(const JsonValue& value, const What& what,
                const std::function<void(const JsonValue::Key&, const JsonValue&)>& read);
  // Calls `read` for each string of a list.
  void each_string(const JsonValue& value, const What& what, const std::function<void(const JsonValue&)>& read);
  // The strings of a list of names. An empty or duplicate one is reported.
  std::vector<std::string> read_names(const JsonValue& value, const What& what, bool with_case = true);
  // For values of another kind, these return an empty string, false or nothing.
  std::string read_string(const JsonValue& value, const What& what);
  bool read_boolean(const JsonValue& value, const What& what);
  std::optional<double> read_number(const JsonValue& value, const What& what);
  // Reports a number that is not whole or out of range.
  std::optional<std::uint32_t> read_whole(const JsonValue& value, const What& what, std::uint32_t least,
                                          std::uint32_t most);
  // Index of a string in `words`; any other string is reported.
  std::optional<std::size_t> read_word(const JsonValue& value, const What& what,
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
