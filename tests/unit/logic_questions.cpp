// Questions about circuits, answered by examples and a solver, against truth tables and diagrams.
#include "logic/questions.h"

#include "logic_expressions.h"
#include "unit.h"

namespace logic_questions {

using namespace espalier;
using logic::Answer;
using logic::Circuit;
using logic::Formula;
using logic::Questions;

namespace {

constexpr std::size_t kPlenty = 1'000'000;
constexpr int kConflicts = 100'000;

Formula formula_of(const Expression& expression, Circuit& circuit) {
  std::vector<Formula> values;
  for (const Term& term : expression.terms) {
    switch (term.kind) {
      case TermKind::variable:
        values.push_back(circuit.variable(term.first));
        break;
      case TermKind::negation:
        values.push_back(circuit.negation(values[term.second]));
        break;
      case TermKind::conjunction:
        values.push_back(circuit.conjunction(values[term.first], values[term.second]));
        break;
      case TermKind::disjunction:
        values.push_back(circuit.disjunction(values[term.first], values[term.second]));
        break;
      case TermKind::exclusive:
        values.push_back(circuit.exclusive(values[term.first], values[term.second]));
        break;
      case TermKind::choice:
        values.push_back(circuit.choice(values[term.first], values[term.second], values[term.third]));
        break;
    }
  }
  return values.back();
}

std::string text_of(const std::vector<logic::Literal>& literals) {
  std::string text;
  for (const logic::Literal& literal : literals) {
    text += (literal.value ? " " : " !") + std::to_string(literal.variable);
  }
  return text;
}

}  // namespace

TEST_CASE("formulas are what their truth tables say, by a list of all states and by a solver") {
  const std::size_t most_listed = GENERATE(std::size_t{0}, Questions::kListed);
  Drawing drawing(5);
  int impossible = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i, most_listed);
    const Expression expression = drawn_expression(drawing, 4 + drawing.below(5), 12);
    const Expression other = drawn_expression(drawing, expression.variable_count, 12);
    Circuit circuit(kPlenty);
    Questions questions(circuit, kConflicts, most_listed);
    const Formula both[] = {formula_of(expression, circuit), formula_of(other, circuit)};
    const TruthTable tables[] = {table_of(expression), table_of(other)};
    const auto answer = [](bool is_true) { return is_true ? Answer::yes : Answer::no; };
    CHECK(questions.is_satisfiable(both[0]) == answer(tables[0].any()));
    CHECK(questions.is_tautology(both[0]) == answer(tables[0].all()));
    CHECK(questions.is_equal(both[0], both[1]) == answer(tables[0] == tables[1]));
    REQUIRE(questions.can_be(both) == answer((tables[0] & tables[1]).any()));
    if ((tables[0] & tables[1]).none()) {
      ++impossible;
      continue;
    }
    logic::Valuation values(circuit, *questions.example());
    CHECK(values.of(both[0]) == Answer::yes);
    CHECK(values.of(both[1]) == Answer::yes);
  }
  CHECK(impossible > 10);
}

TEST_CASE("the values with the fewest true ones are those that diagrams give") {
  const std::size_t most_listed = GENERATE(std::size_t{0}, Questions::kListed);
  Drawing drawing(6);
  int witnesses = 0;
  for (int i = 0; i < 200; ++i) {
    CAPTURE(i, most_listed);
    const Expression expression = drawn_expression(drawing, 4 + drawing.below(6), 14);
    Circuit circuit(kPlenty);
    Questions questions(circuit, kConflicts, most_listed);
    const Formula formula = formula_of(expression, circuit);
    logic::Diagrams diagrams(kPlenty);
    const auto expected = diagrams.witness(function_of(expression, diagrams));
    const logic::Satisfied found = questions.satisfy({&formula, 1});
    REQUIRE((found.answer == Answer::yes) == expected.has_value());
    if (!expected) continue;
    ++witnesses;
    CHECK(text_of(found.witness) == text_of(*expected));
  }
  CHECK(witnesses > 100);
}

TEST_CASE("a circuit and a diagram of it are the same function, and so is a copy with its variables exchanged twice") {
  Drawing drawing(8);
  for (int i = 0; i < 100; ++i) {
    CAPTURE(i);
    const Expression expression = drawn_expression(drawing, 6, 14);
    Circuit circuit(kPlenty);
    Questions questions(circuit, kConflicts);
    logic::Diagrams diagrams(kPlenty);
    const Formula formula = formula_of(expression, circuit);
    logic::Drawing drawn(circuit, diagrams);
    const logic::Function function = drawn.of(formula);
    CHECK(diagrams.is_equal(function, function_of(expression, diagrams)) == Answer::yes);
    CHECK(questions.is_equal(formula, logic::formula_of(circuit, diagrams, function)) == Answer::yes);
    std::vector<Formula> exchanged;
    for (std::uint32_t variable = 0; variable < 6; ++variable) exchanged.push_back(circuit.variable(5 - variable));
    Circuit other(kPlenty);
    std::vector<Formula> there;
    for (std::uint32_t variable = 0; variable < 6; ++variable) there.push_back(other.variable(5 - variable));
    const Formula copied = logic::Copy(circuit, other, there).of(formula);
    const Formula back = logic::Copy(other, circuit, exchanged).of(copied);
    CHECK(questions.is_equal(formula, back) == Answer::yes);
  }
}

}  // namespace logic_questions
