// Pictures of files that cannot be compiled: their elements, as far as they can be read.
#pragma once
#include <set>
#include <vector>

#include "report/pictures/outline.h"
#include "text/source.h"

namespace espalier::report {

// A tree for each of these files. A file that is no XML is one node. One of models of BehaviorTree.CPP, without trees,
// is left out unless it is among the faulty ones.
std::vector<PictureTree> outline_elements(const std::vector<text::FileId>& files, const std::set<text::FileId>& faulty,
                                          const text::Sources& sources);

}  // namespace espalier::report
