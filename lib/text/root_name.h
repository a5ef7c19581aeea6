// Finds the name of a file's root element without parsing the file: most files of a game are not trees, and some of
// them are huge.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace espalier::text {

// The name in the first start tag of `bytes`, in any UTF encoding or one compatible with ASCII. Comments, processing
// instructions and a DOCTYPE are skipped, and so is text that is not allowed before a root element: a malformed file
// may still be a tree. Nothing if `bytes` has no complete name in a start tag.
std::optional<std::string> root_name(std::string_view bytes);

}  // namespace espalier::text
