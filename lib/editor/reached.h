// What runs of the trees of a file reach: facts for hover and lenses.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "editor/compiled_trees.h"
#include "editor/live_project.h"
#include "explore/results.h"

namespace espalier::editor {

// An element that runs can reach, such as a node, a leaf or a state.
struct ReachedElement {
  std::uint32_t offset = 0;  // of its name in the file
  std::string name = {};     // as covers call it
  explore::Reached reached = explore::Reached::undecided;
  std::optional<explore::Trace> shortest = {};  // of all trees of the file
  std::string only_result = {};                 // "success": no run gives another one; empty: not so, or not known
};

struct ReachedElements {
  // What they are true for.
  std::vector<std::uint64_t> words;
  explore::HostFacts host;
  std::vector<std::string> signal_only;

  std::vector<ReachedElement> elements;  // by offset
};

// Are they true for what the trees are now?
[[nodiscard]] bool are_current(const ReachedElements& known, const LiveProject& project, const CompiledTrees& trees);
// Explores the trees whose text begins in this file, each within a limit: less than a second for all.
[[nodiscard]] ReachedElements find_reached(const LiveProject& project, FileId file, CompiledTrees trees);

// The element whose name begins there; null: none is known.
[[nodiscard]] const ReachedElement* reached_at(const ReachedElements& known, std::uint32_t offset);
// How it is reached, as Markdown, for hover.
[[nodiscard]] std::string words_of(const ReachedElement& element);
// The same in a few words, for a lens; empty: nothing to say.
[[nodiscard]] std::string title_of(const ReachedElement& element);

}  // namespace espalier::editor
