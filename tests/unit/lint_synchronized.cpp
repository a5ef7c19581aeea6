// What analyses report in trees that store their results, and what they do not, sentence by sentence.
// lint_synchronized_random.cpp and lint_synchronized_barriers.cpp test that they are right for all answers.
#include "lint_synchronized.h"
#include "lint/places.h"
#include "unit.h"

namespace lint_synchronized {

using namespace drawn_store;

using namespace espalier;

using Lines = std::vector<std::string>;

namespace {

struct Case {
  const char* why;
  DrawnNode root;
  Lines found;
};

// The findings of one rule in each: "3 <- 2".
void check(const std::string& rule, const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    INFO(row.why);
    Lines found;
    for (std::string line : found_in(row.root)) {
      const std::size_t at = line.find(' ' + rule);
      if (at != std::string::npos) found.push_back(line.erase(at, 1 + rule.size()));
    }
    CHECK(found == row.found);
  }
}

std::string message(const DrawnNode& root, rules::Rule rule) {
  const text::Findings findings = analysed({{store_tree(root)}, {}});
  for (const text::Finding& finding : findings.all()) {
    if (finding.rule == rule) return finding.message;
  }
  return {};
}

DrawnNode pair_of(DrawnNode first, DrawnNode second) {
  return group({role(std::move(first), "Decoy"), role(std::move(second), "Hitter")});
}

void set_results(ir::Node& node, ir::Results results) {
  if (auto* behavior = std::get_if<ir::Behavior>(&node.payload)) behavior->results = results;
  for (ir::Node& child : node.children) set_results(child, results);
}

}  // namespace

// ---- Reach --------------------------------------------------------------------------------------

TEST_CASE("a child is unreachable behind one that always succeeds, in a selector") {
  check(
      "unreachable-child",
      {{"Succeed", selector({action(), succeed(action()), action(), action()}), {"5 <- 3"}},
       {"in a sequence it goes on", sequence({succeed(action()), action()}), {}},
       {"a selector with such a child", selector({selector({action(), succeed(action())}), action()}), {"6 <- 2 <- 4"}},
       {"a sequence of only such", selector({sequence({succeed(action())}), action()}), {"5 <- 2"}},
       {"a sequence with another", selector({sequence({succeed(action()), action()}), action()}), {}},
       {"a parallel of only such", selector({parallel({succeed(action()), succeed(action())}), action()}), {"7 <- 2"}},
       {"an inverted failure", selector({invert(fail(action())), action()}), {"5 <- 2 <- 3"}},
       {"a gate may refuse", selector({gate(succeed(action())), action()}), {}},
       {"so may a cooldown", selector({cooldown(succeed(action())), action()}), {}},
       {"and a group", selector({group({role(succeed(action()))}), action()}), {}},
       {"nothing is known of the rest", selector({condition(), child_tree(), action()}), {}}});
}

TEST_CASE("a child is unreachable behind one that always fails, in a sequence") {
  check("unreachable-child",
        {{"Fail", sequence({action(), fail(action()), action(), action()}), {"5 <- 3"}},
         {"in a selector it goes on", selector({fail(action()), action()}), {}},
         {"a sequence with such a child", sequence({sequence({action(), fail(action())}), action()}), {"6 <- 2 <- 4"}},
         {"a selector of only such", sequence({selector({fail(action())}), action()}), {"5 <- 2"}},
         {"an inverted selector",
          sequence({invert(selector({action(), succeed(action())})), action()}),
          {"7 <- 2 <- 3 <- 5"}}});
}

TEST_CASE("an infinite repeat never completes") {
  check(
      "unreachable-child",
      {{"in a sequence", sequence({repeat(0, action()), action()}), {"4 <- 2"}},
       {"in a selector", selector({repeat(0, action()), action()}), {"4 <- 2"}},
       {"the first of two causes", selector({repeat(0, action()), action(), succeed(action()), action()}), {"4 <- 2"}},
       {"not with a count", sequence({repeat(2, action()), action()}), {}},
       {"not at each update", selector({repeat(0, action(), kEachUpdate), action()}), {}},
       {"not until failure", selector({repeat(0, action(), kUntilFailure), action()}), {}},
       {"a parallel goes on", parallel({repeat(0, action()), action()}), {}}});
}

