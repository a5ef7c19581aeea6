// Short conditions: the condition operand itself holds a condition of one to three of a tree's first 64 variables, as a
// table of its values. It then needs no records. Bits of the operand:
//   0-5, 6-11, 12-17  the variables, in the order of the text; 0 for those that are not needed
//   18-25             the table: bit i is the value where i has the variables' values, the first one in bit 0
//   26                1: it is written as C op (A op B); only of three variables
//   27-30             0
//   31                1: it is a short condition
// A table is that of ((A op B) op C), in which each variable may be negated, and each op is a CombineOp.
#pragma once
#include "format/records.h"

namespace espalier {

inline constexpr std::uint32_t kShortCondition = 0x80000000;
inline constexpr std::uint32_t kShortVariables = 3;
inline constexpr std::uint32_t kShortVariableBits = 6;
inline constexpr std::uint32_t kShortVariableLimit = 1u << kShortVariableBits;
inline constexpr std::uint32_t kShortTableShift = kShortVariables * kShortVariableBits;
inline constexpr std::uint32_t kShortTurned = 0x04000000;
inline constexpr std::uint32_t kShortReserved = 0x78000000;

constexpr bool is_short(std::uint32_t condition) { return (condition & kShortCondition) != 0; }
constexpr std::uint32_t short_variable(std::uint32_t condition, std::uint32_t index) {
  return condition >> (index * kShortVariableBits) & (kShortVariableLimit - 1);
}
constexpr std::uint32_t short_table(std::uint32_t condition) { return condition >> kShortTableShift & 0xFF; }

// What a table says. Of several with the same table, the first one in the order of `negated`, then of the operators.
struct ShortForm {
  std::uint8_t count = 0;    // of variables; 0: there is no such table
  std::uint8_t negated = 0;  // bit i: variable i is negated
  layout::CombineOp combine[kShortVariables] = {};
};

namespace detail {
constexpr std::uint32_t combined(layout::CombineOp op, std::uint32_t a, std::uint32_t b) {
  return op == layout::CombineOp::both     ? a & b
         : op == layout::CombineOp::either ? a | b
         : op == layout::CombineOp::differ ? a ^ b
                                           : (a ^ b) ^ 0xFF;
}

struct ShortForms {
  ShortForm of[256] = {};
  constexpr ShortForms() {
    for (std::uint8_t count = 1; count <= kShortVariables; ++count) add(count);
  }
  constexpr void add(std::uint8_t count) {
    constexpr std::uint32_t kValues[] = {0xAA, 0xCC, 0xF0};  // of each variable, in the order of a table
    constexpr layout::CombineOp kOps[] = {layout::CombineOp::both, layout::CombineOp::either, layout::CombineOp::differ,
                                          layout::CombineOp::same};
    for (std::uint8_t negated = 0; negated < 1u << count; ++negated) {
      for (const layout::CombineOp second : kOps) {
        for (const layout::CombineOp third : kOps) {
          const layout::CombineOp combine[] = {layout::CombineOp::set, second, third};
          std::uint32_t table = 0;
          for (std::uint32_t i = 0; i < count; ++i) {
            const std::uint32_t literal = kValues[i] ^ ((negated >> i & 1) != 0 ? 0xFFu : 0u);
            table = i == 0 ? literal : combined(combine[i], table, literal);
          }
          if (of[table].count == 0) of[table] = {count, negated, {combine[0], combine[1], combine[2]}};
        }
      }
    }
  }
};
inline constexpr ShortForms kShortForms;

// Of all tables, one bit each, whether there is a form: all that a runtime needs of them.
struct ShortTables {
  std::uint32_t words[256 / 32] = {};
  constexpr ShortTables() {
    for (std::uint32_t table = 0; table < 256; ++table) {
      if (kShortForms.of[table].count != 0) words[table / 32] |= std::uint32_t{1} << table % 32;
    }
  }
};
inline constexpr ShortTables kShortTables;
}  // namespace detail

constexpr const ShortForm& short_form(std::uint32_t condition) {
  return detail::kShortForms.of[short_table(condition)];
}

// The number of its variables, on all of which a table with a form depends.
constexpr std::uint32_t short_count(std::uint32_t condition) {
  const std::uint32_t table = short_table(condition);
  if (((table ^ table >> 4) & 0x0F) != 0) return 3;
  if (((table ^ table >> 2) & 0x33) != 0) return 2;
  return ((table ^ table >> 1) & 0x55) != 0 ? 1 : 0;
}

// 1 + the largest variable that a short condition reads.
constexpr std::uint32_t short_variable_count(std::uint32_t condition) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < short_count(condition); ++i) {
    if (short_variable(condition, i) >= count) count = short_variable(condition, i) + 1;
  }
  return count;
}

// For any word with the highest bit: do its bits mean a condition?
constexpr bool is_valid_short(std::uint32_t condition) {
  const std::uint32_t table = short_table(condition);
  const bool has_form = (detail::kShortTables.words[table / 32] >> table % 32 & 1) != 0;
  if ((condition & kShortReserved) != 0 || !has_form) return false;
  const std::uint32_t count = short_count(condition);
  for (std::uint32_t i = count; i < kShortVariables; ++i) {
    if (short_variable(condition, i) != 0) return false;
  }
  return count == kShortVariables || (condition & kShortTurned) == 0;
}

namespace detail {
constexpr bool counts_are_those_of_forms() {
  for (std::uint32_t table = 0; table < 256; ++table) {
    const std::uint32_t count = kShortForms.of[table].count;
    if (count != 0 && count != short_count(table << kShortTableShift)) return false;
  }
  return true;
}
static_assert(counts_are_those_of_forms());
}  // namespace detail

// The tests that a short condition is the same as: at most kShortTests. Returns how many.
inline constexpr std::uint32_t kShortTests = kShortVariables + 1;
constexpr std::uint32_t make_short_tests(std::uint32_t condition, layout::Test* tests) {
  const ShortForm& form = short_form(condition);
  const bool is_turned = (condition & kShortTurned) != 0;
  for (std::uint32_t i = 0; i < form.count; ++i) {
    const std::uint32_t variable = short_variable(condition, i);
    const std::uint32_t mask = std::uint32_t{1} << (variable % 32);
    const layout::CombineOp turned[] = {layout::CombineOp::aside, form.combine[1], layout::CombineOp::set};
    const std::uint32_t place = is_turned ? (i + 1) % kShortVariables : i;
    tests[place] = {static_cast<std::uint8_t>(layout::TestOp::all),
                    static_cast<std::uint8_t>(is_turned ? turned[i] : form.combine[i]),
                    static_cast<std::uint16_t>(variable / 32), mask, (form.negated >> i & 1) != 0 ? 0 : mask};
  }
  if (!is_turned) return form.count;
  tests[kShortVariables] = {static_cast<std::uint8_t>(layout::TestOp::combine),
                            static_cast<std::uint8_t>(form.combine[2]), 0, 0, 0};
  return kShortTests;
}

}  // namespace espalier
