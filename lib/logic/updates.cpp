// Updates of several variables at once: what they make of sets, and of functions. See diagrams.h.
#include <algorithm>

#include "logic/diagrams.h"

namespace espalier::logic {
namespace {

constexpr std::uint32_t kNeighbors = UINT32_MAX - 3;  // see diagrams.cpp

}  // namespace

// As remember(), for results that are of no use after the operation.
Diagrams::Index Diagrams::remember_here(Table& known, Index function, Index result) {
  if (result == kUnknown || !has_step()) return kUnknown;
  ++passing_;
  known.insert({function, 0, 0}, result);
  return result;
}

// ---- Before -------------------------------------------------------------------------------------

// `values`: of each variable by number, kUnknown for those without an update.
Diagrams::Index Diagrams::substitute(Index function, const std::vector<Index>& values, Table& known) {
  const Node asked = nodes_[function];
  if (function <= kTrue) return function;
  const Index stored = known.find({function, 0, 0});
  if (stored != kUnknown) return stored;
  const Index low = substitute(asked.low, values, known);
  if (low == kUnknown) return kUnknown;
  const Index high = substitute(asked.high, values, known);
  if (high == kUnknown) return kUnknown;
  Index value = asked.variable < values.size() ? values[asked.variable] : kUnknown;
  if (value == kUnknown) value = node(asked.variable, kFalse, kTrue);
  return remember_here(known, function, choose(value, high, low));
}

Function Diagrams::before(Function function, std::span<const Update> updates) {
  if (!function.is_known()) return {};
  std::vector<Index> values(variable_count_, kUnknown);
  for (const Update& update : updates) {
    if (!update.value.is_known()) return {};
    if (update.variable < values.size()) values[update.variable] = update.value.index_;
  }
  Table known;
  return Function(substitute(function.index_, values, known));
}

// ---- After --------------------------------------------------------------------------------------

// Gives each of these variables the number before its own, which does not occur.
Diagrams::Index Diagrams::rename(Index function, const std::vector<bool>& is_renamed, Table& known) {
  const Node asked = nodes_[function];
  if (function <= kTrue) return function;
  const Index stored = known.find({function, 0, 0});
  if (stored != kUnknown) return stored;
  const Index low = rename(asked.low, is_renamed, known);
  if (low == kUnknown) return kUnknown;
  const Index high = rename(asked.high, is_renamed, known);
  const Index variable = asked.variable - (is_renamed[asked.variable] ? 1 : 0);
  return remember_here(known, function, node(variable, low, high));
}

Function Diagrams::after(Function set, std::span<const Update> updates) {
  if (!set.is_known()) return {};
  Index result = set.index_;
  std::vector<Literal> constants;
  std::vector<Variable> changed;
  std::vector<bool> is_renamed(kMaxVariables + 1);
  for (const Update& update : updates) {
    changed.push_back(update.variable);
    const Index value = update.value.index_;
    if (value == kUnknown || update.variable + 1 >= kMaxVariables) return {};
    if (value <= kTrue) {
      constants.push_back({update.variable, value == kTrue});
      continue;
    }
    is_renamed[update.variable + 1] = true;
    const Index next = node(update.variable + 1, kFalse, kTrue);
    const Index other = choose(value, kFalse, kTrue);
    result = choose(result, choose(next, value, other), kFalse);
    if (result == kUnknown) return {};
  }
  const Function kept = exists(Function(result), changed);
  if (!kept.is_known()) return {};
  Table known;
  result = rename(kept.index_, is_renamed, known);
  return conjunction(Function(result), all_of(constants));
}

// ---- Neighbours ---------------------------------------------------------------------------------

// `variables` is the conjunction of the variables.
Diagrams::Index Diagrams::neighbors_of(Index set, Index variables) {
  if (set == kFalse || variables == kTrue) return kFalse;
  const Table::Key key{set, variables, kNeighbors};
  const Index known = results_.find(key);
  if (known != kUnknown) return known;
  const Node asked = nodes_[set];
  const Node changed = nodes_[variables];
  if (changed.variable < asked.variable) {
    return remember(key, choose(set, kTrue, neighbors_of(set, changed.high)));
  }
  const bool changes = changed.variable == asked.variable;
  const Index others = changes ? changed.high : variables;
  Index low = neighbors_of(asked.low, others);
  if (low == kUnknown) return kUnknown;
  Index high = neighbors_of(asked.high, others);
  if (changes) {
    low = choose(low, kTrue, asked.high);
    high = choose(high, kTrue, asked.low);
  }
  return remember(key, node(asked.variable, low, high));
}

Function Diagrams::neighbors(Function set, std::span<const Variable> variables) {
  std::vector<Literal> literals;
  literals.reserve(variables.size());
  for (const Variable variable : variables) literals.push_back({variable, true});
  const Index chained = chain(literals, true);
  if (!set.is_known() || chained == kUnknown) return {};
  return Function(neighbors_of(set.index_, chained));
}

}  // namespace espalier::logic