TEST_CASE("what follows from more than that is a note") {
  check(
      "unreachable-child",
      {{"a count is always reached", selector({repeat(2, action()), action()}), {"4 (note) <- 2"}},
       {"only a failure ends it", sequence({repeat(0, action(), kUntilFailure), action()}), {"4 (note) <- 2"}},
       {"below a decorator", sequence({succeed(repeat(0, action())), action()}), {"5 (note) <- 2"}},
       {"a barrier", group({role(selector({barrier("b"), action()}))}), {"5 (note) <- 4"}},
       {"a monitor", selector({monitor(succeed(condition())), action()}), {"5 (note) <- 2"}},
       {"a repeat at each update", selector({repeat(0, succeed(action()), kEachUpdate), action()}), {"5 (note) <- 2"}},
       {"a parallel that succeeds with any",
        selector({parallel({succeed(action()), action()}, kSucceedsWithAny | kFailsWithAll), action()}),
        {"6 (note) <- 2"}},
       {"a warning behind it is told instead",
        selector({repeat(2, action()), action(), succeed(action()), action()}),
        {"7 <- 5"}}});
}

TEST_CASE("what an action is declared to give is known of it, if no more than a note") {
  const auto found = [](DrawnNode root, ir::Results results) {
    ir::Tree tree = store_tree(root);
    set_results(tree.root, results);
    return found_in({{std::move(tree)}, {}});
  };
  const auto never_fails = static_cast<ir::Results>(lint::kRuns | lint::kSucceeds);
  CHECK(found(selector({action(), condition()}), never_fails) == Lines{"3 (note) unreachable-child <- 2"});
  CHECK(found(sequence({action(), condition()}), never_fails).empty());
  const auto never_runs = static_cast<ir::Results>(lint::kFails | lint::kSucceeds);
  CHECK(found(selector({monitor(), action()}), never_runs) == Lines{"2 monitor-never-asked"});
  CHECK(found(selector({monitor(), action()}), ir::kAnyResult).empty());
}

TEST_CASE("every list tells its own unreachable child") {
  CHECK(found_in(sequence({sequence({fail(action()), action()}), action()})) ==
        Lines{"5 unreachable-child <- 3", "6 unreachable-child <- 2 <- 3"});
}

// ---- Monitors -----------------------------------------------------------------------------------

TEST_CASE("a monitor after which only conditions are evaluated is never asked again") {
  check("monitor-never-asked",
        {{"it is the last", selector({action(), monitor()}), {"3"}},
         {"it is the root", monitor(), {"1"}},
         {"conditions follow", selector({monitor(), condition(), invert(condition())}), {"2"}},
         {"an action follows", selector({monitor(), condition(), action()}), {}},
         {"one in a list around it", selector({sequence({monitor(), condition()}), action()}), {}},
         {"a gate of a condition", selector({monitor(), gate(condition())}), {"2"}},
         {"a child tree", selector({monitor(), child_tree()}), {}},
         {"a group that waits for others", selector({monitor(), pair_of(condition(), condition())}), {}},
         {"a group of one", selector({monitor(), group({role(condition())})}), {"2"}},
         {"a repeat of conditions", sequence({monitor(), repeat(0, condition())}), {}},
         {"but not once", sequence({monitor(), repeat(1, condition())}), {"2"}}});
}

TEST_CASE("what cannot be evaluated after a monitor does not count") {
  check("monitor-never-asked",
        {{"a monitor that succeeds ends a selector", selector({succeed(monitor()), action()}), {"3"}},
         {"one that fails ends a sequence", sequence({fail(monitor()), action()}), {"3"}},
         {"so it is further up", selector({sequence({condition(), succeed(monitor())}), action()}), {"5"}},
         {"but not where it may fail", selector({sequence({condition(), monitor(), condition()}), action()}), {}}});
}

