// Decision diagrams, compared with truth tables.
#include "logic/diagrams.h"

#include <algorithm>
#include <string>

#include "logic_expressions.h"
#include "unit.h"

namespace logic_diagrams {

using namespace espalier;
using logic::Answer;
using logic::Diagrams;
using logic::Function;
using logic::Literal;
using logic::Variable;

namespace {

constexpr std::size_t kPlenty = 1'000'000;

std::vector<bool> bits_of(std::size_t number, std::uint32_t count) {
  std::vector<bool> result(count);
  for (std::uint32_t i = 0; i < count; ++i) result[i] = (number >> i & 1) != 0;
  return result;
}

Answer answer(bool is_so) { return is_so ? Answer::yes : Answer::no; }

// Of all values of the variables, by table and by diagram.
bool is_same(const Diagrams& diagrams, Function function, const TruthTable& table, std::uint32_t variable_count) {
  if (diagrams.fraction(function) != static_cast<double>(table.count()) / static_cast<double>(table.size()))
    return false;
  for (std::size_t i = 0; i < std::size_t{1} << variable_count; ++i) {
    if (diagrams.value(function, bits_of(i, variable_count)) != answer(table[i])) return false;
  }
  return true;
}

std::size_t fewest_true(const TruthTable& table) {
  std::size_t result = kMaxTableVariables + 1;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i]) result = std::min(result, std::bitset<kMaxTableVariables>(i).count());
  }
  return result;
}

TruthTable with_value(const TruthTable& table, Variable variable, bool value) {
  const TruthTable own = value ? table_of_variable(variable) : ~table_of_variable(variable);
  const TruthTable kept = table & own;
  const std::size_t distance = std::size_t{1} << variable;
  return kept | (value ? kept >> distance : kept << distance);
}

TruthTable table_of(const std::vector<Literal>& literals) {
  TruthTable result;
  result.set();
  for (const Literal& literal : literals) {
    const TruthTable own = table_of_variable(literal.variable);
    result &= literal.value ? own : ~own;
  }
  return result;
}

void check_witness(const std::vector<Literal>& witness, const TruthTable& table) {
  CHECK((table_of(witness) & ~table).none());
  std::size_t true_count = 0;
  for (std::size_t i = 0; i < witness.size(); ++i) {
    if (i > 0) CHECK(witness[i - 1].variable < witness[i].variable);
    if (witness[i].value) ++true_count;
    std::vector<Literal> others = witness;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    INFO("literal " << i << " can be left out");
    CHECK((table_of(others) & ~table).any());
  }
  CHECK(true_count == fewest_true(table));
}

}  // namespace

TEST_CASE("diagrams of random expressions are what their truth tables say") {
  Drawing drawing(1);
  for (int i = 0; i < 96; ++i) {
    const std::uint32_t variable_count = 1 + static_cast<std::uint32_t>(i) % kMaxTableVariables;
    CAPTURE(i, variable_count);
    const Expression expression = drawn_expression(drawing, variable_count, 1 + drawing.below(40));
    const TruthTable table = table_of(expression);
    Diagrams diagrams(kPlenty);
    const Function function = function_of(expression, diagrams);
    REQUIRE(is_same(diagrams, function, table, variable_count));
    CHECK(diagrams.is_satisfiable(function) == answer(table.any()));
    CHECK(diagrams.is_tautology(function) == answer(table.all()));
    const std::optional<std::vector<Literal>> witness = diagrams.witness(function);
    REQUIRE(witness.has_value() == table.any());
    if (witness) {
      check_witness(*witness, table);
      CHECK(diagrams.holds(function, *witness) == Answer::yes);
    }

    std::vector<Variable> matter;
    for (Variable variable = 0; variable < variable_count; ++variable) {
      if (with_value(table, variable, false) != with_value(table, variable, true)) matter.push_back(variable);
    }
    CHECK(diagrams.support(function) == matter);
  }
}

