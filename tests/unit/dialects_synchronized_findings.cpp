// What is said of broken synchronized trees: one fault, one finding, and none hides another.
#include "synchronized_reading.h"
#include "unit.h"

namespace dialects_synchronized_findings {

using namespace espalier;

namespace {

struct Case {
  const char* why;
  Lines children;
  Lines found;
  const char* attributes = "";
};

void check(const std::vector<Case>& cases, const dialects::Options& options = {}) {
  for (const auto& [why, children, found, attributes] : cases) {
    CAPTURE(why);
    const SynchronizedReading reading(synchronized_tree(children, attributes), options);
    CHECK(reading.found() == found);
    CHECK(reading.project.trees.empty() == reading.findings.has_errors());
  }
}

struct ProjectCase {
  const char* why;
  Lines files;
  Lines found;
};

void check_projects(const std::vector<ProjectCase>& cases, const dialects::Options& options = {}) {
  for (const auto& [why, files, found] : cases) {
    CAPTURE(why);
    CHECK(SynchronizedReading(files, options).found() == found);
  }
}

// Of a tree with one finding.
std::string hint_of(const Lines& children) {
  const SynchronizedReading reading(synchronized_tree(children));
  CAPTURE(children, reading.found());
  REQUIRE(reading.findings.all().size() == 1);
  return reading.findings.all()[0].hint;
}

constexpr const char* kRole = "<Role><Action name='A'/></Role>";
constexpr const char* kAction = "<Action name='A'/>";

}  // namespace

TEST_CASE("a synchronized tree is a name and exactly one node") {
  const std::pair<const char*, Lines> cases[] = {
      {"<SynchronizedTree name='T'/>", {"1 no-root"}},
      {"<SynchronizedTree>\n<Action name='A'/></SynchronizedTree>", {"1 missing-attribute"}},
      {"<SynchronizedTree name=''>\n<Action name='A'/></SynchronizedTree>", {"1 missing-attribute"}},
      {"<SynchronizedTree name='T'>\n<Action name='A'/>\n<Action name='B'/></SynchronizedTree>",
       {"3 second-root <- 2"}},
      {"<SynchronizedTree name='T'>\n<Aktion/></SynchronizedTree>", {"2 unknown-element", "2 missing-attribute"}},
      {"<SynchronizedTree name='T'>\n<Xyz/></SynchronizedTree>", {"2 unknown-element"}},
      {"<SynchronizedTree name='T'>\n<Barrier name='b'/></SynchronizedTree>", {"2 barrier-outside-role"}},
      {"<SynchronizedTree name='T'>\n<Role/></SynchronizedTree>", {"2 missing-child", "2 role-outside-group"}},
      {"<SynchronizedTree name='T' maxDepth='0'\nagents='0'\nsize='1'><Action name='A'/></SynchronizedTree>",
       {"1 bad-value", "2 bad-value", "3 unknown-attribute"}},
      {"<SynchronizedTree name='T' maxDepth='65'><Action name='A'/></SynchronizedTree>", {"1 bad-value"}},
  };
  for (const auto& [file, found] : cases) {
    CAPTURE(file);
    CHECK(SynchronizedReading(file).found() == found);
  }
}

TEST_CASE("each element has the children that the table gives it") {
  check({
      {"composites need one",
       {"<Sequence/>", "<Parallel/>", "<Selector/>"},
       {"2 missing-child", "3 missing-child", "4 missing-child"}},
      {"what changes a result has one",
       {"<Invert>", kAction, kAction, "</Invert>", "<Succeed/>"},
       {"4 extra-child <- 3", "6 missing-child"}},
      {"an unknown child is no second one", {"<Fail>", "<Xyz/>", kAction, "</Fail>"}, {"3 unknown-element"}},
      {"one that is unknown fills the place", {"<Gate agents='1'>", "<Xyz/>", "</Gate>"}, {"3 unknown-element"}},
      {"leaves have none",
       {"<Action name='A'>", "<Condition name='c'/>", "</Action>", "<ChildTree slot='s' default='T'>", "<Xyz/>",
        "</ChildTree>"},
       {"3 extra-child", "6 extra-child"}},
      {"a group has roles alone",
       {"<Group agents='2'>", kRole, kAction, kRole, "</Group>", "<Group agents='1'/>"},
       {"4 no-role", "7 missing-child"}},
      {"a role has a condition and its work",
       {"<Group agents='1'><Role>", "<Condition name='c'/>", kAction, kAction, "</Role></Group>"},
       {"5 extra-child <- 4"}},
      {"a lone condition is the work", {"<Group agents='1'><Role><Condition name='c'/></Role></Group>"}, {}},
      {"only a condition stands before the work",
       {"<Group agents='1'><Role>", kAction, "<Condition name='c'/>", "</Role></Group>"},
       {"4 extra-child <- 3"}},
      {"a role without work", {"<Group agents='1'>", "<Role/>", "</Group>"}, {"3 missing-child"}},
      {"roles stand in groups, barriers in roles",
       {"<Role>", kAction, "</Role>", "<Barrier name='b'/>"},
       {"2 role-outside-group", "5 barrier-outside-role"}},
  });
}

TEST_CASE("below a monitor only what asks may stand, and an action there is a warning") {
  check({
      {"what asks", {"<Monitor><Parallel><Invert><Condition name='c'/></Invert></Parallel></Monitor>"}, {}},
      {"an action", {"<Monitor><Sequence>", kAction, "</Sequence></Monitor>"}, {"3 action-in-monitor"}},
      {"the rest",
       {"<Monitor>", "<Gate agents='1'>", kAction, "</Gate></Monitor>"},
       {"3 not-below-monitor", "4 action-in-monitor"}},
      {"a group is one fault",
       {"<Monitor>", "<Group agents='1'>", "<Role>", "<Barrier name='b'/>", "</Role></Group></Monitor>"},
       {"3 not-below-monitor"}},
  });
}

TEST_CASE("values of nodes are within their ranges, and what a tree's agents make of them") {
  check({
      {"gates",
       {"<Gate agents='0'><Action name='A'/></Gate>", "<Gate agents='65536'><Action name='A'/></Gate>",
        "<Gate agents=''><Action name='A'/></Gate>"},
       {"2 bad-value", "3 bad-value", "4 missing-attribute"}},
      {"a gate for all",
       {"<Gate agents='4'><Action name='A'/></Gate>", "<Gate agents='3'><Action name='A'/></Gate>"},
       {"2 wide-gate <- 1"},
       " agents='4'"},
      {"cooldowns",
       {"<Cooldown seconds='0'><Action name='A'/></Cooldown>",
        "<Cooldown seconds='1000001'><Action name='A'/></Cooldown>",
        "<Cooldown seconds='1' scope='world'><Action name='A'/></Cooldown>"},
       {"2 zero-cooldown", "3 bad-value", "4 bad-value"}},
      {"groups",
       {"<Group agents='3'>", kRole, kRole, "</Group>", "<Group agents='1' onLeave='stop'>", kRole, "</Group>"},
       {"2 role-count", "6 bad-value"}},
      {"a group that is too large",
       {"<Group agents='2'>", kRole, kRole, "</Group>"},
       {"2 never-bound <- 1"},
       " agents='1'"},
      {"repetitions",
       {"<Repeat count='-1'><Action name='A'/></Repeat>", "<Repeat><Condition name='c'/></Repeat>"},
       {"2 bad-value", "3 idle-repeat"}},
      {"names",
       {"<Gate name='g' agents='1'><Action name='A'/></Gate>", "<Group name='g' agents='1'>", kRole, "</Group>"},
       {"3 duplicate-name <- 2"}},
  });
  CHECK(hint_of({"<Gaet agents='1'><Action name='A'/></Gaet>"}) == "did you mean 'Gate'?");
  CHECK(hint_of({"<Gate agents='1' seconds='2'><Action name='A'/></Gate>"}) == "'Cooldown' has it");
}

TEST_CASE("places of a slot agree in all trees, and their defaults are accepted and fit") {
  const auto tree = [](const std::string& name, const std::string& child) {
    return "<SynchronizedTree name='" + name + "'>\n" + child + "</SynchronizedTree>";
  };
  const std::string kid = tree("Kid", "<Action name='A'/>");
  check_projects({
      {"equal, but for the order",
       {tree("A", "<ChildTree slot='s' default='Kid' accepts='Kid B' budget='64'/>"),
        tree("B", "<ChildTree slot='s' default='Kid' accepts='B Kid' budget='64'/>"), kid},
       {}},
      {"two budgets",
       {tree("A",
             "<Selector>\n<ChildTree slot='s' default='Kid' budget='64'/>\n"
             "<ChildTree slot='s' default='Kid' budget='32'/></Selector>"),
        kid},
       {"4 slots-disagree <- 3"}},
      {"an unknown default", {tree("A", "<ChildTree slot='s' default='Kit'/>"), kid}, {"2 unknown-tree"}},
      {"a default that is not accepted",
       {tree("A", "<ChildTree slot='s' default='A' accepts='Kid'/>"), kid},
       {"2 default-not-accepted <- 2"}},
      {"a default that does not fit",
       {tree("A", "<ChildTree slot='s' default='Kid' budget='0'/>"), kid},
       {"2 default-over-budget <- 2"}},
      {"two trees of a name", {kid, kid}, {"1 duplicate-tree <- 1"}},
      {"no default", {tree("A", "<ChildTree slot='s'/>")}, {"2 child-tree-without-default"}},
  });
}

TEST_CASE("numbers and times are taken up to their limits, and not beyond") {
  struct Limit {
    const char* before;
    const char* after;
    Lines right;
    Lines wrong;
  };
  const Limit limits[] = {
      {"<SynchronizedTree name='T' maxDepth='",
       "'><Action name='A'/></SynchronizedTree>",
       {"1", "64", "08"},
       {"0", "65", "-1", "", " 5 ", "1e3", "1.0", "0x8", "99999999999999999999"}},
      {"<SynchronizedTree name='T' agents='",
       "'><Action name='A'/></SynchronizedTree>",
       {"1", "1000000000"},
       {"0", "1000000001", "4294967297", "-4", ""}},
      {"<SynchronizedTree name='T'><Repeat count='",
       "'><Action name='A'/></Repeat></SynchronizedTree>",
       {"0", "1", "65535"},
       {"-1", "65536", "", " 1", "1e3"}},
      {"<SynchronizedTree name='T'><Repeat untilFailure='",
       "'><Action name='A'/></Repeat></SynchronizedTree>",
       {"true", "false"},
       {"", "True", "1", " true"}},
      {"<SynchronizedTree name='T'><Gate agents='",
       "'><Action name='A'/></Gate></SynchronizedTree>",
       {"1", "65535"},
       {"0", "65536", "-1", " 5 ", "1e3"}},
      {"<SynchronizedTree name='T'><Cooldown seconds='",
       "'><Action name='A'/></Cooldown></SynchronizedTree>",
       {"0.000001", "1000000", "1000000.0000004"},
       {"-1", "1000000.000001", "1000001", "1e3", "inf", "nan", "0x1", "1,5", "5s", " ", "99999999999999999999999"}},
      {"<SynchronizedTree name='T'><Group agents='1' timeout='",
       "'><Role><Action name='A'/></Role></Group></SynchronizedTree>",
       {"0", "1000000"},
       {"", "-1", "1000001", "soon"}},
      {"<SynchronizedTree name='T' maxDepth='1'><ChildTree slot='s' default='T' budget='",
       "'/></SynchronizedTree>",
       {"1024", "65535"},
       {"", "-1", "65536", "8 ", "1k"}},
  };
  for (const auto& [before, after, right, wrong] : limits) {
    for (const std::string& value : right) {
      CAPTURE(before, value);
      CHECK(SynchronizedReading(before + value + after).found() == Lines());
    }
    for (const std::string& value : wrong) {
      CAPTURE(before, value);
      CHECK(SynchronizedReading(before + value + after).found() == Lines{"1 bad-value"});
    }
  }
}

TEST_CASE("a group has as many roles as agents, sixteen at most") {
  struct Count {
    const char* agents;
    std::size_t roles;
    Lines found;
  };
  const Count counts[] = {
      {"1", 1, {}},
      {"16", 16, {}},
      {"16", 17, {"19 too-many <- 2"}},
      {"18", 18, {"19 too-many <- 2", "20 too-many <- 2"}},
      {"20", 16, {"2 role-count"}},
      {"65535", 1, {"2 role-count"}},
      {"0", 1, {"2 bad-value"}},
      {"65536", 1, {"2 bad-value"}},
      {"", 1, {"2 missing-attribute"}},
  };
  for (const auto& [agents, roles, found] : counts) {
    CAPTURE(agents, roles);
    Lines children = {"<Group agents='" + std::string(agents) + "'>"};
    children.insert(children.end(), roles, kRole);
    children.push_back("</Group>");
    CHECK(SynchronizedReading(synchronized_tree(children)).found() == found);
  }
  // More than one reason to say that a number is wrong is one finding.
  check({{"the roles come first", {"<Group agents='3'>", kRole, kRole, "</Group>"}, {"2 role-count"}, " agents='2'"},
         {"as many as there are", {"<Group agents='2'>", kRole, kRole, "</Group>"}, {}, " agents='2'"}});
}

TEST_CASE("names of gates and groups are exact, and empty ones are none") {
  check({{"in one another",
          {"<Gate name='g' agents='1'>", "<Gate name='g' agents='1'>", kAction, "</Gate></Gate>"},
          {"3 duplicate-name <- 2"}},
         {"the third is told of the first",
          {"<Gate name='g' agents='1'><Action name='A'/></Gate>", "<Gate name='g' agents='1'><Action name='A'/></Gate>",
           "<Gate name='g' agents='1'><Action name='A'/></Gate>"},
          {"3 duplicate-name <- 2", "4 duplicate-name <- 2"}},
         {"others have labels",
          {"<Gate name='g' agents='1'><Sequence name='g'><Cooldown name='g' seconds='1'><Action name='g'/></Cooldown>",
           "</Sequence></Gate>", "<Gate name='G' agents='1'><Action name='A'/></Gate>",
           "<Gate name='' agents='1'><Action name='A'/></Gate>", "<Gate name='' agents='1'><Action name='A'/></Gate>"},
          {}}});
}

TEST_CASE("a barrier is in a role, wherever else it stands") {
  check(
      {{"in a role's condition",
        {"<Group agents='1'><Role>", "<Barrier name='b'/>", kAction, "</Role></Group>"},
        {"4 extra-child <- 3"}},
       {"below its condition",
        {"<Group agents='1'><Role>", "<Condition name='c'><Barrier name='b'/></Condition>", kAction, "</Role></Group>"},
        {"3 extra-child"}},
       {"right in a group", {"<Group agents='1'>", "<Barrier name='b'/>", "</Group>"}, {"3 no-role"}},
       {"in a role that is in no group", {"<Role><Barrier name='b'/></Role>"}, {"2 role-outside-group"}},
       {"in what was meant to be a role",
        {"<Group agents='1'>", "<Rolle><Barrier name='b'/></Rolle></Group>"},
        {"3 unknown-element"}},
       {"below a monitor in a role",
        {"<Group agents='1'><Role><Sequence>", "<Monitor><Barrier name='b'/></Monitor>",
         "<Action name='A'/></Sequence></Role></Group>"},
        {"3 not-below-monitor"}}});
}

TEST_CASE("what slots name is one of the project's synchronized trees") {
  const auto child = [](const std::string& attributes) {
    return synchronized_tree({"<ChildTree slot='s'" + attributes + "/>"});
  };
  check_projects({
      {"itself", {child(" default='T' accepts='T'")}, {}},
      {"exactly", {child(" default='t'")}, {"2 unknown-tree"}},
      {"of a list each", {child(" default='T' accepts='T U V'")}, {"2 unknown-tree", "2 unknown-tree"}},
      {"with blanks between", {child(" default='T' accepts='T,T'")}, {"2 unknown-tree"}},
      {"twice is once", {child(" default='T' accepts='T T'")}, {"2 repeated-word"}},
      {"empty", {child(" default='' accepts=''")}, {"2 bad-value", "2 bad-value"}},
      {"blank", {child(" default='T' accepts=' '")}, {"2 bad-value"}},
      {"of no slot", {synchronized_tree({"<ChildTree default='U'/>"})}, {"2 missing-attribute", "2 unknown-tree"}},
  });
}

TEST_CASE("an agent that is too large is told once, where a budget would help") {
  const std::string two = "<ChildTree slot='a' default='T'/>\n<ChildTree slot='b' default='T'/>";
  check({{"two slots on 64 levels", {two}, {"1 agent-too-large <- 2 <- 3"}, " maxDepth='64'"},
         {"with budgets",
          {"<ChildTree slot='a' default='T' budget='1000'/>", "<ChildTree slot='b' default='T' budget='1000'/>"},
          {"2 default-over-budget <- 2", "3 default-over-budget <- 3"},
          " maxDepth='64'"},
         {"one level has no slots", {two}, {}, " maxDepth='1'"},
         {"several places of one slot get fewer levels",
          {two, "<ChildTree slot='a' default='T'/>", "<ChildTree slot='a' default='T'/>"},
          {"1 fewer-levels"}}});
  std::string nodes;
  for (int i = 0; i < 65'533; ++i) nodes += kAction;
  CHECK(SynchronizedReading(synchronized_tree({nodes})).found() == Lines());
  CHECK(SynchronizedReading(synchronized_tree({nodes + kAction})).found() == Lines{"1 too-many"});
}

}  // namespace dialects_synchronized_findings
