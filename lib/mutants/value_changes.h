// The ways in which a value of an attribute, or a text, can be changed in one place: a number, a word, an operator.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::mutants {

// Bytes [begin, end) of the value are replaced.
struct ValueChange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string replacement;
};

// What a value consists of, as far as changes need to know.
enum class ValueKind : std::uint8_t {
  text,    // one name, number or text
  script,  // names, numbers, texts in quotes and operators: a condition or a script
};

// `others`: values that stand in such places elsewhere in the file, and names that scripts use; a name is replaced by
// the next one of these that is another. In the order of the value. `words`: all that the value may be; none: anything.
std::vector<ValueChange> changes_of_value(std::string_view value, ValueKind kind, std::span<const std::string> others,
                                          std::span<const std::string_view> words);

// The names in a script, in its order; those in quotes are none.
std::vector<std::string> names_in_script(std::string_view script);

}  // namespace espalier::mutants
