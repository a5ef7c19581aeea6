// Assets as verbs get them: compiled ones read from files, or projects compiled in memory.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "cli/findings_report.h"
#include "project/project.h"

namespace espalier::cli {

// The bytes of an asset, aligned, and the view of them. The view stays right when the object is moved, not when it is
// copied.
struct AssetFile {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
  project::Severities severities = {};  // that the project configures
};

// Copies and verifies `bytes`; what is wrong goes to standard error.
[[nodiscard]] bool open_asset(const std::string& path, std::string_view bytes, AssetFile& file);

// Is this path an asset, by its ending or its first byte? For standard input the byte is put back.
bool is_asset_path(const std::string& path);

// Reads the one asset in `options.paths`, or compiles the project they stand for. Errors go to standard error. Gives an
// exit status.
[[nodiscard]] int load_asset(const CommonOptions& options, AssetFile& file);

// Reports the errors among these findings: for people on standard error, with how many warnings there are, which lint
// shows; for programs on standard output.
void report_errors(const text::Findings& findings, const text::Sources& sources, std::uint32_t file_count,
                   const CommonOptions& options, const FindingOptions& form);

// Loads a project for compiling, and reports its errors; without errors nothing is written for programs. kOk when it
// has none.
[[nodiscard]] int load_for_compiling(const CommonOptions& options, const FindingOptions& form,
                                     project::Project& project);

// Compiles trees of `project` and verifies the result as the runtime will; errors are reported.
[[nodiscard]] int compile_trees(const ir::Project& trees, const project::Project& project, bool strip,
                                const CommonOptions& options, const FindingOptions& form, AssetFile& file);

}  // namespace espalier::cli
