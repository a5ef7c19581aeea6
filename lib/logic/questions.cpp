// Examples, and what only a solver answers. See questions.h.
#include "logic/questions.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

namespace espalier::logic {
namespace {

constexpr std::size_t kRounds = 24;
constexpr std::size_t kChanged = 63;      // variables of a round
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
  static const std::vector<bool> kNone;
  const std::vector<bool>& base = round.base ? *round.base : kNone;
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
        values[gate] = inside.left < base.size() && base[inside.left] ? UINT64_MAX : 0;
        const std::size_t changed = variable - round.first;  // wraps round if it is before the first
        if (changed < kChanged) values[gate] ^= std::uint64_t{2} << changed;
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
    if (gate >= round.values.size()) break;
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
  found_ = {&round, static_cast<unsigned>(std::countr_zero(found))};
  return true;
}

const Questions::Example& Questions::example() {
  if (found_.round != nullptr) {
    example_ = std::make_shared<const std::vector<bool>>(state_of(*found_.round, found_.bit));
    found_ = {};
  }
  return example_;
}

// Are the rounds a list of all states? They are made when the last variable is known.
bool Questions::lists_all() {
  const std::size_t count = circuit_.variables().size();
  if (count > most_listed_) {
    if (listed_ != SIZE_MAX || rounds_.empty()) {
      rounds_.clear();
      add_near(std::make_shared<const std::vector<bool>>());
      add_near(std::make_shared<const std::vector<bool>>(2 * count + 2, true));
    }
    listed_ = SIZE_MAX;
    return false;
  }
  if (listed_ == count) return true;
  listed_ = count;
  rounds_.clear();
  for (std::size_t first = 0; first < std::size_t{1} << count; first += 64) rounds_.push_back({{}, first, true});
  found_ = {};
  return true;
}

void Questions::add_round(const Example& base, std::size_t first) {
  found_ = {};
  Round round{base, first};
  if (rounds_.size() < kRounds) {
    rounds_.push_back(std::move(round));
  } else {
    round.values.swap(rounds_[next_].values);  // keeps the memory
    round.values.clear();
    rounds_[next_] = std::move(round);
  }
  next_ = (next_ + 1) % kRounds;
}

void Questions::add_near(const Example& values) {
  const std::size_t count = std::min(circuit_.variables().size(), kChanged * kRoundsAtOnce);
  for (std::size_t first = 0; first < count; first += kChanged) add_round(values, first);
}

// An example of the solver. If it differs in one variable from values that were looked near, these would have shown it,
// if there were not more variables than are changed: then those from this one on are changed, which the next questions
// are about.
void Questions::learn(const Example& values) {
  const auto is_true = [](const std::vector<bool>& all, std::size_t number) {
    return number < all.size() && all[number];
  };
  const std::vector<Circuit::Gate>& variables = circuit_.variables();
  const std::vector<bool>* looked_at = nullptr;
  for (const Round& round : rounds_) {
    if (round.base.get() == looked_at) continue;
    looked_at = round.base.get();
    std::size_t differing = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < variables.size() && differing < 2; ++i) {
      const std::uint32_t number = circuit_.inputs(variables[i]).left;
      if (is_true(*values, number) == is_true(*looked_at, number)) continue;
      ++differing;
      last = i;
    }
    if (differing == 1) return add_round(Example(round.base), last);
  }
  add_near(values);
}

void Questions::look_near(const Example& values) {
  if (lists_all()) return;
  const auto is_there = [&](const Round& round) { return round.base == values; };
  if (std::none_of(rounds_.begin(), rounds_.end(), is_there)) add_near(values);
}

// ---- Answers ------------------------------------------------------------------------------------

Answer Questions::ask(std::span<const Formula> all) {
  const Answer answer = ask(all, unanswered_ < kUnanswered ? conflicts_ : kEasyConflicts);
  if (answer == Answer::unknown) ++unanswered_;
  return answer;
}

Answer Questions::ask(std::span<const Formula> all, int conflicts) {
  if (!solver_) solver_ = std::make_unique<Solver>(circuit_);
  const Answer answer = solver_->can_be(all, conflicts);
  if (answer == Answer::yes) example_ = std::make_shared<const std::vector<bool>>(solver_->values());
  return answer;
}

// By an example, the newest ones first, which are those of the neighbouring questions.
bool Questions::is_shown(std::span<const Formula> all) {
  for (std::size_t i = 0; i < rounds_.size(); ++i) {
    Round& round = rounds_[(next_ + rounds_.size() - 1 - i) % rounds_.size()];
    if (find(round, all)) return true;
  }
  return false;
}

Answer Questions::can_be(std::span<const Formula> all) {
  bool is_known = true;
  found_ = {};
  for (const Formula formula : all) {
    if (circuit_.is_constant(formula, false)) return Answer::no;
    is_known = is_known && formula.is_known();
  }
  if (!is_known) return Answer::unknown;
  const bool is_listed = lists_all();
  if (is_shown(all)) return Answer::yes;
  if (is_listed) return Answer::no;
  const Answer answer = ask(all);
  if (answer == Answer::yes) learn(example_);
  return answer;
}

