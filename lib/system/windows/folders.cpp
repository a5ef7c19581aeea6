// What is in folders. See filesystem.h.
#include <string_view>

#include "system/windows/filesystem.h"
#include "system/windows/windows.h"

namespace espalier::system::windows {

struct directory_iterator::Opened {
  explicit Opened(path of_it) : folder(std::move(of_it)) {}
  ~Opened() {
    if (search != INVALID_HANDLE_VALUE) FindClose(search);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  // Takes what was found, unless it is the folder itself or the one above. False: it is.
  bool take() {
    const std::string name = narrow(found.cFileName);
    if (name == "." || name == "..") return false;
    const bool is_folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    entry = directory_entry(folder / name, is_folder ? file_type::directory : file_type::regular);
    return true;
  }

  path folder;
  HANDLE search = INVALID_HANDLE_VALUE;
  WIN32_FIND_DATAW found = {};
  directory_entry entry;
};

directory_iterator::directory_iterator(const path& folder, std::error_code& error) {
  if (!is_directory(folder, error)) {
    if (!error) error = std::make_error_code(std::errc::not_a_directory);
    return;
  }
  opened_ = std::make_shared<Opened>(folder);
  opened_->search = FindFirstFileW(wide_path((folder / "*").native()).c_str(), &opened_->found);
  if (opened_->search == INVALID_HANDLE_VALUE) {
    if (GetLastError() != ERROR_FILE_NOT_FOUND) error = last_error();
    opened_ = nullptr;
  } else if (!opened_->take()) {
    increment(error);
  }
}

directory_iterator::reference directory_iterator::operator*() const { return opened_->entry; }

directory_iterator& directory_iterator::increment(std::error_code& error) {
  error.clear();
  while (FindNextFileW(opened_->search, &opened_->found) != 0) {
    if (opened_->take()) return *this;
  }
  if (GetLastError() != ERROR_NO_MORE_FILES) error = last_error();
  opened_ = nullptr;
  return *this;
}

directory_iterator& directory_iterator::operator++() {
  std::error_code ignored;
  return increment(ignored);
}

recursive_directory_iterator::recursive_directory_iterator(const path& folder, directory_options options,
                                                           std::error_code& error)
    : folders_{directory_iterator(folder, error)}, options_(options) {
  if (folders_.back() == directory_iterator()) folders_.clear();
}

recursive_directory_iterator& recursive_directory_iterator::increment(std::error_code& error) {
  error.clear();
  std::error_code unknown;
  if (std::exchange(is_entered_, true) && folders_.back()->is_directory(unknown)) {
    directory_iterator below(folders_.back()->path(), error);
    const bool is_skipped =
        error == std::errc::permission_denied && options_ == directory_options::skip_permission_denied;
    if (error && !is_skipped) {
      folders_.clear();
      return *this;
    }
    error.clear();
    if (below != directory_iterator()) {
      folders_.push_back(std::move(below));
      return *this;
    }
  }
  while (!error && !folders_.empty() && folders_.back().increment(error) == directory_iterator()) folders_.pop_back();
  if (error) folders_.clear();
  return *this;
}

}  // namespace espalier::system::windows
