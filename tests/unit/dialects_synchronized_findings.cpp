// What is said of broken synchronized trees: one fault, one finding, and none hides another.
#include "synchronized_reading.h"
#include "unit.h"

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
       {"2 wide-gate"},
       " agents='4'"},
      {"cooldowns",
       {"<Cooldown seconds='0'><Action name='A'/></Cooldown>",
        "<Cooldown seconds='1000001'><Action name='A'/></Cooldown>",
        "<Cooldown seconds='1' scope='world'><Action name='A'/></Cooldown>"},
       {"2 zero-cooldown", "3 bad-value", "4 bad-value"}},
      {"groups",
       {"<Group agents='3'>", kRole, kRole, "</Group>", "<Group agents='1' onLeave='stop'>", kRole, "</Group>"},
       {"2 role-count", "6 bad-value"}},
      {"a group that is too large", {"<Group agents='2'>", kRole, kRole, "</Group>"}, {"2 never-bound"}, " agents='1'"},
      {"repetitions",
       {"<Repeat count='-1'><Action name='A'/></Repeat>", "<Repeat><Condition name='c'/></Repeat>"},
       {"2 bad-value", "3 idle-repeat"}},
      {"names",
       {"<Gate name='g' agents='1'><Action name='A'/></Gate>", "<Group name='g' agents='1'>", kRole, "</Group>"},
       {"3 duplicate-name <- 2"}},
  });
  CHECK(hint_of({"<Gaet agents='1'><Action name='A'/></Gaet>"}) == "did you mean 'Gate'?");
  CHECK(hint_of({"<Gate agents='1' seconds='2'><Action name='A'/></Gate>"}) == "'Cooldown' has one");
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
