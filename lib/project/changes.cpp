// Waits for changes of files. See changes.h.
#include "project/changes.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "project/collect.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;

constexpr std::size_t kMaxFolders = 10'000;

bool is_hidden(const fs::path& path) {
  const std::string name = path.filename().generic_string();
  return name.size() > 1 && name.front() == '.' && name != "..";
}

// May a file of this name be one that is read?
bool is_input_name(const fs::path& path) {
  static constexpr std::string_view kSuffixes[] = {".xml", ".debt", ".json", ".jsonl", ".lua", ".espb", ".btproj"};
  static constexpr std::string_view kNames[] = {".gitignore", "CMakeLists.txt"};
  const std::string suffix = path.extension().generic_string();
  const bool is_known = std::find(std::begin(kSuffixes), std::end(kSuffixes), suffix) != std::end(kSuffixes);
  const bool is_named =
      std::find(std::begin(kNames), std::end(kNames), path.filename().generic_string()) != std::end(kNames);
  return is_named || (is_known && !is_hidden(path));
}

std::string folder_of_file(const std::string& file) {
  const std::string folder = fs::path(file).parent_path().generic_string();
  return folder.empty() ? "." : folder;
}

}  // namespace

Changes::Changes(std::vector<std::string> roots) : roots_(std::move(roots)) {
  find_folders();
  last_ = stamps();
}

void Changes::find_folders() {
  folders_.clear();
  const auto add = [this](const std::string& folder) {
    if (folders_.size() < kMaxFolders) folders_.insert(folder);
  };
  for (const std::string& root : roots_) {
    std::error_code error;
    if (!fs::is_directory(root, error)) {
      add(folder_of_file(root));
      continue;
    }
    add(root);
    for (auto i = fs::recursive_directory_iterator(root, error); !error && i != fs::end(i); i.increment(error)) {
      std::error_code unknown;
      if (!i->is_directory(unknown)) continue;
      if (is_hidden(i->path())) {
        i.disable_recursion_pending();
      } else {
        add(i->path().generic_string());
      }
    }
  }
  for (const std::string& folder : folders_) notifier_.add(folder);
  for (const std::string& file : files_) notifier_.add(folder_of_file(file));
}

void Changes::add_stamp(const fs::path& path, Stamps& stamps) {
  const std::string name = path.generic_string();
  if (const std::optional<system::FileStamp> stamp = system::file_stamp(name))
    stamps.insert({shown_path(name), *stamp});
}

Changes::Stamps Changes::stamps() const {
  Stamps result;
  for (const std::string& folder : folders_) {
    std::error_code error;
    for (auto i = fs::directory_iterator(folder, error); !error && i != fs::end(i); i.increment(error)) {
      if (is_input_name(i->path())) add_stamp(i->path(), result);
    }
  }
  for (const std::string& file : files_) add_stamp(file, result);
  return result;
}

void Changes::follow(const std::set<std::string>& files) {
  for (const std::string& file : files) {
    if (!files_.insert(file).second) continue;
    notifier_.add(folder_of_file(file));
    add_stamp(file, last_);
  }
}

std::vector<std::string> Changes::take_changes() {
  find_folders();
  Stamps now = stamps();
  std::vector<std::string> changed;
  for (const auto& [path, stamp] : now) {
    const auto before = last_.find(path);
    if (before == last_.end() || !(before->second == stamp)) changed.push_back(path);
  }
  for (const auto& [path, stamp] : last_) {
    if (now.count(path) == 0) changed.push_back(path);
  }
  last_ = std::move(now);
  return changed;
}

std::vector<std::string> Changes::wait(std::string* reason) {
  for (;;) {
    std::vector<std::string> changed = take_changes();
    if (!changed.empty() || !notifier_.sleep(reason)) return changed;
  }
}

}  // namespace espalier::project
