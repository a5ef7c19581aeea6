// All files that other tests lint: a file becomes a tree unless it has an error, and findings have the fixes that the
// rule table states.
#include <set>
#include <utility>

#include "project/check.h"
#include "project/project.h"
#include "rules/rules.h"
#include "source_folder.h"
#include "unit.h"

namespace project_examples {

using namespace espalier;
namespace fs = std::filesystem;

namespace {

// Folders below `top` that are checked as projects: those with a file that is a tree.
std::set<std::string> projects_below(const fs::path& top) {
  std::set<std::string> folders;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
    if (entry.path().extension() == ".xml") folders.insert(entry.path().parent_path().string());
  }
  return folders;
}

// A file of another dialect may also be a part of trees or a file of blocks.
bool is_always_tree(const project::SnapshotFile& file) {
  if (file.parsed == nullptr || !file.parsed->has_document) return false;
  const std::string_view root = text::XmlDocument(file.parsed, file.id).root_name();
  return root == "DeciderTree" || root == "BehaviorTree" || root == "SynchronizedTree";
}

// The files whose trees have the error: of a misspelt declaration, those that use it.
void add_files(const text::Finding& finding, std::set<text::FileId>& files) {
  if (finding.message.find(" is declared here, but used as ") == std::string::npos) {
    files.insert(finding.span.file);
    return;
  }
  for (const text::Related& use : finding.related) files.insert(use.span.file);
}

}  // namespace

TEST_CASE("a file becomes a tree unless it has an error, and no fix is less safe than the grade of its rule",
          "[examples]") {
  std::size_t sound = 0;
  std::size_t faulty = 0;
  std::size_t fix_count = 0;
  for (const char* top : {"lib/rules", "tests/golden/lint", "tests/conformance", "samples"}) {
    for (const std::string& folder : projects_below(source_folder() / top)) {
      CAPTURE(folder);
      project::Project project;
      project::LoadErrors errors;
      project::ParsedFiles parsed;
      if (!project::take_snapshot({{folder}}, {}, parsed, project.snapshot, errors)) continue;
      project::Checked checked = project::check(project.snapshot);
      project.ir = std::move(checked.ir);
      project.findings = std::move(checked.findings);
      std::set<text::FileId> with_error;
      for (const text::Finding& finding : project.findings.all()) {
        if (finding.severity == rules::Severity::error) add_files(finding, with_error);
        for (const text::Fix& fix : finding.fixes) {
          const rules::RuleInfo& rule = rules::info(finding.rule);
          CAPTURE(rule.code, fix.title);
          CHECK(fix.grade != rules::FixGrade::none);
          CHECK(fix.grade <= rule.fix);
          ++fix_count;
        }
      }
      std::set<text::FileId> trees;
      for (const ir::Tree& tree : project.ir.trees) trees.insert(tree.span.file);
      for (const project::SnapshotFile& file : project.snapshot.files) {
        if (!is_always_tree(file)) continue;
        const std::string& path = project.snapshot.sources[file.id].path();
        CAPTURE(path);
        CHECK((trees.count(file.id) == 0) == (with_error.count(file.id) != 0));
        ++(with_error.count(file.id) == 0 ? sound : faulty);
      }
    }
  }
  CHECK(sound > 200);
  CHECK(faulty > 200);
  CHECK(fix_count > 20);
}

}  // namespace project_examples
