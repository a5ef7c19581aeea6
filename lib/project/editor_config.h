// .editorconfig files: how the lines of a file are laid out. Those in the file's folder and above it count, up to one
// with `root = true`; the nearest one wins, and in it the last section that matches. The rules are those of
// EditorConfig 0.17; of its properties only those that concern layout are read. Anything that it does not allow is
// ignored, as editors do.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "project/files.h"

namespace espalier::project {

inline constexpr std::uint32_t kMaxIndent = 16;          // in spaces
inline constexpr std::uint32_t kMaxLineLength = 10'000;  // in characters
inline constexpr std::uint32_t kNoLineLength = UINT32_MAX;

// What is not said is nothing.
struct EditorConfig {
  std::optional<bool> uses_tabs;             // indent_style
  std::optional<std::uint32_t> indent_size;  // spaces, 1 to kMaxIndent
  std::optional<std::uint32_t> line_length;  // max_line_length; kNoLineLength: off
};

// For a file, by its absolute path. "-" and files that need not exist are looked up by their folder.
[[nodiscard]] EditorConfig editor_config_of(const std::string& path, const Files& files);

// Does a section's glob match a path relative to the folder of its file ("trees/guard.xml")?
[[nodiscard]] bool section_matches(std::string_view glob, std::string_view relative_path);

}  // namespace espalier::project
