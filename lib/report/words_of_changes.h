// What changed in the text of trees, in words.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "explore/results.h"

namespace espalier::report {

// How a form writes a name or a value of the trees.
using WriteName = std::function<std::string(std::string_view name)>;

// "'Recovery' is tried once, was 3 times"; "'Go' has speed 'Walk', was 'Run'".
std::string change_words(const explore::Change& change, const WriteName& name);
// "2 changes of behaviour in 1 of 15 trees".
std::string diff_summary(std::span<const explore::TreeDiff> trees, std::span<const explore::Change> changes);

}  // namespace espalier::report
