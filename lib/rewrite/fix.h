// Applies the fixes of findings to the files of a project, in memory.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "project/project.h"
#include "rewrite/rewritten_file.h"
#include "rules/rules.h"

namespace espalier::rewrite {

struct Fixed {
  project::Project project;          // with all fixes; its findings are those that remain
  std::vector<RewrittenFile> files;  // that change, and standard input even if it does not
  std::size_t fix_count = 0;
  // Files with fixes whose bytes cannot be written from their text without a loss: they are left as they are.
  std::vector<std::string> left;
};

// Which of a project's findings are to be fixed.
using Selection = std::function<text::Findings(const project::Project& project)>;

// Loads a project, applies the fixes that are no less safe than `grade`, checks the result, and so on until nothing can
// be fixed any more. Nothing is written. False: the project could not be loaded.
[[nodiscard]] bool fix(const project::LoadOptions& options, rules::FixGrade grade, const Selection& selection,
                       Fixed& fixed, project::LoadErrors& errors, project::Progress* progress = nullptr);

}  // namespace espalier::rewrite
