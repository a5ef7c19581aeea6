// What is being typed at a place of an XML text, which may be malformed there and everywhere else.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "project/names.h"

namespace espalier::editor {

using project::NameKind;
using project::Range;

struct WrittenAttribute {
  std::string_view name;
  std::string_view value;  // as it is written
};

struct Context {
  enum class Kind : std::uint8_t {
    nothing,  // in an instruction, a section
    comment,
    text,            // between tags
    element_name,    // after "<"
    end_name,        // after "</"
    attribute_name,  // in a start tag
    value,           // between the quotes of an attribute
  };
  Kind kind = Kind::text;
  std::vector<std::string_view> around;      // the names of the elements around it, from the outside
  std::string_view element;                  // attribute_name, value: of the tag
  std::vector<WrittenAttribute> attributes;  // of the tag, all of them
  std::string_view attribute;                // value: its name
  Range value = {};  // value: between the quotes, as far as they are written; comment: up to the cursor
  Range word = {};   // the name that is being typed: what a completion replaces
};

[[nodiscard]] Context context_at(std::string_view text, std::uint32_t offset);

}  // namespace espalier::editor
