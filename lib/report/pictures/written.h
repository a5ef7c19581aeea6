// Pictures of trees that poll as they are written: those that cannot be compiled, since they have errors, or use trees
// that are not known. A SubTree is a box.
#pragma once
#include <functional>
#include <vector>

#include "ir/poll/written.h"
#include "report/pictures/outline.h"
#include "text/source.h"

namespace espalier::report {

// The trees of the project for which `is_drawn` holds and that have a root. Those of one name, or without one, are
// named by their files: "nav/follow.xml: MainTree".
std::vector<PictureTree> outline_written(const ir::poll::WrittenProject& project, const text::Sources& sources,
                                         const std::function<bool(const ir::poll::WrittenTree&)>& is_drawn);

}  // namespace espalier::report
