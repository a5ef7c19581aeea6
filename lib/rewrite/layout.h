// How the lines of a file are laid out: its indentation, and how long a start tag may be on one line.
#pragma once
#include <cstddef>
#include <string>

#include "project/configuration.h"
#include "project/files.h"
#include "text/xml.h"

namespace espalier::rewrite {

struct Layout {
  std::string indent = "  ";  // of each level
  std::size_t width = 120;    // in characters, a tab counted as kTabWidth; longer start tags have an attribute a line

  // Of attributes on lines of their own, beyond that of their element: whole levels, four columns or more.
  [[nodiscard]] std::string attribute_indent() const;
  [[nodiscard]] std::size_t indent_width() const;
};

inline constexpr std::size_t kTabWidth = 4;

// What espalier.json says comes first, then .editorconfig. Indentation that neither says is the file's own: the unit by
// which most of its elements are indented. `path` is the file's.
[[nodiscard]] Layout layout_of(const text::ParsedXml& parsed, const std::string& path,
                               const project::Configuration& configuration, const project::Files& files);

}  // namespace espalier::rewrite
