// Files of Windows. See file.h.
#include "system/file.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <vector>

#include "system/device_name.h"
#include "system/filesystem.h"
#include "system/reason.h"
#include "system/windows/windows.h"

namespace espalier::system {
namespace {

namespace fs = filesystem;

// Files that are open here can be read, replaced and removed by others.
constexpr DWORD kShared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

Handle open_handle(const std::string& path, DWORD access, DWORD disposition, DWORD flags = 0) {
  return Handle(CreateFileW(wide_path(path).c_str(), access, kShared, nullptr, disposition, flags, nullptr));
}

std::error_code write_and_close(Handle file, std::string_view bytes) {
  if (!file) return last_error();
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  while (!bytes.empty()) {
    DWORD written = 0;
    const auto size = static_cast<DWORD>(std::min(bytes.size(), kAtOnce));
    if (WriteFile(file.get(), bytes.data(), size, &written, nullptr) == 0) return last_error();
    bytes.remove_prefix(written);
  }
  return {};
}

// Volume and number of a file that is open; empty: it has none.
std::string number_of(HANDLE file) {
  BY_HANDLE_FILE_INFORMATION found = {};
  if (GetFileType(file) != FILE_TYPE_DISK || GetFileInformationByHandle(file, &found) == 0) return {};
  return std::to_string(found.dwVolumeSerialNumber) + ' ' + std::to_string(found.nFileIndexHigh) + ' ' +
         std::to_string(found.nFileIndexLow);
}

bool is_folder(const std::string& path) {
  const DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

bool is_same(std::wstring_view left, std::wstring_view right) {
  return CompareStringOrdinal(left.data(), static_cast<int>(left.size()), right.data(), static_cast<int>(right.size()),
                              TRUE) == CSTR_EQUAL;
}

// With every suffix. Of the devices only "nul" can be read to its end.
bool is_named(const std::string& path, std::wstring_view device) {
  return is_same(wide(fs::path(path).stem().native()), device);
}

}  // namespace

std::FILE* open_file(const std::string& path, Readable readable, std::string& error) {
  if (is_folder(path)) {
    error = reason_of(EISDIR);
    return nullptr;
  }
  Handle file = open_handle(path, GENERIC_READ, OPEN_EXISTING);
  if (!file) {
    error = reason_of(last_error());
    return nullptr;
  }
  if (GetFileType(file.get()) != FILE_TYPE_DISK && !(readable == Readable::named && is_named(path, L"nul"))) {
    error = "it is not a regular file";
    return nullptr;
  }
  const int descriptor = _open_osfhandle(reinterpret_cast<std::intptr_t>(file.get()), _O_RDONLY | _O_BINARY);
  if (descriptor == -1) {
    error = reason_of(errno);
    return nullptr;
  }
  file.release();
  std::FILE* const stream = _fdopen(descriptor, "rb");
  if (stream == nullptr) {
    error = reason_of(errno);
    _close(descriptor);
  }
  return stream;
}

bool is_readable(const std::string& path, std::string& error) {
  if (!is_folder(path)) return true;
  error = reason_of(EISDIR);
  return false;
}

std::error_code write_new(const std::string& path, std::string_view bytes, Access /*access*/) {
  return write_and_close(open_handle(path, GENERIC_WRITE, CREATE_NEW), bytes);
}

std::error_code write_into(const std::string& path, std::string_view bytes) {
  Handle file = open_handle(path, GENERIC_WRITE, OPEN_ALWAYS);
  if (file && GetFileType(file.get()) == FILE_TYPE_DISK) SetEndOfFile(file.get());
  return write_and_close(std::move(file), bytes);
}

// A new file has those of its folder.
void take_permissions(const std::string& /*path*/, const std::string& /*target*/) {}

namespace {

// Replaces a file too that somebody reads, who keeps what it was: what Windows 10 can do, on its own file systems.
bool rename_over_open(const std::string& path, const std::string& target) {
  constexpr DWORD kReplacesOpen = 1 | 2;  // FILE_RENAME_FLAG_REPLACE_IF_EXISTS and _POSIX_SEMANTICS
  constexpr int kRenameInfoEx = 22;       // FileRenameInfoEx
  const Handle file = open_handle(path, DELETE, OPEN_EXISTING);
  std::error_code error;
  const std::wstring name = wide_path(fs::absolute(target, error).generic_string());
  std::vector<char> bytes(sizeof(FILE_RENAME_INFO) + name.size() * sizeof(wchar_t));
  auto* const how = reinterpret_cast<FILE_RENAME_INFO*>(bytes.data());
  std::memcpy(how, &kReplacesOpen, sizeof kReplacesOpen);
  how->FileNameLength = static_cast<DWORD>(name.size() * sizeof(wchar_t));
  std::memcpy(static_cast<void*>(how->FileName), name.data(), how->FileNameLength);
  return file && SetFileInformationByHandle(file.get(), static_cast<FILE_INFO_BY_HANDLE_CLASS>(kRenameInfoEx),
                                            bytes.data(), static_cast<DWORD>(bytes.size())) != 0;
}

}  // namespace

// Whoever reads the target at this moment, such as a virus scanner, holds it for some milliseconds.
std::error_code rename_over(const std::string& path, const std::string& target) {
  constexpr int kMostTries = 20;
  constexpr DWORD kPause_ms = 10;
  const DWORD attributes = GetFileAttributesW(wide_path(target).c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) != 0)
    return {ERROR_ACCESS_DENIED, std::system_category()};
  if (rename_over_open(path, target)) return {};
  for (int i = 0;; ++i) {
    if (MoveFileExW(wide_path(path).c_str(), wide_path(target).c_str(), MOVEFILE_REPLACE_EXISTING) != 0) return {};
    const std::error_code error = last_error();
    const bool is_held = error.value() == ERROR_SHARING_VIOLATION || error.value() == ERROR_ACCESS_DENIED;
    if (!is_held || i == kMostTries) return error;
    Sleep(kPause_ms);
  }
}

std::error_code make_folder(const std::string& path) {
  return CreateDirectoryW(wide_path(path).c_str(), nullptr) != 0 ? std::error_code() : last_error();
}

bool has_name_of_device(const std::string& path) {
  constexpr std::wstring_view kDevices[] = {L"con", L"prn", L"aux", L"nul"};
  if (std::any_of(std::begin(kDevices), std::end(kDevices), [&](auto device) { return is_named(path, device); }))
    return true;
  const std::wstring name = wide(fs::path(path).stem().native());
  constexpr std::size_t kLength = 4;  // such as "com1"
  if (name.size() != kLength || name.back() < L'0' || name.back() > L'9') return false;
  const std::wstring_view kind = std::wstring_view(name).substr(0, kLength - 1);
  return is_same(kind, L"com") || is_same(kind, L"lpt");
}

std::string identity_of(const std::string& path) {
  if (has_name_of_device(path)) return {};
  const Handle file = open_handle(path, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS);
  if (file) return number_of(file.get());
  std::error_code ignored;
  std::string resolved = fs::weakly_canonical(fs::absolute(path, ignored), ignored).generic_string();
  std::wstring folded = wide(resolved);
  CharLowerBuffW(folded.data(), static_cast<DWORD>(folded.size()));
  return narrow(folded);
}

std::string identity_of(Stream stream) {
  const HANDLE handle = reinterpret_cast<HANDLE>(_get_osfhandle(static_cast<int>(stream)));
  const std::string number = number_of(handle);
  return number.empty() ? "stream " + std::to_string(static_cast<int>(stream)) : number;
}

std::optional<FileStamp> file_stamp(const std::string& path) {
  WIN32_FILE_ATTRIBUTE_DATA found = {};
  if (GetFileAttributesExW(wide_path(path).c_str(), GetFileExInfoStandard, &found) == 0) return std::nullopt;
  if ((found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return std::nullopt;
  const auto both = [](DWORD high, DWORD low) { return (std::uint64_t{high} << 32) | low; };
  return FileStamp{
      static_cast<std::int64_t>(both(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime)),
      both(found.nFileSizeHigh, found.nFileSizeLow)};
}

}  // namespace espalier::system
