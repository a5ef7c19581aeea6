// Scripts: statements on blackboard entries, as in Script nodes and pre- and postconditions.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::ir::poll {

inline constexpr std::uint32_t kNoExpression = ~std::uint32_t{0};
// Operators and parentheses in one another, but for the left sides of binary operators: 'a + b + c' may be long, and
// who goes through its left side needs a loop.
inline constexpr std::uint32_t kMaxScriptDepth = 200;

// Operands and operators of one script. What is longer was made to take memory.
inline constexpr std::size_t kMaxScriptExpressions = 1'000'000;

enum class Operator : std::uint8_t {
  number,
  text,
  name,
  negate,      // -
  complement,  // ~
  invert,      // !
  add,         // + - * / .. & | ^
  subtract,
  multiply,
  divide,
  join,
  bit_and,
  bit_or,
  bit_xor,
  logical_and,  // && ||
  logical_or,
  compare,  // a chain of neighbours: Script::comparisons
  choose,   // a ? b : c
  create,   // := = += -= *= /=
  assign,
  assign_add,
  assign_subtract,
  assign_multiply,
  assign_divide,
};

[[nodiscard]] constexpr bool is_assignment(Operator op) { return op >= Operator::create; }
[[nodiscard]] constexpr bool is_binary(Operator op) { return op >= Operator::add && op <= Operator::logical_or; }

enum class Comparison : std::uint8_t { equal, unequal, less, greater, less_equal, greater_equal };

struct Expression {
  Operator op = Operator::number;
  std::uint32_t begin = 0;  // bytes of the script
  std::uint32_t end = 0;
  std::uint32_t a = kNoExpression;  // operands; of a comparison: the first, and the first of `Script::comparisons`
  std::uint32_t b = kNoExpression;
  std::uint32_t c = kNoExpression;  // choose; of a comparison: how many follow
  double number = 0;
  bool is_whole = false;  // of a number: written without '.' and exponent
  std::string text = {};  // text, name; of a whole number of 2^53 or more its digits, "0" if 64 bits do not hold it
};

// The right side of a comparison in a chain.
struct Compared {
  Comparison with = Comparison::equal;
  std::uint32_t expression = kNoExpression;
};

struct ScriptFault {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string message;  // without full stop: "an operand is missing"
  std::string hint = {};
};

struct Script {
  std::vector<Expression> expressions;  // each after its operands
  std::vector<Compared> comparisons;
  std::vector<std::uint32_t> statements;   // expressions
  std::vector<std::uint32_t> unseparated;  // statements without a ';' before them, though they are not the first
  std::optional<ScriptFault> fault;        // if there is one, nothing else is used
};

// `takes_double_quotes`: texts may stand in them, too, as before 4.9.
[[nodiscard]] Script parse_script(std::string_view source, bool takes_double_quotes = false);

}  // namespace espalier::ir::poll
