// Ways as a circuit, and the first of the shortest ones. See unrolling.h.
#include "logic/unrolling.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace espalier::logic {
namespace {

constexpr std::size_t kGates = 4'000'000;
constexpr int kConflicts = 6'000;  // of the solver, for one question; there may be several for one number of steps

bool is_fixed(const Circuit& circuit, Formula formula) {
  return circuit.is_constant(formula, false) || circuit.is_constant(formula, true);
}

}  // namespace

// ---- Steps --------------------------------------------------------------------------------------

Sorted sorted(const Circuit& circuit, const Moves& moves) {
  Sorted result;
  const std::size_t count = moves.tick ? *moves.tick : moves.steps.size();
  std::vector<bool> is_read(moves.start.size());  // by steps that are no flips
  std::vector<bool> is_changed(moves.start.size());
  std::vector<std::optional<Sorted::Flip>> flips(count);
  bool has_flip = false;
  for (std::size_t step = 0; step < count; ++step) {
    std::vector<Literal> given;
    std::optional<Sorted::Flip> flip;
    bool is_flip = true;
    for (const Change& change : moves.steps[step]) {
      is_changed[change.variable] = true;
      const Circuit::Gate gate = Circuit::gate_of(change.value);
      const bool inverts = change.value.is_known() && Circuit::is_inverted(change.value) && circuit.is_variable(gate) &&
                           circuit.inputs(gate).left == change.variable;
      if (inverts) {
        is_flip = is_flip && !flip;
        flip = Sorted::Flip{step, change.variable};
      } else if (is_fixed(circuit, change.value)) {
        given.push_back({change.variable, circuit.is_constant(change.value, true)});
      } else {
        is_flip = false;
      }
    }
    const auto is_same = [](const Literal& a, const Literal& b) {
      return a.variable == b.variable && a.value == b.value;
    };
    if (is_flip && flip && !has_flip) result.given = given;
    is_flip =
        is_flip && flip && std::equal(given.begin(), given.end(), result.given.begin(), result.given.end(), is_same);
    if (is_flip) flips[step] = flip;
    has_flip = has_flip || is_flip;
  }
  const auto is_given = [&](std::uint32_t variable) {
    return std::any_of(result.given.begin(), result.given.end(),
                       [&](const Literal& literal) { return literal.variable == variable; });
  };
  for (std::size_t step = 0; step < count; ++step) {
    if (flips[step]) continue;
    for (const Change& change : moves.steps[step]) {
      // Whether anything has changed is read and set by all.
      if (!change.value.is_known() || is_given(change.variable)) continue;
      for (const std::uint32_t variable : circuit.support(change.value)) is_read[variable] = true;
      result.are_constant = result.are_constant && is_fixed(circuit, change.value);
    }
  }
  result.is_of_others = is_read;
  for (std::size_t step = 0; step < count; ++step) {
    if (flips[step]) continue;
    for (const Change& change : moves.steps[step]) {
      if (!is_given(change.variable)) result.is_of_others[change.variable] = true;
    }
  }
  for (std::size_t step = 0; step < count; ++step) {
    if (flips[step]) result.flips.push_back(*flips[step]);
    if (!flips[step] || is_read[flips[step]->variable]) result.others.push_back(step);
  }
  result.is_control.resize(moves.start.size());
  result.is_ticked.resize(moves.start.size());
  if (moves.tick) {
    for (const Change& change : moves.steps[*moves.tick]) {
      result.is_ticked[change.variable] = true;
      result.is_control[change.variable] = !is_changed[change.variable];
    }
  }
  return result;
}

// ---- Building -----------------------------------------------------------------------------------

