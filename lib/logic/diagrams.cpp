// Operations on diagrams. See diagrams.h; the method is Bryant's, without complemented edges: every operation of two
// functions is a choice between functions.
#include "logic/diagrams.h"

#include <algorithm>

namespace espalier::logic {
namespace {

constexpr std::size_t kMaxSteps = std::size_t{1} << 31;  // so that the numbers of nodes end below the marks
// Third numbers of keys of results, where those of choices have a node.
constexpr std::uint32_t kRestriction = UINT32_MAX - 1;
constexpr std::uint32_t kQuantification = UINT32_MAX - 2;

}  // namespace

// ---- Tables -------------------------------------------------------------------------------------

std::size_t Diagrams::Table::slot(const std::vector<Entry>& entries, Key key) const {
  std::uint64_t hash = key.first;
  for (const Index part : {key.second, key.third}) hash = (hash ^ (hash >> 29)) * 0x9E3779B97F4A7C15U + part;
  hash *= 0x9E3779B97F4A7C15U;
  const std::size_t mask = entries.size() - 1;
  std::size_t at = (hash >> 32) & mask;
  while (entries[at].value != kUnknown && !(entries[at].key == key)) at = (at + 1) & mask;
  return at;
}

Diagrams::Index Diagrams::Table::find(Key key) const {
  return entries_.empty() ? kUnknown : entries_[slot(entries_, key)].value;
}

void Diagrams::Table::insert(Key key, Index value) {
  if (2 * size_ >= entries_.size()) {
    std::vector<Entry> grown(std::max<std::size_t>(64, 2 * entries_.size()));
    for (const Entry& entry : entries_) {
      if (entry.value != kUnknown) grown[slot(grown, entry.key)] = entry;
    }
    entries_.swap(grown);
  }
  entries_[slot(entries_, key)] = {key, value};
  ++size_;
}

// ---- Nodes --------------------------------------------------------------------------------------

Diagrams::Diagrams(std::size_t budget) : budget_(std::min(budget, kMaxSteps)) {
  nodes_ = {{kMaxVariables, kFalse, kFalse}, {kMaxVariables, kTrue, kTrue}};
}

bool Diagrams::has_step() {
  if (steps() >= budget_) is_exhausted_ = true;
  return !is_exhausted_;
}

Diagrams::Index Diagrams::node(Index variable, Index low, Index high) {
  if (low == kUnknown || high == kUnknown || variable >= kMaxVariables) return kUnknown;
  if (low == high) return low;
  const Table::Key key{variable, low, high};
  const Index known = unique_.find(key);
  if (known != kUnknown) return known;
  if (!has_step()) return kUnknown;
  nodes_.push_back({variable, low, high});
  const auto index = static_cast<Index>(nodes_.size() - 1);
  unique_.insert(key, index);
  return index;
}

Diagrams::Index Diagrams::remember(Table::Key key, Index result) {
  if (result == kUnknown || !has_step()) return kUnknown;
  results_.insert(key, result);
  return result;
}

Function Diagrams::variable(Variable variable) { return Function(node(variable, kFalse, kTrue)); }

// Built from the last variable up, so that each literal is one node and there is nothing to combine.
Diagrams::Index Diagrams::chain(std::span<const Literal> literals, bool is_all) {
  std::vector<Literal> sorted(literals.begin(), literals.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Literal& left, const Literal& right) { return left.variable > right.variable; });
  const Index decided = is_all ? kFalse : kTrue;  // by one literal that is not, or is, as it is to be
  Index result = is_all ? kTrue : kFalse;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Literal& literal = sorted[i];
    if (i > 0 && literal.variable == sorted[i - 1].variable) {
      if (literal.value != sorted[i - 1].value) return decided;
      continue;
    }
    const bool decides_when_true = literal.value != is_all;
    result = decides_when_true ? node(literal.variable, result, decided) : node(literal.variable, decided, result);
  }
  return result;
}

Function Diagrams::all_of(std::span<const Literal> literals) { return Function(chain(literals, true)); }

Function Diagrams::any_of(std::span<const Literal> literals) { return Function(chain(literals, false)); }

// ---- Operations ---------------------------------------------------------------------------------

Diagrams::Index Diagrams::choose(Index condition, Index then, Index otherwise) {
  if (condition == kUnknown || then == kUnknown || otherwise == kUnknown) return kUnknown;
  if (condition == kTrue) return then;
  if (condition == kFalse) return otherwise;
  if (then == condition) then = kTrue;
  if (otherwise == condition) otherwise = kFalse;
  if (then == otherwise) return then;
  if (then == kTrue && otherwise == kFalse) return condition;
  // "And" and "or" mean the same either way round, and are remembered once.
  if (otherwise == kFalse && then < condition) std::swap(condition, then);
  if (then == kTrue && otherwise < condition) std::swap(condition, otherwise);

  const Table::Key key{condition, then, otherwise};
  const Index known = results_.find(key);
  if (known != kUnknown) return known;
  const Index top = std::min({nodes_[condition].variable, nodes_[then].variable, nodes_[otherwise].variable});
  const auto low = [&](Index of) { return nodes_[of].variable == top ? nodes_[of].low : of; };
  const auto high = [&](Index of) { return nodes_[of].variable == top ? nodes_[of].high : of; };
  const Index when_false = choose(low(condition), low(then), low(otherwise));
  if (when_false == kUnknown) return kUnknown;
  const Index when_true = choose(high(condition), high(then), high(otherwise));
  return remember(key, node(top, when_false, when_true));
}

Function Diagrams::negation(Function function) { return Function(choose(function.index_, kFalse, kTrue)); }

Function Diagrams::conjunction(Function left, Function right) {
  return Function(choose(left.index_, right.index_, kFalse));
}

