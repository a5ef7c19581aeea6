// Shortest ways by one of two methods. See ways.h.
#include "logic/ways.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <tuple>
#include <utility>

namespace espalier::logic {
namespace {

constexpr std::size_t kDataSteps = 1'000'000;  // of diagrams, for what happens without ticks
constexpr std::size_t kMostListed = 3000;
constexpr std::size_t kFewListed = 300;  // where most is known without
constexpr std::size_t kLongest = 42;     // steps between ticks
constexpr std::size_t kLate = 9;         // so long ones are rare: it is asked whether there is any
constexpr std::size_t kMostTicks = 6;

}  // namespace

struct Ways::Drawn {
  Drawn(const Circuit& circuit, const Moves& moves, std::size_t steps)
      : diagrams(steps), drawing(circuit, diagrams), system(drawn(moves, drawing)), reachability(diagrams, system) {}
  Diagrams diagrams;
  Drawing drawing;
  System system;
  Reachability reachability;
};

Ways::Ways(Circuit& circuit, Questions& questions, const Moves& moves, Effort effort)
    : circuit_(circuit), questions_(questions), moves_(moves), effort_(std::move(effort)) {}

Ways::~Ways() = default;

Ways::Drawn& Ways::drawn_system() {
  if (!drawn_) drawn_ = std::make_unique<Drawn>(circuit_, moves_, effort_.steps);
  return *drawn_;
}

// ---- All states ---------------------------------------------------------------------------------

void Ways::find_by_diagrams() {
  Drawn& by = drawn_system();
  const Function states = by.reachability.all();
  if (!states.is_known()) return;
  all_->states = formula_of(circuit_, by.diagrams, states);
  all_->is_exact = true;
  fraction_ = by.diagrams.fraction(states);
}

// What happens without ticks, to the variables that other steps than ticks and flips read or change: the others keep
// their values from the start, or have any if flips change them.
struct Ways::Data {
  Data(const Circuit& all_gates, const Moves& all, const Sorted& sorted)
      : kept(kept_of(all, sorted)), circuit(all_gates.size() + 2 * kept.size() + 1), moves(moves_of(all_gates, all)) {
    drawn.emplace(circuit, moves, kDataSteps);
  }

  static std::vector<Variable> kept_of(const Moves& all, const Sorted& sorted) {
    std::vector<Variable> result;
    for (Variable i = 0; i < all.start.size(); ++i) {
      if (sorted.is_of_others[i] && !sorted.is_ticked[i]) result.push_back(i);
    }
    return result;
  }

  Moves moves_of(const Circuit& all_gates, const Moves& all) {
    std::vector<Formula> values(all.start.size());
    std::vector<std::optional<Variable>> number(all.start.size());
    Moves result;
    for (Variable i = 0; i < kept.size(); ++i) {
      const Variable variable = 2 * i;
      number[kept[i]] = variable;
      values[kept[i]] = circuit.variable(variable);
      result.start.resize(variable + std::size_t{1});
      result.start[variable] = all.start[kept[i]];
    }
    Copy copy(all_gates, circuit, std::move(values));
    for (std::size_t step = 0; step < all.steps.size(); ++step) {
      if (all.tick == step) continue;
      Move move;
      for (const Change& change : all.steps[step]) {
        if (!number[change.variable]) continue;
        const std::vector<std::uint32_t> read = all_gates.support(change.value);
        const bool is_of_kept =
            std::all_of(read.begin(), read.end(), [&](std::uint32_t each) { return number[each].has_value(); });
        move.push_back({*number[change.variable], is_of_kept ? copy.of(change.value) : Formula()});
      }
      if (!move.empty()) result.steps.push_back(std::move(move));
    }
    return result;
  }

