// Paths of subtrees. See file_paths.h.
#include "dialects/dragengine/file_paths.h"

#include <algorithm>
#include <filesystem>

#include "text/names.h"

namespace espalier::dialects::dragengine {
namespace {

using text::quote;

// Thousands of wrong paths among thousands of files would take minutes to guess.
constexpr std::size_t kMaxComparedPaths = 200'000;

// `path` from `folder` on, without "." and "..".
std::string absolute_path(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> steps;
  for (std::string_view rest : {folder, path}) {
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('/'), rest.size());
      const std::string_view step = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (step.empty() || step == ".") continue;
      if (step != "..") {
        steps.push_back(step);
      } else if (!steps.empty()) {
        steps.pop_back();
      }
    }
  }
  std::string result;
  for (const std::string_view step : steps) result.append("/").append(step);
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
    target.fault = quote(path) + " leads out of the project";
    target.hint = "what a tree is made of lies among the files that are read";
    return target;
  }
  target.fault = is_partial_ ? quote(path) + " is not one of the files given: the rest of the project was not given"
                             : "there is no file " + quote(path) + " among those that are read";
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
    target.hint = "did you mean " + text::quote(near) + "?";
    target.meant = static_cast<std::size_t>(std::find(others.begin(), others.end(), near) - others.begin());
  } else if (!is_partial_) {
    target.hint =
        path[0] == '/'
            ? "a path that begins with '/' counts from the project's folder; files that are not given are not read"
            : "paths count from the folder of the file they stand in; files that are not given are not read";
  }
  return target;
}

}  // namespace espalier::dialects::dragengine
