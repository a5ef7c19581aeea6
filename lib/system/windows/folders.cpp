// What the standard library of MinGW-w64 lists folders by, in place of that of its C library, which does not find those
// whose paths are longer than 260 letters.
#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "system/windows/windows.h"

namespace {

using espalier::system::narrow;
using espalier::system::wide_path;

// Its callers know the type by name only.
struct OpenFolder {
  HANDLE search = INVALID_HANDLE_VALUE;
  WIN32_FIND_DATAW found = {};
  bool is_read = true;  // what was found
  _wdirent entry = {};
};

OpenFolder* folder_of(_WDIR* folder) { return reinterpret_cast<OpenFolder*>(folder); }

bool is_folder(const std::wstring& path) {
  const DWORD attributes = GetFileAttributesW(path.c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return true;
  const DWORD error = GetLastError();
  errno = attributes != INVALID_FILE_ATTRIBUTES ? ENOTDIR : error == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
  return false;
}

}  // namespace

_WDIR* _wopendir(const wchar_t* path) {
  const std::wstring place = wide_path(narrow(path));
  if (!is_folder(place)) return nullptr;
  auto folder = std::make_unique<OpenFolder>();
  folder->search = FindFirstFileW(wide_path(narrow(path) + "/*").c_str(), &folder->found);
  folder->is_read = folder->search == INVALID_HANDLE_VALUE;
  if (folder->is_read && GetLastError() != ERROR_FILE_NOT_FOUND) {
    errno = GetLastError() == ERROR_ACCESS_DENIED ? EACCES : ENOENT;
    return nullptr;
  }
  return reinterpret_cast<_WDIR*>(folder.release());
}

_wdirent* _wreaddir(_WDIR* opened) {
  OpenFolder& folder = *folder_of(opened);
  if (folder.is_read && (folder.search == INVALID_HANDLE_VALUE || FindNextFileW(folder.search, &folder.found) == 0))
    return nullptr;
  folder.is_read = true;
  constexpr std::size_t kMost = std::size(_wdirent().d_name) - 1;
  const std::size_t length = std::min(std::wstring_view(folder.found.cFileName).size(), kMost);
  std::copy(folder.found.cFileName, folder.found.cFileName + length, folder.entry.d_name);
  folder.entry.d_name[length] = L'\0';
  folder.entry.d_namlen = static_cast<unsigned short>(length);
  return &folder.entry;
}

int _wclosedir(_WDIR* opened) {
  const std::unique_ptr<OpenFolder> folder(folder_of(opened));
  if (folder->search != INVALID_HANDLE_VALUE) FindClose(folder->search);
  return 0;
}