TEST_CASE("what runs beside a monitor or around it keeps the tree running") {
  check("monitor-never-asked",
        {{"a parallel's other child before it", parallel({action(), monitor()}), {}},
         {"and behind it", parallel({monitor(), sequence({condition(), action()})}), {}},
         {"conditions beside it", parallel({condition(), monitor(), condition()}), {"3"}},
         {"a parallel that any failure ends", parallel({fail(monitor()), action()}), {"3"}},
         {"a parallel that is done resets what runs in it, monitors too",
          sequence({parallel({sequence({monitor(), repeat(0, action())}), succeed(condition())}, kSucceedsWithAny),
                    action()}),
          {"4"}},
         {"a repeat around it", repeat(0, monitor()), {}},
         {"a repeat with a count", repeat(2, monitor()), {}},
         {"once", repeat(1, monitor()), {"2"}},
         {"a repeat that its failure ends", repeat(0, fail(monitor()), kUntilFailure), {"3"}},
         {"a role whose group waits for others", pair_of(monitor(), condition()), {}},
         {"a role of a group of one", group({role(monitor())}), {"3"}},
         {"an action in the monitor itself", selector({action(), monitor(action())}), {}}});
}

TEST_CASE("a monitor of a child tree watches over the tree that it is a child of") {
  const ir::Tree child = store_tree(selector({action(), monitor()}));
  const auto found = [&](const DrawnNode& parent, const std::optional<Lines>& accepts) {
    ir::Project project{{child, store_tree(parent, 1)}, {{"s", accepts, {}, {}}}};
    return found_in(project);
  };
  const Lines never = {"3 monitor-never-asked"};
  CHECK(found(sequence({child_tree(), action()}), {}).empty());
  CHECK(found(sequence({child_tree(), condition()}), {}) == never);
  CHECK(found(sequence({action(), child_tree()}), {}) == never);
  CHECK(found(sequence({child_tree(), action()}), Lines{"Tree0"}).empty());
  CHECK(found(sequence({child_tree(), action()}), Lines{"Tree1"}) == never);
  CHECK(found(selector({succeed(child_tree()), action()}), {}) ==
        Lines{"3 monitor-never-asked", "1:4 unreachable-child <- 1:2"});
  // Through a tree between them.
  ir::Project project{
      {child, store_tree(sequence({child_tree("s")}), 1), store_tree(sequence({child_tree("t"), action()}), 2)},
      {{"s", Lines{"Tree0"}, {}, {}}, {"t", Lines{"Tree1"}, {}, {}}}};
  CHECK(found_in(project).empty());
  project.slots[1].accepts = Lines{"Tree2"};
  CHECK(found_in(project) == never);
}

// ---- Barriers -----------------------------------------------------------------------------------

TEST_CASE("a barrier that another role lacks is told, with the roles") {
  check("missing-barrier",
        {{"the other role", pair_of(barrier("x"), action()), {"3 <- 4"}},
         {"anywhere is enough", pair_of(barrier("x"), selector({action(), parallel({repeat(0, barrier("x"))})})), {}},
         {"both", pair_of(barrier("x"), barrier("y")), {"3 <- 4", "5 <- 2"}},
         {"a group of one has no other", group({role(barrier("x"))}), {}},
         {"one of an inner group is its own",
          pair_of(sequence({barrier("x"), group({role(action()), role(barrier("x"))})}), barrier("x")),
          {"9 <- 6"}}});
  CHECK(message(group({role(barrier("x"), "Decoy"), role(action(), "Hitter"), role(action())}),
                rules::Rule::SYN_missing_barrier) ==
        "barrier 'x' of 'Decoy' does not wait for 'Hitter' and role 3, which have none of that name");
}