  std::vector<Variable> kept;  // in order
  Circuit circuit;             // variable 2 * i is the i-th of these
  Moves moves;
  std::optional<Drawn> drawn;
};

Ways::Data& Ways::data() {
  if (!sorted_) sorted_ = sorted(circuit_, moves_);
  if (!data_) data_ = std::make_unique<Data>(circuit_, moves_, *sorted_);
  return *data_;
}

// States of what ticks do not change.
Formula Ways::formula_of_data(Function states) {
  Data& by = data();
  const Formula of_kept = formula_of(by.circuit, by.drawn->diagrams, states);
  std::vector<Formula> values(2 * by.kept.size());
  for (std::size_t i = 0; i < by.kept.size(); ++i) values[2 * i] = circuit_.variable(by.kept[i]);
  Formula result = Copy(by.circuit, circuit_, std::move(values)).of(of_kept);
  std::vector<bool> is_changed = sorted_->is_of_others;
  for (const Sorted::Flip& flip : sorted_->flips) is_changed[flip.variable] = true;
  for (Variable i = 0; i < moves_.start.size(); ++i) {
    if (is_changed[i] || sorted_->is_ticked[i]) continue;
    const Literal same{i, moves_.start[i]};
    result = circuit_.conjunction(result, circuit_.all_of({&same, 1}));
  }
  return result;
}

// The values of some variables that steps lead to one after the other, while the others have any values of a set.
class Ways::Listing {
 public:
  Listing(Circuit& circuit, Questions& questions, const Moves& moves, const std::vector<bool>& is_kept,
          const std::vector<std::size_t>& steps)
      : circuit_(circuit), questions_(questions), within_(moves.within), known_(circuit.constant(false)) {
    std::vector<std::uint32_t> kept;
    for (std::uint32_t i = 0; i < is_kept.size(); ++i) {
      if (is_kept[i]) kept.push_back(i);
    }
    std::vector<bool> start;
    for (const std::uint32_t variable : kept) {
      present_.push_back(circuit.variable(variable));
      start.push_back(moves.start[variable]);
    }
    for (const std::size_t step : steps) {
      Next next{present_, circuit.constant(false), circuit.constant(true)};
      std::vector<Formula> all(moves.start.size());
      for (const Change& change : moves.steps[step]) {
        all[change.variable] = change.value;
        const auto place = std::lower_bound(kept.begin(), kept.end(), change.variable);
        if (place == kept.end() || *place != change.variable) continue;
        next.values[static_cast<std::size_t>(place - kept.begin())] = change.value;
      }
      if (within_.is_known()) next.is_within = Copy(circuit, circuit, std::move(all)).of(within_);
      next_.push_back(std::move(next));
    }
    add(start);
  }

  // Adds what steps lead to while the others have any of these values. How many were added; nothing: there would be
  // more than `most` in all.
  std::optional<std::size_t> extend(Formula others, std::size_t most = kMostListed) {
    std::size_t added = 0;
    for (std::size_t unchanged = 0, at = 0; unchanged < next_.size(); at = (at + 1) % next_.size(), ++unchanged) {
      for (;;) {
        std::vector<Formula> asked = {others, known_, circuit_.negation(next_[at].is_known), next_[at].is_within};
        if (within_.is_known()) asked.push_back(within_);
        const Answer answer = questions_.can_be(asked);
        if (answer == Answer::no) break;
        if (answer != Answer::yes || ++count_ > most) return std::nullopt;
        Valuation values(circuit_, *questions_.example());
        std::vector<bool> found;
        for (const Formula value : next_[at].values) found.push_back(values.of(value) == Answer::yes);
        add(found);
        ++added;
        unchanged = 0;
      }
    }
    return added;
  }

  Formula known() const { return known_; }

 private:
  struct Next {
    std::vector<Formula> values;  // of the kept variables, after the step
    Formula is_known;             // they are
    Formula is_within;            // ways may lead there
  };

  void add(const std::vector<bool>& values) {
    const auto are = [&](const std::vector<Formula>& formulas) {
      Formula result = circuit_.constant(true);
      for (std::size_t i = formulas.size(); i-- > 0;) {
        result = circuit_.conjunction(result, values[i] ? formulas[i] : circuit_.negation(formulas[i]));
      }
      return result;
    };
    known_ = circuit_.disjunction(known_, are(present_));
    for (Next& next : next_) next.is_known = circuit_.disjunction(next.is_known, are(next.values));
  }

