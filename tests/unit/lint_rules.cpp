// What analyses report in trees of rules, and what they do not, cause by cause. lint_rules_random.cpp tests that they
// are right for all answers.
#include "lint_rules.h"
#include "unit.h"

namespace lint_rules {

using namespace drawn_rules;

using namespace espalier;

using Lines = std::vector<std::string>;

namespace {

// The findings of one rule in a tree: "3 <- 2".
Lines found(const std::string& rule, const DrawnRule& root) {
  Lines result;
  for (std::string line : found_in({rule_tree(root)})) {
    const std::size_t at = line.find(' ' + rule);
    if (at == std::string::npos) continue;
    const char behind = line.c_str()[at + 1 + rule.size()];
    if (behind == '\0' || behind == ' ') result.push_back(line.erase(at, 1 + rule.size()));
  }
  return result;
}

struct Case {
  const char* why;
  DrawnRule root;
  Lines found;
};

void check(const std::string& rule, const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    INFO(row.why);
    CHECK(found(rule, row.root) == row.found);
  }
}

const ir::Results kSucceeds = lint::kSucceeds;

DrawnRule many(std::size_t count, const DrawnRule& rule) { return sequence(std::vector<DrawnRule>(count, rule)); }

// Both contain the same rules.
void set_spans(ir::Node& node, const ir::Node& same) {
  node.span = same.span;
  for (std::size_t i = 0; i < node.children.size(); ++i) set_spans(node.children[i], same.children[i]);
}

}  // namespace

// ---- Rules never run ----------------------------------------------------------------------------

TEST_CASE("a rule is never run behind one that cannot let it") {
  check("unreachable-rule",
        {{"a choice ends with a success", choice({action(), success(), action()}), {"4 <- 3"}},
         {"a sequence ends with a failure", sequence({action(), failure(), action()}), {"4 <- 3"}},
         {"a loop never succeeds", sequence({sequence({action(), yield()}).looping(), action()}), {"5 <- 2"}},
         {"but may fail", choice({sequence({action(), yield()}).looping(), action()}), {}},
         {"that is success where it does not fail",
          sequence({sequence({action(), yield()}).looping().unfailing(), action()}),
          {}},
         {"what does not fail ends a choice", choice({action().unfailing(), action()}), {"3 <- 2"}},
         {"and what is declared to succeed", choice({action(kSucceeds), action()}), {"3 <- 2"}},
         {"unless it asks", choice({action(kSucceeds).asking(), action()}), {}},
         {"success asks too", choice({success().asking(), action()}), {}},
         {"running under a condition does not succeed", sequence({running().asking(), action()}), {"3 <- 2"}},
         {"but fails", choice({running().asking(), action()}), {}},
         {"a list's conditions add failure", choice({sequence({success()}).asking(), action()}), {}},
         {"which doNotFail covers", choice({sequence({success()}).asking().unfailing(), action()}), {"4 <- 2"}},
         {"a subtree's rules are a sequence", sequence({subtree({failure(), action()}), action()}), {"4 <- 3"}}});
}

TEST_CASE("the rule that decides is named beside the one to blame") {
  check(
      "unreachable-rule",
      {{"a sequence in a sequence", sequence({sequence({action(), sequence({failure()})}), action()}), {"6 <- 2 <- 5"}},
       {"a choice in a choice", choice({choice({action(), success()}), action()}), {"5 <- 2 <- 4"}},
       {"a sequence that cannot fail is so by all of its rules",
        choice({sequence({success()}), action()}),
        {"4 <- 2"}}});
}

TEST_CASE("only the first rule never run is told, and nothing in it or behind it") {
  CHECK(found_in({rule_tree(choice({action().with_id("a"), success(), sequence({running(), failure(), action()}),
                                    success(), sequence({})})
                                .with_id("root"))}) == Lines{"4 unreachable-rule <- 3"});
}

TEST_CASE("a rule that a jump may lead to is noted, and looked into") {
  check("unreachable-rule",
        {{"it has an id", choice({action(), success(), action().with_id("a")}), {"4 (note) <- 3"}},
         {"or one in it has", choice({action(), success(), sequence({action().with_id("a")})}), {"4 (note) <- 3"}},
         {"behind it others are run then", choice({success(), action().with_id("a"), action()}), {"3 (note) <- 2"}},
         {"and its list can end as it does then",
          sequence({sequence({failure(), action().with_id("a")}), action()}),
          {"4 (note) <- 3"}}});
  check("empty-list", {{"an interruption", choice({success(), sequence({}).with_id("a")}), {"3"}}});
  check("root-fails", {{"only a jump helps", sequence({failure(), action().with_id("a")}), {"1"}}});
}

// ---- One cause ----------------------------------------------------------------------------------

