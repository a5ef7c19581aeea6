// Completion in espalier.json, traces and files of properties: from their schemas, and the names of trees.
#pragma once
#include "editor/completion.h"

namespace espalier::editor {

[[nodiscard]] std::vector<Completion> complete_json(const LiveProject& project, const std::string& path,
                                                    std::string_view text, std::uint32_t offset);

}  // namespace espalier::editor
