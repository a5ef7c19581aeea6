// Questions about circuits, answered by examples and a solver, against truth tables and diagrams.
#include "logic/questions.h"

#include <algorithm>
#include <map>

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

TEST_CASE("formulas are what their truth tables say, by a list of all states, by diagrams and by a solver") {
  const std::size_t most_listed = GENERATE(std::size_t{0}, Questions::kListed);
  const std::size_t most_drawn = GENERATE(std::size_t{0}, std::size_t{60}, Questions::kDrawn);
  Drawing drawing(5);
  int impossible = 0;
  for (int i = 0; i < 300; ++i) {
    CAPTURE(i, most_listed, most_drawn);
    const Expression expression = drawn_expression(drawing, 4 + drawing.below(5), 12);
    const Expression other = drawn_expression(drawing, expression.variable_count, 12);
    Circuit circuit(kPlenty);
    Questions questions(circuit, kConflicts, most_listed, most_drawn);
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

TEST_CASE("each of many formulas can be, together with others, where it can by itself") {
  const std::size_t most_drawn = GENERATE(std::size_t{0}, Questions::kDrawn);
  Drawing drawing(9);
  for (int i = 0; i < 60; ++i) {
    CAPTURE(i, most_drawn);
    Circuit circuit(kPlenty);
    Questions questions(circuit, kConflicts, 0, most_drawn);
    for (int repeated = 0; repeated < 4; ++repeated) {
      const Expression common = drawn_expression(drawing, 8, 6);
      const Formula kept[] = {formula_of(common, circuit)};
      std::vector<Formula> each;
      std::vector<Answer> expected;
      for (int k = 0; k < 12; ++k) {
        const Expression expression = drawn_expression(drawing, 8, 10);
        each.push_back(formula_of(expression, circuit));
        expected.push_back((table_of(common) & table_of(expression)).any() ? Answer::yes : Answer::no);
      }
      CHECK(questions.each_can_be(kept, each) == expected);
    }
  }
}

// What Questions::enough() promises, by trying.
std::vector<std::size_t> enough_of(const std::vector<TruthTable>& tables) {
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (tables[i].none()) return {i};
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (std::size_t j = i + 1; j < tables.size(); ++j) {
      if ((tables[i] & tables[j]).none()) return {i, j};
    }
  }
  std::vector<std::size_t> needed;
  TruthTable all = ~TruthTable();
  while (all.any()) {
    TruthTable first = all;
    std::size_t last = 0;
    while (last < tables.size() && (first &= tables[last]).any()) ++last;
    if (last == tables.size()) return {};
    needed.push_back(last);
    all &= tables[last];
  }
  std::sort(needed.begin(), needed.end());
  return needed;
}

TEST_CASE("of formulas that cannot all be true, as few are named as suffice: alone, in a pair, or of the first") {
  const std::size_t most_listed = GENERATE(std::size_t{0}, Questions::kListed);
  const std::size_t most_drawn = GENERATE(std::size_t{0}, Questions::kDrawn);
  Drawing drawing(11);
  std::map<std::size_t, int> sizes;
  for (int i = 0; i < 150; ++i) {
    CAPTURE(i, most_listed, most_drawn);
    Circuit circuit(kPlenty);
    Questions questions(circuit, kConflicts, most_listed, most_drawn);
    std::vector<Formula> formulas;
    std::vector<TruthTable> tables;
    const std::uint32_t count = 3 + drawing.below(20);
    for (std::uint32_t k = 0; k < count; ++k) {
      const Expression expression = drawn_expression(drawing, 8, drawing.below(3) == 0 ? 1 : 3);
      formulas.push_back(formula_of(expression, circuit));
      tables.push_back(table_of(expression));
    }
    const std::vector<std::size_t> expected = enough_of(tables);
    ++sizes[expected.size()];
    CHECK(questions.enough(formulas) == expected);
    CHECK(questions.enough(formulas) == expected);
  }
  CHECK(sizes.size() >= 4);
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
