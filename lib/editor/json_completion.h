// Completion in espalier.json, traces and files of properties, and what their keys mean: from their schemas, and the
// names of trees.
#pragma once
#include <optional>

#include "editor/answers.h"
#include "editor/completion.h"

namespace espalier::editor {

[[nodiscard]] std::vector<Completion> complete_json(const LiveProject& project, const std::string& path,
                                                    std::string_view text, std::uint32_t offset);
// What the key at a place means; nothing: there is none.
[[nodiscard]] std::optional<Hover> describe_key(const LiveProject& project, const std::string& path,
                                                std::string_view text, std::uint32_t offset);

}  // namespace espalier::editor
