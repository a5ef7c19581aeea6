// Loading by the library: what the program's own checks of paths hide. Everything else is shown in tests/golden/cli and
// tests/golden/lint.
#include <set>

#include "project/baseline.h"
#include "project/project.h"
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

}  // namespace project_load
