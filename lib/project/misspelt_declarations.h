// Declarations that are misspelt: all uses of a name agree, and only its declaration differs from them.
#pragma once
#include <set>

#include "project/name_counts.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::project {

// Where declarations may be taken for misspelt.
struct DeclaringFiles {
  std::set<text::FileId> files = {};  // of the project; a host file is another program's, and right
  bool are_apart = false;             // findings stay in the file that they are in
};

// At least two uses of one spelling, which nothing declares, and a declaration so near that nothing else uses: the
// findings of the uses become one, at the declaration. Those of other spellings name the one that most uses agree on.
void move_to_declarations(const text::Sources& sources, const DeclaringFiles& declaring, NameCounts& counts,
                          text::Findings& findings);

}  // namespace espalier::project
