// file: URIs.
#pragma once
#include <string>
#include <string_view>

namespace espalier::editor {

// The path of a file URI; empty for others.
[[nodiscard]] std::string path_of_uri(std::string_view uri);
[[nodiscard]] std::string uri_of_path(std::string_view path);

}  // namespace espalier::editor
