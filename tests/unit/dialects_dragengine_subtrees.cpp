// Findings of the reader of rule trees if files use one another.
#include "dragengine_reading.h"
#include "unit.h"

namespace dialects_dragengine_subtrees {

using namespace espalier;

namespace {

using Files = std::vector<std::pair<std::string, std::string>>;

Lines found_in(const Files& files) { return DragengineReading(files).found(); }

std::string use(const std::string& path, const std::string& id = "") {
  return "<subtree" + (id.empty() ? "" : " id='" + id + "'") + ">" + path + "</subtree>";
}

}  // namespace

TEST_CASE("a path that leads to no file of rules is told at the subtree") {
  struct Case {
    const char* path;
    Lines found;
  };
  const Case cases[] = {
      {"none.xml", {"a/tree.xml:2 subtree-path"}},
      {"Part.xml", {"a/tree.xml:2 subtree-path"}},
      {"/part.xml", {"a/tree.xml:2 subtree-path"}},
      {"..", {"a/tree.xml:2 subtree-path"}},
      {"parts/", {"a/tree.xml:2 subtree-path"}},
      {"parts", {"a/tree.xml:2 subtree-path"}},
      {"../../b.xml", {"a/tree.xml:2 subtree-path"}},
      {"/../b.xml", {"a/tree.xml:2 subtree-path"}},
      {"part.xml", {}},
      {"/a/part.xml", {}},
      {"../a/./part.xml", {}},
      {"parts/../part.xml", {}},
      {"parts/p.xml", {}},
      {"../other.xml", {"a/tree.xml:2 subtree-path <- other.xml:1"}},
      {"../bad.xml", {}},
  };
  for (const Case& each : cases) {
    CAPTURE(each.path);
    Lines expected = each.found;
    expected.push_back("bad.xml:1 unclosed-element <- bad.xml:1");
    const DragengineReading reading(Files{{"a/part.xml", rule_file({"<success/>"})},
                                          {"a/parts/p.xml", rule_file({"<success/>"})},
                                          {"a/tree.xml", rule_file({use(each.path)})},
                                          {"bad.xml", "<behaviorTree>"},
                                          {"other.xml", "<BehaviorTree/>"}});
    CHECK(reading.found() == expected);
    const bool is_tree = each.found.empty() && std::string_view(each.path) != "../bad.xml";
    CHECK(reading.project.trees.size() == (is_tree ? 3 : 2));
  }
}

TEST_CASE("what is said of a path tells what is wrong with it") {
  const auto message = [](const std::string& path) {
    const DragengineReading reading(
        Files{{"idle/wander.xml", rule_file({"<success/>"})}, {"tree.xml", rule_file({use(path)})}});
    REQUIRE(reading.findings.all().size() == 1);
    return reading.findings.all()[0].message + "; " + reading.findings.all()[0].hint;
  };
  CHECK(message("idle/wandr.xml") == "unknown file 'idle/wandr.xml'; did you mean 'idle/wander.xml'?");
  CHECK(message("/idle/Wander.xml") == "unknown file '/idle/Wander.xml'; did you mean '/idle/wander.xml'?");
  CHECK(message("idle") == "'idle' is a folder, not a file; ");
  CHECK(message("../wander.xml") == "'../wander.xml' is outside the project; only files of the project are read");
}

TEST_CASE("a file that a misspelt path means is no tree with two rules") {
  const std::string two = rule_file({"<success/>", "<failure/>"});
  CHECK(found_in({{"part.xml", two}, {"tree.xml", rule_file({use("Part.xml")})}}) == Lines{"tree.xml:2 subtree-path"});
  CHECK(found_in({{"part.xml", two}, {"tree.xml", rule_file({use("x.xml")})}}) ==
        Lines{"part.xml:3 second-root <- part.xml:2", "tree.xml:2 subtree-path"});
}

TEST_CASE("a file that leads to a faulty one is no tree, and the fault is told once") {
  const DragengineReading reading(Files{{"a.xml", rule_file({"<sequence>" + use("b.xml") + "</sequence>"})},
                                        {"b.xml", rule_file({"<action/>"})},
                                        {"c.xml", rule_file({use("a.xml")})},
                                        {"d.xml", rule_file({"<success/>"})}});
  CHECK(reading.found() == Lines{"b.xml:2 missing-attribute"});
  REQUIRE(reading.project.trees.size() == 1);
  CHECK(reading.project.trees[0].name == "d");
}

TEST_CASE("a file that leads to itself is told once, in the file of the cycle that sorts first") {
  CHECK(found_in({{"tree.xml", rule_file({use("tree.xml")})}}) == Lines{"tree.xml:2 subtree-cycle"});
  CHECK(found_in({{"b.xml", rule_file({use("c.xml")})},
                  {"c.xml", rule_file({"<sequence>", use("d.xml"), "</sequence>"})},
                  {"d.xml", rule_file({use("b.xml")})},
                  {"z.xml", rule_file({use("c.xml")})}}) == Lines{"b.xml:2 subtree-cycle <- c.xml:3 <- d.xml:2"});
  // Also if it is reached from a file that sorts before all of the cycle.
  CHECK(found_in({{"a.xml", rule_file({use("d.xml")})},
                  {"b.xml", rule_file({use("d.xml")})},
                  {"d.xml", rule_file({use("b.xml")})}}) == Lines{"b.xml:2 subtree-cycle <- d.xml:2"});
}

TEST_CASE("two cycles are two findings, and the same way back twice is one") {
  CHECK(found_in({{"a.xml", rule_file({"<choice>", use("b.xml"), use("c.xml"), "</choice>"})},
                  {"b.xml", rule_file({"<choice>", use("a.xml"), use("a.xml"), "</choice>"})},
                  {"c.xml", rule_file({use("a.xml")})}}) ==
        Lines{"a.xml:3 subtree-cycle <- b.xml:3", "a.xml:4 subtree-cycle <- c.xml:2"});
}

TEST_CASE("what a cycle holds is no tree, nor what leads to it") {
  const DragengineReading reading(Files{{"a.xml", rule_file({use("b.xml")})},
                                        {"b.xml", rule_file({use("a.xml")})},
                                        {"c.xml", rule_file({use("b.xml")})}});
  CHECK(reading.project.trees.empty());
}

TEST_CASE("ids are unique with those of subtrees") {
  const std::string part = rule_file({"<success id='m'/>"});
  CHECK(found_in({{"part.xml", part},
                  {"tree.xml", rule_file({"<choice>", use("part.xml"), use("part.xml"), "</choice>"})}}) ==
        Lines{"tree.xml:4 duplicate-id <- tree.xml:3"});
  CHECK(found_in({{"part.xml", part},
                  {"tree.xml", rule_file({"<choice>", use("part.xml", "a"), use("part.xml", "b"), "</choice>"})}})
            .empty());
  CHECK(found_in({{"part.xml", part},
                  {"tree.xml", rule_file({"<choice>", use("part.xml"), "<success id='m'/></choice>"})}}) ==
        Lines{"tree.xml:4 duplicate-id <- part.xml:2"});
  CHECK(found_in({{"part.xml", part},
                  {"tree.xml", rule_file({"<choice><success id='a.m'/>", use("part.xml", "a"), "</choice>"})}}) ==
        Lines{"part.xml:2 duplicate-id <- tree.xml:2"});
}

TEST_CASE("of uses within uses the innermost that differ are at fault") {
  const Files files = {{"a.xml", rule_file({"<choice>" + use("c.xml", "c") + "</choice>"})},
                       {"b.xml", rule_file({"<choice>", use("a.xml"), "</choice>"})},
                       {"c.xml", rule_file({"<success id='m'/>", "<success id='n'/>"})},
                       {"tree.xml", rule_file({"<choice>", use("a.xml"), use("b.xml"), "</choice>"})}};
  CHECK(found_in(files) == Lines{"b.xml:3 duplicate-id <- tree.xml:3"});
}

TEST_CASE("two ids that are the same in one file are told once, wherever it is used") {
  CHECK(found_in({{"part.xml", rule_file({"<choice><success id='m'/>", "<success id='m'/></choice>"})},
                  {"tree.xml", rule_file({"<choice>" + use("part.xml", "a") + use("part.xml", "b") + "</choice>"})}}) ==
        Lines{"part.xml:3 duplicate-id <- part.xml:2"});
}

TEST_CASE("two trees of one name are an error at the later") {
  CHECK(found_in({{"a.debt", rule_file({"<success/>"})}, {"a.xml", rule_file({"<success/>"})}}) ==
        Lines{"a.xml:1 duplicate-tree <- a.debt:1"});
}

TEST_CASE("rules are counted before they are put in their places, and told at the smallest file with too many") {
  Files files;
  for (int i = 0; i < 9; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".xml";
    std::string uses;
    for (int k = 0; k < 10; ++k) uses += use(next, "s" + std::to_string(k));
    files.push_back({"f" + std::to_string(i) + ".xml", rule_file({"<choice>" + uses + "</choice>"})});
  }
  files.push_back({"f9.xml", rule_file({"<success/>"})});
  const DragengineReading reading(files);
  // f5 has 22221 rules, f4 ten times as many.
  CHECK(reading.found() == Lines{"f4.xml:1 too-many-rules"});
  CHECK(reading.project.trees.size() == 5);
}

TEST_CASE("the bytes of ids are counted before they are put together") {
  Files files;
  for (int i = 0; i < 4; ++i) {
    const std::string next = "f" + std::to_string(i + 1) + ".xml";
    std::string uses;
    for (int k = 0; k < 8; ++k) uses += use(next, std::string(4000, 'a') + std::to_string(k));
    files.push_back({"f" + std::to_string(i) + ".xml", rule_file({"<choice>" + uses + "</choice>"})});
  }
  files.push_back({"f4.xml", rule_file({"<success id='a'/>"})});
  const Lines found = DragengineReading(files).found();
  CHECK(found.front() == "f0.xml:1 too-many-rules");
}

TEST_CASE("subtrees may stand within one another 256 deep") {
  const auto found = [](int depth) {
    Files files;
    for (int i = 0; i < depth; ++i) {
      files.push_back(
          {"f" + std::to_string(1000 + i) + ".xml", rule_file({use("f" + std::to_string(1001 + i) + ".xml")})});
    }
    files.push_back({"f" + std::to_string(1000 + depth) + ".xml", rule_file({"<success/>"})});
    return found_in(files);
  };
  CHECK(found(256).empty());
  CHECK(found(258) == Lines{"f1001.xml:1 too-deep"});
}

}  // namespace dialects_dragengine_subtrees
