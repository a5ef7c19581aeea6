// Why formulas cannot be true together: as few of them as suffice. See Questions::enough().
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "logic/drawn_questions.h"

namespace espalier::logic {
namespace {

constexpr std::size_t kMostInPairs = 32;  // formulas of which two are looked for
constexpr std::size_t kMostTried = 64;    // of those that a solver needed, each one tried without the others

std::vector<Formula> some_of(std::span<const Formula> all, std::uint64_t places) {
  std::vector<Formula> result;
  result.reserve(all.size());
  for (; places != 0; places &= places - 1) result.push_back(all[static_cast<std::size_t>(std::countr_zero(places))]);
  return result;
}

std::uint64_t first_places(std::size_t count) { return (std::uint64_t{1} << count) - 1; }

}  // namespace

std::vector<std::size_t> Questions::enough(std::span<const Formula> all, std::size_t most) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_possible(all[i])) return {i};
  }
  Sets possible;
  std::vector<std::size_t> enough = enough_of_first(all, possible, most);
  if (all.size() <= kMostInPairs) {
    if (std::vector<std::size_t> two = enough_of_two(all, possible); !two.empty()) return two;
  }
  return enough;
}

bool Questions::is_possible(Formula formula) {
  const std::uint32_t code = Circuit::code(formula);
  if (!formula.is_known()) return true;
  if (is_possible_.size() <= code) is_possible_.resize(2 * circuit_.size());
  if (!is_possible_[code]) is_possible_[code] = is_satisfiable(formula) != Answer::no;
  return is_possible_[code];
}

bool Questions::Drawn::grow(std::span<const Formula> all, std::uint64_t& set) {
  Function whole = diagrams.constant(true);
  for (const Formula formula : some_of(all, set)) whole = with(whole, formula);
  for (std::size_t i = 0; i < all.size() && whole.is_known(); ++i) {
    if ((set >> i & 1) != 0) continue;
    const Function more = with(whole, all[i]);
    if (is_false(more)) continue;
    whole = more;
    set |= std::uint64_t{1} << i;
  }
  return whole.is_known();
}

// Adds to a set what it can of other places.
void Questions::grow(std::span<const Formula> all, std::uint64_t& set, std::uint64_t more) {
  if (more == 0) return;
  if (can_be(some_of(all, set | more)) == Answer::yes) {
    set |= more;
    return;
  }
  if (std::popcount(more) == 1) return;
  std::uint64_t half = 0;
  for (std::uint64_t rest = more; 2 * std::popcount(half) < std::popcount(more); rest &= rest - 1) {
    half |= rest & (0 - rest);
  }
  grow(all, set, half);
  grow(all, set, more & ~half);
}

// Pairs need not be tried where larger sets can be true: each pair that is not shown to be possible is made as large a
// set as is, and so shows most of the others.
std::vector<std::size_t> Questions::enough_of_two(std::span<const Formula> all, const Sets& possible) {
  std::array<std::uint64_t, kMostInPairs> is_possible_with{};
  const auto note = [&](std::uint64_t set) {
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1)
      is_possible_with[static_cast<std::size_t>(std::countr_zero(rest))] |= set;
  };
  for (const std::uint64_t set : possible) note(set);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if ((is_possible_with[i] >> j & 1) != 0) continue;
      std::uint64_t set = std::uint64_t{1} << i | std::uint64_t{1} << j;
      const Answer answer = can_be(some_of(all, set));
      if (answer == Answer::no) return {i, j};
      if (answer == Answer::yes && !(drawn_ && drawn_->grow(all, set))) {
        grow(all, set, first_places(all.size()) & ~set);
      }
      note(set);
    }
  }
  return {};
}

// One after the other: what is drawn of the first ones is known from their neighbours.
bool Questions::Drawn::enough_of_first(std::span<const Formula> all, std::vector<std::size_t>& needed, Sets& possible,
                                       std::size_t most) {
  Function of_needed = diagrams.constant(true);
  while (needed.size() < most && !is_false(of_needed)) {
    Function whole = of_needed;
    std::uint64_t set = 0;
    for (const std::size_t i : needed) set |= std::uint64_t{1} << (i % 64);
    std::size_t next = 0;
    for (; next < all.size(); ++next) {
      whole = with(whole, all[next]);
      if (!whole.is_known()) return false;
      if (is_false(whole)) break;
      set |= std::uint64_t{1} << (next % 64);
    }
    if (all.size() <= kMostInPairs) possible.push_back(set);
    if (next == all.size()) {
      needed.clear();
      return true;
    }
    needed.push_back(next);
    of_needed = with(of_needed, all[next]);
  }
  return true;
}

// The one that makes those before it impossible is needed; then it comes first, and so on. How many of the first are
// possible an example may show better than what was asked, and how many are not, those that a solver needed. Where it
// needed many, and few are wanted, the last of them are taken as they are.
std::vector<std::size_t> Questions::enough_of_first(std::span<const Formula> all, Sets& possible_sets,
                                                    std::size_t most) {
  const std::vector<Formula>& known = last_enough_.first;
  if (!known.empty() && last_enough_.most == most && known.size() <= all.size() &&
      std::equal(known.begin(), known.end(), all.begin()))
    return last_enough_.places;
  std::vector<std::size_t> needed;
  const bool is_drawn = drawn_ && drawn_->enough_of_first(all, needed, possible_sets, most);
  if (!is_drawn) needed.clear();
  while (!is_drawn && needed.size() < most) {
    std::vector<Formula> asked;
    asked.reserve(needed.size() + all.size());
    for (const std::size_t i : needed) asked.push_back(all[i]);
    const std::size_t before = asked.size();
    const Answer is_enough = can_be(asked);
    if (is_enough == Answer::unknown) return {};
    if (is_enough == Answer::no) break;
    std::size_t possible = 0;  // so many of the first are
    std::size_t impossible = all.size() + 1;
    for (std::size_t count = all.size(); possible + 1 < impossible; count = (possible + impossible) / 2) {
      asked.resize(before);
      asked.insert(asked.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
      const Answer answer = can_be(asked);
      if (answer == Answer::unknown) return {};
      if (answer == Answer::yes) {
        possible = count;
        Valuation values(circuit_, *example());
        while (possible < all.size() && values.of(all[possible]) == Answer::yes) ++possible;
        if (all.size() > kMostInPairs) continue;
        std::uint64_t set = first_places(possible);
        for (std::size_t i = possible; i < all.size(); ++i) {
          if (values.of(all[i]) == Answer::yes) set |= std::uint64_t{1} << i;
        }
        possible_sets.push_back(set);
        continue;
      }
      impossible = count;
      if (!is_asked_) continue;
      if (count == all.size() && needed.empty() && most < kMostTried) {
        std::vector<std::size_t> used;
        for (std::size_t i = 0; i < count; ++i) {
          if (solver_->is_needed(i)) used.push_back(i);
        }
        if (used.size() > kMostTried) return {used.end() - static_cast<std::ptrdiff_t>(most), used.end()};
      }
      while (impossible > possible + 1 && !solver_->is_needed(before + impossible - 1)) --impossible;
    }
    if (impossible > all.size()) return {};
    needed.push_back(impossible - 1);
  }
  std::sort(needed.begin(), needed.end());
  if (needed.empty()) return needed;
  last_enough_ = {{all.begin(), all.begin() + static_cast<std::ptrdiff_t>(needed.back() + 1)}, needed, most};
  return needed;
}

}  // namespace espalier::logic
