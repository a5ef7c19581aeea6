// Formats the trees of a project, in memory.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "project/snapshot.h"
#include "rewrite/rewritten_file.h"
#include "text/finding.h"

namespace espalier::rewrite {

// A file that is left as it is, and why.
struct LeftFile {
  std::string path;
  std::string reason;
};

struct FormattedFiles {
  std::vector<RewrittenFile> changed;  // by path, as the next
  std::vector<LeftFile> left;
  std::size_t unchanged_count = 0;
  text::Sources sources;
  text::Findings findings;  // of files that are not well-formed
};

// Formats the trees that the options name; nothing is written. With the name of a dialect's migration, they are
// migrated instead, and keep their layout. "-" is always among the changed. False: a file could not be read.
[[nodiscard]] bool format_files(const project::LoadOptions& options, std::string_view migration, FormattedFiles& result,
                                project::LoadErrors& errors, project::Progress* progress = nullptr);

// The names of all dialects' migrations, with '|' between them.
[[nodiscard]] std::string migrations();

}  // namespace espalier::rewrite
