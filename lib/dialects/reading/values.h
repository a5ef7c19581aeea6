// Values of attributes and parameters: text, read as an element table or a host's declaration types it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/reading/element_table.h"
#include "dialects/reading/reporter.h"
#include "ir/node.h"

namespace espalier::dialects {

// A name in a list of them: `text` begins at byte `begin` of the attribute's value.
struct Word {
  std::string_view text;
  std::uint32_t begin = 0;
  [[nodiscard]] std::uint32_t end() const { return begin + static_cast<std::uint32_t>(text.size()); }
};

// The words between blanks.
[[nodiscard]] std::vector<Word> words_of(std::string_view text);

// Why a text is not a valid value: "'twp' is not a valid value of 'count'", a hint, and a replacement.
struct ValueFault {
  std::string message;
  std::string hint = {};
  std::string replacement = {};  // of the text; empty if unknown
  Guess::Of of = Guess::Of::notation;
};

// Reads `text` as a value of `name`; returns nothing and sets `fault` if it is not valid. In the result: whole numbers,
// booleans (0 or 1), numbers of words and times (microseconds) are `whole`. Conditions, scripts, events and lists of
// names are text here: they are only checked for not being empty.
[[nodiscard]] std::optional<ir::Parameter> read_value(std::string_view name, const Value& value, std::string_view text,
                                                      NumberText numbers, ValueFault& fault);

// "a whole number from 1 to 16". Empty if anything is valid.
[[nodiscard]] std::string describe(const Value& value);

// Reports a fault of the value `written`, with a fix where one is known.
text::Finding& report_fault(Rule rule, Where where, std::string_view written, ValueFault fault, Reporter& reporter);

}  // namespace espalier::dialects
