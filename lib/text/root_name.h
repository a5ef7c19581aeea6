// The name of a file's root element, found without parsing the file: most files of a game are no trees, and some of
// them are huge.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace espalier::text {

// The name in the first start tag of `bytes`, in any encoding of UTF or one that agrees with ASCII there. Comments,
// processing instructions and a DOCTYPE are skipped, and so is text that should not stand before a root element:
// what is malformed may still begin as a tree. Nothing: no start tag's name ends in `bytes`.
std::optional<std::string> root_name(std::string_view bytes);

}  // namespace espalier::text
