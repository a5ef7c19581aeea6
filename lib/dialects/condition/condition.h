// The condition language of the dialects: parses text into terms and reports faults.
//
//   condition  := comparison (("and" | "or" | "xor") comparison)*      left to right, all of the same precedence
//   comparison := unary (("==" | "!=") unary)?
//   unary      := "!"? value
//   value      := "true" | "false" | NAME | "(" condition ")"
//
// The parser knows neither XML nor variables: faults have positions in the text, and a variable's name is the range of
// its term.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tree.h"
#include "text/xml.h"

namespace espalier::dialects::condition {

// The engine keeps 8-bit operand indices: with more terms than this it computes something else.
inline constexpr std::size_t kMaxPortableTerms = 257;
inline constexpr std::size_t kMaxOpenParentheses = 130'000;  // against texts of nothing else, since each takes memory

// Each dialect maps these to its own rules.
enum class FaultKind : std::uint8_t {
  empty,
  missing_value,
  double_not,
  unclosed_parenthesis,
  text_after,       // after a complete condition
  mixed_operators,  // this and the next are not errors
  large,
  count
};

// A fault at bytes [begin, end) of the text.
struct Fault {
  FaultKind kind;
  std::uint32_t begin;
  std::uint32_t end;
  std::string message;
  std::string hint;
};

// Adds the fix of a fault of this attribute to its finding: all of the text as it is written here, if it is clear in
// another notation (notation.h).
void add_fix(const Fault& fault, const text::Attribute& attribute, text::FixGrade grade, text::Finding& finding);

struct Parsed {
  // As in ir::Condition. A variable's `left` is not set: its name is the text at [begin, end). After an error these are
  // the terms before it, and the last one is not the whole condition unless the error is text_after.
  std::vector<ir::Term> terms;
  std::vector<Fault> faults;
  bool is_complete = false;     // no error; `terms` is the whole condition
  bool has_text_after = false;  // the only error; `terms` is the condition before that text
};

// Linear in the length of the text; no recursion.
[[nodiscard]] Parsed parse(std::string_view text);

// Makes the ranges of terms, which are those in the attribute's value, ranges in the source: entities in the value are
// longer there. For terms that are kept: they have no more room than they need.
void place_terms(const text::Attribute& attribute, std::vector<ir::Term>& terms);

// Is this a name that a condition can contain? (Not `and`, `true` or `Low-Ammo`.)
[[nodiscard]] bool can_spell(std::string_view name);

}  // namespace espalier::dialects::condition
