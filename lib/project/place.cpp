// Places of files. See place.h.
#include "project/place.h"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "project/files.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::project {

dialects::File place_in_project(const InputFile& file, const std::string& folder) {
  dialects::File placed;
  std::error_code error;
  const bool is_nameless = file.canonical == kStandardInput;
  // For standard input only the file name that it replaces matters.
  const std::string& opened = file.open_path == kStandardInput ? file.canonical : file.open_path;
  const system::filesystem::path path =
      is_nameless ? system::filesystem::current_path(error) / kStandardInput : system::filesystem::path(opened);
  for (const std::string& candidate : {path.generic_string(), file.canonical}) {
    if (folder.empty() || is_nameless || !placed.name.empty()) continue;
    placed.name = path_below(folder, candidate);
    placed.path = candidate;
    placed.folder = folder;
  }
  if (placed.name.empty()) {
    placed.name = file.below;
    placed.path = path.generic_string();
    placed.folder = placed.path.substr(0, placed.path.size() - std::min(placed.path.size(), file.below.size() + 1));
  }
  for (const std::string_view suffix : {".xml", ".debt"}) {
    if (placed.name.size() <= suffix.size()) continue;
    const std::size_t end = placed.name.size() - suffix.size();
    if (!text::equal_any_case(placed.name.substr(end), suffix)) continue;
    placed.name.resize(end);
    break;
  }
  return placed;
}

}  // namespace espalier::project
