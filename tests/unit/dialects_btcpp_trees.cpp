// Projects of BehaviorTree.CPP's trees: limits, cycles, and what other files of a project mean for a finding.
#include "trees_reading.h"
#include "unit.h"

namespace dialects_btcpp_trees {

using namespace espalier;
using Reading = TreesReading<dialects::btcpp::dialect>;

namespace {

std::string file(const std::string& trees, const std::string& main = "") {
  return "<root BTCPP_format=\"4\"" + (main.empty() ? main : " main_tree_to_execute=\"" + main + "\"") + ">" + trees +
         "</root>";
}
std::string tree(const std::string& id, const std::string& nodes) {
  return "<BehaviorTree ID=\"" + id + "\">" + nodes + "</BehaviorTree>\n";
}
std::string nested(int depth, const std::string& inside) {
  std::string result = inside;
  for (int i = 0; i < depth; ++i) result = "<Inverter>" + result + "</Inverter>";
  return result;
}

}  // namespace

TEST_CASE("btcpp: trees and models are known in all files") {
  const Reading reading(Lines{
      file(tree("A", "<SubTree ID=\"B\"/>"), "A"),
      file(tree("B", "<MoveBase/>")),
      file("<TreeNodesModel><Action ID=\"MoveBase\"/></TreeNodesModel>"),
  });
  CHECK(reading.found() == Lines{});
}

TEST_CASE("btcpp: a tree that any file names as the main one, or that makes its file a program, is not unused") {
  const std::string sleep = "<Sleep msec=\"1\"/>";
  const Reading reading(
      Lines{file(tree("A", sleep)), file("\n" + tree("B", sleep), "B"), file("\n\n" + tree("C", sleep), "C")});
  CHECK(reading.found() == Lines{});
}

TEST_CASE("btcpp: a reference to what may be in another file is not checked") {
  dialects::Options options;
  options.is_partial = true;
  CHECK(Reading(file(tree("A", "<SubTree ID=\"B\"/>")), options).found() == Lines{"1 unchecked-reference"});
  CHECK(Reading(file(tree("A", "<SubTree ID=\"B\"/>"))).found() == Lines{"1 unknown-tree"});
}

TEST_CASE("btcpp: a cycle of trees is reported where it closes, from the main tree on") {
  const std::string trees =
      tree("B", "<SubTree ID=\"C\"/>") + tree("C", "<SubTree ID=\"B\"/>") + tree("A", "<SubTree ID=\"C\"/>");
  CHECK(Reading(file(trees, "A")).found() == Lines{"1 tree-cycle <- 2"});
  CHECK(Reading(file(trees, "B")).found() == Lines{"2 tree-cycle <- 1", "3 unused-tree"});
}

TEST_CASE("btcpp: 256 levels are allowed, through subtrees too") {
  const std::string leaf = "<AlwaysSuccess/>";
  CHECK(Reading(file(tree("A", nested(255, leaf)))).found() == Lines{});
  CHECK(Reading(file(tree("A", nested(256, leaf)))).found() == Lines{"1 too-deep"});
  const auto divided = [&](int outer, int inner) {
    return file(tree("A", nested(outer, "<SubTree ID=\"B\"/>")) + tree("B", nested(inner, leaf)), "A");
  };
  CHECK(Reading(divided(127, 127)).found() == Lines{});
  CHECK(Reading(divided(255, 0)).found() == Lines{"1 too-deep"});
}

TEST_CASE("btcpp: a damaged file hides nothing of the others, and tells nothing wrong of them") {
  const Reading reading(Lines{file(tree("A", "<SubTree ID=\"B\"/><Sleep/>"), "A"), file(tree("B", "<Sleep"))});
  for (const std::string& each : reading.found()) {
    INFO(each);
    CHECK(each.find("unused-tree") == std::string::npos);
  }
}

TEST_CASE("btcpp: the order of attributes and children does not matter to what is found") {
  const std::string one = "<SetBlackboard output_key=\"n\" value=\"1\" _skipIf=\"a b\"/>";
  const std::string other = "<SetBlackboard _skipIf=\"a b\" value=\"1\" output_key=\"n\"/>";
  CHECK(Reading(file(tree("A", one))).found() == Reading(file(tree("A", other))).found());
}

}  // namespace dialects_btcpp_trees
