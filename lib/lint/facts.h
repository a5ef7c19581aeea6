// What analyses of all engines ask of the outline of a tree, and what follows from the answers in the same way for
// each: when is a place reached, and what can it give there?
#pragma once
#include <concepts>
#include <string>
#include <vector>

#include "lint/never_reached.h"
#include "lint/places.h"

namespace espalier::lint {

// Some answers are about rows: nodes whose children follow one another, as long as each gives a certain result.
template <typename T>
concept Outline = requires(const T& outline, PlaceIndex place, Results next) {
  { outline.gives(place) } -> std::same_as<Results>;  // what runs of it can give, where they come without jumps
  {
    outline.goes_on_after(place)
    } -> std::same_as<Results>;  // the results after which a row goes on; none: it is no row
  { outline.children(place) } -> std::convertible_to<std::span<const PlaceIndex>>;
  { outline.decides(place, next) } -> std::same_as<PlaceIndex>;   // below it, why it never gives these; or kNoPlace
  { outline.why_not(place, next) } -> std::same_as<std::string>;  // "cannot fail"
  { outline.name(place) } -> std::same_as<std::string>;
  { outline.span(place) } -> std::same_as<text::Span>;
};

// The first child of a row that the children before it never let come; kNoPlace: there is none.
template <Outline T>
PlaceIndex first_blocked(const T& outline, PlaceIndex row) {
  const Results next = outline.goes_on_after(row);
  if (next == 0) return kNoPlace;
  const std::span<const PlaceIndex> children = outline.children(row);
  for (std::size_t i = 0; i + 1 < children.size(); ++i) {
    if (!can(outline.gives(children[i]), next)) return children[i + 1];
  }
  return kNoPlace;
}

// Why nothing comes after `blocker`: the place, the one below it that decides, and so on.
template <Outline T>
std::vector<Blocker> blockers_from(const T& outline, PlaceIndex blocker, Results next) {
  std::vector<Blocker> blockers;
  for (PlaceIndex place = blocker; place != kNoPlace; place = outline.decides(place, next)) {
    blockers.push_back({outline.name(place), outline.span(place), outline.why_not(place, next)});
  }
  return blockers;
}

}  // namespace espalier::lint
