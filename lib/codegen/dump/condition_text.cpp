// Conditions of an asset back to the notation of the XML: the reverse of condition.cpp. and, or and xor have one
// precedence, so parentheses are written wherever they are mixed; == and != take unary operands.
#include <string>
#include <utility>
#include <vector>

#include "codegen/dump/disassemble.h"
#include "codegen/dump/listing.h"
#include "runtime/asset/condition_tests.h"

namespace espalier::codegen {
namespace {

using layout::CombineOp;
using layout::TestOp;

// The outermost operator of an expression, in the order of precedence, the highest first.
enum class Binding { value, negation, comparison, conjunction, disjunction, exclusive };

// Parentheses and '!' are put before an expression far more often than it is copied. So the characters before `text`
// are stored separately, in reverse order; adding one then takes constant time.
struct Expression {
  Binding form = Binding::value;
  std::string front;
  std::string text;
};

void append(std::string& out, const Expression& expression) {
  out.append(expression.front.rbegin(), expression.front.rend());
  out += expression.text;
}

void parenthesise(Expression& expression) {
  expression.front += '(';
  expression.text += ')';
  expression.form = Binding::value;
}

void negate(Expression& expression) {
  if (expression.form == Binding::negation) {
    expression.front.pop_back();
    expression.form = Binding::value;
    return;
  }
  if (expression.form != Binding::value) parenthesise(expression);
  expression.front += '!';
  expression.form = Binding::negation;
}

Expression join(Expression left, Expression right, Binding form, std::string_view word) {
  for (Expression* side : {&left, &right}) {
    const bool fits = form == Binding::comparison ? side->form <= Binding::negation
                                                  : side->form <= Binding::comparison || side->form == form;
    if (!fits) parenthesise(*side);
  }
  left.text.append(" ").append(word).append(" ");
  append(left.text, right);
  left.form = form;
  return left;
}

Expression combined(Expression left, Expression right, CombineOp combine) {
  switch (combine) {
    case CombineOp::both:
      return join(std::move(left), std::move(right), Binding::conjunction, "and");
    case CombineOp::either:
      return join(std::move(left), std::move(right), Binding::disjunction, "or");
    case CombineOp::differ:
      return join(std::move(left), std::move(right), Binding::exclusive, "xor");
    case CombineOp::same:
      return join(std::move(left), std::move(right), Binding::comparison, "==");
    case CombineOp::set:
    case CombineOp::aside:
      break;
  }
  return right;
}

Expression constant_text(bool value) { return {Binding::value, {}, value ? "true" : "false"}; }

bool is_constant(const layout::Test& test) {
  return test.mask == 0 && static_cast<TestOp>(test.test) != TestOp::combine;
}

// A masked test: all of these literals, or not all of them, which is any of their opposites.
Expression masked(const layout::Test& test, const VariableNames& names) {
  const bool is_all = static_cast<TestOp>(test.test) == TestOp::all;
  if (test.mask == 0) return constant_text(is_all);
  Expression result;
  bool is_first = true;
  for (std::uint32_t bit = 0; bit < 32; ++bit) {
    if ((test.mask >> bit & 1) == 0) continue;
    Expression literal{Binding::value, {}, names.name(test.word * 32u + bit)};
    if (((test.value >> bit & 1) != 0) != is_all) negate(literal);
    result = is_first ? std::move(literal)
                      : combined(std::move(result), std::move(literal), is_all ? CombineOp::both : CombineOp::either);
    is_first = false;
  }
  return result;
}

}  // namespace

std::string condition_text(const VariableNames& names, std::uint32_t condition) {
  if (condition == 0) return "true";
  const Asset& asset = *names.asset;
  const ConditionTests tests(asset, condition);
  Expression result;
  std::vector<Expression> put_aside;
  for (std::uint32_t i = 0; i < tests.count(); ++i) {
    const layout::Test& test = tests[i];
    const CombineOp combine = static_cast<CombineOp>(test.combine);
    if (static_cast<TestOp>(test.test) == TestOp::combine) {
      result = combined(std::move(put_aside.back()), std::move(result), combine);
      put_aside.pop_back();
    } else if (combine == CombineOp::differ && is_constant(test) && static_cast<TestOp>(test.test) == TestOp::all) {
      negate(result);
    } else if (combine == CombineOp::aside) {
      put_aside.push_back(std::move(result));
      result = masked(test, names);
    } else {
      result = combined(std::move(result), masked(test, names), combine);
    }
  }
  std::string text;
  append(text, result);
  return text;
}

std::string condition_text(const Tree& tree, std::uint32_t condition) {
  return condition_text(VariableNames{tree.asset, tree.index}, condition);
}

}  // namespace espalier::codegen
