// What can be typed at a place.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "editor/live_project.h"

namespace espalier::editor {

enum class CompletionKind : std::uint8_t { element, attribute, word, keyword, name, event };

struct Completion {
  std::string label;
  CompletionKind kind = CompletionKind::word;
  std::string detail = {};         // a few words: "variable", "required"
  std::string documentation = {};  // Markdown
  std::string insert = {};         // replaces `range`
  std::string snippet = {};        // the same with places to fill in, as editors write them; empty: none
  Range range = {};
};

// In a file of a tree; `text` is what the editor shows.
[[nodiscard]] std::vector<Completion> complete(const LiveProject& project, const std::string& path,
                                               std::string_view text, std::uint32_t offset);

}  // namespace espalier::editor
