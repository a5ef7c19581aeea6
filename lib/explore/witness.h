// Traces that show what findings say can happen.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "explore/results.h"
#include "text/finding.h"

namespace espalier::explore {

// text::Claim, with the places of an asset.
struct Claim {
  struct At {
    text::Happens happens;
    Place node;
  };
  std::vector<At> nodes = {};
};

// A node whose results are fewer than those that the host could give: runs in which it gives another one are left out.
struct DeclaredResults {
  Place node = {};
  std::uint8_t results = 0;  // bit 1 << Result
};

// Of each claim the shortest trace to an update in which all of it happens; none: none was found within the budget. The
// asset must have names and places.
std::vector<std::optional<Trace>> show_claims(const Tree& tree, std::span<const Claim> claims,
                                              std::span<const DeclaredResults> declared, const Options& options);

}  // namespace espalier::explore
