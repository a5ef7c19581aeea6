// The findings on barriers of random groups, compared with all orders in which their agents can be evaluated.
#include <random>

#include "lint_synchronized_model.h"
#include "unit.h"

namespace lint_synchronized_barriers {

using namespace drawn_store;

using namespace espalier;

namespace {

constexpr int kGroupCount = 1500;
constexpr std::size_t kMaxStateCount = 20'000;

struct Drawing {
  std::mt19937 random;
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(random() % count); }

  DrawnNode named() { return barrier(std::string(1, static_cast<char>('x' + below(3)))); }
  DrawnNode leaf() { return below(4) == 0 ? action() : named(); }
  DrawnNode straight() {
    DrawnNodes steps;
    for (std::uint32_t count = 1 + below(4); count > 0; --count) {
      steps.push_back(below(6) == 0 ? sequence({leaf(), leaf()}) : leaf());
    }
    return sequence(std::move(steps));
  }
  DrawnNode branching(int depth) {
    if (depth > 2) return leaf();
    DrawnNodes steps;
    for (std::uint32_t count = 1 + below(3); count > 0; --count) steps.push_back(branching(depth + 1));
    switch (below(10)) {
      case 0:
      case 1:
        return selector(std::move(steps));
      case 2:
        return parallel(std::move(steps), below(4));
      case 3:
        return repeat(2, sequence(std::move(steps)));
      case 4:
        return invert(sequence(std::move(steps)));
      case 5:
      case 6:
        return leaf();
      default:
        return sequence(std::move(steps));
    }
  }
};

int count_of(const std::vector<std::string>& lines, const char* rule) {
  return static_cast<int>(std::count_if(lines.begin(), lines.end(),
                                        [&](const std::string& line) { return line.find(rule) != std::string::npos; }));
}

}  // namespace

TEST_CASE("roles whose barriers stand in sequences stop for ever where that is told, and nowhere else") {
  int opposite_count = 0;
  int circle_count = 0;
  int free_count = 0;
  for (int seed = 0; seed < kGroupCount; ++seed) {
    CAPTURE(seed);
    Drawing drawing{std::mt19937(static_cast<std::uint32_t>(seed))};
    DrawnNodes roles;
    for (std::uint32_t count = 2 + drawing.below(2); count > 0; --count) roles.push_back(role(drawing.straight()));
    const DrawnNode drawn = group(std::move(roles));
    const test::DraftTree made = store_tree(drawn);
    const std::vector<std::string> found = found_in(drawn);
    const int opposite = count_of(found, "barriers-in-opposite-order");
    const int circle = count_of(found, "barrier-cycle");
    REQUIRE(StoreModel(made, true).can_stop(kMaxStateCount) == (opposite + circle > 0));
    opposite_count += opposite > 0 ? 1 : 0;
    circle_count += circle;
    free_count += opposite + circle == 0 ? 1 : 0;
  }
  CHECK(opposite_count > 100);
  CHECK(circle_count > 50);
  CHECK(free_count > 100);
}

TEST_CASE("roles of any shape can stop for ever where that is told") {
  int count = 0;
  for (int seed = 0; seed < 2 * kGroupCount; ++seed) {
    CAPTURE(seed);
    Drawing drawing{std::mt19937(static_cast<std::uint32_t>(seed + kGroupCount))};
    DrawnNodes roles;
    for (std::uint32_t roles_left = 2 + drawing.below(2); roles_left > 0; --roles_left) {
      roles.push_back(role(drawing.branching(0)));
    }
    const DrawnNode drawn = group(std::move(roles));
    const std::vector<std::string> found = found_in(drawn);
    if (count_of(found, "barriers-in-opposite-order") + count_of(found, "barrier-cycle") == 0) continue;
    ++count;
    const test::DraftTree made = store_tree(drawn);
    REQUIRE(StoreModel(made, true).can_stop(kMaxStateCount));
  }
  CHECK(count > 50);
}

}  // namespace lint_synchronized_barriers
