// The assets that verbs use: read from compiled files, or compiled from projects in memory.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"
#include "cli/findings_report.h"
#include "project/project.h"
#include "replay/answers.h"

namespace espalier::cli {

// The aligned bytes of an asset, and the view of them. The view stays valid when the object is moved, but not when it
// is copied.
struct AssetFile {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
  project::Severities severities = {};        // configured by the project
  replay::DeclaredAnswers answers = {};       // the same
  std::set<std::string> declared_nodes = {};  // the same
};

// Copies and verifies `bytes`; errors go to standard error.
[[nodiscard]] bool open_asset(const std::string& path, std::string_view bytes, AssetFile& file);

// Is the file an asset, by its extension or its first byte? For standard input the byte is put back.
bool is_asset_path(const std::string& path);

// Reads the asset in `options.paths`, or compiles the project that they name. Errors are reported as report_errors()
// does, and drawn if the form is that of a picture. Returns an exit status.
[[nodiscard]] int load_asset(const CommonOptions& options, const FindingOptions& form, AssetFile& file);
// The same, and keeps the project; it stays empty for an asset.
[[nodiscard]] int load_asset(const CommonOptions& options, const FindingOptions& form, AssetFile& file,
                             project::Project& project);

// Reports the errors among these findings: for people on standard error, with the number of warnings, which lint shows;
// for programs on standard output. `baseline`: that of the project, which lint applies; empty: it has none.
void report_errors(const text::Findings& findings, const text::Sources& sources, std::uint32_t file_count,
                   const CommonOptions& options, const FindingOptions& form, std::string_view baseline = {});

// Loads a project for compiling, and reports its errors. Returns kOk if it could be read, with errors too.
[[nodiscard]] int load_with_errors(const CommonOptions& options, const FindingOptions& form, project::Project& project);
// Loads a project for compiling, and reports its errors; without errors nothing is written for programs. Returns kOk if
// there are none.
[[nodiscard]] int load_for_compiling(const CommonOptions& options, const FindingOptions& form,
                                     project::Project& project);

// Compiles trees of `project` and verifies the result as the runtime will; errors are reported.
struct Kept {
  bool names = true;  // and places
  bool xml = false;   // what servers show of the trees
};
[[nodiscard]] int compile_trees(const ir::Project& trees, const project::Project& project, Kept kept,
                                const CommonOptions& options, const FindingOptions& form, AssetFile& file);

}  // namespace espalier::cli
