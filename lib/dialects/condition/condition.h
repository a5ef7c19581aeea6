// The condition language of selection trees: text to terms, with everything that is wrong in it.
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
#include "rules/rules.h"

namespace espalier::dialects::condition {

// The engine keeps 8-bit operand indices: beyond this many terms it computes something else.
inline constexpr std::size_t kMaxPortableTerms = 257;

// What is wrong, at bytes [begin, end) of the text.
struct Fault {
  rules::Rule rule;
  std::uint32_t begin;
  std::uint32_t end;
  std::string message;
  std::string hint;
};

struct Parsed {
  // As in ir::Condition. Of a variable, `left` is not set: the name is the text at [begin, end). When an error stopped
  // the reading these are the terms before it, and their root is not the condition.
  std::vector<ir::Term> terms;
  std::vector<Fault> faults;
  bool is_complete = false;  // no error; `terms` is the whole condition
};

// Linear in the text's length, whatever it holds; no recursion.
[[nodiscard]] Parsed parse(std::string_view text);

// Can a condition name a variable so? (`and`, `true` and `Low-Ammo` it cannot.)
[[nodiscard]] bool can_spell(std::string_view name);

}  // namespace espalier::dialects::condition
