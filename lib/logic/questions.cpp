// Examples, and what only a solver answers. See questions.h.
#include "logic/questions.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <utility>

#include "logic/drawn_questions.h"

namespace espalier::logic {
namespace {

constexpr std::size_t kRounds = 24;
constexpr std::size_t kChanged = 63;      // variables of a round
constexpr std::size_t kRoundsAtOnce = 4;  // for one example
constexpr int kUnanswered = 6;            // after so many hard questions only easy ones are answered
constexpr int kEasyConflicts = 200;

}  // namespace

Questions::Questions(Circuit& circuit, int conflicts, std::size_t most_listed, std::size_t most_drawn)
    : circuit_(circuit),
      drawn_(std::make_unique<Drawn>(circuit, most_drawn)),
      conflicts_(conflicts),
      most_listed_(most_listed) {}

Questions::~Questions() = default;

// ---- Diagrams -----------------------------------------------------------------------------------

Answer Questions::look_at_diagrams(std::span<const Formula> all) {
  if (!drawn_) return Answer::unknown;
  Function whole = drawn_->diagrams.constant(true);
  for (const Formula formula : all) {
    whole = drawn_->diagrams.conjunction(whole, drawn_->drawing.of(formula));
    if (whole.is_known()) continue;
    drawn_.reset();
    return Answer::unknown;
  }
  const Answer answer = drawn_->diagrams.is_satisfiable(whole);
  if (answer == Answer::yes) found_drawn_ = whole;
  return answer;
}

// ---- Examples -----------------------------------------------------------------------------------

// Bit 0 of a round that is no list is its base; bit i + 1 has the i-th of its variables changed.
std::uint64_t Questions::values_of_variable(const Round& round, Circuit::Gate gate) const {
  constexpr std::uint64_t kLow[] = {0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,
                                    0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000};
  const std::vector<Circuit::Gate>& variables = circuit_.variables();
  const auto variable =
      static_cast<std::size_t>(std::lower_bound(variables.begin(), variables.end(), gate) - variables.begin());
  if (round.is_list) return variable < 6 ? kLow[variable] : (round.first >> variable & 1) != 0 ? UINT64_MAX : 0;
  const std::uint32_t number = circuit_.inputs(gate).left;
  std::uint64_t values = round.base && number < round.base->size() && (*round.base)[number] ? UINT64_MAX : 0;
  const std::size_t changed = variable - round.first;  // wraps round if it is before the first
  if (changed < kChanged) values ^= std::uint64_t{2} << changed;
  return values;
}

// Only those of the gates that the formula is made of are looked at: questions are about small parts of a circuit.
std::uint64_t Questions::values_of(Round& round, Formula formula) {
  if (round.values.size() < circuit_.size()) {
    round.values.resize(circuit_.size());
    round.known_at.resize(circuit_.size());
  }
  if (round.number == 0) round.number = ++last_round_;
  round.values[0] = 0;
  round.known_at[0] = round.number;
  const auto is_known = [&](Circuit::Gate gate) { return round.known_at[gate] == round.number; };
  const auto of_code = [&](std::uint32_t code) { return round.values[code >> 1] ^ (0 - std::uint64_t{code & 1}); };
  open_.assign(1, Circuit::gate_of(formula));
  while (!open_.empty()) {
    const Circuit::Gate gate = open_.back();
    if (!is_known(gate)) {
      const Circuit::Inputs& inside = circuit_.inputs(gate);
      if (circuit_.is_variable(gate)) {
        round.values[gate] = values_of_variable(round, gate);
      } else {
        const std::size_t before = open_.size();
        if (!is_known(inside.left >> 1)) open_.push_back(inside.left >> 1);
        if (!is_known(inside.right >> 1)) open_.push_back(inside.right >> 1);
        if (open_.size() > before) continue;
        round.values[gate] = of_code(inside.left) & of_code(inside.right);
      }
      round.known_at[gate] = round.number;
    }
    open_.pop_back();
  }
  return of_code(Circuit::code(formula));
}

std::vector<bool> Questions::state_of(Round& round, unsigned bit) {
  std::uint32_t last = 0;
  for (const Circuit::Gate gate : circuit_.variables()) last = std::max(last, circuit_.inputs(gate).left);
  std::vector<bool> state(circuit_.variables().empty() ? 0 : last + std::size_t{1});
  for (const Circuit::Gate gate : circuit_.variables()) {
    state[circuit_.inputs(gate).left] = (values_of_variable(round, gate) >> bit & 1) != 0;
  }
  return state;
}

bool Questions::find(Round& round, std::span<const Formula> all) {
  std::uint64_t found = UINT64_MAX;
  for (const Formula formula : all) {
    found &= values_of(round, formula);
    if (found == 0) return false;
  }
  found_ = {&round, static_cast<unsigned>(std::countr_zero(found))};
  return true;
}

const Questions::Example& Questions::example() {
  if (found_drawn_.is_known()) {
    example_ = std::make_shared<const std::vector<bool>>(drawn_->diagrams.example(found_drawn_));
    found_drawn_ = {};
  }
  if (found_.round != nullptr) {
    example_ = std::make_shared<const std::vector<bool>>(state_of(*found_.round, found_.bit));
    found_ = {};
  }
  return example_;
}

bool Questions::uses_examples() { return !lists_all() && !drawn_; }

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
    round.known_at.swap(rounds_[next_].known_at);
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
  if (!uses_examples()) return;
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
  if (!solver_) solver_ = std::make_unique<ImplyingSolver>(circuit_);
  is_asked_ = true;
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
  is_asked_ = false;
  found_ = {};
  found_drawn_ = {};
  for (const Formula formula : all) {
    if (circuit_.is_constant(formula, false)) return Answer::no;
    is_known = is_known && formula.is_known();
  }
  if (!is_known) return Answer::unknown;
  const bool is_listed = lists_all();
  if (!is_listed) {
    if (const Answer answer = look_at_diagrams(all); answer != Answer::unknown) return answer;
  }
  if (is_shown(all)) return Answer::yes;
  if (is_listed) return Answer::no;
  const Answer answer = ask(all);
  if (answer == Answer::yes) learn(example_);
  return answer;
}

