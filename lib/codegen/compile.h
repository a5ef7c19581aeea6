// Compiles IR to bytes: flattening, sharing, memory layout. The result is a complete asset.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ir/tree.h"
#include "runtime/format/records.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::codegen {

// What clients of a server see of the trees (espalier/serving.h), in their order.
struct LiveSections {
  std::vector<layout::LiveTree> trees;
  std::vector<layout::LiveNode> nodes;
  std::string xml;
};

struct CompileOptions {
  bool strip = false;              // leave out the optional sections
  bool labels = true;              // of nodes that poll: names that are only shown
  std::uint32_t thread_count = 1;  // at most so many; 0: all processors
  const LiveSections* live = nullptr;
};

// Compiles all trees of a project into one asset. The bytes depend only on the project, not on the order of its files,
// the number of threads or the machine. Trees that exceed a limit of the format are findings; the result is then empty.
[[nodiscard]] std::vector<std::uint64_t> compile(const ir::Project& project, const text::Sources& sources,
                                                 const CompileOptions& options, text::Findings& findings,
                                                 std::size_t* size_bytes);

// A C++ header with the ids of an asset's behaviours and host conditions, and of each tree's variables, signals,
// timestamps, rules and stimuli, and masks for the flags of deciders. `name` becomes the namespace.
std::string header_of_ids(const void* asset_bytes, std::size_t size_bytes, const std::string& name);

}  // namespace espalier::codegen
