// Limits on the expansion of references: at the limit, one past it, and far beyond it.
#include "dialects/selection/expander.h"
#include "repeat.h"
#include "selection_reading.h"
#include "unit.h"

namespace dialects_limits {

using namespace espalier;
using namespace espalier::dialects::selection;

namespace {

std::string leaves(std::size_t count) {
  return tree_of({"<Priority name='R'>" + repeat("<Leaf name='L'/>", count - 1) + "</Priority>"});
}

// Blocks B0, B1, ... that each hold `before`, `times` references to the next, and `after`; the last holds `last`.
std::string chain(std::size_t count, std::size_t times, const std::string& before, const std::string& after,
                  const std::string& last) {
  std::string result = "<Blocks>";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string next = "<Ref name='B" + std::to_string(i + 1) + "'/>";
    result += "<Block name='B" + std::to_string(i) + "'>" + before + repeat(next, times) + after + "</Block>";
  }
  return result + "<Block name='B" + std::to_string(count) + "'>" + last + "</Block></Blocks>";
}

}  // namespace

TEST_CASE("an element may have very many unknown attributes") {
  constexpr std::size_t kCount = 100'000;
  std::string leaf = "<Leaf name='L'";
  for (std::size_t i = 0; i < kCount; ++i) leaf += "\na" + std::to_string(i) + "='1'";
  const SelectionReading reading(tree_of({leaf + "/>"}));
  REQUIRE(reading.findings.all().size() == 10'001);  // of one rule in a file: the first 10,000, and the last
  CHECK(reading.found().back() == "0.xml:100002 unknown-attribute");
}

TEST_CASE("a tree of more than 1,024 nodes is not portable") {
  CHECK(SelectionReading(leaves(1024)).found().empty());
  const SelectionReading large(leaves(1025));
  CHECK(large.found() == Lines{"0.xml:1 unportable-size"});
  CHECK(large.project.trees.size() == 1);
}

TEST_CASE("states do not count as nodes for the engine") {
  std::string machines;
  for (std::size_t i = 0; i < 500; ++i) {
    machines += "<StateMachine name='M'><State name='S'><Leaf name='L'/></State></StateMachine>";
  }
  CHECK(SelectionReading(tree_of({"<Priority name='R'>" + machines + "</Priority>"})).found().empty());
}

TEST_CASE("a tree has 65,534 nodes at most") {
  CHECK(SelectionReading(leaves(65534)).found() == Lines{"0.xml:1 unportable-size"});
  const SelectionReading large(leaves(65535));
  CHECK(large.found() == Lines{"0.xml:1 too-many-nodes"});
  CHECK(large.project.trees.empty());
}

TEST_CASE("huge expansions are reported before they happen, along with other faults") {
  struct {
    const char* why;
    Lines content;
    Lines found;
  } const cases[] = {
      {"a billion leaves",
       {chain(30, 2, "", "", "<Leaf name='L'/>"), "<Priority name='R'><Ref name='B0'/></Priority>"},
       {"0.xml:1 too-many-nodes"}},
      {"a billion times nothing",
       {chain(30, 2, "", "", ""), "<Priority name='R'><Ref name='B0'/></Priority>"},
       {"0.xml:1 too-many-nodes"}},
      {"more than can be counted",
       {chain(500, 3, "", "", "<Leaf name='L'/>"), "<Priority name='R'><Ref name='B0'/></Priority>"},
       {"0.xml:1 too-many-nodes"}},
      {"a billion transitions",
       {chain(30, 2, "", "", "<Transition state='S' condition='true'/>"),
        "<StateMachine name='M'><State name='S'><Leaf name='L'/><Ref name='B0'/></State></StateMachine>"},
       {"0.xml:1 too-many-nodes"}},
      {"along with another fault",
       {chain(30, 2, "", "", "<Leaf/>"), "<Priority name='R'><Ref name='B0'/></Priority>"},
       {"0.xml:1 too-many-nodes", "0.xml:2 missing-attribute"}},
      {"within a misspelt element",
       {chain(30, 2, "", "", "<Leaf name='L'/>"), "<Prioritty name='R'><Ref name='B0'/></Prioritty>"},
       {"0.xml:1 too-many-nodes", "0.xml:3 unknown-element"}},
      {"not used", {chain(30, 2, "", "", "<Leaf name='L'/>"), "<Leaf name='R'/>"}, {}},
  };
  for (const auto& [why, content, found] : cases) {
    CAPTURE(why);
    const SelectionReading reading(tree_of(content));
    Lines without_related;
    for (const std::string& line : reading.found()) without_related.push_back(line.substr(0, line.find(" <-")));
    CHECK(without_related == found);
  }
}

TEST_CASE("nesting of nodes and references is limited") {
  // A Priority in each block: nodes exceed their limit while references do not.
  const std::string before = repeat("<Priority name='P'>", 2), after = repeat("</Priority>", 2);
  const std::string root = "<Ref name='B0'/>";
  auto found = [&](const std::string& blocks) {
    Lines result;
    for (const std::string& line : SelectionReading(tree_of({blocks, root})).found()) {
      result.push_back(line.substr(0, line.find(" <-")));
    }
    return result;
  };
  CHECK(found(chain(511, 1, before, after, "<Priority name='P'/>")) == Lines{"0.xml:2 empty-priority"});
  CHECK(found(chain(511, 1, before, after, "<Priority name='P'><Leaf name='L'/></Priority>")).empty());
  CHECK(found(chain(512, 1, before, after, "<Leaf name='L'/>")) ==
        Lines{"0.xml:1 unportable-size", "0.xml:2 too-deep"});
  CHECK(found(chain(kMaxReferenceDepth - 1, 1, "", "", "<Leaf name='L'/>")).empty());
  CHECK(found(chain(kMaxReferenceDepth, 1, "", "", "<Leaf name='L'/>")) == Lines{"0.xml:2 too-deep"});
  CHECK(found(chain(20'000, 1, "", "", "<Leaf name='L'/>")) == Lines{"0.xml:2 too-deep"});
}

TEST_CASE("a machine has 32 states at most") {
  auto machine = [](std::size_t count) {
    std::string states;
    for (std::size_t i = 0; i < count; ++i) {
      states += "<State name='S" + std::to_string(i) + "'><Leaf name='L'/></State>";
    }
    return tree_of({"<StateMachine name='M'>" + states + "</StateMachine>"});
  };
  CHECK(SelectionReading(machine(32)).found().empty());
  CHECK(SelectionReading(machine(33)).found() == Lines{"0.xml:2 too-many-states"});
}

}  // namespace dialects_limits
