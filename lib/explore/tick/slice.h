// Slices of trees that tick: see explore/slice.h.
#pragma once
#include "explore/slice.h"

namespace espalier::explore {

std::unique_ptr<const Slice> slice_ticking(const Tree& tree, const SliceQuestion& question, const HostFacts& host);

}  // namespace espalier::explore
