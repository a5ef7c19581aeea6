// Can a tree always return to where it began?
#pragma once
#include "explore/results.h"

namespace espalier::explore {

// Whatever has happened, can a later update show what the first one may show, without being reset by the program? If
// not, the trace leads to where it no longer can. The tree must be one that is explored with one agent.
Proof prove_return(const Tree& tree, const Options& options);

}  // namespace espalier::explore
