// JSON with places: a value tree in which every key and value has its place in the source.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/source.h"

namespace espalier::text {

inline constexpr std::size_t kMaxJsonNesting = 64;

enum class JsonKind : std::uint8_t { null, boolean, number, string, list, object };

struct JsonValue {
  JsonKind kind = JsonKind::null;
  Span span = {};                      // strings without their quotes
  std::string string = {};             // of a string; of a whole number beyond 2^53 its digits
  double number = 0;                   // of a number
  bool is_whole = false;               // of a number: written without a point and an exponent
  bool boolean = false;                // of true or false
  std::vector<JsonValue> values = {};  // of a list or an object
  // Of an object: the keys, one for each value. Duplicate keys are kept.
  struct Key {
    std::string name;
    Span span;  // without the quotes
  };
  std::vector<Key> keys = {};

  // The first value of this key; null if there is none.
  [[nodiscard]] const JsonValue* find(std::string_view key) const;
};

struct JsonFault {
  Span span;
  std::string message;
  std::string hint = {};
};

// Parses the text of `file`. Returns nothing if it is not JSON; then `fault` is set, whose message calls the text
// `subject`.
std::optional<JsonValue> parse_json(std::string_view text, FileId file, JsonFault& fault,
                                    std::string_view subject = "file");
// The same without the quick reader of plain texts (plain_json.h).
std::optional<JsonValue> parse_any_json(std::string_view text, FileId file, JsonFault& fault,
                                        std::string_view subject = "file");

// `text` as a string of JSON, with its quotes. Invalid UTF-8 is replaced.
std::string json_string(std::string_view text);

// "a string", "a list", ...
std::string_view kind_name(JsonKind kind);

}  // namespace espalier::text
