// Modular trees at the limits: deep, long, and with very many faults.
#include "modular_reading.h"
#include "repeat.h"
#include "runtime/format/records.h"
#include "unit.h"

namespace dialects_modular_limits {

using namespace espalier;

namespace {

std::size_t depth_of(const ir::Node& node) {
  std::size_t depth = 0;
  for (const ir::Node& child : node.children()) depth = std::max(depth, depth_of(child));
  return depth + 1;
}

// A tree of 128 sequences of 255 of `two`, and one of `rest`: of 65,410 nodes and two for each of the rest.
std::string wide_tree(std::size_t rest, std::string_view two) {
  return modular_tree({"<Sequence>", repeat("<Sequence>" + repeat(two, 255) + "</Sequence>", 128),
                       "<Sequence>" + repeat(two, rest) + "</Sequence>", "</Sequence>"});
}

}  // namespace

TEST_CASE("nodes nest as deep as XML does") {
  constexpr std::size_t kBefore = 2;  // BehaviorTree, Root
  constexpr std::size_t kDeep = text::kMaxNesting - kBefore - 1;
  struct {
    const char* open;
    const char* close;
    std::size_t elements;  // each takes
    std::size_t nodes;
  } const cases[] = {
      {"<Loop>", "</Loop>", 1, 1},
      {"<Parallel _startLog='x'>", "</Parallel>", 1, 3},
      {"<Priority><Case>", "</Case></Priority>", 2, 2},
      {"<StateMachine><State name='S'><BehaviorTree>", "</BehaviorTree></State></StateMachine>", 3, 2},
      {"<Mine>", "</Mine>", 1, 1},
  };
  for (const auto& [open, close, elements, nodes] : cases) {
    CAPTURE(open);
    const std::size_t count = kDeep / elements;
    const ModularReading reading(modular_tree({repeat(open, count) + "<Halt/>" + repeat(close, count)}));
    REQUIRE(reading.project.trees.size() == 1);
    CHECK(depth_of(reading.project.trees[0].root()) == count * nodes + 1);
    CHECK(depth_of(reading.project.trees[0].root()) <= layout::kMaxTickDepth);
  }
}

TEST_CASE("a tree has 65,534 nodes at most, those that stand for no element counted") {
  for (const char* two : {"<Loop><Halt/></Loop>", "<Halt _startLog='x'/>"}) {
    CAPTURE(two);
    CHECK(ModularReading(wide_tree(62, two)).found().empty());
    CHECK(ModularReading(wide_tree(63, two)).found() == Lines{"1 too-many-nodes"});
  }
}

TEST_CASE("faults beyond the limit of nodes are found all the same") {
  std::string tree = wide_tree(200, "<Loop><Halt/></Loop>");
  tree.insert(tree.find("</Root>"), "<Wait/>");
  CHECK(ModularReading(tree).found() == Lines{"1 too-many-nodes", "1 invalid-root <- 6", "6 missing-attribute"});
}

TEST_CASE("a value that is very long is read once, and shown in part") {
  const std::string digits(1'000'000, '1');
  const ModularReading reading(
      modular_tree({"<Sequence>", "<Wait duration='" + digits + "x'/>", "<Loop count='" + digits + "'><Halt/></Loop>",
                    "<Wait duration='" + digits + "'/>", "</Sequence>"}));
  CHECK(reading.found() == Lines{"3 bad-value", "4 bad-value", "5 doubtful-value"});
  for (const text::Finding& finding : reading.findings.all()) {
    CHECK(finding.message.size() < 300);
    CHECK(finding.hint.size() < 300);
  }
}

TEST_CASE("an element may have very many attributes") {
  std::string attributes;
  for (int i = 0; i < 20'000; ++i) attributes += " a" + std::to_string(i) + "='1'";
  CHECK(ModularReading(modular_tree({"<Move" + attributes + "/>"})).found().empty());
  CHECK(ModularReading(modular_tree({"<Halt" + attributes + "/>"})).found().size() == 10'001);
}

TEST_CASE("limits on children are the engine's") {
  const auto of = [](const std::string& name, const std::string& child, std::size_t count) {
    return ModularReading(modular_tree({"<" + name + ">" + repeat(child, count) + "</" + name + ">"})).found();
  };
  const std::string a_case = "<Case><Halt/></Case>";
  const Lines too_many = {"2 too-many-children"};
  CHECK(of("Sequence", "<Halt/>", 255).empty());
  CHECK(of("Sequence", "<Halt/>", 256) == too_many);
  CHECK(of("Selector", "<Halt/>", 255).empty());
  CHECK(of("Selector", "<Halt/>", 256) == too_many);
  CHECK(of("Parallel", "<Halt/>", 32).empty());
  CHECK(of("Parallel", "<Halt/>", 33) == too_many);
  CHECK(of("Priority", a_case, 254).empty());
  CHECK(of("Priority", a_case, 255) == too_many);
  std::string states;
  for (int i = 0; i < 254; ++i) {
    states += "<State name='" + std::to_string(i) + "'><BehaviorTree><Halt/></BehaviorTree></State>";
  }
  CHECK(of("StateMachine", states, 1).empty());
  CHECK(of("StateMachine", states + "<State name='x'><BehaviorTree><Halt/></BehaviorTree></State>", 1) == too_many);
}

}  // namespace dialects_modular_limits
