// Conditions from sums of products. See conditions.h.
#include "explore/select/conditions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace espalier::explore {
namespace {

using logic::Function;
using logic::Literal;
using Product = std::vector<Literal>;

constexpr std::size_t kMostProducts = 1000;

// A literal, or all or any of some parts.
struct Expression {
  enum Kind { literal, all, any } kind = literal;
  Literal value = {};
  std::vector<Expression> parts = {};
};

bool is_equal(const Literal& a, const Literal& b) { return a.variable == b.variable && a.value == b.value; }

// Parts of the same kind become parts of the whole; a single part is the whole.
Expression joined(Expression::Kind kind, std::vector<Expression> parts) {
  Expression result{kind, {}, {}};
  for (Expression& part : parts) {
    if (part.kind == kind) {
      std::move(part.parts.begin(), part.parts.end(), std::back_inserter(result.parts));
    } else {
      result.parts.push_back(std::move(part));
    }
  }
  if (result.parts.size() == 1) return std::move(Expression(result).parts.front());
  return result;
}

// The literal that most products have, if it is in several of them.
std::optional<Literal> most_common(const std::vector<Product>& products) {
  std::map<std::pair<logic::Variable, bool>, std::size_t> counts;
  std::optional<Literal> result;
  std::size_t most = 1;
  for (const Product& product : products) {
    for (const Literal& literal : product) {
      const std::size_t count = ++counts[{literal.variable, literal.value}];
      if (count <= most) continue;
      most = count;
      result = literal;
    }
  }
  return result;
}

// Common literals are written once: A and (B or C). Without products it is `any` of nothing, which is false.
Expression factored(std::vector<Product> products) {
  std::vector<Expression> parts;
  const std::optional<Literal> common = most_common(products);
  if (!common) {
    for (const Product& product : products) {
      std::vector<Expression> literals;
      for (const Literal& each : product) literals.push_back({Expression::literal, each, {}});
      parts.push_back(joined(Expression::all, std::move(literals)));
    }
    return joined(Expression::any, std::move(parts));
  }
  std::vector<Product> with, without;
  for (Product& product : products) {
    const auto place =
        std::find_if(product.begin(), product.end(), [&](const Literal& each) { return is_equal(each, *common); });
    const bool has_it = place != product.end();
    if (has_it) product.erase(place);
    (has_it ? with : without).push_back(std::move(product));
  }
  parts.push_back(joined(Expression::all, {{Expression::literal, *common, {}}, factored(std::move(with))}));
  if (!without.empty()) parts.push_back(factored(std::move(without)));
  return joined(Expression::any, std::move(parts));
}

void negate(Expression& expression) {
  if (expression.kind == Expression::literal) {
    expression.value.value = !expression.value.value;
    return;
  }
  expression.kind = expression.kind == Expression::all ? Expression::any : Expression::all;
  for (Expression& part : expression.parts) negate(part);
}

std::size_t literal_count(const Expression& expression) {
  std::size_t count = expression.kind == Expression::literal ? 1 : 0;
  for (const Expression& part : expression.parts) count += literal_count(part);
  return count;
}

// `and` and `or` have one precedence.
std::string text_of(const Expression& expression, const std::vector<NamedVariable>& variables) {
  if (expression.kind == Expression::literal) {
    const auto named = std::find_if(variables.begin(), variables.end(), [&](const NamedVariable& variable) {
      return variable.number == expression.value.variable;
    });
    return (expression.value.value ? "" : "!") + named->name;
  }
  if (expression.parts.empty()) return expression.kind == Expression::all ? "true" : "false";
  std::string text;
  for (const Expression& part : expression.parts) {
    const std::string own = text_of(part, variables);
    if (!text.empty()) text += expression.kind == Expression::all ? " and " : " or ";
    text += part.kind == Expression::literal ? own : '(' + own + ')';
  }
  return text;
}

}  // namespace

std::string condition_between(logic::Diagrams& diagrams, Function inside, Function outside,
                              const std::vector<NamedVariable>& variables) {
  const auto is_apart = [&](Function left, Function right) {
    return diagrams.is_satisfiable(diagrams.conjunction(left, right)) == logic::Answer::no;
  };
  if (!is_apart(inside, outside)) return {};
  // Variables that are not needed are left out, as far as possible those that come late.
  for (std::size_t i = variables.size(); i-- > 0;) {
    const logic::Variable number[] = {variables[i].number};
    const Function fewer_inside = diagrams.exists(inside, number);
    const Function fewer_outside = diagrams.exists(outside, number);
    if (!is_apart(fewer_inside, fewer_outside)) continue;
    inside = fewer_inside;
    outside = fewer_outside;
  }
  std::optional<Expression> best;
  for (const bool is_negated : {false, true}) {
    auto products = is_negated ? diagrams.products(outside, diagrams.negation(inside), kMostProducts)
                               : diagrams.products(inside, diagrams.negation(outside), kMostProducts);
    if (!products) continue;
    Expression found = factored(std::move(*products));
    if (is_negated) negate(found);
    if (!best || literal_count(found) < literal_count(*best)) best = std::move(found);
  }
  return best ? text_of(*best, variables) : std::string();
}

}  // namespace espalier::explore
