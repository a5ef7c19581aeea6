// Budgets: as text, and how they are kept.
#include "explore/budget.h"

#include "explore/explore.h"
#include "explore/search.h"
#include "explore_brute_force.h"
#include "runtime_deciders_trees.h"
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
  CHECK(explore::read_budget("10x", &budget));
  CHECK(budget.states == 10 * explore::kDefaultBudget.states);
  CHECK(budget.cost_a_state == explore::kDefaultBudget.cost_a_state);
}

TEST_CASE("other texts are no budgets") {
  explore::Budget budget;
  for (const char* text : {"", "0", "-1", "1.5", "s", "x", "3 s", "5d", "1000000000001"}) {
    CHECK_FALSE(explore::read_budget(text, &budget));
  }
}

namespace {

// Groups of which each has a state of its own, and what is not reached before all were explored.
std::string many_states(int groups) {
  std::string text = "<DeciderTree name='T' maxRedecides='1'><DecisionFlags>";
  for (int i = 0; i < 4; ++i) text += "<Flag name='F" + std::to_string(i) + "'/>";
  text += "</DecisionFlags><Behaviors><Behavior name='b'/></Behaviors><Group name='R' policy='prioritizedList'>";
  for (int i = 0; i < groups; ++i) {
    const std::string number = std::to_string(i);
    text += "<Group name='G" + number + "' policy='sequential' flagsAny='F" + std::to_string(i % 4) + "'>";
    for (int k = 0; k < 6; ++k) text += "<Decider name='D" + number + "x" + std::to_string(k) + "' behavior='b'/>";
    text += "</Group>";
  }
  return text + "<Decider name='Last' behavior='b'/><Decider name='Never' behavior='b'/></Group></DeciderTree>";
}

// What a budget has paid, with a fifth more being allowed.
bool is_kept(std::uint64_t used, std::uint64_t states) { return used > 0 && used <= states + states / 5; }

}  // namespace

TEST_CASE("a budget of states is not exceeded by more than a fifth") {
  test::Compiled before;
  test::Compiled after;
  test::compile(test::ir_of(test::deciders_of(many_states(6))), before);
  test::compile(test::ir_of(test::deciders_of(many_states(5))), after);
  const std::uint64_t states = GENERATE(1'000, 20'000);
  explore::Options options;
  options.budget.threads = 1;
  options.budget.states = states;
  const explore::Cover cover = explore::cover(before.asset, {"T"}, options);
  CHECK(is_kept(cover.trees.front().used_count, states));
  CHECK_FALSE(cover.trees.front().is_complete);
  const std::vector<explore::TreeDiff> diffs = explore::diff(before.asset, after.asset, "T", options);
  CHECK(is_kept(diffs.front().used_count, states));
  // Of all together.
  options.budget = explore::kDefaultBudget;
  options.budget.threads = 1;
  options.total.states = states;
  CHECK(is_kept(explore::cover(before.asset, {"T"}, options).trees.front().used_count, states));
}

TEST_CASE("a search has at most 64 bytes of a state in memory beside an agent's block") {
  test::Compiled compiled;
  // Twelve agents are long states, which are kept in pieces.
  const std::uint32_t agents = GENERATE(1u, 3u, 12u);
  CAPTURE(agents);
  test::compile(test::ir_of(test::deciders_of(many_states(7))), compiled);
  const Tree tree = espalier::tree(compiled.asset, 0);
  const explore::World world({{tree, agents}}, {});
  const explore::Observer observer;
  explore::Budget budget;
  budget.threads = 1;
  budget.states = 300'000;
  explore::Search search(world, observer, explore::Choices::wide, explore::Answers::free, budget);
  search.run();
  CHECK(search.state_count() > 200'000);
  const std::size_t blocks = agents == 12 ? 1 : agents;
  CHECK(search.bytes() / search.state_count() <= 64 + blocks * world.sides().front().block_bytes);
}

TEST_CASE("an interruption leaves what is known, and tells no tree") {
  test::Compiled compiled;
  test::compile(test::ir_of(test::deciders_of(many_states(6))), compiled);
  const std::atomic<bool> is_interrupted = true;
  explore::Options options;
  options.budget.interruption = &is_interrupted;
  const explore::Cover cover =
      explore::cover(compiled.asset, {"T"}, options, [](explore::Cover&, const explore::Budget&) {
        FAIL_CHECK("a tree is told that was not explored");
        return true;
      });
  REQUIRE(cover.trees.size() == 1);
  CHECK(cover.trees.front().limit == explore::kInterrupted);
  for (const explore::Item& item : cover.trees.front().items) CHECK(item.reached == explore::Reached::undecided);
}

}  // namespace explore_budget
