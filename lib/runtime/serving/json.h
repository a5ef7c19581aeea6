// JSON as clients send it: small objects, read in place. What is wrong is told in the words of the library that the
// real publisher reads it with.
#pragma once
#include <cstdint>
#include <string_view>

#include "serving/output.h"

namespace espalier::serving {

// A value within a text that is_json() has accepted.
class JsonValue {
 public:
  JsonValue() = default;
  explicit JsonValue(std::string_view written) : written_(written) {}

  bool is_array() const { return first() == '['; }
  // Of an array, in order: the first element, and the one after another; empty: there is none.
  JsonValue first_element() const;
  JsonValue element_after(JsonValue element) const;
  bool is_empty() const { return written_.empty(); }

  // The member of this name, as a type. False: `fault` gets why not.
  bool number(std::string_view name, std::int64_t* number, Output& fault) const;
  bool boolean(std::string_view name, bool* boolean, Output& fault) const;
  // Between the quotes, as it is written.
  bool text(std::string_view name, std::string_view* text, Output& fault) const;

 private:
  char first() const { return written_.empty() ? '\0' : written_.front(); }
  std::string_view type_name() const;
  bool member(std::string_view name, JsonValue* member, Output& fault) const;
  bool is_type(std::string_view type, Output& fault) const;

  std::string_view written_;
};

// Is the text one value and nothing else? False: `fault` gets where not. At most 32 values within one another.
bool read_json(std::string_view text, JsonValue* value, Output& fault);

}  // namespace espalier::serving
