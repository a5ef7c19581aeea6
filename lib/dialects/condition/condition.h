// The condition language of the dialects: text to terms, with everything that is wrong in it.
//
//   condition  := comparison (("and" | "or" | "xor") comparison)*      left to right, all three of one precedence
//   comparison := unary (("==" | "!=") unary)?
//   unary      := "!"? value
//   value      := "true" | "false" | NAME | "(" condition ")"
//
// The parser knows no XML and no variables: faults have places in the text, and variables are named by their terms'
// ranges.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/tree.h"

namespace espalier::dialects::condition {

// The engine keeps 8-bit operand indices: beyond this many terms it computes something else.
inline constexpr std::size_t kMaxPortableTerms = 257;

// What can be wrong; each dialect has rules of its own for it.
enum class FaultKind : std::uint8_t {
  empty,
  missing_value,
  double_not,
  unclosed_parenthesis,
  text_after,       // a complete condition with something behind it
  mixed_operators,  // this and the next are no errors
  large,
  count
};

// What is wrong, at bytes [begin, end) of the text.
struct Fault {
  FaultKind kind;
  std::uint32_t begin;
  std::uint32_t end;
  std::string message;
  std::string hint;
};

struct Parsed {
  // As in ir::Condition. Of a variable, `left` is not set: the name is the text at [begin, end). When an error stopped
  // the reading these are the terms before it, and their root is not the condition, unless the error is text_after.
  std::vector<ir::Term> terms;
  std::vector<Fault> faults;
  bool is_complete = false;     // no error; `terms` is the whole condition
  bool has_text_after = false;  // the one error; `terms` is the condition before that text
};

// Linear in the text's length, whatever it holds; no recursion.
[[nodiscard]] Parsed parse(std::string_view text);

// Can a condition name a variable so? (`and`, `true` and `Low-Ammo` it cannot.)
[[nodiscard]] bool can_spell(std::string_view name);

}  // namespace espalier::dialects::condition
