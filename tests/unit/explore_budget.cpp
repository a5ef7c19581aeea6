// Budgets as text.
#include "explore/budget.h"
#include "unit.h"

namespace explore_budget {

using namespace espalier;

TEST_CASE("a budget is a number of states or a time, and parts are kept") {
  explore::Budget budget;
  CHECK(explore::read_budget("100000", &budget));
  CHECK(budget.states == 100000);
  CHECK(explore::read_budget("2m", &budget));
  CHECK(budget.milliseconds == 120000);
  CHECK(budget.states == 100000);
  CHECK(explore::read_budget("500ms", &budget));
  CHECK(budget.milliseconds == 500);
}

TEST_CASE("other texts are no budgets") {
  explore::Budget budget;
  for (const char* text : {"", "0", "-1", "1.5", "s", "3 s", "5d", "1000000000001"}) {
    CHECK_FALSE(explore::read_budget(text, &budget));
  }
}

}  // namespace explore_budget