TEST_CASE("equal functions are one, whatever they are made of, and implication is of all values") {
  Drawing drawing(2);
  int equal_count = 0;
  int implied_count = 0;
  for (int i = 0; i < 4000; ++i) {
    CAPTURE(i);
    const std::uint32_t variable_count = 2 + drawing.below(2);
    const Expression left = drawn_expression(drawing, variable_count, 1 + drawing.below(8));
    const Expression right = drawn_expression(drawing, variable_count, 1 + drawing.below(8));
    const TruthTable left_table = table_of(left);
    const TruthTable right_table = table_of(right);
    Diagrams diagrams(kPlenty);
    const Function left_function = function_of(left, diagrams);
    const Function right_function = function_of(right, diagrams);
    const bool is_equal = left_table == right_table;
    const bool is_implied = (left_table & ~right_table).none();
    REQUIRE(diagrams.is_equal(left_function, right_function) == answer(is_equal));
    REQUIRE(diagrams.implies(left_function, right_function) == answer(is_implied));
    const Function same = diagrams.equivalence(left_function, right_function);
    REQUIRE(is_same(diagrams, same, ~(left_table ^ right_table), variable_count));
    equal_count += is_equal ? 1 : 0;
    implied_count += is_implied ? 1 : 0;
  }
  CHECK(equal_count > 100);
  CHECK(implied_count > 400);
}

TEST_CASE("variables are fixed and quantified away") {
  Drawing drawing(3);
  for (int i = 0; i < 120; ++i) {
    const std::uint32_t variable_count = 1 + static_cast<std::uint32_t>(i) % 12;
    CAPTURE(i, variable_count);
    const Expression expression = drawn_expression(drawing, variable_count, 1 + drawing.below(30));
    TruthTable fixed = table_of(expression);
    TruthTable quantified = fixed;
    std::vector<Literal> given;
    std::vector<Variable> variables;
    for (std::uint32_t v = variable_count + 1; v-- > 0;) {  // including one that it does not depend on
      const auto variable = static_cast<Variable>(v);
      if (drawing.below(3) != 0) continue;
      given.push_back({variable, drawing.below(2) == 0});
      fixed = with_value(fixed, variable, given.back().value);
      variables.push_back(variable);
      quantified = with_value(quantified, variable, false) | with_value(quantified, variable, true);
    }
    Diagrams diagrams(kPlenty);
    const Function function = function_of(expression, diagrams);
    CHECK(is_same(diagrams, diagrams.restricted(function, given), fixed, variable_count));
    CHECK(is_same(diagrams, diagrams.exists(function, variables), quantified, variable_count));
  }
}

TEST_CASE("lists of literals are taken in any order, and repeated") {
  Drawing drawing(4);
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i);
    std::vector<Literal> literals;
    TruthTable all;
    all.set();
    TruthTable any;
    for (std::uint32_t count = drawing.below(7); count > 0; --count) {
      literals.push_back({static_cast<Variable>(drawing.below(6)), drawing.below(3) != 0});
      const TruthTable own = table_of({literals.back()});
      all &= own;
      any |= own;
    }
    Diagrams diagrams(kPlenty);
    REQUIRE(is_same(diagrams, diagrams.all_of(literals), all, 6));
    REQUIRE(is_same(diagrams, diagrams.any_of(literals), any, 6));
    CHECK(diagrams.restricted(diagrams.variable(0), literals).is_known() == all.any());
  }
}

