// Reachable states, and shortest ways. See reachability.h.
#include "logic/reachability.h"

#include <algorithm>
#include <utility>

namespace espalier::logic {
namespace {

std::vector<Variable> variables_of(const std::vector<Literal>& literals) {
  std::vector<Variable> result;
  result.reserve(literals.size());
  for (const Literal& literal : literals) result.push_back(literal.variable);
  return result;
}

bool is_same(const std::vector<Literal>& left, const std::vector<Literal>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Literal& a, const Literal& b) { return a.variable == b.variable && a.value == b.value; });
}

}  // namespace

Reachability::Reachability(Diagrams& diagrams, const System& system) : diagrams_(diagrams), system_(system) {
  for (std::size_t i = 0; i < system.steps.size(); ++i) {
    std::vector<Variable> variables;
    std::vector<Literal> given;
    bool is_flip = true;
    for (const Update& update : system.steps[i]) {
      const Function changed = diagrams.negation(diagrams.variable(update.variable));
      if (diagrams.is_equal(update.value, changed) == Answer::yes) {
        variables.push_back(update.variable);
      } else if (diagrams.is_tautology(update.value) == Answer::yes ||
                 diagrams.is_satisfiable(update.value) == Answer::no) {
        given.push_back({update.variable, diagrams.is_tautology(update.value) == Answer::yes});
      } else {
        is_flip = false;
      }
    }
    if (!is_flip || variables.size() != 1) {
      others_.push_back(i);
      continue;
    }
    auto group =
        std::find_if(flips_.begin(), flips_.end(), [&](const Flips& flips) { return is_same(flips.given, given); });
    if (group == flips_.end()) group = flips_.insert(flips_.end(), Flips{{}, given});
    group->variables.push_back(variables.front());
  }
  std::vector<Literal> start;
  for (std::size_t i = 0; i < system.start.size(); i += 2) {
    start.push_back({static_cast<Variable>(i), system.start[i]});
  }
  start_ = diagrams.all_of(start);
}

Function Reachability::within(Function states) {
  return system_.within.is_known() ? diagrams_.conjunction(states, system_.within) : states;
}

Function Reachability::after_steps(Function states) {
  Function result = diagrams_.constant(false);
  for (const Flips& flips : flips_) {
    const Function changed = diagrams_.neighbors(diagrams_.exists(states, variables_of(flips.given)), flips.variables);
    result = diagrams_.disjunction(result, diagrams_.conjunction(changed, diagrams_.all_of(flips.given)));
  }
  for (const std::size_t step : others_) {
    result = diagrams_.disjunction(result, diagrams_.after(states, system_.steps[step]));
  }
  return within(result);
}

Function Reachability::before_steps(Function states) {
  Function result = diagrams_.constant(false);
  for (const Flips& flips : flips_) {
    const Function changed = diagrams_.neighbors(diagrams_.restricted(states, flips.given), flips.variables);
    result = diagrams_.disjunction(result, changed);
  }
  for (const std::size_t step : others_) {
    result = diagrams_.disjunction(result, diagrams_.before(states, system_.steps[step]));
  }
  return result;
}

// One flip after another gives the flipped variables any values; two of one variable change only the others.
Function Reachability::closed_under_flips(Function states) {
  for (const Flips& flips : flips_) {
    std::vector<Variable> changed = variables_of(flips.given);
    changed.insert(changed.end(), flips.variables.begin(), flips.variables.end());
    const Function after = diagrams_.conjunction(diagrams_.exists(states, changed), diagrams_.all_of(flips.given));
    states = diagrams_.disjunction(states, within(after));
  }
  return states;
}

Function Reachability::all() {
  if (all_) return *all_;
  Function states = start_;
  for (bool is_complete = false; !is_complete && states.is_known();) {
    const Function before = states;
    states = closed_under_flips(states);
    for (const std::size_t step : others_) {
      states = diagrams_.disjunction(states, within(diagrams_.after(states, system_.steps[step])));
    }
    is_complete = diagrams_.is_equal(before, states) == Answer::yes;
  }
  all_ = states;
  return states;
}

Function Reachability::returning() {
  Function states = start_;
  for (bool is_complete = false; !is_complete && states.is_known();) {
    const Function before = states;
    // Any number of flips at once: what they give the others is in what is led to.
    for (const Flips& flips : flips_) {
      const Function into = diagrams_.restricted(states, flips.given);
      states = diagrams_.disjunction(states, diagrams_.exists(into, flips.variables));
    }
    for (const std::size_t step : others_) {
      states = diagrams_.disjunction(states, diagrams_.before(states, system_.steps[step]));
    }
    is_complete = diagrams_.is_equal(before, states) == Answer::yes;
  }
  return states;
}

Function Reachability::layer(std::size_t step_count) {
  if (layers_.empty()) layers_.push_back(seen_ = start_);
  while (layers_.size() <= step_count) {
    const Function last = layers_.back();
    if (!last.is_known()) return {};
    if (diagrams_.is_satisfiable(last) == Answer::no) return last;
    const Function next = diagrams_.conjunction(after_steps(last), diagrams_.negation(seen_));
    const Function seen = diagrams_.disjunction(seen_, next);
    if (!seen.is_known()) return {};
    layers_.push_back(next);
    seen_ = seen;
  }
  return layers_[step_count];
}

Way Reachability::way_to(Function target) {
  if (!target.is_known()) return {};
  for (std::size_t length = 0;; ++length) {
    const Function reached = layer(length);
    if (!reached.is_known()) return {};
    if (diagrams_.is_satisfiable(reached) == Answer::no) return {Answer::no};
    const Function here = diagrams_.conjunction(reached, target);
    const Answer is_here = diagrams_.is_satisfiable(here);
    if (is_here == Answer::unknown) return {};
    if (is_here == Answer::yes) return way_back(here, length);
    // Most targets that nothing reaches are known without all layers.
    if (length == 0 && diagrams_.is_satisfiable(diagrams_.conjunction(all(), target)) == Answer::no) {
      return {Answer::no};
    }
  }
}

// Finds the states of each layer that lie on a shortest way to `target`, and then goes forward, taking the first step
// that stays on one.
Way Reachability::way_back(Function target, std::size_t length) {
  std::vector<Function> on_way(length + 1);
  on_way[length] = target;
  for (std::size_t i = length; i-- > 0;) on_way[i] = diagrams_.conjunction(layers_[i], before_steps(on_way[i + 1]));
  Way way{Answer::yes, {}, {system_.start}};
  for (std::size_t i = 0; i < length; ++i) {
    for (std::size_t step = 0; step < system_.steps.size(); ++step) {
      std::vector<bool> next = after(way.states.back(), step);
      const Answer stays = diagrams_.value(on_way[i + 1], next);
      if (stays == Answer::unknown) return {};
      if (stays == Answer::no) continue;
      way.steps.push_back(step);
      way.states.push_back(std::move(next));
      break;
    }
  }
  return way;
}

std::vector<bool> Reachability::after(const std::vector<bool>& state, std::size_t step) const {
  std::vector<bool> result = state;
  for (const Update& update : system_.steps[step]) {
    if (update.variable >= result.size()) result.resize(update.variable + std::size_t{1});
    result[update.variable] = diagrams_.value(update.value, state) == Answer::yes;
  }
  return result;
}

}  // namespace espalier::logic
