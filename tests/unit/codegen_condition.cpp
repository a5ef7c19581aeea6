// The tests of a condition give its value in every state of its variables, and stay within the limits.
#include "codegen/condition.h"

#include <array>
#include <cstring>
#include <random>

#include "runtime/core/condition.h"
#include "unit.h"

namespace codegen_condition {

using namespace espalier;
using ir::TermKind;

namespace {

// The same numbers on every machine, unlike distributions of the standard library.
struct Random {
  std::mt19937_64 engine;
  std::uint64_t next() { return engine(); }
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(engine() % count); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
};

constexpr std::uint32_t kVariables = 40;  // two words, of which the second is short
constexpr TermKind kBinary[] = {TermKind::conjunction, TermKind::disjunction, TermKind::exclusive, TermKind::equal,
                                TermKind::unequal};

bool value_of(const ir::Condition& condition, std::uint64_t variables) {
  std::vector<bool> values;
  for (const ir::Term& term : condition.terms) {
    const bool left = term.kind == TermKind::constant || term.kind == TermKind::variable ? false : values[term.left];
    const bool right = term.right < values.size() ? values[term.right] : false;
    switch (term.kind) {
      case TermKind::constant:
        values.push_back(term.left != 0);
        break;
      case TermKind::variable:
        values.push_back((variables >> term.left & 1) != 0);
        break;
      case TermKind::negation:
        values.push_back(!left);
        break;
      case TermKind::conjunction:
        values.push_back(left && right);
        break;
      case TermKind::disjunction:
        values.push_back(left || right);
        break;
      case TermKind::exclusive:
      case TermKind::unequal:
        values.push_back(left != right);
        break;
      case TermKind::equal:
        values.push_back(left == right);
        break;
    }
  }
  return values.back();
}

// Runs the tests as an update does.
bool decide(const std::vector<layout::Test>& tests, std::uint64_t variables) {
  if (tests.empty()) return true;
  const layout::Condition condition = {0, static_cast<std::uint32_t>(tests.size()), codegen::variable_count(tests)};
  Asset asset;
  asset.internal[static_cast<std::uint32_t>(layout::SectionId::conditions)] = &condition;
  asset.internal[static_cast<std::uint32_t>(layout::SectionId::tests)] = tests.data();
  std::array<unsigned char, 8> agent = {};
  std::memcpy(agent.data(), &variables, sizeof variables);
  return holds(asset, 1, agent.data());
}

std::uint32_t most_aside(const std::vector<layout::Test>& tests) {
  std::uint32_t bits = 0;
  std::uint32_t most = 0;
  for (const layout::Test& test : tests) {
    if (test.test == static_cast<std::uint8_t>(layout::TestOp::combine)) --bits;
    if (test.combine == static_cast<std::uint8_t>(layout::CombineOp::aside)) most = std::max(most, ++bits);
  }
  return most;
}

std::uint32_t add(ir::Condition& condition, TermKind kind, std::uint32_t left, std::uint32_t right = 0) {
  condition.terms.push_back({kind, left, right});
  return static_cast<std::uint32_t>(condition.terms.size() - 1);
}

std::uint32_t add_random(ir::Condition& condition, Random& random, std::uint32_t depth) {
  if (depth == 0 || random.chance(15)) {
    if (random.chance(5)) return add(condition, TermKind::constant, random.below(2));
    return add(condition, TermKind::variable, random.chance(50) ? random.below(4) : random.below(kVariables));
  }
  const std::uint32_t left = add_random(condition, random, depth - 1);
  if (random.chance(20)) return add(condition, TermKind::negation, left);
  const std::uint32_t right = add_random(condition, random, depth - 1);
  const TermKind kind = random.chance(60) ? kBinary[random.below(2)] : kBinary[random.below(5)];
  return add(condition, kind, left, right);
}

ir::Condition row(TermKind kind, std::uint32_t count) {
  ir::Condition condition;
  std::uint32_t result = add(condition, TermKind::variable, 0);
  for (std::uint32_t i = 1; i < count; ++i) {
    result = add(condition, kind, result, add(condition, TermKind::variable, i));
  }
  return condition;
}

}  // namespace

TEST_CASE("a condition's tests decide as the condition does") {
  Random random{std::mt19937_64(1)};
  for (int i = 0; i < 20'000; ++i) {
    ir::Condition condition;
    add_random(condition, random, 1 + random.below(6));
    const std::vector<layout::Test> tests = codegen::compile_condition(condition);
    for (int state = 0; state < 20; ++state) {
      const std::uint64_t variables = random.next() & ((std::uint64_t{1} << kVariables) - 1);
      INFO("condition " << i << ", variables " << variables);
      REQUIRE(decide(tests, variables) == value_of(condition, variables));
    }
  }
}

TEST_CASE("literals of one word are one test") {
  CHECK(codegen::compile_condition(row(TermKind::conjunction, 32)).size() == 1);
  CHECK(codegen::compile_condition(row(TermKind::disjunction, 32)).size() == 1);
  CHECK(codegen::compile_condition(row(TermKind::conjunction, 40)).size() == 2);
}

TEST_CASE("a condition that literals decide is a constant") {
  ir::Condition contradiction;
  contradiction.terms = {
      {TermKind::variable, 3}, {TermKind::variable, 3}, {TermKind::negation, 1}, {TermKind::conjunction, 0, 2}};
  const std::vector<layout::Test> tests = codegen::compile_condition(contradiction);
  REQUIRE(tests.size() == 1);
  CHECK(tests[0].mask == 0);
  contradiction.terms.back().kind = TermKind::disjunction;
  CHECK(codegen::compile_condition(contradiction).empty());
}

TEST_CASE("conditions of 100,000 operators stay within the results that can be put aside") {
  constexpr std::uint32_t kCount = 100'000;
  SECTION("nested to the right") {
    ir::Condition condition;
    for (std::uint32_t i = 0; i <= kCount; ++i) add(condition, TermKind::variable, i % kVariables);
    std::uint32_t result = kCount;
    for (std::uint32_t i = kCount; i-- > 0;) result = add(condition, kBinary[i % 5], i, result);
    CHECK(most_aside(codegen::compile_condition(condition)) <= 1);
  }
  SECTION("balanced, so that nothing can be combined directly") {
    ir::Condition condition;
    std::vector<std::uint32_t> level;
    for (std::uint32_t i = 0; i < 65'536; ++i) level.push_back(add(condition, TermKind::variable, i % kVariables));
    for (std::uint32_t depth = 0; level.size() > 1; ++depth) {
      std::vector<std::uint32_t> next;
      const TermKind kind = depth % 2 == 0 ? TermKind::exclusive : TermKind::conjunction;
      for (std::size_t i = 0; i < level.size(); i += 2) next.push_back(add(condition, kind, level[i], level[i + 1]));
      level = std::move(next);
    }
    const std::vector<layout::Test> tests = codegen::compile_condition(condition);
    CHECK(most_aside(tests) > 4);
    CHECK(most_aside(tests) <= layout::kMaxBits);
    CHECK(decide(tests, 0x5A5A5A5A5A) == value_of(condition, 0x5A5A5A5A5A));
  }
}

}  // namespace codegen_condition
