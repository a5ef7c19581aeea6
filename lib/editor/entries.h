// Entries of blackboards in trees of BehaviorTree.CPP: what an editor is told of one, through subtrees.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "editor/answers.h"

namespace espalier::editor {

// An entry that is named at a place; for other places, and other dialects, these give nothing.
[[nodiscard]] std::optional<Hover> entry_hover(const LiveProject& project, FileId file, std::uint32_t offset);
// Where it is written, or else declared.
[[nodiscard]] std::vector<Location> entry_definition(const LiveProject& project, FileId file, std::uint32_t offset);
// All places that may mean the same entry, under whatever name.
[[nodiscard]] std::vector<Location> entry_references(const LiveProject& project, FileId file, std::uint32_t offset);
// The places that have to get the same new name.
[[nodiscard]] std::optional<Renaming> entry_renaming(const LiveProject& project, FileId file, std::uint32_t offset);
// As places_beside(): of "PATH/key" the key.
[[nodiscard]] std::vector<TextPlace> entry_places_beside(const LiveProject& project, FileId file, std::uint32_t offset,
                                                         const std::vector<TextFile>& texts, Wanted wanted);
// As why_no_name(); nothing: there is no entry here.
[[nodiscard]] std::optional<std::string> why_no_entry_name(const LiveProject& project, FileId file,
                                                           std::uint32_t offset, std::string_view name);
// The names of entries in the tree that is around a place in the file, of this text; sorted.
[[nodiscard]] std::vector<std::string> entry_names(const LiveProject& project, FileId file, std::string_view text,
                                                   std::uint32_t offset);

}  // namespace espalier::editor