TEST_CASE("barriers of two roles in opposite order are a deadlock, told on the later role's earlier barrier") {
  const auto seq = [](const Lines& names) {
    DrawnNodes below;
    for (const std::string& name : names) below.push_back(barrier(name));
    return sequence(below);
  };
  const DrawnNode plain = pair_of(seq({"x", "y"}), seq({"y", "x"}));
  CHECK(message(plain, rules::Rule::SYN_barriers_in_opposite_order) ==
        "deadlock: 'Hitter' reaches 'y' before 'x', 'Decoy' reaches 'x' before 'y'");
  check(
      "barriers-in-opposite-order",
      {{"two", plain, {"8 <- 4 <- 9"}},
       {"the same order", pair_of(seq({"x", "y"}), seq({"x", "y"})), {}},
       {"others between them", pair_of(seq({"x", "z", "y"}), seq({"z", "y", "x"})), {"9 <- 4 <- 11", "10 <- 4 <- 11"}},
       {"once for two names", pair_of(seq({"x", "x", "y", "y"}), seq({"y", "y", "x", "x"})), {"10 <- 5 <- 13"}},
       {"two roles of three",
        group({role(seq({"x", "y"})), role(seq({"x", "y"})), role(seq({"y", "x"}))}),
        {"12 <- 4 <- 13 <- 8"}},
       {"in a repeat", pair_of(repeat(2, seq({"x", "y"})), seq({"y", "x"})), {}},
       {"in a parallel", pair_of(seq({"x", "y"}), parallel({barrier("y"), barrier("x")})), {}},
       {"a group in a parallel", parallel({plain}), {"9 <- 5 <- 10"}},
       {"a group in a repeat", repeat(0, plain), {"9 <- 5 <- 10"}},
       {"in lists in lists",
        pair_of(sequence({selector({barrier("x")}), gate(barrier("y"))}), seq({"y", "x"})),
        {"10 <- 5 <- 11"}},
       {"the second of a name meets the second", pair_of(seq({"x", "y", "x"}), seq({"x", "y"})), {}},
       {"seconds in opposite order", pair_of(seq({"x", "y", "x"}), seq({"x", "x", "y"})), {"10 <- 5 <- 11"}},
       {"which second is not certain",
        pair_of(sequence({selector({condition(), barrier("x")}), barrier("x"), barrier("y")}), seq({"x", "y", "x"})),
        {}},
       {"one is never reached", pair_of(seq({"x", "y"}), sequence({fail(action()), barrier("y"), barrier("x")})), {}}});
}

TEST_CASE("roles that wait for each other in a circle are noted") {
  const auto three =
      group({role(sequence({barrier("x"), barrier("y")}), "A"), role(sequence({barrier("y"), barrier("z")}), "B"),
             role(sequence({barrier("z"), barrier("x")}), "C")});
  CHECK(message(three, rules::Rule::SYN_barrier_cycle) ==
        "deadlock: 'C' waits at 'z' for 'B', 'B' waits at 'y' for 'A' and 'A' waits at 'x' for 'C'");
  check("barrier-cycle",
        {{"three", three, {"12 <- 8 <- 4"}},
         {"one comes twice before the other barrier",
          pair_of(sequence({barrier("x"), barrier("x"), barrier("y")}), sequence({barrier("x"), barrier("y")})),
          {"10 <- 5"}},
         {"it is not told again what is told of two",
          pair_of(sequence({barrier("x"), barrier("y")}), sequence({barrier("y"), barrier("x")})),
          {}},
         {"one that is done lets all pass",
          pair_of(sequence({barrier("x"), barrier("y"), barrier("x")}), sequence({barrier("x"), barrier("y")})),
          {}}});
}

TEST_CASE("deep and wide trees that store their results are analysed in time") {
  DrawnNodes many(1500, monitor());
  CHECK(found_in(selector(many)).size() == many.size());
  CHECK(found_in(parallel(many)).size() == many.size());
  DrawnNode deep = monitor();
  for (int i = 0; i < 1000; ++i) deep = sequence({condition(), deep});
  CHECK(found_in(deep) == Lines{"2001 monitor-never-asked"});
}

}  // namespace lint_synchronized
