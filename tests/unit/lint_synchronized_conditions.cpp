// Conditions that are asked again at once, in random trees of conditions alone: compared with all answers.
#include <algorithm>
#include <map>
#include <random>

#include "lint_synchronized.h"
#include "payloads.h"
#include "runtime/format/opcodes/store.h"
#include "unit.h"

namespace lint_synchronized_conditions {

using namespace drawn_store;

using namespace espalier;

namespace {

constexpr int kTreeCount = 2000;
constexpr std::uint32_t kConditionCount = 3;

DrawnNode drawn_tree(std::mt19937& random, int depth) {
  const auto below = [&](std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); };
  if (depth == 0 || below(4) == 0) return {opcode::store_condition, std::string(1, static_cast<char>('A' + below(3)))};
  const auto child = [&] { return drawn_tree(random, depth - 1); };
  switch (below(8)) {
    case 0:
      return invert(child());
    case 1:
      return below(2) == 0 ? succeed(child()) : fail(child());
    default: {
      DrawnNodes children;
      for (std::uint32_t count = 2 + below(2); count > 0; --count) children.push_back(child());
      return below(2) == 0 ? sequence(std::move(children)) : selector(std::move(children));
    }
  }
}

// The answers that each condition gives where it is asked, by its place: bit 0 no, bit 1 yes.
struct AskedModel {
  std::map<std::uint32_t, unsigned> answers = {};

  bool succeeds(const test::Draft& node, std::uint32_t state) {
    switch (node.opcode) {
      case opcode::store_condition: {
        const bool holds = (state >> (node.as<ir::Behavior>().name.string()[0] - 'A') & 1) != 0;
        answers[node.span.begin] |= holds ? 2u : 1u;
        return holds;
      }
      case opcode::store_invert:
        return !succeeds(node.children[0], state);
      case opcode::store_succeed:
      case opcode::store_fail:
        succeeds(node.children[0], state);
        return node.opcode == opcode::store_succeed;
      default: {
        const bool is_sequence = node.opcode == opcode::store_sequence;
        for (const test::Draft& child : node.children) {
          if (succeeds(child, state) != is_sequence) return !is_sequence;
        }
        return is_sequence;
      }
    }
  }
};

}  // namespace

TEST_CASE("a condition is told exactly where it always answers the same") {
  std::mt19937 random(1);
  int count = 0;
  for (int i = 0; i < kTreeCount; ++i) {
    CAPTURE(i);
    const DrawnNode drawn = drawn_tree(random, 3);
    const test::DraftTree tree = store_tree(drawn);
    AskedModel model;
    for (std::uint32_t state = 0; state < 1u << kConditionCount; ++state) model.succeeds(tree.root, state);
    const std::vector<std::string> found = found_in(drawn);
    for (const auto& [place, answers] : model.answers) {
      const std::string told = std::to_string(place) + " repeated-condition ";
      const bool is_told =
          std::any_of(found.begin(), found.end(), [&](const std::string& each) { return each.starts_with(told); });
      REQUIRE(is_told == (answers != 3));
      count += is_told ? 1 : 0;
    }
  }
  CHECK(count > 500);
}

}  // namespace lint_synchronized_conditions
