// What answers need. See explore.h.
#include "explore/explore.h"
#include "runtime/asset/view.h"

namespace espalier::explore {

bool has_names(const Asset& asset) { return !is_stripped(asset); }

}  // namespace espalier::explore
