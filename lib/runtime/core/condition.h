// Evaluating conditions: a row of masked tests on the agent's variables, each combined into one result.
#pragma once
#include <cstdint>

#include "asset/view.h"
#include "format/short_condition.h"

namespace espalier {

// One test on the variables; not `combine`.
inline bool passes(const layout::Test& test, const unsigned char* agent) {
  static_assert(layout::TestOp::all == layout::TestOp{0} && layout::TestOp::any == layout::TestOp{1});
  const unsigned equal = (load_word(agent, test.word) & test.mask) == test.value ? 1 : 0;
  return (equal ^ test.test) != 0;
}

// A short condition: the bit of its table for the values of its variables, which are in the block's first 8 bytes.
inline bool holds_short(std::uint32_t condition, const unsigned char* agent) {
  std::uint64_t variables = 0;
  std::memcpy(&variables, agent, sizeof variables);
  const auto value = [&](std::uint32_t index) {
    return static_cast<std::uint32_t>(variables >> short_variable(condition, index) & 1);
  };
  static_assert(kShortVariables == 3);
  const std::uint32_t row = value(0) + 2 * (value(1) + 2 * value(2));  // fewer instructions than a loop
  return (condition >> (kShortTableShift + row) & 1) != 0;
}

// `condition` is an operand: 0 is always true; a short condition; else 1 + index into CONDITIONS.
inline bool holds(const layout::Condition* conditions, const layout::Test* tests, std::uint32_t condition,
                  const unsigned char* agent) {
  if (static_cast<std::int32_t>(condition) <= 0) return condition == 0 || holds_short(condition, agent);
  const layout::Condition& record = conditions[condition - 1];
  const layout::Test* test = tests + record.first_test;
  const layout::Test* const end = test + record.test_count;
  bool result = passes(*test, agent);  // the first test is always `set`
  std::uint32_t put_aside = 0;         // results put aside, the last one in bit 0
  while (++test != end) {
    bool value = false;
    if (static_cast<layout::TestOp>(test->test) == layout::TestOp::combine) {
      value = (put_aside & 1) != 0;
      put_aside >>= 1;
    } else {
      value = passes(*test, agent);
    }
    switch (static_cast<layout::CombineOp>(test->combine)) {
      case layout::CombineOp::set:
        break;
      case layout::CombineOp::both:
        result = result && value;
        break;
      case layout::CombineOp::either:
        result = result || value;
        break;
      case layout::CombineOp::differ:
        result = result != value;
        break;
      case layout::CombineOp::same:
        result = result == value;
        break;
      case layout::CombineOp::aside:
        put_aside = put_aside << 1 | static_cast<std::uint32_t>(result);
        result = value;
        break;
    }
  }
  return result;
}
inline bool holds(const Asset& asset, std::uint32_t condition, const unsigned char* agent) {
  return holds(array<layout::Condition>(asset, layout::SectionId::conditions),
               array<layout::Test>(asset, layout::SectionId::tests), condition, agent);
}

}  // namespace espalier
