// The tests of a condition, wherever they are stored: for code that reads conditions without evaluating them for an
// agent. core/condition.h evaluates them.
#pragma once
#include "asset/view.h"
#include "format/short_condition.h"

namespace espalier {

// The tests of a condition operand, in the section or made of a short condition; none: it is always true.
class ConditionTests {
 public:
  ConditionTests(const layout::Condition* conditions, const layout::Test* tests, std::uint32_t condition) {
    if (is_short(condition)) {
      count_ = make_short_tests(condition, own_);
    } else if (condition != 0) {
      first_ = tests + conditions[condition - 1].first_test;
      count_ = conditions[condition - 1].test_count;
    }
  }
  ConditionTests(const Asset& asset, std::uint32_t condition)
      : ConditionTests(array<layout::Condition>(asset, layout::SectionId::conditions),
                       array<layout::Test>(asset, layout::SectionId::tests), condition) {}
  ConditionTests(const ConditionTests&) = delete;
  void operator=(const ConditionTests&) = delete;

  std::uint32_t count() const { return count_; }
  const layout::Test& operator[](std::uint32_t index) const { return first_ != nullptr ? first_[index] : own_[index]; }

 private:
  const layout::Test* first_ = nullptr;  // null: they are `own_`
  std::uint32_t count_ = 0;
  layout::Test own_[kShortTests] = {};
};

}  // namespace espalier
