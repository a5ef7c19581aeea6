// Programs of BehaviorTree.CPP: where they start, which files they have, and what names mean in them.
#include <algorithm>
#include <string>
#include <vector>

#include "dialects/btcpp/programs.h"
#include "unit.h"

namespace dialects_btcpp_programs {

using namespace espalier::dialects::btcpp;

namespace {

struct TreeText {
  std::string name;
  std::vector<std::string> references = {};
};
struct FileText {
  std::string path;
  std::vector<TreeText> trees;
  std::string main = {};
  std::vector<std::size_t> includes = {};
  std::size_t package = 0;
};

// The texts of the files must outlive what is made.
ProgramFiles files_of(const std::vector<FileText>& files) {
  ProgramFiles result;
  for (std::size_t i = 0; i < files.size(); ++i) {
    ProgramFiles::File& file = result.files.emplace_back();
    file.path = files[i].path;
    file.package = files[i].package;
    if (!files[i].main.empty()) file.main = files[i].main;
    file.first_tree = result.trees.size();
    file.tree_count = files[i].trees.size();
    for (const TreeText& tree : files[i].trees)
      result.trees.push_back({i, tree.name, {tree.references.begin(), tree.references.end()}});
    result.includes.push_back(files[i].includes);
  }
  return result;
}

std::vector<std::size_t> starts_of(const std::vector<FileText>& files) {
  const Programs programs(files_of(files));
  return {programs.starts().begin(), programs.starts().end()};
}

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("btcpp programs: where they start") {
  struct Case {
    const char* about;
    std::vector<FileText> files;
    Numbers starts;
  };
  const std::vector<Case> cases = {
      {"files that nothing joins are programs", {{"/a", {{"MainTree"}}}, {"/b", {{"MainTree"}}}}, {0, 1}},
      {"a file that another one includes is none", {{"/a", {{"A"}}, "", {1}}, {"/b", {{"B"}}}}, {0}},
      {"nor one that another one needs", {{"/a", {{"A"}}}, {"/b", {{"B", {"A"}}}}}, {1}},
      {"a file that names its main tree is one", {{"/a", {{"A"}}, "A"}, {"/b", {{"B", {"A"}}}}}, {0, 1}},
      {"unless it is included and has no such tree", {{"/a", {{"A"}}, "Gone"}, {"/b", {{"B"}}, "B", {0}}}, {1}},
      {"of files that need each other the first one is", {{"/a", {{"A", {"B"}}}}, {"/b", {{"B", {"A"}}}}}, {0}},
      {"a circle that another file needs is none",
       {{"/a", {{"A", {"B"}}}}, {"/b", {{"B", {"A"}}}}, {"/c", {{"C", {"B"}}}}},
       {2}},
      {"a file without trees is none", {{"/a", {}, "", {1}}, {"/b", {{"B"}}}}, {1}},
      {"a file is needed through one that names another main tree",
       {{"/a", {{"A"}}}, {"/b", {{"B", {"A"}}}, "Gone"}, {"/c", {{"C"}}, "", {1}}},
       {2}},
      {"a program that starts by its name leaves nothing to start",
       {{"/a", {{"A"}}, "", {1}}, {"/b", {{"B", {"A"}}}, "B"}},
       {1}},
  };
  for (const Case& each : cases) {
    INFO(each.about);
    CHECK(starts_of(each.files) == each.starts);
  }
}

TEST_CASE("btcpp programs: a name means the tree of the program, then the nearest one of the package") {
  const std::vector<FileText> files = {{"/p/a/main", {{"Main", {"Part", "Wait"}}, {"Wait"}}, "Main", {}, 1},
                                       {"/p/a/deep/part", {{"Part"}}, "", {}, 1},
                                       {"/p/b/part", {{"Part", {"Wait"}}, {"Wait"}}, "", {}, 1},
                                       {"/q/part", {{"Part"}}, "", {}, 2}};
  Programs programs(files_of(files));
  CHECK(programs.find("Part", 0) == 2U);  // two folders lie between /p/a/main and /p/b/part, one to /p/a/deep/part
  CHECK(programs.find("Wait", 0) == 1U);
  CHECK(programs.find("Gone", 0) == std::nullopt);
  CHECK(programs.find("Part", 3) == 5U);
}

TEST_CASE("btcpp programs: a file that is taken brings no tree whose name the program has") {
  const std::vector<FileText> files = {{"/a", {{"Main", {"Part"}}, {"Wait"}}, "Main"},
                                       {"/b", {{"Part", {"Wait"}}, {"Wait"}}, "Part"}};
  Programs programs(files_of(files));
  CHECK(programs.find("Wait", 1) == 3U);  // a program starts there, too
  REQUIRE(programs.mixed().count(0) == 1);
  const Programs::Program& program = programs.mixed().at(0);
  CHECK(program.files == Numbers{0, 1});
  CHECK(program.shared.at("Wait") == 1U);
  REQUIRE(program.left_out.size() == 1);
  CHECK(program.left_out.front().tree == 3U);
}

TEST_CASE("btcpp programs: the last tree of what a file includes and its own wins") {
  const std::vector<FileText> files = {
      {"/a", {{"Main", {"Part"}}}, "Main", {1, 2}}, {"/b", {{"Part"}}}, {"/c", {{"Part"}}, "", {1}}};
  Programs programs(files_of(files));
  CHECK(programs.find("Part", 0) == 2U);
  CHECK(programs.find_included("Part", 1) == 1U);
  const auto order = programs.orders().of(0);
  CHECK(Numbers(order.begin(), order.end()) == Numbers{1, 2, 0});
}

TEST_CASE("btcpp programs: folders between files") {
  CHECK(folders_between("/p/a.xml", "/p/b.xml") == 0);
  CHECK(folders_between("/p/a.xml", "/p/q/b.xml") == 1);
  CHECK(folders_between("/p/r/a.xml", "/p/q/b.xml") == 2);
  CHECK(folders_between("/p/ra/a.xml", "/p/rb/b.xml") == 2);
}

}  // namespace dialects_btcpp_programs
