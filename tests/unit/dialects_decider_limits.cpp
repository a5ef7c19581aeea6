// Trees of deciders at the limits: deep, long, shared many times, and with very many faults.
#include "decider_reading.h"
#include "repeat.h"
#include "runtime/format/records.h"
#include "unit.h"

namespace dialects_decider_limits {

using namespace espalier;

namespace {

// `before` followed by 0, 1, ... and `after`.
std::string numbered(std::string_view before, std::string_view after, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    result += before;
    result += std::to_string(i);
    result += after;
  }
  return result;
}

// Shared groups S0, S1, ... each of `uses` references to the next one.
std::string chain(std::size_t count, std::size_t uses, const std::string& attributes) {
  std::string result = "<Deciders>\n";
  for (std::size_t i = 0; i < count; ++i) {
    result += "<Group name='S" + std::to_string(i) + "' policy='random' " + attributes + ">" +
              repeat("<DeciderRef name='S" + std::to_string(i + 1) + "'/>", uses) + "</Group>\n";
  }
  return result + "<Decider name='S" + std::to_string(count) + "' behavior='idle'/></Deciders>";
}

Lines found_in(const Lines& children, const Lines& behind = {}, const std::string& policy = "prioritizedList") {
  return DeciderReading(decider_tree(children, policy, behind)).found();
}

}  // namespace

TEST_CASE("groups of deciders nest as deep as XML does") {
  constexpr std::size_t kDeep = text::kMaxNesting - 3;  // DeciderTree, Root and the decider
  const std::string groups = numbered("<Group policy='random' name='G", "'>", kDeep);
  const DeciderReading reading(
      decider_tree({groups + "<Decider name='A' behavior='idle'/>" + repeat("</Group>", kDeep)}));
  CHECK(reading.found().empty());
  REQUIRE(reading.project.trees.size() == 1);
  const std::string faulty =
      repeat("<Selector>", kDeep) + "<Decider name='A' behavior='nope'/>" + repeat("</Selector>", kDeep);
  CHECK(found_in({faulty}) == Lines{"3 unknown-element", "3 unknown-behavior"});
}

TEST_CASE("a tree has 64 flags, 64 stimuli and 32 flags of behaviours") {
  const auto tree = [](std::size_t flags, std::size_t stimuli, std::size_t behavior_flags) {
    return "<DeciderTree name='T'><DecisionFlags>\n" + numbered("<Flag name='f", "'/>", flags) +
           "</DecisionFlags><Stimuli>\n" + numbered("<Stimulus name='s", "'/>", stimuli) +
           "</Stimuli><Behaviors><Behavior name='b'/></Behaviors><Group name='R' policy='random'>\n<Decider name='D' "
           "behavior='b' behaviorFlags='" +
           numbered(" b", "", behavior_flags) + "'/></Group></DeciderTree>";
  };
  CHECK(DeciderReading(tree(64, 64, 32)).found().empty());
  CHECK(DeciderReading(tree(66, 64, 32)).found() == Lines{"2 too-many"});
  CHECK(DeciderReading(tree(64, 65, 32)).found() == Lines{"3 too-many"});
  CHECK(DeciderReading(tree(64, 64, 34)).found() == Lines{"4 too-many"});
}

TEST_CASE("a shuffle group has 64 children, another group any number") {
  const auto children = [](std::size_t count) { return numbered("<Decider behavior='idle' name='D", "'/>", count); };
  CHECK(found_in({children(64)}, {}, "shuffle").empty());
  CHECK(found_in({children(65)}, {}, "shuffle") == Lines{"2 too-many"});
  CHECK(found_in({children(1000)}, {}, "random").empty());
}

TEST_CASE("shared groups multiply paths, and are neither expanded nor counted apart") {
  CHECK(found_in({"<DeciderRef name='S0'/>"}, {chain(40, 2, "decide='x'")}).empty());
  CHECK(found_in({"<DeciderRef name='S0'/>"}, {chain(layout::kMaxLevels - 2, 1, "decide='x'")}).empty());
  // From the last one up: the first one that is too large is reported.
  CHECK(found_in({"<DeciderRef name='S0'/>"}, {chain(layout::kMaxLevels - 1, 1, "decide='x'")}) ==
        Lines{"2 too-large"});
  CHECK(found_in({"<DeciderRef name='S0'/>"}, {chain(18, 2, "delegate='true'")}).empty());
  CHECK(found_in({"<DeciderRef name='S0'/>"}, {chain(40, 2, "delegate='true'")}) == Lines{"26 too-large"});
}

TEST_CASE("a cycle of very many shared deciders is shown in part") {
  std::string deciders = chain(20'000, 1, "decide='x'");
  deciders.replace(deciders.find("'S20000'/></Group>"), 8, "'S0'");
  const DeciderReading reading(decider_tree({"<DeciderRef name='S20000'/>"}, "random", {deciders}));
  REQUIRE(reading.findings.all().size() == 1);
  CHECK(reading.findings.all()[0].message.size() < 300);
  CHECK(reading.findings.all()[0].related.size() < 30);
}

TEST_CASE("a path has 16 MiB of memory") {
  const auto tree = [](std::size_t levels) {
    return "<DeciderTree name='T'><Behaviors><Behavior name='b' memory='65535'/></Behaviors>\n" +
           numbered("<Group policy='random' behavior='b' name='G", "'>", levels - 1) +
           "<Decider name='D' behavior='b'/>" + repeat("</Group>", levels - 1) + "</DeciderTree>";
  };
  CHECK(DeciderReading(tree(256)).found().empty());
  CHECK(DeciderReading(tree(257)).found() == Lines{"2 too-large"});
}

TEST_CASE("a tree has 65,534 deciders and references") {
  const auto tree = [](std::size_t count) {
    return decider_tree({repeat("<DeciderRef name='S'/>", count)}, "random",
                        {"<Deciders><Decider name='S' behavior='idle'/></Deciders>"});
  };
  CHECK(DeciderReading(tree(layout::kMaxNodes - 2)).found().empty());
  CHECK(DeciderReading(tree(layout::kMaxNodes - 1)).found() == Lines{"1 too-large"});
}

TEST_CASE("words that a list repeats very often are two findings") {
  constexpr std::size_t kMany = 1'000;
  const DeciderReading reading(
      decider_tree({"<Decider name='A' behavior='idle' flagsAny='" + repeat("Dead !Night ", kMany) + "'/>"}));
  CHECK(reading.found() == Lines{"3 repeated-word <- 3", "3 repeated-word <- 3"});
}

}  // namespace dialects_decider_limits
