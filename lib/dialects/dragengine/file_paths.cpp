// Paths of subtrees. See file_paths.h.
#include "dialects/dragengine/file_paths.h"

#include <algorithm>
#include <filesystem>

#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

// Guessing thousands of wrong paths among thousands of files would take minutes.
constexpr std::size_t kMaxComparedPaths = 200'000;

// The absolute path of `path` in `folder`, without ".", ".." and a '/' at the end.
std::string absolute_path(std::string_view folder, std::string_view path) {
  const std::filesystem::path joined = std::string(folder) + '/' + std::string(path);
  std::string result = joined.lexically_normal().generic_string();
  if (result.back() == '/') result.pop_back();
  return result;
}

std::string_view folder_of(std::string_view path) { return path.substr(0, std::min(path.rfind('/'), path.size())); }

bool is_below(std::string_view folder, std::string_view path) {
  if (folder == "/") return true;
  return path.size() > folder.size() && path.substr(0, folder.size()) == folder && path[folder.size()] == '/';
}

}  // namespace

FilePaths::FilePaths(const std::vector<RuleFile>& files, std::span<const OtherFile> others, bool is_partial)
    : files_(files), is_partial_(is_partial) {
  for (std::size_t i = 0; i < files.size(); ++i) file_of_path_.try_emplace(files[i].file.path, i);
  for (const OtherFile& other : others) other_of_path_.try_emplace(other.path, &other);
  for (const RuleFile& file : files) {
    std::string_view folder = folder_of(file.file.path);
    while (folders_.insert(std::string(folder)).second) folder = folder_of(folder);
  }
}

FilePaths::Target FilePaths::find(std::string_view path, const File& from) {
  const std::string absolute = absolute_path(path[0] == '/' ? from.folder : folder_of(from.path), path);
  Target target;
  if (path.back() != '/') {
    if (const auto own = file_of_path_.find(absolute); own != file_of_path_.end()) {
      target.file = own->second;
      return target;
    }
    if (const auto other = other_of_path_.find(absolute); other != other_of_path_.end()) {
      target.other = other->second;
      return target;
    }
  }
  return missing(path, absolute, from);
}

FilePaths::Target FilePaths::missing(std::string_view path, const std::string& absolute, const File& from) {
  Target target;
  if (path.back() == '/' || folders_.count(absolute) != 0) {
    target.fault = quote(path) + " is a folder, not a file";
    return target;
  }
  target.is_fault = !is_partial_;
  if (!is_partial_ && !is_below(from.folder, absolute)) {
    target.fault = quote(path) + " is outside the project";
    target.hint = "only files of the project are read";
    return target;
  }
  target.fault = is_partial_ ? quote(path) + " is not one of the given files: the rest of the project was not given"
                             : "unknown file " + quote(path);
  std::vector<std::string> others;
  compared_paths_ += files_.size();
  const bool may_guess = compared_paths_ <= kMaxComparedPaths;
  for (std::size_t i = 0; may_guess && i < files_.size(); ++i) {
    const std::filesystem::path other = files_[i].file.path;
    const std::string_view folder = path[0] == '/' ? std::string_view(from.folder) : folder_of(from.path);
    const std::string relative = other.lexically_relative(folder.empty() ? "/" : folder).generic_string();
    others.push_back(path[0] == '/' ? '/' + relative : relative);
  }
  const std::string near = text::nearest(path, {others.begin(), others.end()});
  if (!near.empty()) {
    target.hint = "did you mean " + quote(near) + "?";
    target.meant = static_cast<std::size_t>(std::find(others.begin(), others.end(), near) - others.begin());
  } else if (!is_partial_) {
    target.hint = path[0] == '/'
                      ? "a path that begins with '/' is relative to the project folder; only given files are read"
                      : "paths are relative to the folder of the file that contains them; only given files are read";
  }
  return target;
}

}  // namespace espalier::dialects::dragengine
