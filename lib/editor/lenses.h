// Lines that an editor shows above elements: what trees cost, their traces, and what these reach.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "editor/answers.h"
#include "editor/compiled_trees.h"
#include "editor/live_project.h"
#include "editor/reached.h"

namespace espalier::editor {

struct Lens {
  std::uint32_t offset = 0;
  std::string title;
  std::string trace = {};                       // the path of the trace that it runs; empty: none
  std::optional<explore::Trace> shortest = {};  // the trace that it runs, which is no file
};
// Of a file of trees: what an agent costs, the traces of each tree, by how many of them elements are reached, and how
// these can be reached at all, if that is known.
[[nodiscard]] std::vector<Lens> lenses(const LiveProject& project, FileId file, const CompiledTrees& trees,
                                       const std::vector<TextFile>& traces, const ReachedElements* reached);

}  // namespace espalier::editor
