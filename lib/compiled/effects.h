// What each change of the text does by itself.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiled/changes.h"
#include "explore/explore.h"

namespace espalier::compiled {

// The old version with the files of `after` in place of its own, as explore::diff() compares it with that of `before`
// within a part of the budget, 1 / `parts`. No files: the old version as it is. None: one cannot be compiled.
using Files = std::vector<TextChanges::File>;
using CompareWith = std::function<std::optional<std::vector<explore::TreeDiff>>(const Files& before, const Files& after,
                                                                                std::uint64_t parts)>;

// Gives changes their effects, by the differences of the two versions: none if there are no differences; a single one
// makes them all; of some, each is made alone, or if that cannot be read, with those that do nothing alone, or with the
// others in its tree that cannot be read either, or else after another one or all others; of many, none is looked at.
[[nodiscard]] std::vector<explore::Change> with_effects(const TextChanges& changes,
                                                        std::span<const explore::TreeDiff> diffs,
                                                        const CompareWith& compare);

}  // namespace espalier::compiled
