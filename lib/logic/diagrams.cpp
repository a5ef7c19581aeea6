// Operations on diagrams. See diagrams.h; the method is Bryant's, without complemented edges: every operation of two
// functions is a choice between functions.
#include "logic/diagrams.h"

#include <algorithm>
#include <utility>

namespace espalier::logic {
namespace {

constexpr std::size_t kLeastEntries = 64;  // of a table
constexpr std::size_t kManyEntries = 4096;
constexpr std::size_t kMaxSteps = std::size_t{1} << 31;  // so that the numbers of nodes stay below the special values
// The third number of the keys of results of other operations (one more: updates.cpp); for a choice it is a node.
constexpr std::uint32_t kRestriction = UINT32_MAX - 1;
constexpr std::uint32_t kQuantification = UINT32_MAX - 2;

}  // namespace

// ---- Tables -------------------------------------------------------------------------------------

// Of the key, or an empty one for it.
const Diagrams::Table::Entry& Diagrams::Table::slot(Key key) const {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = (std::uint64_t{key.second} << 32 | key.first) * kFactor;
  hash = ((hash ^ hash >> 32) + key.third) * kFactor;
  const Entry* const first = entries_.data();
  const Entry* const end = first + entries_.size();
  const Entry* entry = first + (hash >> 32 & (entries_.size() - 1));
  while (entry->inverted != 0 &&
         (entry->key.first != key.first || entry->key.second != key.second || entry->key.third != key.third)) {
    if (++entry == end) entry = first;
  }
  return *entry;
}

Diagrams::Index Diagrams::Table::find(Key key) const { return entries_.empty() ? kUnknown : slot(key).value(); }

// Small tables grow faster, so that fewer entries are moved.
void Diagrams::Table::make_room() {
  if (2 * size_ < entries_.size()) return;
  const std::size_t factor = entries_.size() < kManyEntries ? 4 : 2;
  std::vector<Entry> before(std::max(kLeastEntries, factor * entries_.size()));
  entries_.swap(before);
  for (const Entry& entry : before) {
    if (entry.inverted != 0) slot(entry.key) = entry;
  }
}

void Diagrams::Table::insert(Key key, Index value) {
  make_room();
  slot(key) = {key, ~value};
  ++size_;
}

template <typename Make>
Diagrams::Index Diagrams::Table::find_or_insert(Key key, const Make& make) {
  make_room();
  Entry& entry = slot(key);
  if (entry.inverted != 0) return entry.value();
  const Index made = make();
  if (made == kUnknown) return kUnknown;
  entry = {key, ~made};
  ++size_;
  return made;
}

// ---- Nodes --------------------------------------------------------------------------------------

Diagrams::Diagrams(std::size_t budget) : budget_(std::min(budget, kMaxSteps)) {
  nodes_ = {{kMaxVariables, kFalse, kFalse}, {kMaxVariables, kTrue, kTrue}};
}

void Diagrams::allow(std::size_t more_steps) {
  budget_ = std::min(steps() + more_steps, kMaxSteps);
  is_exhausted_ = false;
}

bool Diagrams::has_step() {
  if (steps() >= budget_) is_exhausted_ = true;
  return !is_exhausted_;
}

Diagrams::Index Diagrams::node(Index variable, Index low, Index high) {
  if (low == kUnknown || high == kUnknown || variable >= kMaxVariables) return kUnknown;
  if (low == high) return low;
  return unique_.find_or_insert({variable, low, high}, [&] {
    if (!has_step()) return kUnknown;
    nodes_.push_back({variable, low, high});
    variable_count_ = std::max(variable_count_, variable + 1);
    return static_cast<Index>(nodes_.size() - 1);
  });
}

Diagrams::Index Diagrams::remember(Table::Key key, Index result) {
  if (result == kUnknown || !has_step()) return kUnknown;
  results_.insert(key, result);
  return result;
}

Function Diagrams::variable(Variable variable) { return Function(node(variable, kFalse, kTrue)); }

// Built from the last variable up, so each literal is one node and nothing has to be combined.
Diagrams::Index Diagrams::chain(std::span<const Literal> literals, bool is_all) {
  std::vector<Literal> sorted(literals.begin(), literals.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Literal& left, const Literal& right) { return left.variable > right.variable; });
  const Index decided = is_all ? kFalse : kTrue;  // the result if one literal does not hold (all) or holds (any)
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
  // "And" and "or" are commutative, so their results are stored once.
  if (otherwise == kFalse && then < condition) std::swap(condition, then);
  if (then == kTrue && otherwise < condition) std::swap(condition, otherwise);

  const Table::Key key{condition, then, otherwise};
  const Index known = results_.find(key);
  if (known != kUnknown) return known;
  const Node asked[] = {nodes_[condition], nodes_[then], nodes_[otherwise]};
  const Index top = std::min(std::min(asked[0].variable, asked[1].variable), asked[2].variable);
  const bool has[] = {asked[0].variable == top, asked[1].variable == top, asked[2].variable == top};
  const Index when_false =
      choose(has[0] ? asked[0].low : condition, has[1] ? asked[1].low : then, has[2] ? asked[2].low : otherwise);
  if (when_false == kUnknown) return kUnknown;
  const Index when_true =
      choose(has[0] ? asked[0].high : condition, has[1] ? asked[1].high : then, has[2] ? asked[2].high : otherwise);
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

// `variables` is the conjunction of the variables.
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
  constexpr std::size_t kMany = 64;  // most of which the function may not depend on
  std::optional<std::vector<Variable>> used;
  if (variables.size() > kMany) used = support(function);
  std::vector<Literal> literals;
  for (const Variable variable : variables) {
    const bool matters = !used || std::binary_search(used->begin(), used->end(), variable);
    if (matters) literals.push_back({variable, true});
  }
  const Index chained = chain(literals, true);
  if (!function.is_known() || chained == kUnknown) return {};
  return Function(quantify(function.index_, chained));
}

}  // namespace espalier::logic
