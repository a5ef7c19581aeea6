// A tree that polls as its analyses walk it: one list, parents before children, with the results that each node can
// give.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lint/flow.h"
#include "lint/places.h"
#include "lint/poll/analysis.h"

namespace espalier::lint {

class PollOutlines;

struct PollOutline {
  const WrittenTree& tree;
  PlacesOf<WrittenNode> places;
  std::vector<Results> results;  // of each place, with its pre- and postconditions

  // `outlines`: of the trees that it uses.
  PollOutline(const WrittenTree& tree, PollOutlines& outlines);

  const WrittenNode& node(PlaceIndex place) const { return *places[place].node; }
  // See facts.h.
  Results gives(PlaceIndex place) const { return results[place]; }
  Results goes_on_after(PlaceIndex place) const;
  std::span<const PlaceIndex> children(PlaceIndex place) const { return places[place].children; }
  PlaceIndex decides(PlaceIndex place, Results next) const;
  std::string why_not(PlaceIndex place, Results next) const;
  std::string name(PlaceIndex place) const;
  text::Span span(PlaceIndex place) const { return node(place).span; }
};

// Those of all trees, each made when it is first asked for.
class PollOutlines {
 public:
  explicit PollOutlines(const WrittenProject& project) : outlines_(project) {}

  // Null if the tree has errors or is not read.
  const PollOutline* find(const WrittenTree& tree);
  // What a SubTree of it gives: any result if it is not known.
  Results results_of(const WrittenTree& tree);

 private:
  OfTrees<PollOutline> outlines_;
};

// A condition of a node that never lets it begin: the first one.
[[nodiscard]] std::optional<Hook> never_begins(const WrittenNode& node);
// A control of the host's that nobody declares to follow the rules of another one runs as a Sequence, which is not what
// it has to do.
[[nodiscard]] bool is_guess(const WrittenNode& node);

}  // namespace espalier::lint
