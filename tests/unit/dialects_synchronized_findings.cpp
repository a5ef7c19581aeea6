// Findings of synchronized trees: combinations, consequences and limits. Single rules are shown in lib/rules/SYN* and
// tests/golden/lint/synchronized.
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

void check(const std::vector<Case>& cases) {
  for (const auto& [why, children, found, attributes] : cases) {
    CAPTURE(why);
    const SynchronizedReading reading(synchronized_tree(children, attributes));
    CHECK(reading.found() == found);
    CHECK(reading.project.trees.empty() == reading.findings.has_errors());
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
      {"<SynchronizedTree name=''>\n<Action name='A'/></SynchronizedTree>", {"1 missing-attribute"}},
      {"<SynchronizedTree name='T'>\n<Aktion/></SynchronizedTree>", {"2 unknown-element", "2 missing-attribute"}},
      {"<SynchronizedTree name='T'>\n<Role/></SynchronizedTree>", {"2 missing-child", "2 role-outside-group"}},
      {"<SynchronizedTree name='T' maxDepth='0'\nagents='0'\nsize='1'><Action name='A'/></SynchronizedTree>",
       {"1 bad-value", "2 bad-value", "3 unknown-attribute"}},
  };
  for (const auto& [file, found] : cases) {
    CAPTURE(file);
    CHECK(SynchronizedReading(file).found() == found);
  }
}

TEST_CASE("each element has the children that the table gives it") {
  check({
      {"what changes a result has one",
       {"<Invert>", kAction, kAction, "</Invert>", "<Succeed/>"},
       {"4 extra-child <- 3", "6 missing-child"}},
      {"an unknown child is no second one", {"<Fail>", "<Xyz/>", kAction, "</Fail>"}, {"3 unknown-element"}},
      {"one that is unknown fills the place", {"<Gate agents='1'>", "<Xyz/>", "</Gate>"}, {"3 unknown-element"}},
      {"a group has roles alone",
       {"<Group agents='2'>", kRole, kAction, kRole, "</Group>", "<Group agents='1'/>"},
       {"4 no-role", "7 missing-child"}},
      {"a role has a condition and its work",
       {"<Group agents='1'><Role>", "<Condition name='c'/>", kAction, kAction, "</Role></Group>"},
       {"5 extra-child <- 4"}},
  });
}

TEST_CASE("hints of synchronized trees suggest what was meant") {
  CHECK(hint_of({"<Gaet agents='1'><Action name='A'/></Gaet>"}) == "did you mean 'Gate'?");
  CHECK(hint_of({"<Gate agents='1' seconds='2'><Action name='A'/></Gate>"}) == "'Cooldown' has it");
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
      {"16", 17, {"19 too-many <- 2"}},
      {"0", 1, {"2 bad-value"}},
      {"", 1, {"2 missing-attribute"}},
  };
  for (const auto& [agents, roles, found] : counts) {
    CAPTURE(agents, roles);
    Lines children = {"<Group agents='" + std::string(agents) + "'>"};
    children.insert(children.end(), roles, kRole);
    children.push_back("</Group>");
    CHECK(SynchronizedReading(synchronized_tree(children)).found() == found);
  }
  // Several reasons why a number is wrong are one finding.
  check({{"the roles come first", {"<Group agents='3'>", kRole, kRole, "</Group>"}, {"2 role-count"}, " agents='2'"},
         {"as many as there are", {"<Group agents='2'>", kRole, kRole, "</Group>"}, {}, " agents='2'"}});
}

TEST_CASE("empty names of gates are not names, and a third use refers to the first") {
  const std::string gate = "<Gate name='g' agents='1'><Action name='A'/></Gate>";
  const std::string nameless = "<Gate name='' agents='1'><Action name='A'/></Gate>";
  check({{"three", {gate, gate, gate}, {"3 duplicate-name <- 2", "4 duplicate-name <- 2"}},
         {"empty", {nameless, nameless}, {}}});
}

TEST_CASE("a fault around a barrier is reported instead of its place") {
  check(
      {{"in a role's condition",
        {"<Group agents='1'><Role>", "<Barrier name='b'/>", kAction, "</Role></Group>"},
        {"4 extra-child <- 3"}},
       {"below its condition",
        {"<Group agents='1'><Role>", "<Condition name='c'><Barrier name='b'/></Condition>", kAction, "</Role></Group>"},
        {"3 extra-child"}},
       {"in a misspelt role",
        {"<Group agents='1'>", "<Rolle><Barrier name='b'/></Rolle></Group>"},
        {"3 unknown-element"}},
       {"in a group below a monitor",
        {"<Monitor>", "<Group agents='1'>", "<Role>", "<Barrier name='b'/>", "</Role></Group></Monitor>"},
        {"3 not-below-monitor"}}});
}

TEST_CASE("each tree that a slot names is looked for, with or without a name of the slot") {
  const auto found = [](const std::string& attributes) {
    return SynchronizedReading(synchronized_tree({"<ChildTree " + attributes + "/>"})).found();
  };
  CHECK(found("slot='s' default='T' accepts='T U V'") == Lines{"2 unknown-tree", "2 unknown-tree"});
  CHECK(found("default='U'") == Lines{"2 missing-attribute", "2 unknown-tree"});
}

TEST_CASE("an agent that is too large is reported once, where a budget would help") {
  const std::string two = "<ChildTree slot='a' default='T'/>\n<ChildTree slot='b' default='T'/>";
  check({{"with budgets",
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