Unrolling::Unrolling(const Circuit& circuit, const Moves& moves, const Sorted& sorted, std::size_t tick_count,
                     From from, std::size_t most, std::function<bool()> is_over)
    : source_(circuit),
      moves_(moves),
      sorted_(sorted),
      most_(most),
      circuit_(kGates),
      is_over_(std::move(is_over)),
      next_(static_cast<std::uint32_t>(moves.start.size())),
      required_(circuit_.constant(true)),
      start_(moves.start) {
  State state;
  for (std::uint32_t variable = 0; variable < moves.start.size(); ++variable) {
    const bool is_free = !from.is_start && sorted.is_ticked[variable];
    is_free_.push_back(is_free);
    state.push_back(is_free ? circuit_.variable(variable) : circuit_.constant(moves.start[variable]));
  }
  std::vector<State> begins;  // of segments
  for (std::size_t tick = 0;; ++tick) {
    begins.push_back(state);
    state = add_segment(std::move(state));
    Copy end(source_, circuit_, state);
    if (moves.within.is_known()) require(end.of(moves.within));
    if (from.is_possible.is_known()) require(end.of(from.is_possible));
    if (tick == tick_count) break;
    State next = state;
    for (const Change& change : moves.steps[*moves.tick]) next[change.variable] = end.of(change.value);
    state = std::move(next);
  }
  if (from.are_controls_distinct) require_distinct(begins);
  end_.emplace(source_, circuit_, std::move(state));
}

void Unrolling::require_distinct(const std::vector<State>& states) {
  for (std::size_t right = 1; right < states.size(); ++right) {
    for (std::size_t left = 0; left < right; ++left) {
      Formula differs = circuit_.constant(false);
      for (std::size_t i = 0; i < sorted_.is_control.size(); ++i) {
        if (!sorted_.is_control[i]) continue;
        differs = circuit_.disjunction(differs, circuit_.exclusive(states[left][i], states[right][i]));
      }
      require(differs);
    }
  }
}

Formula Unrolling::fresh() { return circuit_.variable(next_++); }

// Do the steps do the same in both orders, with nothing that one reads of the other?
bool Unrolling::commute(std::size_t left, std::size_t right) const {
  if (!sorted_.are_constant) return false;
  const auto is_given = [&](Variable variable) {
    return std::any_of(sorted_.given.begin(), sorted_.given.end(),
                       [&](const Literal& literal) { return literal.variable == variable; });
  };
  const auto changes = [&](std::size_t step, Variable variable) {
    return std::any_of(moves_.steps[step].begin(), moves_.steps[step].end(),
                       [&](const Change& change) { return change.variable == variable; });
  };
  return std::none_of(moves_.steps[left].begin(), moves_.steps[left].end(), [&](const Change& change) {
    return !is_given(change.variable) && changes(right, change.variable);
  });
}

Unrolling::State Unrolling::after_others(const State& state, const std::vector<Formula>& chosen) {
  State result = state;
  Copy values(source_, circuit_, state);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (const Change& change : moves_.steps[sorted_.others[i]]) {
      Formula& value = result[change.variable];
      value = circuit_.choice(chosen[i], values.of(change.value), value);
    }
  }
  return result;
}

Unrolling::State Unrolling::add_segment(State state) {
  Segment segment;
  const std::vector<std::size_t>& others = sorted_.others;
  const std::size_t count = others.empty() ? 0 : sorted_.are_constant ? std::min(most_, others.size()) : most_;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Formula> chosen;
    for (std::size_t k = 0; k < others.size(); ++k) {
      chosen.push_back(fresh());
      unwanted_.push_back(chosen.back());
    }
    const std::vector<Formula> used = circuit_.at_least(chosen, 2);
    require(circuit_.negation(used[2]));
    if (i > 0) require(circuit_.implication(used[1], segment.is_used.back()));
    // Of steps that may change places the first in order come first.
    for (std::size_t k = 0; i > 0 && k < others.size(); ++k) {
      for (std::size_t other = k; other < others.size(); ++other) {
        if (other != k && !commute(others[k], others[other])) continue;
        if (other == k && !sorted_.are_constant) continue;
        require(circuit_.negation(circuit_.conjunction(segment.chosen.back()[other], chosen[k])));
      }
    }
    state = after_others(state, chosen);
    segment.chosen.push_back(std::move(chosen));
    segment.is_used.push_back(used[1]);
    steps_.push_back(used[1]);
  }
  Formula is_flipped = circuit_.constant(false);
  std::vector<Formula> at_least(most_ + 2, circuit_.constant(false));
  at_least[0] = circuit_.constant(true);
  segment.at_least.push_back(at_least);
  for (const Sorted::Flip& flip : sorted_.flips) {
    const Formula flipped = fresh();
    unwanted_.push_back(flipped);
    steps_.push_back(flipped);
    state[flip.variable] = circuit_.exclusive(state[flip.variable], flipped);
    is_flipped = circuit_.disjunction(is_flipped, flipped);
    for (std::size_t k = at_least.size() - 1; k > 0; --k) {
      at_least[k] = circuit_.disjunction(at_least[k], circuit_.conjunction(at_least[k - 1], flipped));
    }
    segment.flipped.push_back(flipped);
    segment.at_least.push_back(at_least);
  }
  for (const Literal& literal : sorted_.given) {
    Formula& value = state[literal.variable];
    value = circuit_.choice(is_flipped, circuit_.constant(literal.value), value);
  }
  segments_.push_back(std::move(segment));
  return state;
}

