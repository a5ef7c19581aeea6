// Decision diagrams, compared with an established solver (minisat) for too many values to try them all.
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "logic/diagrams.h"
#include "logic_expressions.h"
#include "temporary_folder.h"
#include "unit.h"

namespace logic_solver {

using namespace espalier;
using logic::Answer;
using logic::Diagrams;
using logic::Function;
using logic::Literal;
using logic::Variable;

namespace {

constexpr std::size_t kPlenty = 4'000'000;

// The answer of minisat for these clauses, from its exit status. It runs in a separate folder.
Answer solved(const Clauses& clauses) {
  {
    std::ofstream file("clauses.cnf");
    file << "p cnf " << clauses.variable_count << ' ' << clauses.clauses.size() << '\n';
    for (const std::vector<std::int64_t>& clause : clauses.clauses) {
      for (const std::int64_t literal : clause) file << literal << ' ';
      file << "0\n";
    }
  }
  const int status = std::system("minisat -verb=0 clauses.cnf >minisat.log 2>&1");
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 127) FAIL("minisat is not there: install the package of that name");
  if (code != 10 && code != 20) FAIL("minisat ended with exit status " << code);
  return code == 10 ? Answer::yes : Answer::no;
}

Function function_of(const Clauses& clauses, Diagrams& diagrams) {
  Function result = diagrams.constant(true);
  for (const std::vector<std::int64_t>& clause : clauses.clauses) {
    std::vector<Literal> literals;
    literals.reserve(clause.size());
    for (const std::int64_t literal : clause) {
      literals.push_back({static_cast<Variable>(std::abs(literal) - 1), literal > 0});
    }
    result = diagrams.conjunction(result, diagrams.any_of(literals));
  }
  return result;
}

// Of three literals each; a variable's are near one another, as they are where people write them, or anywhere.
Clauses drawn_clauses(Drawing& drawing, std::uint32_t variable_count, std::uint32_t clause_count, std::uint32_t span) {
  Clauses result{variable_count, {}};
  for (std::uint32_t i = 0; i < clause_count; ++i) {
    const std::uint32_t begin = drawing.below(variable_count - span + 1);
    std::vector<std::int64_t> clause;
    while (clause.size() < 3) {
      const std::int64_t variable = begin + drawing.below(span) + 1;
      const bool is_new =
          std::none_of(clause.begin(), clause.end(), [&](std::int64_t other) { return std::abs(other) == variable; });
      if (is_new) clause.push_back(drawing.below(2) == 0 ? variable : -variable);
    }
    result.clauses.push_back(std::move(clause));
  }
  // Those that begin with the same variables together: what is known of them is never large.
  std::sort(result.clauses.begin(), result.clauses.end(), [](const auto& left, const auto& right) {
    const auto by_size = [](std::int64_t a, std::int64_t b) { return std::abs(a) < std::abs(b); };
    return std::abs(*std::max_element(left.begin(), left.end(), by_size)) <
           std::abs(*std::max_element(right.begin(), right.end(), by_size));
  });
  return result;
}

struct Kind {
  std::uint32_t variable_count;
  std::uint32_t span;
  double clauses_per_variable;  // where about half of them can be true
};

}  // namespace

TEST_CASE("clauses that can just be true or just not are told apart as a solver does") {
  const TemporaryFolder folder;
  const Kind kind = GENERATE(Kind{30, 30, 4.4}, Kind{32, 32, 4.4}, Kind{60, 10, 3.7}, Kind{60, 15, 3.9});
  Drawing drawing(kind.variable_count + kind.span);
  int satisfiable_count = 0;
  constexpr int kCount = 10;
  for (int i = 0; i < kCount; ++i) {
    CAPTURE(i, kind.variable_count, kind.span);
    const Clauses clauses =
        drawn_clauses(drawing, kind.variable_count,
                      static_cast<std::uint32_t>(kind.clauses_per_variable * kind.variable_count), kind.span);
    Diagrams diagrams(kPlenty);
    const Answer is_satisfiable = diagrams.is_satisfiable(function_of(clauses, diagrams));
    REQUIRE(is_satisfiable == solved(clauses));
    satisfiable_count += is_satisfiable == Answer::yes ? 1 : 0;
  }
  CHECK(satisfiable_count > 0);
  CHECK(satisfiable_count < kCount);
}