  Circuit& circuit_;
  Questions& questions_;
  Formula within_;
  std::vector<Formula> present_;
  std::vector<Next> next_;
  Formula known_;
  std::size_t count_ = 1;
};

// What ticks change is only read and changed by ticks, besides what flips set, and so is what ways must stay within.
bool Ways::are_controls_apart() {
  if (are_apart_) return *are_apart_;
  const auto is_given = [&](std::size_t variable) {
    return std::any_of(sorted_->given.begin(), sorted_->given.end(),
                       [&](const Literal& literal) { return literal.variable == variable; });
  };
  for (std::size_t i = 0; i < sorted_->is_ticked.size(); ++i) {
    const bool is_apart = sorted_->is_control[i] ? !sorted_->is_of_others[i] : is_given(i);
    if (sorted_->is_ticked[i] && !is_apart) return *(are_apart_ = false);
  }
  const std::vector<std::uint32_t> read = circuit_.support(moves_.within);
  are_apart_ = !sorted_->flips.empty() && std::all_of(read.begin(), read.end(), [&](std::uint32_t variable) {
    return sorted_->is_control[variable];
  });
  return *are_apart_;
}

// Of the data, those from which steps lead back to the start come in any order, and a flip and its opposite change
// nothing but what flips set. So each of the controls that ticks lead to with such data comes with all data: from the
// start, any data can come last. If no other data lead to more controls, that is all.
void Ways::find_by_solver() {
  Data& by = data();
  const Function all_data = by.drawn->reachability.all();
  const Formula states = formula_of_data(all_data);
  if (!states.is_known()) return;
  all_->states = states;
  if (!moves_.tick) {
    all_->is_exact = true;
    return;
  }
  Listing controls(circuit_, questions_, moves_, sorted_->is_control, {*moves_.tick});
  const bool are_apart = are_controls_apart();
  if (are_apart) {
    const Function returning = by.drawn->diagrams.conjunction(all_data, by.drawn->reachability.returning());
    const Formula first = formula_of_data(returning);
    if (first.is_known() && controls.extend(first)) all_->some = circuit_.conjunction(states, controls.known());
  }
  if (const std::optional<std::size_t> more = controls.extend(states)) {
    controls_ = controls.known();
    all_->is_exact = are_apart && all_->some.is_known() && *more == 0;
  }
  // Else all that steps change is listed, if it is not too much.
  if (!all_->is_exact && !sorted_->flips.empty()) {
    std::vector<bool> is_kept = sorted_->is_control;
    for (const Variable variable : by.kept) is_kept[variable] = true;
    for (const Sorted::Flip& flip : sorted_->flips) is_kept[flip.variable] = false;
    std::vector<std::size_t> steps = sorted_->others;
    steps.push_back(*moves_.tick);
    Listing listing(circuit_, questions_, moves_, is_kept, steps);
    if (listing.extend(states, all_->some.is_known() ? kFewListed : kMostListed)) {
      controls_ = listing.known();
      all_->is_exact = true;
    }
  }
  if (controls_.is_known()) all_->states = circuit_.conjunction(states, controls_);
}

// How many steps that are no flips can be needed between ticks; SIZE_MAX: not known.
std::size_t Ways::most_others() {
  if (most_others_) return *most_others_;
  most_others_ = sorted_->others.size();
  if (sorted_->are_constant) return *most_others_;
  // No state of what they read and change has to come twice.
  Data& by = data();
  const std::optional<double> share = by.drawn->diagrams.fraction(by.drawn->reachability.all());
  const double count = share.value_or(1) * std::ldexp(1.0, static_cast<int>(by.kept.size()));
  most_others_ = share && count <= static_cast<double>(kLongest) ? static_cast<std::size_t>(count) - 1 : SIZE_MAX;
  return *most_others_;
}

const Ways::States& Ways::all() {
  if (all_) return *all_;
  all_ = States();
  if (can_be_drawn()) find_by_diagrams();
  if (effort_.by == WaysBy::diagrams || all_->states.is_known()) return *all_;
  find_by_solver();
  return *all_;
}

std::optional<double> Ways::fraction() {
  all();
  return fraction_;
}

// ---- Ways ---------------------------------------------------------------------------------------

Way Ways::way_of(const std::vector<std::size_t>& steps) const {
  Way way{Answer::yes, steps, {moves_.start}};
  for (const std::size_t step : steps) {
    way.states.push_back(state_after(circuit_, way.states.back(), moves_.steps[step]));
  }
  return way;
}

Way Ways::way_to(Formula target) {
  if (!target.is_known()) return {};
  if (can_be_drawn()) {
    Drawn& by = drawn_system();
    Way way = by.reachability.way_to(by.drawing.of(target));
    if (way.answer != Answer::unknown) return way;
  }
  if (effort_.by == WaysBy::diagrams) return {};
  if (!sorted_) sorted_ = sorted(circuit_, moves_);
  return shortest(target);
}

// Larger ones are slower, so there are several.
std::size_t Ways::counted_for(std::size_t length) {
  std::size_t most = 2;
  while (most < length) most += std::max<std::size_t>(2, most / 2);
  return most;
}

bool Ways::is_pending(const Target& target) {
  if (!moves_.pending) return false;
  const Formula pending = circuit_.variable(*moves_.pending);
  return std::find(target.parts.begin(), target.parts.end(), pending) != target.parts.end();
}

Unrolling& Ways::unrolling(std::size_t tick_count, bool is_start, std::size_t length, const Target& target) {
  const std::size_t most = counted_for(length);
  const bool are_distinct = tick_count > 0 && is_pending(target) && are_controls_apart();
  std::unique_ptr<Unrolling>& unrolling = unrollings_[{tick_count, is_start, most, are_distinct}];
  if (!unrolling) {
    const Unrolling::From from{is_start, is_start ? Formula() : controls_, are_distinct};
    unrolling = std::make_unique<Unrolling>(circuit_, moves_, *sorted_, tick_count, from, most, effort_.is_over);
  }
  return *unrolling;
}

// None: of any length.
Answer Ways::has_way(std::size_t tick_count, bool is_start, Target& target, std::optional<std::size_t> length) {
  if (length && *length > kLongest) return Answer::unknown;
  if (length) return unrolling(tick_count, is_start, *length, target).has_way(target, length);
  const bool counts_all = most_others() <= kLongest;
  const std::size_t most = std::min(most_others(), kLongest);
  const Answer answer = unrolling(tick_count, is_start, most, target).has_way(target, std::nullopt);
  return answer == Answer::no && !counts_all ? Answer::unknown : answer;
}

// With so many ticks, and at most so many other steps. Most ways are short, so whether there are any is asked late.
Ways::Found Ways::shortest_with(std::size_t tick_count, Target& target, std::optional<std::size_t> most) {
  for (std::size_t length = counted_for(0);; length = counted_for(length + 1)) {
    const std::size_t tried = std::min(length, most.value_or(kLongest));
    const Answer answer = has_way(tick_count, true, target, tried);
    if (answer == Answer::unknown) return {};
    if (answer == Answer::yes) {
      const auto first = unrolling(tick_count, true, tried, target).first_way();
      return first ? Found{Answer::yes, *first} : Found();
    }
    if (most && tried == *most) return {Answer::no};
    if (tried == kLongest) return {};
    if (!most && length == kLate && has_way(tick_count, true, target, std::nullopt) == Answer::no) return {Answer::no};
  }
}

// Are there ways with at least so many ticks, from what earlier ones may have led to? What comes before some of the
// ticks can all come before the first of the others, so there are none if there are none with fewer ticks, which is
// easier to decide.
Answer Ways::may_be_longer(std::size_t tick_count, Target& target, std::optional<std::size_t> length) {
  for (std::size_t fewer = 0; length && fewer < tick_count; ++fewer) {
    if (has_way(fewer, false, target, length) == Answer::no) return Answer::no;
  }
  return has_way(tick_count, false, target, length);
}

bool Ways::is_impossible(Formula target) {
  const Formula both[] = {all().states, target};
  return all().states.is_known() && questions_.can_be(both) == Answer::no;
}

// A way with more ticks can only be as short if one from what ticks may have led to is. Of equally short ones, those of
// ticks alone come last.
Way Ways::shortest(Formula formula) {
  Target target(circuit_, formula);
  std::optional<std::vector<std::size_t>> best;
  for (std::size_t ticks = 0; ticks <= kMostTicks; ++ticks) {
    if (best && best->size() <= ticks) return way_of(*best);
    const Found found = shortest_with(ticks, target, best ? std::optional(best->size() - ticks) : std::nullopt);
    // What is not known of ways without ticks may be known of all.
    if (found.answer == Answer::unknown && (ticks > 0 || !is_impossible(formula))) return {};
    if (found.answer == Answer::yes) {
      const bool is_better =
          !best || found.steps.size() < best->size() || (found.steps.size() == best->size() && found.steps < *best);
      if (is_better) best = found.steps;
    }
    if (!best && ticks == 0 && is_impossible(formula)) return {Answer::no};
    if (!moves_.tick) return best ? way_of(*best) : Way{found.answer};
    if (!best && !is_narrowed_) {
      // What ticks can lead to at all makes further questions easier.
      is_narrowed_ = true;
      for (auto each = unrollings_.begin(); each != unrollings_.end();) {
        each = std::get<1>(each->first) ? std::next(each) : unrollings_.erase(each);
      }
    }
    // With one tick more, at least.
    if (best && best->size() <= ticks + 1) return way_of(*best);
    const Answer more = may_be_longer(ticks, target, best ? std::optional(best->size() - (ticks + 1)) : std::nullopt);
    if (more == Answer::unknown && best) return {};
    if (more == Answer::no) return best ? way_of(*best) : Way{Answer::no};
  }
  return {};
}

}  // namespace espalier::logic
