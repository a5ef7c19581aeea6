// Examples, and what only a solver answers. See questions.h.
#include "logic/questions.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace espalier::logic {
namespace {

constexpr std::size_t kRounds = 24;
constexpr std::size_t kRoundsAtOnce = 4;  // for one example
constexpr int kUnanswered = 6;            // after so many hard questions only easy ones are answered
constexpr int kEasyConflicts = 200;

}  // namespace

Questions::Questions(Circuit& circuit, int conflicts, std::size_t most_listed)
    : circuit_(circuit), conflicts_(conflicts), most_listed_(most_listed) {}

// ---- Examples -----------------------------------------------------------------------------------

// Bit 0 of a round that is no list is its base; bit i + 1 has the i-th of its variables changed.
void Questions::extend(Round& round) const {
  constexpr std::uint64_t kLow[] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  std::vector<std::uint64_t>& values = round.values;
  const std::vector<Circuit::Gate>& variables = circuit_.variables();
  auto gate = static_cast<Circuit::Gate>(values.size());
  values.resize(circuit_.size());
  std::size_t variable =
      static_cast<std::size_t>(std::lower_bound(variables.begin(), variables.end(), gate) - variables.begin());
  for (; gate < values.size(); ++gate) {
    if (gate == 0) continue;
    const Circuit::Inputs& inside = circuit_.inputs(gate);
    if (circuit_.is_variable(gate)) {
      if (round.is_list) {
        values[gate] = variable < 6 ? kLow[variable] : (round.first >> variable & 1) != 0 ? UINT64_MAX : 0;
      } else {
        values[gate] = inside.left < round.base.size() && round.base[inside.left] ? UINT64_MAX : 0;
        const std::size_t changed = variable - round.first;  // wraps round if it is before the first
        if (changed < 63) values[gate] ^= std::uint64_t{2} << changed;
      }
      ++variable;
    } else {
      const auto of_code = [&](std::uint32_t code) { return values[code >> 1] ^ (0 - std::uint64_t{code & 1}); };
      values[gate] = of_code(inside.left) & of_code(inside.right);
    }
  }
}

std::vector<bool> Questions::state_of(const Round& round, unsigned bit) const {
  std::uint32_t last = 0;
  for (const Circuit::Gate gate : circuit_.variables()) last = std::max(last, circuit_.inputs(gate).left);
  std::vector<bool> state(circuit_.variables().empty() ? 0 : last + std::size_t{1});
  for (const Circuit::Gate gate : circuit_.variables()) {
    const std::uint32_t number = circuit_.inputs(gate).left;
    state[number] = (round.values[gate] >> bit & 1) != 0;
  }
  return state;
}

bool Questions::find(Round& round, std::span<const Formula> all) {
  extend(round);
  std::uint64_t found = UINT64_MAX;
  for (const Formula formula : all) {
    const std::uint64_t values = round.values[Circuit::gate_of(formula)];
    found &= Circuit::is_inverted(formula) ? ~values : values;
    if (found == 0) return false;
  }
  example_ = state_of(round, static_cast<unsigned>(std::countr_zero(found)));
  return true;
}

// Are the rounds a list of all states? They are made when the last variable is known.
bool Questions::lists_all() {
  const std::size_t count = circuit_.variables().size();
  if (count > most_listed_) {
    if (listed_ != SIZE_MAX || rounds_.empty()) {
      rounds_.clear();
      add_near({});
      add_near(std::vector<bool>(2 * count + 2, true));
    }
    listed_ = SIZE_MAX;
    return false;
  }
  if (listed_ == count) return true;
  listed_ = count;
  rounds_.clear();
  for (std::size_t first = 0; first < std::size_t{1} << count; first += 64) rounds_.push_back({{}, first, true});
  return true;
}

void Questions::add_near(const std::vector<bool>& values) {
  const std::size_t count = std::min(circuit_.variables().size(), 63 * kRoundsAtOnce);
  for (std::size_t first = 0; first < count; first += 63) {
    Round round{values, first};
    if (rounds_.size() < kRounds) {
      rounds_.push_back(std::move(round));
    } else {
      round.values.swap(rounds_[next_].values);  // keeps the memory
      round.values.clear();
      rounds_[next_] = std::move(round);
    }
    next_ = (next_ + 1) % kRounds;
  }
}

void Questions::look_near(const std::vector<bool>& values) {
  if (lists_all()) return;
  const auto is_there = [&](const Round& round) { return round.base == values; };
  if (std::none_of(rounds_.begin(), rounds_.end(), is_there)) add_near(values);
}

// ---- Answers ------------------------------------------------------------------------------------

