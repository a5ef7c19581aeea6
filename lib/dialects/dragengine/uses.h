// How files use one another by subtrees: resolves paths, finds files that use themselves, and computes the size of a
// tree without expanding it.
#pragma once
#include <vector>

#include "dialects/dragengine/rule_file.h"

namespace espalier::dialects::dragengine {

// A subtree, and the number of the file that contains it.
struct FileUse {
  std::size_t user;
  FileRule* rule;
};

// Resolves the subtrees of all files. They are returned in the order of the files.
[[nodiscard]] std::vector<FileUse> resolve_subtrees(std::vector<RuleFile>& files, std::span<const OtherFile> others,
                                                    bool is_partial, text::Findings& findings);

// Marks files as faulty that use a faulty one or themselves, or become too large.
void check_uses(std::vector<RuleFile>& files, const std::vector<FileUse>& uses, text::Findings& findings);

}  // namespace espalier::dialects::dragengine
