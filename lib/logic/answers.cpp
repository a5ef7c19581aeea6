// Questions about functions. See diagrams.h.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>

#include "logic/diagrams.h"

namespace espalier::logic {

// The nodes and constants that are reached if these variables have these values, parents before their children, so
// false is last.
std::vector<Diagrams::Index> Diagrams::reached(Index function, std::span<const Literal> given) const {
  std::vector<Index> result;
  if (is_met_.size() < nodes_.size()) is_met_.resize(nodes_.size());
  const auto add = [&](Index index) {
    if (is_met_[index]) return;
    is_met_[index] = true;
    result.push_back(index);
  };
  add(function);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] <= kTrue) continue;
    const Node& asked = nodes_[result[i]];
    const auto literal =
        std::lower_bound(given.begin(), given.end(), asked.variable,
                         [](const Literal& before, Index variable) { return before.variable < variable; });
    const bool is_given = literal != given.end() && literal->variable == asked.variable;
    if (!is_given || !literal->value) add(asked.low);
    if (!is_given || literal->value) add(asked.high);
  }
  for (const Index met : result) is_met_[met] = false;
  std::sort(result.begin(), result.end(), std::greater<>());
  return result;
}

// ---- For all values -----------------------------------------------------------------------------

Answer Diagrams::is_satisfiable(Function function) const {
  if (!function.is_known()) return Answer::unknown;
  return function.index_ == kFalse ? Answer::no : Answer::yes;
}

Answer Diagrams::is_tautology(Function function) const {
  if (!function.is_known()) return Answer::unknown;
  return function.index_ == kTrue ? Answer::yes : Answer::no;
}

Answer Diagrams::is_equal(Function left, Function right) const {
  if (!left.is_known() || !right.is_known()) return Answer::unknown;
  return left.index_ == right.index_ ? Answer::yes : Answer::no;
}

Answer Diagrams::implies(Function left, Function right) { return is_tautology(implication(left, right)); }

Answer Diagrams::holds(Function function, std::span<const Literal> given) const {
  if (!function.is_known()) return Answer::unknown;
  return reached(function.index_, given).back() == kFalse ? Answer::no : Answer::yes;
}

Answer Diagrams::value(Function function, const std::vector<bool>& values) const {
  if (!function.is_known()) return Answer::unknown;
  Index at = function.index_;
  while (at > kTrue) {
    const Node& asked = nodes_[at];
    at = asked.variable < values.size() && values[asked.variable] ? asked.high : asked.low;
  }
  return at == kTrue ? Answer::yes : Answer::no;
}

std::optional<std::vector<Variable>> Diagrams::support(Function function) const {
  if (!function.is_known()) return std::nullopt;
  std::set<Variable> variables;
  for (const Index at : reached(function.index_, {})) {
    if (at > kTrue) variables.insert(static_cast<Variable>(nodes_[at].variable));
  }
  return std::vector<Variable>(variables.begin(), variables.end());
}

std::vector<Diagrams::Part> Diagrams::parts(Function function) const {
  std::vector<Part> result;
  if (!function.is_known()) return result;
  std::vector<Index> nodes = reached(function.index_, {});
  std::reverse(nodes.begin(), nodes.end());
  nodes.erase(nodes.begin(), std::upper_bound(nodes.begin(), nodes.end(), kTrue));
  const auto number_of = [&](Index node) {
    if (node <= kTrue) return node;
    return static_cast<std::uint32_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin() + 2);
  };
  for (const Index node : nodes) {
    result.push_back(
        {static_cast<Variable>(nodes_[node].variable), number_of(nodes_[node].low), number_of(nodes_[node].high)});
  }
  return result;
}

std::optional<double> Diagrams::fraction(Function function) const {
  if (!function.is_known()) return std::nullopt;
  std::vector<double> fractions(std::max(function.index_, kTrue) + 1);
  fractions[kTrue] = 1;
  for (Index at = kTrue + 1; at <= function.index_; ++at) {
    fractions[at] = (fractions[nodes_[at].low] + fractions[nodes_[at].high]) / 2;
  }
  return fractions[function.index_];
}

// ---- For some values ----------------------------------------------------------------------------