Answer Questions::ask(std::span<const Formula> all) {
  if (!solver_) solver_ = std::make_unique<Solver>(circuit_);
  const Answer answer = solver_->can_be(all, unanswered_ < kUnanswered ? conflicts_ : kEasyConflicts);
  if (answer == Answer::unknown) ++unanswered_;
  if (answer == Answer::yes) example_ = solver_->values();
  return answer;
}

Answer Questions::can_be(std::span<const Formula> all) {
  bool is_known = true;
  for (const Formula formula : all) {
    if (circuit_.is_constant(formula, false)) return Answer::no;
    is_known = is_known && formula.is_known();
  }
  if (!is_known) return Answer::unknown;
  const bool is_listed = lists_all();
  // The newest examples first, which are those of the neighbouring questions.
  for (std::size_t i = 0; i < rounds_.size(); ++i) {
    Round& round = rounds_[(next_ + rounds_.size() - 1 - i) % rounds_.size()];
    if (find(round, all)) return Answer::yes;
  }
  if (is_listed) return Answer::no;
  const Answer answer = ask(all);
  if (answer == Answer::yes) add_near(example_);
  return answer;
}

Answer Questions::is_tautology(Formula formula) {
  const Answer fails = is_satisfiable(circuit_.negation(formula));
  return fails == Answer::yes ? Answer::no : fails == Answer::no ? Answer::yes : Answer::unknown;
}

Answer Questions::is_equal(Formula left, Formula right) {
  if (left.is_known() && left == right) return Answer::yes;
  return is_tautology(circuit_.equivalence(left, right));
}

// ---- The fewest true variables ------------------------------------------------------------------

// Of the variables of the formulas, which are true together.
std::optional<std::vector<bool>> Questions::fewest(std::vector<Formula> all) {
  std::vector<bool> best = example_;
  std::vector<bool> is_asked;
  for (const Formula formula : all) {
    for (const std::uint32_t number : circuit_.support(formula)) {
      if (is_asked.size() <= number) is_asked.resize(number + std::size_t{1});
      is_asked[number] = true;
    }
  }
  std::vector<Formula> variables;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t number = 0; number < is_asked.size(); ++number) {
    if (!is_asked[number]) continue;
    numbers.push_back(number);
    variables.push_back(circuit_.variable(number));
  }
  const auto is_true = [&](const std::vector<bool>& values, std::uint32_t number) {
    return number < values.size() && values[number];
  };
  const auto count_of = [&](const std::vector<bool>& values) {
    return static_cast<std::size_t>(
        std::count_if(numbers.begin(), numbers.end(), [&](std::uint32_t number) { return is_true(values, number); }));
  };
  // Tries, and keeps what is found.
  const auto improves = [&](Formula also) {
    std::vector<Formula> asked = all;
    asked.push_back(also);
    const Answer answer = can_be(asked);
    if (answer == Answer::yes) best = example_;
    return answer;
  };
  const std::vector<Formula> counted = circuit_.at_least(variables, count_of(best) + 1);
  for (;;) {
    const Answer answer = improves(circuit_.negation(counted[count_of(best)]));
    if (answer == Answer::unknown) return std::nullopt;
    if (answer == Answer::no) break;
  }
  all.push_back(circuit_.negation(counted[count_of(best) + 1]));
  std::size_t left = count_of(best);
  for (std::size_t i = 0; i < numbers.size() && left > 0; ++i) {
    if (!is_true(best, numbers[i]) && improves(variables[i]) == Answer::unknown) return std::nullopt;
    left -= is_true(best, numbers[i]) ? 1 : 0;
    all.push_back(is_true(best, numbers[i]) ? variables[i] : circuit_.negation(variables[i]));
  }
  return best;
}

Satisfied Questions::satisfy(std::span<const Formula> all) {
  const Answer answer = can_be(all);
  if (answer != Answer::yes) return {answer};
  const auto values = fewest({all.begin(), all.end()});
  if (!values) return {};
  // Those that do not matter are left out, the last ones first; the true ones all matter.
  std::vector<Literal> literals;
  Formula whole = circuit_.constant(true);
  for (const Formula formula : all) whole = circuit_.conjunction(whole, formula);
  for (const std::uint32_t number : circuit_.support(whole)) {
    literals.push_back({static_cast<Variable>(number), number < values->size() && (*values)[number]});
  }
  for (std::size_t i = literals.size(); i-- > 0;) {
    if (literals[i].value) continue;
    std::vector<Formula> asked = {circuit_.negation(whole)};
    for (std::size_t k = 0; k < literals.size(); ++k) {
      const Formula variable = circuit_.variable(literals[k].variable);
      if (k != i) asked.push_back(literals[k].value ? variable : circuit_.negation(variable));
    }
    const Answer fails = can_be(asked);
    if (fails == Answer::unknown) return {};
    if (fails == Answer::no) literals.erase(literals.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return {Answer::yes, std::move(literals)};
}

}  // namespace espalier::logic
