// The folder for unfinished outputs. See staging_folder.h.
#include "system/staging_folder.h"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "system/file.h"
#include "system/filesystem.h"
#include "system/reason.h"

namespace espalier::system {
namespace {

namespace fs = filesystem;

constexpr std::string_view kStagingPrefix = ".espalier-";
// A file in the folder. Only a folder that has it, with this content, is ours: a name alone proves nothing.
constexpr Mark kMark = {"unfinished-outputs",
                        "espalier writes its outputs here before it renames them. What is left here can be removed.\n"};

// Removes outputs, which have numbers for names, then the mark and the folder. Anything else is not ours: it stays, and
// so does the folder.
void remove_outputs(MarkedFolder& folder, const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().generic_string());
  }
  const auto is_output = [](const std::string& name) {
    return name.find_first_not_of("0123456789") == std::string::npos;
  };
  bool has_others = false;
  for (const std::string& name : names) {
    if (is_output(name)) folder.remove_file(name);
    has_others |= !is_output(name) && name != kMark.name;
  }
  if (!has_others) folder.remove();
}

void remove_left_behind(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().generic_string();
    if (name.size() != kStagingPrefix.size() + kRandomLetters || !name.starts_with(kStagingPrefix)) continue;
    const std::string path = entry->path().generic_string();
    MarkedFolder left;
    if (left.take_left_behind(path, kMark)) remove_outputs(left, path);
  }
}

}  // namespace

StagingFolder::StagingFolder(const std::string& folder) {
  remove_left_behind(folder);
  std::string path;
  const std::string prefix = folder + (folder.ends_with('/') ? "" : "/") + std::string(kStagingPrefix);
  if (const std::error_code error = make_own_folder(prefix, &path)) {
    reason_ = reason_of(error);
    return;
  }
  if (const std::error_code error = held_.hold(path, kMark)) {
    reason_ = reason_of(error);
    remove_outputs(held_, path);
    return;
  }
  path_ = std::move(path);
}

StagingFolder::StagingFolder(StagingFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), reason_(std::move(other.reason_)), held_(std::move(other.held_)) {}

StagingFolder::~StagingFolder() {
  if (!path_.empty()) remove_outputs(held_, path_);
}

std::string StagingFolder::path_of(std::size_t number) const { return path_ + '/' + std::to_string(number); }

bool StagingFolder::write(std::size_t number, const std::string& target, std::string_view bytes, std::string* reason) {
  if (const std::error_code error = write_new(path_of(number), bytes, Access::usual)) {
    *reason = reason_of(error);
    return false;
  }
  take_permissions(path_of(number), target);
  return true;
}

bool StagingFolder::publish(std::size_t number, const std::string& target, std::string* reason) {
  const std::error_code error = rename_over(path_of(number), target);
  if (error) *reason = reason_of(error);
  return !error;
}

}  // namespace espalier::system
