// See filesystem.h.
#include "system/filesystem.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <ratio>

#include "system/device_name.h"
#include "system/windows/windows.h"

namespace espalier::system {

std::filesystem::path native(const filesystem::path& path) { return wide_path(path.native()); }

namespace windows {
namespace {

bool is_missing(DWORD error) {
  constexpr DWORD kMissing[] = {ERROR_FILE_NOT_FOUND, ERROR_PATH_NOT_FOUND,   ERROR_INVALID_NAME,
                                ERROR_INVALID_DRIVE,  ERROR_NOT_READY,        ERROR_BAD_NETPATH,
                                ERROR_BAD_NET_NAME,   ERROR_INVALID_PARAMETER};
  return std::find(std::begin(kMissing), std::end(kMissing), error) != std::end(kMissing);
}

// False: `error` says why.
bool find_file(const path& path, WIN32_FILE_ATTRIBUTE_DATA& found, std::error_code& error) {
  error.clear();
  if (GetFileAttributesExW(wide_path(path.native()).c_str(), GetFileExInfoStandard, &found) != 0) return true;
  error = last_error();
  return false;
}

file_type type_of(DWORD attributes) {
  return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? file_type::directory : file_type::regular;
}

std::int64_t both(DWORD high, DWORD low) { return static_cast<std::int64_t>((std::uint64_t{high} << 32) | low); }

// What a file's time counts.
using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
constexpr Ticks kBefore1970 = std::chrono::seconds(11'644'473'600);  // from 1601 on

}  // namespace

file_status status(const path& path, std::error_code& error) {
  error.clear();
  if (has_name_of_device(path.native())) return file_status(file_type::character);
  WIN32_FILE_ATTRIBUTE_DATA found = {};
  if (find_file(path, found, error)) return file_status(type_of(found.dwFileAttributes));
  return file_status(is_missing(static_cast<DWORD>(error.value())) ? file_type::not_found : file_type::unknown);
}

bool exists(const path& path, std::error_code& error) {
  const file_status found = status(path, error);
  if (found.type() == file_type::not_found) error.clear();
  return exists(found);
}

bool is_directory(const path& path, std::error_code& error) { return is_directory(status(path, error)); }

bool is_regular_file(const path& path, std::error_code& error) { return is_regular_file(status(path, error)); }

std::uintmax_t file_size(const path& path, std::error_code& error) {
  WIN32_FILE_ATTRIBUTE_DATA found = {};
  if (!find_file(path, found, error)) return static_cast<std::uintmax_t>(-1);
  return static_cast<std::uintmax_t>(both(found.nFileSizeHigh, found.nFileSizeLow));
}

file_time_type last_write_time(const path& path, std::error_code& error) {
  WIN32_FILE_ATTRIBUTE_DATA found = {};
  if (!find_file(path, found, error)) return file_time_type::min();
  const Ticks ticks(both(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime));
  return std::chrono::file_clock::from_sys(std::chrono::sys_time<Ticks>(ticks - kBefore1970));
}

void last_write_time(const path& path, file_time_type time, std::error_code& error) {
  error.clear();
  const auto ticks = std::chrono::floor<Ticks>(std::chrono::file_clock::to_sys(time).time_since_epoch()) + kBefore1970;
  const auto count = static_cast<std::uint64_t>(ticks.count());
  const FILETIME written = {static_cast<DWORD>(count), static_cast<DWORD>(count >> 32)};
  const Handle file(CreateFileW(wide_path(path.native()).c_str(), FILE_WRITE_ATTRIBUTES,
                                FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!file || SetFileTime(file.get(), nullptr, nullptr, &written) == 0) error = last_error();
}

path read_symlink(const path& /*path*/, std::error_code& error) {
  error = std::make_error_code(std::errc::function_not_supported);
  return {};
}

void create_symlink(const path& /*target*/, const path& /*link*/, std::error_code& error) {
  error = std::make_error_code(std::errc::function_not_supported);
}

bool create_directories(const path& path, std::error_code& error) {
  const file_status found = status(path, error);
  if (exists(found)) {
    if (!is_directory(found)) error = std::make_error_code(std::errc::not_a_directory);
    return false;
  }
  if (const windows::path above = path.parent_path(); !above.empty() && path.has_relative_path()) {
    create_directories(above, error);
    if (error) return false;
  }
  error.clear();
  if (!path.has_filename()) return is_directory(path, error);  // a separator at the end
  if (CreateDirectoryW(wide_path(path.native()).c_str(), nullptr) != 0) return true;
  error = last_error();
  std::error_code unknown;
  if (is_directory(path, unknown)) error.clear();  // somebody else has made it
  return false;
}

bool remove(const path& path, std::error_code& error) {
  WIN32_FILE_ATTRIBUTE_DATA found = {};
  if (!find_file(path, found, error)) {
    if (is_missing(static_cast<DWORD>(error.value()))) error.clear();
    return false;
  }
  const std::wstring name = wide_path(path.native());
  const bool is_folder = type_of(found.dwFileAttributes) == file_type::directory;
  if ((is_folder ? RemoveDirectoryW(name.c_str()) : DeleteFileW(name.c_str())) != 0) return true;
  error = last_error();
  return false;
}

std::uintmax_t remove_all(const path& path, std::error_code& error) {
  std::uintmax_t count = 0;
  WIN32_FILE_ATTRIBUTE_DATA found = {};
  const bool is_entered = find_file(path, found, error) && type_of(found.dwFileAttributes) == file_type::directory &&
                          (found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0;
  if (is_entered) {
    std::vector<windows::path> paths;
    for (directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
      paths.push_back(entry->path());
    for (const windows::path& below : paths) {
      if (!error) count += remove_all(below, error);
    }
    if (error) return static_cast<std::uintmax_t>(-1);
  }
  return count + (remove(path, error) ? 1 : 0);
}

path current_path(std::error_code& error) {
  error.clear();
  std::wstring text(GetCurrentDirectoryW(0, nullptr), L'\0');  // with a zero at its end
  text.resize(GetCurrentDirectoryW(static_cast<DWORD>(text.size()), text.data()));
  if (text.empty()) error = last_error();
  return narrow(text);
}

void current_path(const path& path, std::error_code& error) {
  error.clear();
  if (SetCurrentDirectoryW(wide(path.native()).c_str()) == 0) error = last_error();
}

path temp_directory_path(std::error_code& error) {
  error.clear();
  std::wstring text(GetTempPathW(0, nullptr), L'\0');
  text.resize(GetTempPathW(static_cast<DWORD>(text.size()), text.data()));
  if (text.empty()) error = last_error();
  return narrow(text);
}

path absolute(const path& path, std::error_code& error) {
  error.clear();
  if (path.is_absolute()) return path;
  if (path.empty()) {
    error = std::make_error_code(std::errc::no_such_file_or_directory);
    return {};
  }
  if (!path.has_root_name()) return current_path(error) / path;
  // Each drive has its current folder.
  const std::wstring given = wide(path.native());
  std::wstring text(GetFullPathNameW(given.c_str(), 0, nullptr, nullptr), L'\0');
  text.resize(GetFullPathNameW(given.c_str(), static_cast<DWORD>(text.size()), text.data(), nullptr));
  if (text.empty()) error = last_error();
  return narrow(text);
}

path canonical(const path& path, std::error_code& error) {
  const windows::path whole = absolute(path, error).lexically_normal();
  WIN32_FILE_ATTRIBUTE_DATA found = {};
  if (error || !find_file(whole, found, error)) return {};
  return whole.has_filename() || !whole.has_relative_path() ? whole : whole.parent_path();
}

// Of the part that is there.
path weakly_canonical(const path& path, std::error_code& error) {
  windows::path there = path;
  std::error_code missing;
  while (!exists(there, missing) && there.has_relative_path()) there = there.parent_path();
  error.clear();
  if (there.empty() || !exists(there, missing)) return path.lexically_normal();
  const std::string rest = path.native().substr(there.native().size());
  const windows::path begin = canonical(there, error);
  const std::size_t first = rest.find_first_not_of('/');
  return error || first == std::string::npos ? begin : (begin / rest.substr(first)).lexically_normal();
}

}  // namespace windows
}  // namespace espalier::system
