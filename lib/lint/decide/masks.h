// Preconditions as masks of flags and stimuli: most questions about a few deciders are decided by trying a state or
// two, without a diagram (preconditions.h).
#pragma once
#include <array>
#include <cstdint>

#include "ir/tree.h"

namespace espalier::lint {

// What is set: flags, then stimuli.
using DecideState = std::array<std::uint64_t, 2>;

// The words of a decider's lists, for flags and for stimuli.
struct WantedMasks {
  struct Kind {
    std::uint64_t required = 0;  // by the list that asks for all of its words
    std::uint64_t forbidden = 0;
    std::uint64_t any_present = 0;  // one of these is enough
    std::uint64_t any_absent = 0;
    bool has_any = false;
  };
  std::array<Kind, 2> kinds;
};

// Has a tree few enough flags and stimuli for masks?
bool fits_masks(const ir::Tree& tree);
WantedMasks masks_of(const ir::Decider& decider);

// Do all lists hold in this state?
bool holds(const WantedMasks& masks, const DecideState& state);
// A state with few words, and one with nearly all of them, in which all lists hold unless they contradict each other.
DecideState fewest(const WantedMasks& masks);
DecideState most(const WantedMasks& masks);
// True: `then` holds in each state in which `masks` holds. False: it may or may not.
bool surely_implies(const WantedMasks& masks, const WantedMasks& then);

}  // namespace espalier::lint
