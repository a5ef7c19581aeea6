// Which includes of files lead nowhere, and which lead back.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "dialects/btcpp/tree_graph.h"
#include "dialects/btcpp/versions.h"
#include "dialects/dialect.h"
#include "dialects/reading/reporter.h"

namespace espalier::dialects::btcpp {

struct BrokenIncludes {
  std::vector<bool> has_one;               // each file: itself
  std::optional<text::Span> lacking = {};  // the first one, in any file, that is a note: trees may be missing by it
};

// Reports what is in files that are read.
[[nodiscard]] BrokenIncludes check_includes(std::span<const File> files, const Options& options,
                                            const Summaries& summaries, const TreeGraph& graph,
                                            const Versions& versions, Reporter& reporter);
void report_include_cycles(std::span<const File> files, const Summaries& summaries, const TreeGraph& graph,
                           Reporter& reporter);

}  // namespace espalier::dialects::btcpp