Function Diagrams::disjunction(Function left, Function right) {
  return Function(choose(left.index_, kTrue, right.index_));
}

Function Diagrams::exclusive(Function left, Function right) { return choice(left, negation(right), right); }

Function Diagrams::equivalence(Function left, Function right) { return choice(left, right, negation(right)); }

Function Diagrams::implication(Function left, Function right) {
  return Function(choose(left.index_, right.index_, kTrue));
}

Function Diagrams::choice(Function condition, Function then, Function otherwise) {
  return Function(choose(condition.index_, then.index_, otherwise.index_));
}

// `given` is a conjunction of literals: a chain, in which one child of each node is false.
Diagrams::Index Diagrams::restrict_to(Index function, Index given) {
  for (;;) {
    const Node& asked = nodes_[function];
    const Node& literal = nodes_[given];
    if (function <= kTrue || given == kTrue) return function;
    if (asked.variable < literal.variable) break;
    const bool value = literal.low == kFalse;
    if (asked.variable == literal.variable) function = value ? asked.high : asked.low;
    given = value ? literal.high : literal.low;
  }
  const Table::Key key{function, given, kRestriction};
  const Index known = results_.find(key);
  if (known != kUnknown) return known;
  const Node asked = nodes_[function];
  const Index low = restrict_to(asked.low, given);
  if (low == kUnknown) return kUnknown;
  return remember(key, node(asked.variable, low, restrict_to(asked.high, given)));
}

Function Diagrams::restricted(Function function, std::span<const Literal> given) {
  const Index chained = chain(given, true);
  if (!function.is_known() || chained == kUnknown || chained == kFalse) return {};
  return Function(restrict_to(function.index_, chained));
}

// `variables` is the conjunction of them.
Diagrams::Index Diagrams::quantify(Index function, Index variables) {
  while (nodes_[variables].variable < nodes_[function].variable) variables = nodes_[variables].high;
  if (function <= kTrue || variables == kTrue) return function;
  const Table::Key key{function, variables, kQuantification};
  const Index known = results_.find(key);
  if (known != kUnknown) return known;
  const Node asked = nodes_[function];
  const Index low = quantify(asked.low, variables);
  if (low == kUnknown) return kUnknown;
  const Index high = quantify(asked.high, variables);
  const bool is_quantified = asked.variable == nodes_[variables].variable;
  return remember(key, is_quantified ? choose(low, kTrue, high) : node(asked.variable, low, high));
}

Function Diagrams::exists(Function function, std::span<const Variable> variables) {
  std::vector<Literal> literals;
  literals.reserve(variables.size());
  for (const Variable variable : variables) literals.push_back({variable, true});
  const Index chained = chain(literals, true);
  if (!function.is_known() || chained == kUnknown) return {};
  return Function(quantify(function.index_, chained));
}

// ---- Answers ------------------------------------------------------------------------------------

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
  std::vector<bool> is_reached(function.index_ + 1);
  std::vector<bool> is_asked(kMaxVariables + 1);
  is_reached[function.index_] = true;
  for (Index at = function.index_; at > kTrue; --at) {
    if (!is_reached[at]) continue;
    is_asked[nodes_[at].variable] = true;
    is_reached[nodes_[at].low] = true;
    is_reached[nodes_[at].high] = true;
  }
  std::vector<Variable> result;
  for (Variable variable = 0; variable < kMaxVariables; ++variable) {
    if (is_asked[variable]) result.push_back(variable);
  }
  return result;
}

// Whether it is true whatever the variables without a literal are. Literals are in order.
bool Diagrams::holds(Index function, std::span<const Literal> literals) const {
  std::vector<bool> is_reached(std::max(function, kTrue) + 1);
  is_reached[function] = true;
  for (Index at = function; at > kTrue; --at) {
    if (!is_reached[at]) continue;
    const Node& asked = nodes_[at];
    const auto given =
        std::lower_bound(literals.begin(), literals.end(), asked.variable,
                         [](const Literal& literal, Index variable) { return literal.variable < variable; });
    const bool is_given = given != literals.end() && given->variable == asked.variable;
    if (!is_given || !given->value) is_reached[asked.low] = true;
    if (!is_given || given->value) is_reached[asked.high] = true;
  }
  return !is_reached[kFalse];
}

std::optional<std::vector<Literal>> Diagrams::witness(Function function) const {
  if (!function.is_known() || function.index_ == kFalse) return std::nullopt;
  // The fewest true variables on a way to true; of such ways the shortest.
  struct Cost {
    std::uint32_t true_count, literal_count;
    auto operator<=>(const Cost&) const = default;
  };
  std::vector<Cost> costs(std::max(function.index_, kTrue) + 1);
  costs[kFalse] = {2 * kMaxVariables, 0};  // more than any way has
  const auto by_high = [&](const Node& at) {
    return Cost{costs[at.high].true_count + 1, costs[at.high].literal_count};
  };
  for (Index at = kTrue + 1; at <= function.index_; ++at) {
    const Cost best = std::min(costs[nodes_[at].low], by_high(nodes_[at]));
    costs[at] = {best.true_count, best.literal_count + 1};
  }
  std::vector<Literal> literals;
  for (Index at = function.index_; at > kTrue;) {
    const bool value = by_high(nodes_[at]) < costs[nodes_[at].low];
    literals.push_back({static_cast<Variable>(nodes_[at].variable), value});
    at = value ? nodes_[at].high : nodes_[at].low;
  }
  // A false one may be there only because the order asks for it before another. (True ones are all needed, or there
  // would be fewer.)
  for (std::size_t i = literals.size(); i-- > 0;) {
    if (literals[i].value) continue;
    std::vector<Literal> others = literals;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (holds(function.index_, others)) literals.swap(others);
  }
  return literals;
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

}  // namespace espalier::logic