// Clauses and lists of literals, as people write them, where most variables are asked for one way only, and
// expressions.
TEST_CASE("functions that have to be true together are, with as few true variables as can be, or cannot") {
  Drawing drawing(6);
  int counts[2] = {};
  for (int i = 0; i < 250; ++i) {
    CAPTURE(i);
    const std::uint32_t variable_count = 2 + drawing.below(8);
    const std::uint32_t of_true = 2 + drawing.below(8);
    Diagrams diagrams(kPlenty);
    std::vector<Function> functions;
    TruthTable table;
    table.set();
    for (std::uint32_t count = drawing.below(10); count > 0; --count) {
      if (drawing.below(6) == 0) {
        const Expression expression = drawn_expression(drawing, variable_count, 1 + drawing.below(8));
        functions.push_back(function_of(expression, diagrams));
        table &= table_of(expression);
        continue;
      }
      std::vector<Literal> literals;
      for (std::uint32_t left = 1 + drawing.below(3); left > 0; --left) {
        literals.push_back({static_cast<Variable>(drawing.below(variable_count)), drawing.below(of_true) == 0});
      }
      TruthTable own;
      for (const Literal& literal : literals) own |= table_of({literal});
      functions.push_back(diagrams.any_of(literals));
      table &= own;
    }
    const logic::Satisfied satisfied = diagrams.satisfy(functions);
    REQUIRE(satisfied.answer == answer(table.any()));
    ++counts[table.any() ? 1 : 0];
    if (table.any()) check_witness(satisfied.witness, table);
  }
  CHECK(counts[0] > 20);
  CHECK(counts[1] > 50);
}

