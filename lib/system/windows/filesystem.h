// Files of Windows, by the names of std::filesystem, as far as they are used here. Links are taken for what they lead
// to.
#pragma once
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <system_error>
#include <vector>

#include "system/windows/path.h"

namespace espalier::system::windows {

using std::filesystem::directory_options;
using std::filesystem::file_time_type;
using std::filesystem::file_type;
using std::filesystem::perms;

class file_status {
 public:
  explicit file_status(file_type type = file_type::none) : type_(type) {}
  file_type type() const { return type_; }

 private:
  file_type type_;
};
inline bool exists(file_status status) {
  return status.type() != file_type::none && status.type() != file_type::not_found;
}
inline bool is_directory(file_status status) { return status.type() == file_type::directory; }
inline bool is_regular_file(file_status status) { return status.type() == file_type::regular; }

file_status status(const path& path, std::error_code& error);
inline file_status symlink_status(const path& path, std::error_code& error) { return status(path, error); }
bool exists(const path& path, std::error_code& error);
bool is_directory(const path& path, std::error_code& error);
bool is_regular_file(const path& path, std::error_code& error);
std::uintmax_t file_size(const path& path, std::error_code& error);
file_time_type last_write_time(const path& path, std::error_code& error);
void last_write_time(const path& path, file_time_type time, std::error_code& error);

inline bool is_symlink(const path& /*path*/, std::error_code& error) {
  error.clear();
  return false;
}
path read_symlink(const path& path, std::error_code& error);
void create_symlink(const path& target, const path& link, std::error_code& error);

bool create_directories(const path& path, std::error_code& error);
bool remove(const path& path, std::error_code& error);
std::uintmax_t remove_all(const path& path, std::error_code& error);
// A new folder has those of the one above.
inline void permissions(const path& /*path*/, perms /*granted*/, std::error_code& error) { error.clear(); }

path current_path(std::error_code& error);
void current_path(const path& path, std::error_code& error);
path temp_directory_path(std::error_code& error);
path absolute(const path& path, std::error_code& error);
path canonical(const path& path, std::error_code& error);
path weakly_canonical(const path& path, std::error_code& error);

class directory_entry {
 public:
  directory_entry() = default;
  directory_entry(windows::path path, file_type type) : path_(std::move(path)), type_(type) {}

  const windows::path& path() const { return path_; }
  bool exists(std::error_code& error) const { return windows::exists(path_, error); }
  std::uintmax_t file_size(std::error_code& error) const { return windows::file_size(path_, error); }
  file_time_type last_write_time(std::error_code& error) const { return windows::last_write_time(path_, error); }
  bool is_directory(std::error_code& error) const { return is(file_type::directory, error); }
  bool is_regular_file(std::error_code& error) const { return is(file_type::regular, error); }
  bool is_symlink(std::error_code& error) const { return is(file_type::symlink, error); }

 private:
  bool is(file_type type, std::error_code& error) const {
    error.clear();
    return type_ == type;
  }

  windows::path path_;
  file_type type_ = file_type::none;  // as it was when it was found
};

class directory_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = directory_entry;
  using difference_type = std::ptrdiff_t;
  using pointer = const directory_entry*;
  using reference = const directory_entry&;

  directory_iterator() = default;
  directory_iterator(const path& folder, std::error_code& error);

  reference operator*() const;
  pointer operator->() const { return &**this; }
  directory_iterator& increment(std::error_code& error);
  directory_iterator& operator++();
  bool operator==(const directory_iterator& other) const { return opened_ == other.opened_; }

 private:
  struct Opened;
  std::shared_ptr<Opened> opened_;  // null: the end
};
inline directory_iterator begin(directory_iterator first) { return first; }
inline directory_iterator end(const directory_iterator& /*first*/) { return {}; }

class recursive_directory_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = directory_entry;
  using difference_type = std::ptrdiff_t;
  using pointer = const directory_entry*;
  using reference = const directory_entry&;

  recursive_directory_iterator() = default;
  recursive_directory_iterator(const path& folder, std::error_code& error)
      : recursive_directory_iterator(folder, directory_options::none, error) {}
  recursive_directory_iterator(const path& folder, directory_options options, std::error_code& error);

  reference operator*() const { return *folders_.back(); }
  pointer operator->() const { return &**this; }
  recursive_directory_iterator& increment(std::error_code& error);
  void disable_recursion_pending() { is_entered_ = false; }
  // Each is compared with the end alone.
  bool operator==(const recursive_directory_iterator& other) const {
    return folders_.empty() == other.folders_.empty();
  }

 private:
  std::vector<directory_iterator> folders_;  // empty: the end
  directory_options options_ = directory_options::none;
  bool is_entered_ = true;  // the entry, if it is a folder
};
inline recursive_directory_iterator begin(recursive_directory_iterator first) { return first; }
inline recursive_directory_iterator end(const recursive_directory_iterator& /*first*/) { return {}; }

}  // namespace espalier::system::windows