// Removes the false ones that are included only because the order reaches them before others. If there are as few true
// ones as possible, all of them are needed.
std::vector<Literal> Diagrams::needed(std::vector<Literal> literals, std::span<const Index> functions) const {
  std::vector<std::vector<Index>> asking(variable_count_);
  for (const Index function : functions) {
    for (const Index at : reached(function, {})) {
      if (at <= kTrue) continue;
      std::vector<Index>& of_variable = asking[nodes_[at].variable];
      if (of_variable.empty() || of_variable.back() != function) of_variable.push_back(function);
    }
  }
  for (std::size_t i = literals.size(); i-- > 0;) {
    if (literals[i].value) continue;
    std::vector<Literal> others = literals;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<Index>& of_variable = asking[literals[i].variable];
    const bool is_needed = std::any_of(of_variable.begin(), of_variable.end(),
                                       [&](Index function) { return reached(function, others).back() == kFalse; });
    if (!is_needed) literals.swap(others);
  }
  return literals;
}

std::vector<bool> Diagrams::example(Function function) const {
  std::vector<bool> values;
  if (!function.is_known()) return values;
  for (Index at = function.index_; at > kTrue;) {
    const bool value = nodes_[at].low == kFalse;
    if (value) {
      if (values.size() <= nodes_[at].variable) values.resize(nodes_[at].variable + std::size_t{1});
      values[nodes_[at].variable] = true;
    }
    at = value ? nodes_[at].high : nodes_[at].low;
  }
  return values;
}

// The path to true from a function that is not false, with the fewest true variables, and these as early as possible.
std::vector<Literal> Diagrams::cheapest(Index function) const {
  std::vector<std::uint32_t> costs(std::max(function, kTrue) + 1);
  costs[kFalse] = 2 * kMaxVariables;  // more than any path has
  const auto by_high = [&](const Node& at) { return costs[at.high] + 1; };
  for (Index at = kTrue + 1; at <= function; ++at) costs[at] = std::min(costs[nodes_[at].low], by_high(nodes_[at]));
  std::vector<Literal> literals;
  for (Index at = function; at > kTrue;) {
    const bool value = by_high(nodes_[at]) <= costs[nodes_[at].low];
    literals.push_back({static_cast<Variable>(nodes_[at].variable), value});
    at = value ? nodes_[at].high : nodes_[at].low;
  }
  return literals;
}

std::optional<std::vector<Literal>> Diagrams::witness(Function function) const {
  if (!function.is_known() || function.index_ == kFalse) return std::nullopt;
  return needed(cheapest(function.index_), {&function.index_, 1});
}

// The variables that help no function by being true: each function that is true with the variable true is also true
// with it false. They are returned with the value false.
std::vector<Literal> Diagrams::unhelpful(std::span<const Index> functions) {
  std::vector<bool> is_asked(variable_count_);
  std::vector<bool> is_helpful(variable_count_);
  for (const Index function : functions) {
    for (const Index at : reached(function, {})) {
      if (at <= kTrue) continue;
      const Node node = nodes_[at];
      is_asked[node.variable] = true;
      if (!is_helpful[node.variable]) is_helpful[node.variable] = choose(node.high, node.low, kTrue) != kTrue;
    }
  }
  std::vector<Literal> result;
  for (Index variable = 0; variable < variable_count_; ++variable) {
    if (is_asked[variable] && !is_helpful[variable]) result.push_back({static_cast<Variable>(variable), false});
  }
  return result;
}

// In a solution with the fewest true variables, each true variable helps. So unhelpful variables are set to false,
// which may make others unhelpful, and so on; usually little is left.
Satisfied Diagrams::satisfy(std::span<const Function> functions) {
  std::vector<Index> distinct;
  distinct.reserve(functions.size());
  for (const Function function : functions) distinct.push_back(function.index_);
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());

  std::vector<Index> left = distinct;
  std::vector<Literal> literals;
  for (;;) {
    if (std::find(left.begin(), left.end(), kFalse) != left.end()) return {Answer::no};
    if (std::find(left.begin(), left.end(), kUnknown) != left.end()) return {};
    const std::vector<Literal> given = unhelpful(left);
    if (given.empty()) break;
    literals.insert(literals.end(), given.begin(), given.end());
    const Index chained = chain(given, true);
    if (chained == kUnknown) return {};
    for (Index& function : left) function = restrict_to(function, chained);
    left.erase(std::remove(left.begin(), left.end(), kTrue), left.end());
  }
  Index all = kTrue;
  for (const Index function : left) all = choose(all, function, kFalse);
  if (all == kUnknown) return {};
  if (all == kFalse) return {Answer::no};
  const std::vector<Literal> others = cheapest(all);
  literals.insert(literals.end(), others.begin(), others.end());
  std::sort(literals.begin(), literals.end(),
            [](const Literal& before, const Literal& after) { return before.variable < after.variable; });
  return {Answer::yes, needed(std::move(literals), distinct)};
}

}  // namespace espalier::logic
