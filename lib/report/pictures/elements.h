// Pictures of files that cannot be compiled: their elements, as far as they can be read.
#pragma once
#include <vector>

#include "report/pictures/outline.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::report {

// A tree for each of these files, with the findings at their elements. A file that is no XML is one node.
std::vector<PictureTree> outline_elements(const std::vector<text::FileId>& files, const text::Sources& sources,
                                          const text::Findings& findings);

}  // namespace espalier::report