TEST_CASE("what follows from a reported cause is not reported") {
  const struct {
    const char* why;
    DrawnRule root;
    Lines found;
  } cases[] = {{"nothing is reached behind what never ends",
                sequence({running().with_id("r"), action()}).with_id("root"),
                {"2 never-ends"}},
               {"nor behind an empty list, nor does the root fail but by it",
                sequence({sequence({}), action(kSucceeds)}).with_id("root"),
                {"2 empty-list"}},
               {"an empty list that does not fail is none to blame",
                choice({sequence({}).unfailing(), action(kSucceeds)}).with_id("root"),
                {"2 empty-list"}},
               {"what runs away gives nothing",
                sequence({sequence({success()}).looping(), success()}).with_id("root"),
                {"2 run-away"}},
               {"and nothing around it runs away for itself",
                choice({sequence({sequence({success()}).looping()}).looping(), success()}).with_id("root"),
                {"3 run-away"}},
               {"what loops for a success does not hide the rules behind it too",
                choice({choice({success(), action(kSucceeds)}).looping(), success()}).with_id("root"),
                {"2 run-away"}},
               {"an empty list that succeeds makes a loop run away",
                choice({sequence({sequence({}).unfailing()}).looping(), success()}).with_id("root"),
                {"3 empty-list"}},
               {"a root that a rule never run would save",
                sequence({failure(), action(kSucceeds)}).with_id("root"),
                {"3 unreachable-rule <- 2"}}};
  for (const auto& row : cases) {
    INFO(row.why);
    CHECK(found_in({rule_tree(row.root)}) == row.found);
  }
}

TEST_CASE("a fault in a file that many trees use is one finding") {
  const DrawnRule part = choice({sequence({action().with_id("a"), running()}), success(), success()});
  ir::Tree file = rule_tree(part, 1);
  file.as<ir::Ruling>().is_used = true;
  std::vector<ir::Tree> trees = {file};
  for (const text::FileId main : {0u, 2u}) {
    trees.push_back(rule_tree(sequence({subtree({part}), subtree({part}), success()}).with_id("root"), main));
    for (ir::Node& use : trees.back().root.children[0].children) {
      if (use.opcode == Opcode::rule_subtree) set_spans(use.children[0], file.root.children[0]);
    }
  }
  CHECK(found_in(trees) == Lines{"1:4 never-ends", "1:4 cannot-save", "1:6 unreachable-rule <- 1:5"});
}

// ---- Rules by themselves ------------------------------------------------------------------------

TEST_CASE("running without a condition never ends") {
  check("never-ends", {{"plain", choice({action(), running()}), {"3"}},
                       {"under a condition", choice({action(), running().asking()}), {}},
                       {"a yield", choice({action(), yield()}), {}}});
}

TEST_CASE("a list without rules is told, whatever its kind") {
  check("empty-list", {{"sequence", choice({action(), sequence({})}), {"3"}},
                       {"choice", choice({action(), choice({})}), {"3"}},
                       {"subtree", choice({action(), subtree({})}), {"3"}},
                       {"one that loops", choice({action(), sequence({}).looping()}), {"3"}},
                       {"one that does not fail", choice({action(), sequence({}).unfailing()}), {"3"}}});
  check("may-run-away", {{"it does not loop", choice({action(), sequence({}).looping()}), {}}});
}

TEST_CASE("a doNotFail has no effect on what cannot fail") {
  check("do-not-fail-no-effect",
        {{"a choice that ends with success", choice({action(), success()}).unfailing(), {"1"}},
         {"a choice that does not", choice({action(), action()}).unfailing(), {}},
         {"an action that can fail", sequence({action().unfailing()}), {}},
         {"one that cannot", sequence({action(kSucceeds).unfailing()}), {"2"}},
         {"but has conditions", sequence({action(kSucceeds).asking().unfailing()}), {}},
         {"a list's conditions", choice({action(), success()}).asking().unfailing(), {}},
         {"twice is in vain once", sequence({action().unfailing()}).unfailing(), {"1"}},
         {"a jump may lead to the failure", choice({success(), failure().with_id("f")}).unfailing(), {}}});
}

// ---- Loops --------------------------------------------------------------------------------------

TEST_CASE("a loop in which nothing can run or fail runs away") {
  check("run-away", {{"success", choice({action(), sequence({success()}).looping()}), {"3"}},
                     {"actions that are declared so", sequence({action(kSucceeds)}).looping(), {"1"}},
                     {"what does not fail", sequence({query().unfailing()}).looping(), {"1"}},
                     {"not failing does not end it", sequence({success()}).looping().unfailing(), {"1"}},
                     {"a choice goes round with a later success", choice({failure(), success()}).looping(), {"1"}},
                     {"a subtree", subtree({success()}).looping(), {"1"}},
                     {"an action may run", sequence({action()}).looping(), {}},
                     {"a yield does", sequence({success(), yield()}).looping(), {}},
                     {"without a loop", sequence({success()}), {}}});
}

