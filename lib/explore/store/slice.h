// Slices of trees that store their results: see explore/slice.h.
#pragma once
#include "explore/slice.h"

namespace espalier::explore {

std::unique_ptr<const Slice> slice_storing(const Tree& tree, const SliceQuestion& question, const HostFacts& host);

}  // namespace espalier::explore
