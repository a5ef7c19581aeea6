// Assets as verbs get them: compiled ones read from files, or projects compiled in memory.
#pragma once
#include <cstdint>
#include <espalier/espalier.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"

namespace espalier::cli {

// The bytes of an asset, aligned, and the view of them. The view stays right when the object is moved, not when it is
// copied.
struct AssetFile {
  std::vector<std::uint64_t> words;
  std::size_t size_bytes = 0;
  Asset asset;
};

// Copies and verifies `bytes`; what is wrong goes to standard error.
[[nodiscard]] bool open_asset(const std::string& path, std::string_view bytes, AssetFile& file);

// Is this path an asset, by its ending or its first byte? For standard input the byte is put back.
bool is_asset_path(const std::string& path);

// Reads the one asset in `options.paths`, or compiles the project they stand for. Errors go to standard error. Gives an
// exit status.
[[nodiscard]] int load_asset(const CommonOptions& options, AssetFile& file);

// Loads a project for compiling; its errors and warnings go to standard error. kOk when it has no errors.
[[nodiscard]] int load_for_compiling(const CommonOptions& options, project::Project& project);

// Compiles trees and verifies the result as the runtime will; findings go to standard error.
[[nodiscard]] int compile_trees(const ir::Project& trees, const text::Sources& sources, bool strip,
                                const CommonOptions& options, AssetFile& file);

}  // namespace espalier::cli