// ---- Asking -------------------------------------------------------------------------------------

// The parts of the target that the way found last misses.
bool Unrolling::ask_for_missed() {
  std::vector<bool> state = start_;
  for (std::uint32_t variable = 0; variable < is_free_.size(); ++variable) {
    if (is_free_[variable]) state[variable] = solver_->value(circuit_.variable(variable));
  }
  for (const std::size_t step : found_way()) state = state_after(source_, state, moves_.steps[step]);
  Valuation values(source_, state);
  bool misses = false;
  for (std::size_t i = 0; i < target_->parts.size(); ++i) {
    if (values.of(target_->parts[i]) == Answer::yes) continue;
    misses = true;
    target_->is_asked[i] = true;
    asked_.insert(asked_.begin(), end_->of(target_->parts[i]));
  }
  return misses;
}

Answer Unrolling::ask(Formula also) {
  for (;;) {
    asked_.push_back(also);
    const Answer answer = solver_->can_be(asked_, kConflicts);
    asked_.pop_back();
    if (answer != Answer::yes || !ask_for_missed()) return answer;
  }
}

Answer Unrolling::has_way(Target& target, std::optional<std::size_t> length) {
  constexpr std::size_t kMostGates =
      2500;  // beside those that are always asked for; what is not needed makes it slower
  if (!solver_ || solver_->size() > kMostGates + base_size_) {
    solver_ = std::make_unique<Solver>(circuit_, is_over_);
    std::vector<Formula> all = steps_;
    all.push_back(required_);
    static_cast<void>(solver_->can_be(all, 0));
    base_size_ = solver_->size();
    for (const Formula formula : unwanted_) solver_->prefer(circuit_.negation(formula));
  }
  target_ = &target;
  asked_ = {required_};
  for (std::size_t i = 0; i < target.parts.size(); ++i) {
    if (!target.parts[i].is_known()) return Answer::unknown;
    if (target.is_asked[i]) asked_.push_back(end_->of(target.parts[i]));
  }
  if (!length) return ask(circuit_.constant(true));
  paid_ = 0;
  later_costs_.clear();
  costs_.clear();
  for (const Formula step : steps_) costs_.push_back({step});
  return find_cheaper(*length, true);
}

// ---- The fewest steps ---------------------------------------------------------------------------

// There is no way without any of some steps: then one of them is needed, and only what there is of them besides costs
// more. So the least number of steps grows from such reasons, rather than from trials of numbers of steps, of which
// nothing is learned. (Algorithms for maximum satisfiability call this OLL.)
Answer Unrolling::find_cheaper(std::size_t most, bool is_any_enough) {
  for (;;) {
    const Answer answer = ask_without(costs_);
    if (answer == Answer::unknown) return answer;
    if (answer == Answer::yes) {
      if (later_costs_.empty() || (is_any_enough && length_of(found_way()) <= most)) return answer;
      costs_.insert(costs_.end(), later_costs_.begin(), later_costs_.end());
      later_costs_.clear();
      continue;
    }
    const std::vector<Cost> paid = take_needed();
    if (paid.empty() || paid_ == most) return Answer::no;
    pay(paid);
  }
}

Answer Unrolling::ask_without(const std::vector<Cost>& costs) {
  for (const Cost& cost : costs) asked_.push_back(circuit_.negation(cost.formula));
  const Answer answer = ask(circuit_.constant(true));
  asked_.resize(asked_.size() - costs.size());
  return answer;
}

// After a no: those without which there is no way.
std::vector<Unrolling::Cost> Unrolling::needed(const std::vector<Cost>& costs) const {
  std::vector<Cost> result;
  std::copy_if(costs.begin(), costs.end(), std::back_inserter(result),
               [&](const Cost& cost) { return solver_->is_needed(circuit_.negation(cost.formula)); });
  return result;
}

