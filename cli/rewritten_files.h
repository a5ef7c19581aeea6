// Writes files with a new text, or shows what changes in them.
#pragma once
#include <vector>

#include "cli/cli.h"
#include "rewrite/rewritten_file.h"

namespace espalier::cli {

// All are written or none is; standard input goes to standard output. Returns the exit status.
int write_rewritten(const std::vector<rewrite::RewrittenFile>& files);

// Writes unified diffs to standard output.
void print_diffs(const std::vector<rewrite::RewrittenFile>& files, const CommonOptions& common);

}  // namespace espalier::cli
