// What is wrong with the trees of programs: names that no file has, trees that the library drops, circles, trees that
// nothing uses. It rests on summaries of all files, and reports what is in those that are read.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/btcpp/options.h"
#include "dialects/btcpp/tree_graph.h"
#include "dialects/reading/reporter.h"
#include "ir/poll/written.h"
#include "text/names.h"

namespace espalier::dialects::btcpp {

struct ProgramChecks {
  std::span<const File> files;
  const Options& options;
  const Summaries& summaries;
  TreeGraph& graph;
  Reporter& reporter;
  ir::poll::WrittenProject& project;       // with the trees that were read
  bool may_lack_files = false;             // one of the project is damaged: it may have any tree
  std::vector<bool> may_lack_trees;        // of each file: a file that is not there may have what it refers to
  bool is_fork = false;                    // MoveIt Pro, which has trees of its own, loads the files
  std::optional<text::Span> lacking = {};  // the first finding, in any file, by which trees may be missing
  std::function<bool(std::string_view tree)> is_misused = {};  // is the tree used as a node? There this is reported
};

// "trees/main.xml": below the project's folder; elsewhere the whole path.
[[nodiscard]] std::string_view path_in_project(const File& file);

// Reports all of it, and notes in the project which trees are roots, and of which program each is.
void check_programs(const ProgramChecks& checks);

}  // namespace espalier::dialects::btcpp
