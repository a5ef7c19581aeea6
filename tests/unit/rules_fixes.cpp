// Findings have the fixes that the rule table states, in all files that other tests lint.
#include <filesystem>
#include <set>

#include "project/project.h"
#include "rules/rules.h"
#include "source_folder.h"
#include "unit.h"

namespace rules_fixes {

using namespace espalier;

namespace {

// The folders in which trees are, examples and whole projects.
std::set<std::string> folders_of_trees() {
  std::set<std::string> folders;
  for (const char* part : {"lib/rules", "tests/golden/lint", "tests/conformance", "samples"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_folder() / part)) {
      if (entry.path().extension() == ".xml") folders.insert(entry.path().parent_path().string());
    }
  }
  return folders;
}

}  // namespace

TEST_CASE("no fix is less safe than the grade of its rule") {
  std::size_t fix_count = 0;
  for (const std::string& folder : folders_of_trees()) {
    CAPTURE(folder);
    project::Project project;
    project::LoadErrors errors;
    if (!project::load({{folder}}, project, errors)) continue;
    for (const text::Finding& finding : project.findings.all()) {
      for (const text::Fix& fix : finding.fixes) {
        const rules::RuleInfo& rule = rules::info(finding.rule);
        CAPTURE(rule.code, fix.title);
        CHECK(fix.grade != rules::FixGrade::none);
        CHECK(fix.grade <= rule.fix);
        ++fix_count;
      }
    }
  }
  CHECK(fix_count > 20);
}

}  // namespace rules_fixes
