// Traces that show what findings say can happen.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "explore/results.h"
#include "text/finding.h"

namespace espalier::explore {

// text::Claim, with the places of an asset.
struct Claim {
  struct At {
    text::Happens happens;
    SourcePlace node;
  };
  std::vector<At> nodes = {};
};

// A node whose results are fewer than those that the host could give: runs in which it gives another one are left out.
struct ResultsOfNode {
  SourcePlace node = {};
  std::uint8_t results = 0;  // bit 1 << Result
};

// The words [begin, end) of a node and what is below it.
struct WordRange {
  std::uint32_t word = 0;
  std::uint32_t end = 0;
};

// The nodes of an asset by the place at which they are written. The asset must have names and places.
class NodesByPlace {
 public:
  explicit NodesByPlace(const Asset& asset);
  std::vector<WordRange> at(const SourcePlace& place) const;

 private:
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::vector<WordRange>> words_;
};

// Of each claim the shortest trace to an update in which all of it happens; none: none was found within the budget.
// `nodes`: those of the tree's asset.
std::vector<std::optional<Trace>> show_claims(const Tree& tree, const NodesByPlace& nodes,
                                              std::span<const Claim> claims, std::span<const ResultsOfNode> declared,
                                              const Options& options);

}  // namespace espalier::explore
