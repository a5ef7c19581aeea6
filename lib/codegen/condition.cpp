// Conditions to tests, bottom up over the terms. See condition.h.
#include "codegen/condition.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "runtime/format/short_condition.h"

namespace espalier::codegen {
namespace {

using layout::CombineOp;
using layout::Test;
using layout::TestOp;

// The compiled form of one term.
enum class Form : std::uint8_t {
  constant,
  all,      // a conjunction of literals: each of `tests` is an `all`, sorted by word
  any,      // a disjunction of literals: each of `tests` is an `any`, sorted by word
  program,  // `tests` is a program that leaves its value as the result
};

struct Fragment {
  Form form = Form::constant;
  bool value = false;      // constant
  std::uint32_t bits = 0;  // program: largest depth of the stack
  std::vector<Test> tests = {};
};

Test make_test(TestOp op, CombineOp combine, std::uint32_t word = 0, std::uint32_t mask = 0, std::uint32_t value = 0) {
  return {static_cast<std::uint8_t>(op), static_cast<std::uint8_t>(combine), static_cast<std::uint16_t>(word), mask,
          value};
}

Fragment constant(bool value) { return {Form::constant, value}; }

// A single literal is both a conjunction and a disjunction; it is stored as a conjunction.
bool is_literal(const Fragment& fragment) {
  return fragment.tests.size() == 1 && fragment.form != Form::program && std::has_single_bit(fragment.tests[0].mask);
}

// not (all literals are true) = any of their opposites is true, and vice versa; mask and value stay the same.
void flip(Fragment& fragment) {
  fragment.form = fragment.form == Form::all ? Form::any : Form::all;
  const TestOp op = fragment.form == Form::all ? TestOp::all : TestOp::any;
  for (Test& test : fragment.tests) test.test = static_cast<std::uint8_t>(op);
}

void normalise_literal(Fragment& fragment, Form form) {
  if (fragment.form == form || !is_literal(fragment)) return;
  fragment.form = form;
  fragment.tests[0].test = static_cast<std::uint8_t>(form == Form::all ? TestOp::all : TestOp::any);
  fragment.tests[0].value ^= fragment.tests[0].mask;
}

Fragment negation(Fragment fragment) {
  switch (fragment.form) {
    case Form::constant:
      return constant(!fragment.value);
    case Form::all:
    case Form::any:
      flip(fragment);
      return fragment;
    case Form::program:
      fragment.tests.push_back(make_test(TestOp::all, CombineOp::differ));
      return fragment;
  }
  return fragment;
}

// Merges two sorted lists of literals of the same form. Contradicting literals decide the whole: false for `all`, true
// for `any`.
Fragment unite(Fragment large, Fragment small) {
  if (large.tests.size() < small.tests.size()) std::swap(large, small);
  for (const Test& test : small.tests) {
    const auto place = std::lower_bound(large.tests.begin(), large.tests.end(), test,
                                        [](const Test& a, const Test& b) { return a.word < b.word; });
    if (place == large.tests.end() || place->word != test.word) {
      large.tests.insert(place, test);
      continue;
    }
    if (((place->value ^ test.value) & place->mask & test.mask) != 0) return constant(large.form == Form::any);
    place->mask |= test.mask;
    place->value |= test.value;
  }
  return large;
}

// A list of literals as a program.
void make_program(Fragment& fragment) {
  if (fragment.form == Form::program) return;
  const CombineOp combine = fragment.form == Form::all ? CombineOp::both : CombineOp::either;
  for (std::size_t i = 0; i < fragment.tests.size(); ++i) {
    fragment.tests[i].combine = static_cast<std::uint8_t>(i == 0 ? CombineOp::set : combine);
  }
  fragment.form = Form::program;
}

// Can the tests of `fragment` be combined with a result one by one?
bool combines_directly(const Fragment& fragment, CombineOp combine) {
  if (fragment.form == Form::program) return false;
  return fragment.tests.size() == 1 || (fragment.form == Form::all && combine == CombineOp::both) ||
         (fragment.form == Form::any && combine == CombineOp::either);
}

// `first`, then `second`, then both combined. All operators are symmetric, so the order does not matter.
Fragment join(Fragment first, Fragment second, CombineOp combine) {
  if (combines_directly(first, combine) && !combines_directly(second, combine)) std::swap(first, second);
  if (combines_directly(second, combine)) {
    make_program(first);
    for (Test test : second.tests) {
      test.combine = static_cast<std::uint8_t>(combine);
      first.tests.push_back(test);
    }
    return first;
  }
  make_program(first);
  make_program(second);
  if (first.bits < second.bits || (first.bits == second.bits && first.tests.size() < second.tests.size())) {
    std::swap(first, second);
  }
  second.tests.front().combine = static_cast<std::uint8_t>(CombineOp::aside);
  first.tests.insert(first.tests.end(), second.tests.begin(), second.tests.end());
  first.tests.push_back(make_test(TestOp::combine, combine));
  first.bits = std::max(first.bits, second.bits + 1);
  return first;
}

Fragment conjunction(Fragment left, Fragment right) {
  if (left.form == Form::constant) return left.value ? right : left;
  if (right.form == Form::constant) return right.value ? left : right;
  normalise_literal(left, Form::all);
  normalise_literal(right, Form::all);
  if (left.form == Form::all && right.form == Form::all) return unite(std::move(left), std::move(right));
  return join(std::move(left), std::move(right), CombineOp::both);
}

Fragment disjunction(Fragment left, Fragment right) {
  if (left.form == Form::constant) return left.value ? left : right;
  if (right.form == Form::constant) return right.value ? right : left;
  normalise_literal(left, Form::any);
  normalise_literal(right, Form::any);
  if (left.form == Form::any && right.form == Form::any) return unite(std::move(left), std::move(right));
  return join(std::move(left), std::move(right), CombineOp::either);
}

// Exclusive or; `!=` is the same.
Fragment difference(Fragment left, Fragment right) {
  if (left.form == Form::constant) std::swap(left, right);
  if (right.form == Form::constant) return right.value ? negation(std::move(left)) : left;
  return join(std::move(left), std::move(right), CombineOp::differ);
}

Fragment equality(Fragment left, Fragment right) {
  if (left.form == Form::constant) std::swap(left, right);
  if (right.form == Form::constant) return right.value ? left : negation(std::move(left));
  return join(std::move(left), std::move(right), CombineOp::same);
}

Fragment literal(std::uint32_t variable) {
  const std::uint32_t mask = std::uint32_t{1} << (variable % 32);
  Fragment fragment{Form::all};
  fragment.tests.push_back(make_test(TestOp::all, CombineOp::set, variable / 32, mask, mask));
  return fragment;
}

Fragment term_fragment(const ir::Term& term, std::vector<Fragment>& done) {
  auto left = [&] { return std::move(done[term.left]); };
  auto right = [&] { return std::move(done[term.right]); };
  switch (term.kind) {
    case ir::TermKind::constant:
      return constant(term.left != 0);
    case ir::TermKind::variable:
      return literal(term.left);
    case ir::TermKind::negation:
      return negation(left());
    case ir::TermKind::conjunction:
      return conjunction(left(), right());
    case ir::TermKind::disjunction:
      return disjunction(left(), right());
    case ir::TermKind::exclusive:
    case ir::TermKind::unequal:
      return difference(left(), right());
    case ir::TermKind::equal:
      return equality(left(), right());
  }
  return constant(false);
}

// A literal, and how it is combined with those before it.
struct Literal {
  std::uint32_t variable;
  bool is_negated;
  CombineOp combine;
};

void add_literals(const Test& test, std::vector<Literal>& literals) {
  const bool is_all = static_cast<TestOp>(test.test) == TestOp::all;
  auto combine = static_cast<CombineOp>(test.combine);
  for (std::uint32_t rest = test.mask; rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
    literals.push_back({test.word * 32u + bit, ((test.value >> bit & 1) != 0) != is_all, combine});
    combine = is_all ? CombineOp::both : CombineOp::either;
  }
}

// The tests as ((A op B) op C), or, turned, as C op (A op B); none: they are something else.
std::vector<Literal> short_literals(const std::vector<Test>& tests, bool* is_turned) {
  std::vector<Literal> literals;
  for (const Test& test : tests) {
    const bool has_literals = test.mask != 0 && static_cast<CombineOp>(test.combine) != CombineOp::aside;
    if (!has_literals || literals.size() > kShortVariables) return {};
    const std::size_t before = literals.size();
    add_literals(test, literals);
    const bool is_row =
        before == 0 || literals.size() == before + 1 || literals[before].combine == literals.back().combine;
    if (is_row) continue;
    if (before != 1 || literals.size() != kShortVariables) return {};
    *is_turned = true;
    std::swap(literals[0].combine, literals[1].combine);
    std::rotate(literals.begin(), literals.begin() + 1, literals.end());
  }
  const bool fits = literals.size() <= kShortVariables &&
                    std::all_of(literals.begin(), literals.end(),
                                [](const Literal& each) { return each.variable < kShortVariableLimit; });
  return fits ? literals : std::vector<Literal>();
}

// The rows of a table for which the literals are true, in which the variables are those of the literals.
std::uint32_t table_of(const std::vector<Literal>& literals) {
  std::uint32_t table = 0;
  for (std::uint32_t row = 0; row < 1u << kShortVariables; ++row) {
    bool value = false;
    for (std::size_t i = 0; i < literals.size(); ++i) {
      const bool literal = ((row >> i & 1) != 0) != literals[i].is_negated;
      switch (literals[i].combine) {
        case CombineOp::both:
          value = value && literal;
          break;
        case CombineOp::either:
          value = value || literal;
          break;
        case CombineOp::differ:
          value = value != literal;
          break;
        case CombineOp::same:
          value = value == literal;
          break;
        case CombineOp::set:
        case CombineOp::aside:
          value = literal;
          break;
      }
    }
    table |= std::uint32_t{value} << row;
  }
  return table;
}

}  // namespace

// Its text must be that of the tests: another form with the same table may be the one that the table stands for.
std::optional<std::uint32_t> short_condition(const std::vector<layout::Test>& tests) {
  bool is_turned = false;
  const std::vector<Literal> literals = short_literals(tests, &is_turned);
  if (literals.empty()) return std::nullopt;
  std::uint32_t operand = kShortCondition | table_of(literals) << kShortTableShift;
  if (is_turned) operand |= kShortTurned;
  const ShortForm& form = short_form(operand);
  if (form.count != literals.size()) return std::nullopt;
  for (std::uint32_t i = 0; i < form.count; ++i) {
    const Literal& literal = literals[i];
    if (form.combine[i] != literal.combine || ((form.negated >> i & 1) != 0) != literal.is_negated) return std::nullopt;
    operand |= literal.variable << (i * kShortVariableBits);
  }
  return operand;
}

std::vector<layout::Test> compile_condition(const ir::Condition& condition) {
  std::vector<Fragment> done(condition.terms.size());
  for (std::size_t i = 0; i < condition.terms.size(); ++i) done[i] = term_fragment(condition.terms[i], done);
  Fragment& root = done.back();
  if (root.form == Form::constant) {
    if (root.value) return {};
    return {make_test(TestOp::any, CombineOp::set)};
  }
  make_program(root);
  return std::move(root.tests);
}

std::uint32_t variable_count(const std::vector<layout::Test>& tests) {
  std::uint32_t count = 0;
  for (const Test& test : tests) {
    if (test.mask != 0)
      count = std::max(count, test.word * 32u + static_cast<std::uint32_t>(std::bit_width(test.mask)));
  }
  return count;
}

}  // namespace espalier::codegen
