// A rule: what a finding is about. The rules themselves are in a table for each prefix, with a header that names them.
#pragma once
#include <cstddef>
#include <cstdint>

namespace espalier::rules {

enum class Severity : std::uint8_t { error, warning, note };

enum class FixGrade : std::uint8_t {
  none,
  safe,    // the meaning of the file to the engine stays, or it is clear what a file with an error should have meant
  unsafe,  // what a tree does may change: a person has to look at it
};

// The prefixes of codes, in the order of lists.
enum class Prefix : std::uint8_t { XML, RUN, CFG, SEL, MBT, DRA, DEC, SYN, BTC, AST, TRC, LOG, count };

// The number of its code, and its prefix. Not each value is a rule (is_rule() in rules.h).
enum class Rule : std::uint16_t {};

inline constexpr std::size_t kNumbersOfPrefix = 256;
// More than any rule, for tables by rule.
inline constexpr std::size_t kRuleLimit = kNumbersOfPrefix * static_cast<std::size_t>(Prefix::count);
inline constexpr Rule kNoRule{UINT16_MAX};

constexpr std::size_t index_of(Rule rule) { return static_cast<std::size_t>(rule); }

// `digits`: the number as it is written in a code, "012"; below 256.
consteval Rule rule_of(Prefix prefix, const char* digits) {
  std::size_t number = 0;
  for (; *digits != 0; ++digits) number = 10 * number + static_cast<std::size_t>(*digits - '0');
  return number < kNumbersOfPrefix
             ? Rule{static_cast<std::uint16_t>(static_cast<std::size_t>(prefix) * kNumbersOfPrefix + number)}
             : throw "the number of a rule is too large";
}

}  // namespace espalier::rules