// One question about any of those that no example shows: a no answers them all, a yes gives an example for the next
// one.
std::vector<Answer> Questions::each_can_be(std::span<const Formula> common, std::span<const Formula> each) {
  std::vector<Answer> answers(each.size(), Answer::unknown);
  std::vector<Formula> asked(common.begin(), common.end());
  asked.emplace_back();
  const auto with = [&](Formula formula) {
    asked.back() = formula;
    return std::span<const Formula>(asked);
  };
  const auto is_known = [](Formula formula) { return formula.is_known(); };
  std::vector<std::size_t> open(each.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  const bool is_easy = std::all_of(common.begin(), common.end(), is_known) &&
                       std::all_of(each.begin(), each.end(), is_known) && !lists_all();
  for (std::size_t before = SIZE_MAX; is_easy && open.size() > 1 && open.size() < before;) {
    before = open.size();
    std::erase_if(open, [&](std::size_t i) {
      if (is_shown(with(each[i]))) answers[i] = Answer::yes;
      return answers[i] == Answer::yes;
    });
    Formula any = circuit_.constant(false);
    for (const std::size_t i : open) any = circuit_.disjunction(any, each[i]);
    const Answer answer = ask(with(any), kEasyConflicts);
    if (answer == Answer::unknown) break;
    if (answer == Answer::yes) {
      learn(example_);
      continue;
    }
    for (const std::size_t i : open) answers[i] = Answer::no;
    open.clear();
  }
  for (const std::size_t i : open) answers[i] = can_be(with(each[i]));
  return answers;
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

// Of the variables of a formula, which is true for the example; these are its numbers, in order.
std::optional<std::vector<bool>> Questions::fewest(Formula all, const std::vector<std::uint32_t>& numbers) {
  constexpr std::size_t kFew = 8;
  const auto is_true = [&](const Example& values, std::uint32_t number) {
    return number < values->size() && (*values)[number];
  };
  const auto count_of = [&](const Example& values) {
    return static_cast<std::size_t>(
        std::count_if(numbers.begin(), numbers.end(), [&](std::uint32_t number) { return is_true(values, number); }));
  };
  Example best = example();
  // Counting far takes many gates; examples of the solver have few true ones.
  if (const Example first = best; count_of(first) > kFew && ask({&all, 1}) == Answer::yes) {
    best = count_of(example_) < count_of(first) ? example_ : first;
  }
  // Tries, and keeps what is found.
  const auto improves = [&](Formula also) {
    const Formula asked[] = {also, all};
    const Answer answer = can_be(asked);
    if (answer == Answer::yes) best = example();
    return answer;
  };
  std::vector<Formula> variables;
  variables.reserve(numbers.size());
  for (const std::uint32_t number : numbers) variables.push_back(circuit_.variable(number));
  const std::vector<Formula> counted = circuit_.at_least(variables, count_of(best) + 1);
  for (;;) {
    const Answer answer = improves(circuit_.negation(counted[count_of(best)]));
    if (answer == Answer::unknown) return std::nullopt;
    if (answer == Answer::no) break;
  }
  all = circuit_.conjunction(all, circuit_.negation(counted[count_of(best) + 1]));
  std::size_t left = count_of(best);
  for (std::size_t i = 0; i < numbers.size() && left > 0; ++i) {
    if (!is_true(best, numbers[i]) && improves(variables[i]) == Answer::unknown) return std::nullopt;
    left -= is_true(best, numbers[i]) ? 1 : 0;
    all = circuit_.conjunction(all, is_true(best, numbers[i]) ? variables[i] : circuit_.negation(variables[i]));
  }
  return *best;
}

Satisfied Questions::satisfy(std::span<const Formula> all) {
  const Answer answer = can_be(all);
  if (answer != Answer::yes) return {answer};
  Formula whole = circuit_.constant(true);
  for (const Formula formula : all) whole = circuit_.conjunction(whole, formula);
  const std::vector<std::uint32_t> numbers = circuit_.support(whole);
  const auto values = fewest(whole, numbers);
  if (!values) return {};
  std::vector<Literal> literals;
  literals.reserve(numbers.size());
  for (const std::uint32_t number : numbers) {
    literals.push_back({number, number < values->size() && (*values)[number]});
  }
  if (!leave_out_unneeded(whole, literals)) return {};
  return {Answer::yes, std::move(literals)};
}

// False literals that do not matter are left out, the last ones first; the true ones all matter. Many at once, if none
// of these does. False if that is not decided.
bool Questions::leave_out_unneeded(Formula whole, std::vector<Literal>& literals) {
  std::vector<Formula> before = {circuit_.constant(true)};  // all literals before one
  struct Part {
    std::size_t begin, end;
  };
  std::vector<Part> open;  // the last one comes first; each of true literals or of false ones
  for (std::size_t i = 0; i < literals.size(); ++i) {
    before.push_back(circuit_.conjunction(before.back(), circuit_.all_of({&literals[i], 1})));
    const bool begins = i == 0 || literals[i].value != literals[i - 1].value;
    if (begins) open.push_back({i, i});
    open.back().end = i + 1;
  }
  Formula after = circuit_.constant(true);  // the needed ones after a part
  std::vector<Literal> needed;
  while (!open.empty()) {
    const Part part = open.back();
    open.pop_back();
    if (!literals[part.begin].value) {
      const Formula asked[] = {circuit_.negation(whole), before[part.begin], after};
      const Answer fails = can_be(asked);
      if (fails == Answer::unknown) return false;
      if (fails == Answer::no) continue;
      if (part.end - part.begin > 1) {
        const std::size_t middle = (part.begin + part.end) / 2;
        open.push_back({part.begin, middle});
        open.push_back({middle, part.end});
        continue;
      }
    }
    for (std::size_t i = part.end; i-- > part.begin;) {
      needed.push_back(literals[i]);
      after = circuit_.conjunction(circuit_.all_of({&literals[i], 1}), after);
    }
  }
  literals.assign(needed.rbegin(), needed.rend());
  return true;
}

}  // namespace espalier::logic