TEST_CASE("what helps only when it is false, or only through what does, needs no large diagram") {
  // Any order of the variables would make the conjunction of these too large.
  Drawing drawing(8);
  Diagrams diagrams(100'000);
  std::vector<Function> functions;
  for (int i = 0; i < 200; ++i) {
    std::vector<Literal> literals;
    for (int j = 0; j < 4; ++j) literals.push_back({static_cast<Variable>(drawing.below(128)), false});
    functions.push_back(diagrams.any_of(literals));
  }
  const std::vector<Literal> one = {{3, true}, {9, true}};
  functions.push_back(diagrams.any_of(one));
  const logic::Satisfied satisfied = diagrams.satisfy(functions);
  CHECK(satisfied.answer == Answer::yes);
  CHECK(std::count_if(satisfied.witness.begin(), satisfied.witness.end(),
                      [](const Literal& literal) { return literal.value; }) == 1);
  Function all = diagrams.constant(true);
  for (const Function function : functions) all = diagrams.conjunction(all, function);
  CHECK_FALSE(all.is_known());
  CHECK(diagrams.satisfy({&all, 1}).answer == Answer::unknown);
}

TEST_CASE("a witness says no more than what matters") {
  Diagrams diagrams(kPlenty);
  const Function a = diagrams.variable(0);
  const Function b = diagrams.variable(1);
  const Function c = diagrams.variable(2);
  const auto told = [&](Function function) {
    std::string result;
    const std::optional<std::vector<Literal>> witness = diagrams.witness(function);
    for (const Literal& literal : witness.value()) {
      result += (literal.value ? " " : " !") + std::string(1, static_cast<char>('a' + literal.variable));
    }
    return result;
  };
  CHECK(told(diagrams.constant(true)).empty());
  CHECK(told(diagrams.disjunction(a, b)) == " a");
  CHECK(told(diagrams.disjunction(diagrams.conjunction(a, b), c)) == " c");  // a comes before it, but is not needed
  CHECK(told(diagrams.conjunction(diagrams.negation(b), c)) == " !b c");
  CHECK(told(diagrams.choice(a, diagrams.negation(b), diagrams.conjunction(b, c))) == " a !b");
  CHECK(told(diagrams.exclusive(diagrams.exclusive(a, b), c)) == " a !b !c");
}

// Enough for one expression of many steps: each of its answers is exact, or unknown.
TEST_CASE("a budget that is exhausted is told, and nothing is guessed") {
  Drawing drawing(5);
  const Expression expression = drawn_expression(drawing, 10, 60);
  const TruthTable table = table_of(expression);
  std::size_t needed = 0;
  {
    Diagrams diagrams(kPlenty);
    REQUIRE(is_same(diagrams, function_of(expression, diagrams), table, 10));
    CHECK_FALSE(diagrams.is_exhausted());
    needed = diagrams.steps();
    REQUIRE(needed > 300);
  }
  for (std::size_t budget = 0; budget <= needed; ++budget) {
    CAPTURE(budget);
    Diagrams diagrams(budget);
    const Function function = function_of(expression, diagrams);
    CHECK(diagrams.steps() <= std::max<std::size_t>(budget, 2));
    const bool is_known = budget == needed;
    REQUIRE(function.is_known() == is_known);
    CHECK(diagrams.is_exhausted() != is_known);
    if (is_known) {
      CHECK(is_same(diagrams, function, table, 10));
      continue;
    }
    CHECK(diagrams.is_satisfiable(function) == Answer::unknown);
    CHECK(diagrams.is_tautology(function) == Answer::unknown);
    CHECK(diagrams.is_equal(function, function) == Answer::unknown);
    CHECK(diagrams.implies(function, diagrams.constant(true)) == Answer::unknown);
    CHECK(diagrams.value(function, {}) == Answer::unknown);
    CHECK_FALSE(diagrams.negation(function).is_known());
    CHECK_FALSE(diagrams.restricted(function, {}).is_known());
    CHECK_FALSE(diagrams.exists(function, {}).is_known());
    CHECK(diagrams.holds(function, {}) == Answer::unknown);
    CHECK(diagrams.satisfy({&function, 1}).answer == Answer::unknown);
    CHECK_FALSE(diagrams.support(function));
    CHECK_FALSE(diagrams.witness(function));
    CHECK_FALSE(diagrams.fraction(function));
  }
}

TEST_CASE("pairs of variables asked together are small side by side, and exhaust any budget far apart") {
  constexpr Variable kPairs = 40;
  const auto pairs = [](Diagrams& diagrams, Variable step, Variable distance) {
    Function result = diagrams.constant(false);
    for (Variable i = 0; i < kPairs; ++i) {
      const auto first = static_cast<Variable>(i * step);
      result = diagrams.disjunction(
          result,
          diagrams.conjunction(diagrams.variable(first), diagrams.variable(static_cast<Variable>(first + distance))));
    }
    return result;
  };
  Diagrams near(kPlenty);
  CHECK(pairs(near, 2, 1).is_known());
  CHECK(near.steps() < 10'000);
  Diagrams far(200'000);
  CHECK_FALSE(pairs(far, 1, kPairs).is_known());
  CHECK(far.is_exhausted());
}

TEST_CASE("there are 1024 variables, and what asks for another is unknown") {
  Diagrams diagrams(kPlenty);
  Function odd = diagrams.constant(false);
  std::vector<Literal> all;
  for (Variable variable = logic::kMaxVariables; variable-- > 0;) {
    odd = diagrams.exclusive(diagrams.variable(variable), odd);
    all.push_back({variable, true});
  }
  REQUIRE(odd.is_known());
  CHECK(diagrams.fraction(odd) == 0.5);
  CHECK(diagrams.support(odd)->size() == logic::kMaxVariables);
  // The deepest possible operations.
  CHECK(diagrams.is_tautology(diagrams.disjunction(odd, diagrams.negation(odd))) == Answer::yes);
  CHECK(diagrams.is_satisfiable(diagrams.conjunction(odd, diagrams.all_of(all))) == Answer::no);
  std::vector<Variable> every_second;
  for (Variable variable = 0; variable < logic::kMaxVariables; variable = static_cast<Variable>(variable + 2)) {
    every_second.push_back(variable);
  }
  CHECK(diagrams.is_tautology(diagrams.exists(odd, every_second)) == Answer::yes);

  all.push_back({logic::kMaxVariables, true});
  CHECK_FALSE(diagrams.variable(logic::kMaxVariables).is_known());
  CHECK_FALSE(diagrams.all_of(all).is_known());
  CHECK_FALSE(diagrams.conjunction(odd, diagrams.variable(logic::kMaxVariables)).is_known());
  CHECK_FALSE(diagrams.is_exhausted());
}

}  // namespace logic_diagrams
