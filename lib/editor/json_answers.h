// Answers about what is under the cursor in traces, files of properties and espalier.json: their keys, and names of
// trees and of what trees have.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "editor/answers.h"

namespace espalier::editor {

// Where the trees that the text is about declare the name.
[[nodiscard]] Definition definition_in_json(const LiveProject& project, const std::string& path, std::string_view text,
                                            std::uint32_t offset);
// What a name is, as in trees, or what a key means.
[[nodiscard]] std::optional<Hover> hover_in_json(const LiveProject& project, const std::string& path,
                                                 std::string_view text, std::uint32_t offset);

}  // namespace espalier::editor
