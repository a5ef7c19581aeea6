// Text as Windows wants it. See windows.h.
#include "system/windows/windows.h"

#include <algorithm>

#include "system/filesystem.h"

namespace espalier::system {

std::wstring wide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  std::wstring result(static_cast<std::size_t>(MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)), L'\0');
  MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), static_cast<int>(result.size()));
  return result;
}

std::string narrow(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  const int needed = WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<std::size_t>(needed), '\0');
  WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), needed, nullptr, nullptr);
  return result;
}

std::wstring wide_path(std::string_view path) {
  constexpr std::size_t kUsualMost = 240;
  std::wstring result = wide(path);
  if (result.size() < kUsualMost || result.starts_with(L"\\\\?\\")) return result;
  std::error_code error;
  std::wstring full = wide(filesystem::absolute(path, error).lexically_normal().native());
  std::replace(full.begin(), full.end(), L'/', L'\\');
  return full.starts_with(L"\\\\") ? L"\\\\?\\UNC\\" + full.substr(2) : L"\\\\?\\" + full;
}

}  // namespace espalier::system