TEST_CASE("expressions of many variables can be true, and equal, where a solver says so") {
  const TemporaryFolder folder;
  Drawing drawing(7);
  int satisfiable_count = 0;
  int equal_count = 0;
  constexpr int kCount = 20;
  for (int i = 0; i < kCount; ++i) {
    CAPTURE(i);
    const std::uint32_t variable_count = 20 + drawing.below(20);
    Expression left = drawn_expression(drawing, variable_count, 60);
    Diagrams diagrams(kPlenty);
    const Function left_function = function_of(left, diagrams);
    CHECK(diagrams.is_satisfiable(left_function) == solved(clauses_of(left)));
    // Another that differs from it nowhere, or where a few variables have certain values.
    Expression both = left;
    const auto last = static_cast<std::uint32_t>(both.terms.size() - 1);
    std::uint32_t rare = drawing.below(variable_count);
    for (std::uint32_t count = drawing.below(8); count > 0; --count) {
      both.terms.push_back({TermKind::conjunction, rare, drawing.below(last)});
      rare = static_cast<std::uint32_t>(both.terms.size() - 1);
    }
    both.terms.push_back({TermKind::conjunction, last, rare});
    both.terms.push_back({TermKind::disjunction, last, static_cast<std::uint32_t>(both.terms.size() - 1)});
    both.terms.push_back(
        {TermKind::exclusive, last, drawing.below(2) == 0 ? rare : static_cast<std::uint32_t>(both.terms.size() - 1)});
    const Function difference = function_of(both, diagrams);
    const Answer is_satisfiable = diagrams.is_satisfiable(difference);
    REQUIRE(is_satisfiable == solved(clauses_of(both)));
    satisfiable_count += is_satisfiable == Answer::yes ? 1 : 0;
    equal_count += is_satisfiable == Answer::no ? 1 : 0;
  }
  CHECK(satisfiable_count > 3);
  CHECK(equal_count > 3);
}

TEST_CASE("a witness of many variables satisfies the clauses, and a solver finds none with fewer true") {
  const TemporaryFolder folder;
  Drawing drawing(9);
  int witness_count = 0;
  for (int i = 0; i < 10; ++i) {
    CAPTURE(i);
    Clauses clauses = drawn_clauses(drawing, 40, 100, 12);
    Diagrams diagrams(kPlenty);
    const Function function = function_of(clauses, diagrams);
    REQUIRE(function.is_known());
    const std::optional<std::vector<Literal>> witness = diagrams.witness(function);
    REQUIRE(witness.has_value() == (solved(clauses) == Answer::yes));
    if (!witness) continue;
    ++witness_count;
    std::vector<bool> values(clauses.variable_count);
    for (const Literal& literal : *witness) values[literal.variable] = literal.value;
    CHECK(diagrams.value(function, values) == Answer::yes);
    const auto true_count = std::count(values.begin(), values.end(), true);
    REQUIRE(true_count > 0);
    // Fewer than that of all variables: count[i][j], at least j of the first i are true.
    const auto bound = static_cast<std::int64_t>(true_count);
    const auto counter = [&](std::int64_t variable, std::int64_t count) {
      return std::int64_t{clauses.variable_count} + (variable - 1) * bound + count;
    };
    Clauses fewer = clauses;
    fewer.variable_count = static_cast<std::uint32_t>(counter(clauses.variable_count, bound));
    for (std::int64_t variable = 1; variable <= clauses.variable_count; ++variable) {
      for (std::int64_t count = 1; count <= bound; ++count) {
        if (variable > 1) fewer.clauses.push_back({-counter(variable - 1, count), counter(variable, count)});
        if (count == 1) fewer.clauses.push_back({-variable, counter(variable, 1)});
        if (variable > 1 && count > 1) {
          fewer.clauses.push_back({-variable, -counter(variable - 1, count - 1), counter(variable, count)});
        }
      }
    }
    fewer.clauses.push_back({-counter(clauses.variable_count, bound)});
    CHECK(solved(fewer) == Answer::no);
  }
  CHECK(witness_count > 3);
}

}  // namespace logic_solver
