// Finding cubes: variables get one value and then the other, until what is known of them decides all conditions.
#include "select/cubes.h"

#include "asset/condition_tests.h"

namespace espalier {
namespace {

constexpr std::uint32_t kMaxTests = 24;  // of one condition

std::uint32_t lowest_bit(std::uint32_t bits) {
  std::uint32_t number = 0;
  for (; (bits & 1) == 0; bits >>= 1) ++number;
  return number;
}

}  // namespace

std::uint32_t CubeList::count(std::uint64_t& steps) const {
  CubeList cubes = *this;
  std::uint32_t found = 0;
  while (found < kTooMany && cubes.next()) ++found;
  steps += cubes.steps_;
  return cubes.is_too_large() ? kTooMany : found;
}

bool CubeList::next() {
  if (has_begun_ && !try_other_value()) return false;
  has_begun_ = true;
  for (;;) {
    const Truth result = truth();
    is_too_large_ = is_too_large_ || ++steps_ == kMaxSteps;
    if (is_too_large_) return false;
    if (result == wanted_) return true;
    if (result != Truth::open) {
      if (!try_other_value()) return false;
      continue;
    }
    if (term_count_ == kMaxTerms) {
      is_too_large_ = true;
      return false;
    }
    terms_[term_count_++] = {open_variable_, true, false};
  }
}

// Of the last variable that has one.
bool CubeList::try_other_value() {
  while (term_count_ > 0 && terms_[term_count_ - 1].is_second) --term_count_;
  if (term_count_ == 0) return false;
  Term& last = terms_[term_count_ - 1];
  last.value = !last.value;
  last.is_second = true;
  return true;
}

CubeList::Truth CubeList::truth() {
  Truth result = Truth::yes;
  for (std::uint32_t i = 0; i < condition_count_; ++i) {
    const std::uint32_t open_before = open_variable_;
    const Truth each = truth(conditions_[i]);
    if (each == Truth::no) return Truth::no;
    // The first open condition says which variable is next.
    if (result == Truth::open || each == Truth::yes) open_variable_ = open_before;
    if (each == Truth::open) result = Truth::open;
  }
  return result;
}

// The same steps as holds(), see core/condition.h, with a third value.
CubeList::Truth CubeList::truth(std::uint32_t condition) {
  if (condition == 0) return Truth::yes;
  const ConditionTests test(tree_.conditions(), tree_.tests(), condition);
  if (test.count() > kMaxTests) {
    is_too_large_ = true;
    return Truth::no;
  }
  Truth aside[layout::kMaxBits];
  std::uint32_t aside_count = 0;
  Truth result = truth(test[0]);
  for (std::uint32_t i = 1; i < test.count(); ++i) {
    const bool is_combined = static_cast<layout::TestOp>(test[i].test) == layout::TestOp::combine;
    const Truth value = is_combined ? aside[--aside_count] : truth(test[i]);
    const bool is_open = result == Truth::open || value == Truth::open;
    switch (static_cast<layout::CombineOp>(test[i].combine)) {
      case layout::CombineOp::set:
        break;
      case layout::CombineOp::both:
        result = result == Truth::no || value == Truth::no ? Truth::no : is_open ? Truth::open : Truth::yes;
        break;
      case layout::CombineOp::either:
        result = result == Truth::yes || value == Truth::yes ? Truth::yes : is_open ? Truth::open : Truth::no;
        break;
      case layout::CombineOp::differ:
        result = is_open ? Truth::open : result != value ? Truth::yes : Truth::no;
        break;
      case layout::CombineOp::same:
        result = is_open ? Truth::open : result == value ? Truth::yes : Truth::no;
        break;
      case layout::CombineOp::aside:
        aside[aside_count++] = result;
        result = value;
        break;
    }
  }
  return result;
}

CubeList::Truth CubeList::truth(const layout::Test& test) {
  std::uint32_t known = 0;
  std::uint32_t differs = 0;
  for (const Term& term : *this) {
    if (term.variable / 32 != test.word) continue;
    const std::uint32_t bit = std::uint32_t{1} << (term.variable % 32);
    known |= bit & test.mask;
    if (((test.value & bit) != 0) != term.value) differs |= bit & test.mask;
  }
  const bool is_all = static_cast<layout::TestOp>(test.test) == layout::TestOp::all;
  if (differs != 0) return is_all ? Truth::no : Truth::yes;
  if (known == test.mask) return is_all ? Truth::yes : Truth::no;
  open_variable_ = test.word * 32u + lowest_bit(test.mask & ~known);
  return Truth::open;
}

}  // namespace espalier
