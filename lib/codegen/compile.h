// IR to bytes: flattening, sharing, memory layout. The result is a whole asset, verified by the runtime's own verifier.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "ir/tree.h"
#include "text/finding.h"
#include "text/source.h"

namespace espalier::codegen {

struct CompileOptions {
  bool strip = false;  // leave out the optional sections
};

// Compiles all trees of a project into one asset. The bytes depend on the project alone: not on the order of its files,
// threads or machine. Trees that pass a limit of the format are findings, and then the result is empty.
[[nodiscard]] std::vector<std::uint64_t> compile(const ir::Project& project, const text::Sources& sources,
                                                 const CompileOptions& options, text::Findings& findings,
                                                 std::size_t* size_bytes);

// A C++ header with the ids of an asset's behaviours and host conditions, and of each tree's variables, signals,
// timestamps, rules and stimuli; and masks of deciders' flags. `name` becomes the namespace.
std::string header_of_ids(const void* asset_bytes, std::size_t size_bytes, const std::string& name);

}  // namespace espalier::codegen