TEST_CASE("a loop that only a failure ends has to fail in one update") {
  check("may-run-away", {{"of its rule", sequence({query()}).looping(), {"1"}},
                         {"of a condition in it", sequence({success().asking()}).looping(), {"1"}},
                         {"of its own condition", sequence({success()}).looping().asking(), {"1"}},
                         {"of all rules of a choice", choice({query(), query()}).looping(), {"1"}},
                         {"which may not be a failure", sequence({query()}).looping().unfailing(), {"1"}},
                         {"it can run", sequence({query(), action()}).looping(), {}},
                         {"it never comes round", sequence({query(), failure()}).looping(), {}},
                         {"nor does a choice", choice({failure()}).looping(), {}}});
}

// ---- Roots --------------------------------------------------------------------------------------

TEST_CASE("a root that fails stops its agent") {
  check("root-fails", {{"failure", failure(), {"1"}},
                       {"at the end of a sequence", sequence({success(), failure()}), {"1"}},
                       {"in all of a choice", choice({failure(), failure()}), {"1"}},
                       {"or running", sequence({action(), failure()}), {}},
                       {"which does not fail", sequence({failure()}).unfailing(), {}}});
  check("root-can-fail", {{"an action", sequence({action(kSucceeds), action()}), {"1 <- 3"}},
                          {"the last of a choice", choice({action(), sequence({query()})}), {"1 <- 4"}},
                          {"its own condition", sequence({action(kSucceeds)}).asking(), {"1"}},
                          {"a leaf", action(), {"1"}},
                          {"it is told once", sequence({success(), failure()}), {}},
                          {"nothing can", choice({action(), success()}), {}}});
}

TEST_CASE("an action or a yield as the root is noted") {
  check("root-is-a-leaf", {{"action", action(), {"1"}},
                           {"yield", yield(), {"1"}},
                           {"success", success(), {}},
                           {"list", sequence({action()}), {}}});
}

TEST_CASE("nothing is said of the root of a tree that another file names") {
  ir::Tree used = rule_tree(action());
  used.as<ir::Ruling>().is_used = true;
  CHECK(found_in({used}) == Lines{"1 cannot-save"});
  used = rule_tree(many(60, success().asking()));
  CHECK(found_in({used}) == Lines{"1 long-update", "1 root-can-fail <- 2", "1 cannot-save"});
  used.as<ir::Ruling>().is_used = true;
  CHECK(found_in({used}).empty());
}

TEST_CASE("an update runs each rule, and its list again behind it") {
  check("long-update", {{"49", many(49, action()), {}},
                        {"50", many(50, action()), {"1"}},
                        {"a choice of 50", choice(std::vector<DrawnRule>(50, action())), {"1"}},
                        {"a pause between", sequence({many(40, action()), yield(), many(40, action())}), {}},
                        {"too late", sequence({yield(), many(50, action())}), {"1"}},
                        {"the end and the beginning of a loop",
                         sequence({many(30, action()), yield(), many(30, action())}).looping(),
                         {"1"}},
                        {"99 and a running one", sequence({many(48, success()), yield()}), {}}});
  check("run-away", {{"49 that are done at once", many(49, success()), {}},
                     {"50", many(50, success()), {"1"}},
                     {"50 that may fail", many(50, query()), {}},
                     {"a hundredth that runs", sequence({many(48, success()), running().asking()}), {}}});
}

// ---- Saving -------------------------------------------------------------------------------------

TEST_CASE("rules where updates end and which have no id are one note") {
  check("cannot-save",
        {{"what runs, and the root",
          choice({action(), running().asking(), yield(), success(), query()}),
          {"1 <- 2 <- 3 <- 4"}},
         {"with ids", choice({action().with_id("a"), yield().with_id("y"), success()}).with_id("root"), {}},
         {"what is never run", choice({success(), action()}).with_id("root"), {}},
         {"lists", choice({sequence({action().with_id("a")}), success()}).with_id("root"), {}}});
}

// ---- Size ---------------------------------------------------------------------------------------

TEST_CASE("large trees take no longer for each rule than small ones") {
  DrawnRule wide = many(255, many(255, query()));
  CHECK(found("long-update", wide).size() == 1);
  DrawnRule deep = sequence({query()}).looping();
  for (int i = 0; i < 2000; ++i) deep = sequence({std::move(deep)}).looping().unfailing();
  CHECK(found("may-run-away", deep) == Lines{"2001"});
}

}  // namespace lint_rules
