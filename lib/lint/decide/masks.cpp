// Preconditions as masks. See masks.h.
#include "lint/decide/masks.h"

#include "lint/decide/outline.h"

namespace espalier::lint {
namespace {

using Kind = WantedMasks::Kind;

std::uint64_t lowest(std::uint64_t bits) { return bits & (~bits + 1); }

bool holds_any(const Kind& kind, std::uint64_t state) {
  return !kind.has_any || ((kind.any_present & state) | (kind.any_absent & ~state)) != 0;
}

bool surely_implies(const Kind& kind, const Kind& then) {
  if ((then.required & ~kind.required) != 0 || (then.forbidden & ~kind.forbidden) != 0) return false;
  if (!then.has_any || (then.any_present & kind.required) != 0 || (then.any_absent & kind.forbidden) != 0) return true;
  return kind.has_any && (kind.any_present & ~then.any_present) == 0 && (kind.any_absent & ~then.any_absent) == 0;
}

}  // namespace

bool fits_masks(const ir::Tree& tree) {
  constexpr std::size_t kBits = 64;
  return tree.variables.size() <= kBits && tree.as<ir::Deciding>().stimuli.size() <= kBits;
}

WantedMasks masks_of(const ir::Decider& decider) {
  WantedMasks masks;
  for (const WantedListInfo& info : kWantedLists) {
    Kind& kind = masks.kinds[info.is_of_stimuli ? 1 : 0];
    const ir::Few<ir::Wanted>& words = (decider.*info.list).words;
    if (info.is_any) kind.has_any = !words.empty();
    std::uint64_t& present = info.is_any ? kind.any_present : kind.required;
    std::uint64_t& absent = info.is_any ? kind.any_absent : kind.forbidden;
    for (const ir::Wanted& word : words) (word.present ? present : absent) |= std::uint64_t{1} << word.index;
  }
  return masks;
}

bool holds(const WantedMasks& masks, const DecideState& state) {
  for (std::size_t i = 0; i < state.size(); ++i) {
    const Kind& kind = masks.kinds[i];
    if ((kind.required & ~state[i]) != 0 || (kind.forbidden & state[i]) != 0) return false;
    if (!holds_any(kind, state[i])) return false;
  }
  return true;
}

DecideState fewest(const WantedMasks& masks) {
  DecideState state = {};
  for (std::size_t i = 0; i < state.size(); ++i) {
    const Kind& kind = masks.kinds[i];
    state[i] = kind.required;
    if (!holds_any(kind, state[i])) state[i] |= lowest(kind.any_present & ~kind.forbidden);
  }
  return state;
}

DecideState most(const WantedMasks& masks) {
  DecideState state = {};
  for (std::size_t i = 0; i < state.size(); ++i) {
    const Kind& kind = masks.kinds[i];
    state[i] = ~kind.forbidden;
    if (!holds_any(kind, state[i])) state[i] &= ~lowest(kind.any_absent & ~kind.required);
  }
  return state;
}

bool surely_implies(const WantedMasks& masks, const WantedMasks& then) {
  return surely_implies(masks.kinds[0], then.kinds[0]) && surely_implies(masks.kinds[1], then.kinds[1]);
}

}  // namespace espalier::lint