// What the solver is asked while this lives, besides `kept`, it need not remember.
class Questions::Passing {
 public:
  Passing(Questions& questions, std::span<const Formula> kept) : questions_(questions) {
    if (!questions.solver_) questions.solver_ = std::make_unique<ImplyingSolver>(questions.circuit_);
    questions.solver_->begin_passing(kept);
  }
  ~Passing() {
    questions_.solver_->end_passing();
    questions_.is_asked_ = false;
  }
  Passing(const Passing&) = delete;
  Passing& operator=(const Passing&) = delete;

 private:
  Questions& questions_;
};

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
  const auto is_shown_with = [&](std::size_t i) {
    if (is_shown(with(each[i]))) answers[i] = Answer::yes;
    return answers[i] == Answer::yes;
  };
  std::vector<std::size_t> open(each.size());
  std::iota(open.begin(), open.end(), std::size_t{0});
  const auto answer_one_by_one = [&] {
    for (const std::size_t i : open) answers[i] = can_be(with(each[i]));
    return answers;
  };
  const bool is_easy = std::all_of(common.begin(), common.end(), is_known) &&
                       std::all_of(each.begin(), each.end(), is_known) && uses_examples();
  if (!is_easy) return answer_one_by_one();
  std::erase_if(open, is_shown_with);
  if (open.empty()) return answers;
  const Passing passing(*this, common);
  for (std::size_t before = SIZE_MAX; open.size() > 1 && open.size() < before;) {
    before = open.size();
    Formula any = circuit_.constant(false);
    for (const std::size_t i : open) any = circuit_.disjunction(any, each[i]);
    const Answer answer = ask(with(any), kEasyConflicts);
    if (answer == Answer::unknown) break;
    if (answer == Answer::yes) {
      learn(example_);
      std::erase_if(open, is_shown_with);
      continue;
    }
    for (const std::size_t i : open) answers[i] = Answer::no;
    open.clear();
  }
  return answer_one_by_one();
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