// The same, tried again as long as that leaves fewer; they are costs no more.
std::vector<Unrolling::Cost> Unrolling::take_needed() {
  std::vector<Cost> result = needed(costs_);
  while (result.size() > 1 && ask_without(result) == Answer::no) {
    std::vector<Cost> fewer = needed(result);
    if (fewer.size() == result.size()) break;
    result = std::move(fewer);
  }
  std::erase_if(costs_, [&](const Cost& cost) {
    return std::any_of(result.begin(), result.end(), [&](const Cost& each) { return each.formula == cost.formula; });
  });
  return result;
}

// One of these is true.
void Unrolling::pay(const std::vector<Cost>& paid) {
  ++paid_;
  std::vector<Formula> formulas;
  for (const Cost& cost : paid) {
    formulas.push_back(cost.formula);
    if (cost.group == nullptr || cost.count + 1 >= cost.group->size()) continue;
    later_costs_.push_back({(*cost.group)[cost.count + 1], cost.group, cost.count + 1});
  }
  if (paid.size() == 1) return;
  // More than the counted steps are never paid.
  const std::size_t most = std::min(formulas.size(), most_ + 2);
  auto group = std::make_shared<const std::vector<Formula>>(circuit_.at_least(formulas, most));
  later_costs_.push_back({(*group)[2], group, 2});
}

std::vector<std::size_t> Unrolling::found_way() const {
  std::vector<std::size_t> way;
  for (const Segment& segment : segments_) {
    if (&segment != &segments_.front()) way.push_back(*moves_.tick);
    for (const std::vector<Formula>& chosen : segment.chosen) {
      for (std::size_t i = 0; i < chosen.size(); ++i) {
        if (solver_->value(chosen[i])) way.push_back(sorted_.others[i]);
      }
    }
    for (std::size_t i = 0; i < segment.flipped.size(); ++i) {
      if (solver_->value(segment.flipped[i])) way.push_back(sorted_.flips[i].step);
    }
  }
  return way;
}

std::optional<std::vector<std::size_t>> Unrolling::first_way() {
  if (find_cheaper(SIZE_MAX, false) != Answer::yes) return std::nullopt;
  std::vector<std::size_t> way = found_way();
  for (const Cost& cost : costs_) asked_.push_back(circuit_.negation(cost.formula));
  // Step for step, the first one with which a way of this length remains.
  std::size_t at = 0;
  std::size_t left = length_of(way);
  for (const Segment& segment : segments_) {
    for (std::size_t place = 0;; ++place, ++at) {
      const auto next = [&] { return at < way.size() ? way[at] : moves_.steps.size(); };
      if (left == 0) return way;
      for (;;) {
        const Answer answer = ask(is_before(segment, place, next()));
        if (answer == Answer::unknown) return std::nullopt;
        if (answer == Answer::no) break;
        way = found_way();
      }
      asked_.push_back(circuit_.negation(is_before(segment, place, next())));
      if (at == way.size() || (moves_.tick && next() == *moves_.tick)) break;
      asked_.push_back(is_before(segment, place, next() + 1));
      --left;
    }
    ++at;
  }
  return way;
}

// The step at this place of a segment comes before `step` in the order of all; a place after the last step has none.
Formula Unrolling::is_before(const Segment& segment, std::size_t place, std::size_t step) {
  const std::size_t used = segment.is_used.size();
  Formula result = circuit_.constant(false);
  for (std::size_t i = 0; place < used && i < sorted_.others.size() && sorted_.others[i] < step; ++i) {
    result = circuit_.disjunction(result, segment.chosen[place][i]);
  }
  std::size_t flips = 0;
  while (flips < sorted_.flips.size() && sorted_.flips[flips].step < step) ++flips;
  for (std::size_t others = 0; others <= std::min(place, used); ++others) {
    Formula is_so_many = circuit_.constant(true);
    if (others > 0) is_so_many = segment.is_used[others - 1];
    if (others < used) is_so_many = circuit_.conjunction(is_so_many, circuit_.negation(segment.is_used[others]));
    const Formula is_flip = segment.at_least[flips][std::min(place - others, most_) + 1];
    result = circuit_.disjunction(result, circuit_.conjunction(is_so_many, is_flip));
  }
  return result;
}

}  // namespace espalier::logic
