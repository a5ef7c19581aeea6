// Loading by the library: what the program's own checks of paths hide. Everything else is shown in tests/golden/cli and
// tests/golden/lint.
#include <set>

#include "project/baseline.h"
#include "project/project.h"
#include "rules/rules.h"
#include "temporary_folder.h"
#include "unit.h"

namespace project_load {

using namespace espalier;

namespace {

project::Project loaded(const std::vector<std::string>& paths) {
  project::Project project;
  project::LoadErrors errors;
  REQUIRE(project::load({paths}, project, errors));
  return project;
}

}  // namespace

TEST_CASE("files of two projects are not a project") {
  const TemporaryFolder folder;
  for (const char* name : {"one", "other"}) {
    folder.write(std::string(name) + "/espalier.json", "{}");
    folder.write(std::string(name) + "/tree.xml",
                 "<SelectionTree name=\"" + std::string(name) +
                     "\" type=\"BehaviorSelectionTree\"><Ref name=\"R\"/></SelectionTree>");
  }
  const project::Project project = loaded({"one/tree.xml", "other/tree.xml"});
  REQUIRE(project.findings.all().size() == 2);
  for (const text::Finding& finding : project.findings.all())
    CHECK(rules::info(finding.rule).name == "unchecked-reference");
}

TEST_CASE("of files that were not checked, a baseline's findings may still exist") {
  const TemporaryFolder folder;
  folder.write("tree.xml",
               "<SelectionTree name=\"T\" type=\"BehaviorSelectionTree\">\n<Leaf name=\"L\" "
               "condition=\"true\"/>\n</SelectionTree>");
  project::Project project = loaded({"."});
  REQUIRE(project.findings.all().size() == 1);
  const std::string baseline = project::write_baseline(project.findings, project.snapshot.sources, "accepted.json");
  const auto apply = [&](const std::set<text::FileId>& rest) {
    project::BaselineResult result;
    std::string error;
    REQUIRE(project::apply_baseline(baseline, "accepted.json", project.snapshot.sources, rest, project.findings, result,
                                    error));
    return result;
  };
  CHECK(apply({}).accepted == 1);
  CHECK(project.findings.all().empty());
  CHECK(apply({}).stale == 1);
  CHECK(apply({project.snapshot.files[0].id}).stale == 0);
}

TEST_CASE("the number of threads changes nothing") {
  const TemporaryFolder folder;
  const char* const kTrees[] = {
      "<SelectionTree name='S$' type='BehaviorSelectionTree'><Ref name='R$'/><Leaf name='L' "
      "condition='no'/></SelectionTree>",
      "<BehaviorTree><Root><Sequense><A$/></Sequense></Root></BehaviorTree>",
      "<behaviorTree><sequence id='a'><action id='a' name='x$'/></sequence></behaviorTree>",
      "<DeciderTree name='D$'><Group name='G' policy='first'><Decider name='d' behavior='b$'/></Group></DeciderTree>",
      "<SynchronizedTree name='Y$'><Sequence><ChildTree slot='s' "
      "default='Y1$'/><Action/></Sequence></SynchronizedTree>"};
  for (int i = 0; i < 40; ++i) {
    for (std::size_t kind = 0; kind < std::size(kTrees); ++kind) {
      std::string text = kTrees[kind];
      for (std::size_t at = 0; (at = text.find('$')) != std::string::npos;) text.replace(at, 1, std::to_string(i));
      folder.write("tree" + std::to_string(kind) + '-' + std::to_string(i) + ".xml", text);
    }
  }
  const auto findings = [](std::uint32_t thread_count) {
    project::LoadOptions options{{"."}};
    options.thread_count = thread_count;
    project::Project project;
    project::LoadErrors errors;
    REQUIRE(project::load(options, project, errors));
    std::vector<std::string> all;
    for (const text::Finding& each : project.findings.all()) {
      all.push_back(project.snapshot.sources[each.span.file].path() + ' ' + std::to_string(each.span.begin) + ' ' +
                    each.message + ' ' + each.hint);
    }
    for (const ir::Tree& tree : project.ir.trees) all.push_back(tree.name);
    return all;
  };
  const std::vector<std::string> by_one = findings(1);
  CHECK(by_one.size() > 200);
  CHECK(findings(2) == by_one);
  CHECK(findings(5) == by_one);
}

}  // namespace project_load
