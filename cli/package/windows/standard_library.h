// What the standard library of MinGW-w64 (libstdc++ 12) does otherwise: it writes paths as UTF-8, and reads them byte
// by byte. The preset `windows` includes this before each file, so that it reads them as UTF-8, too.
#pragma once
#include <filesystem>

#if defined(_GLIBCXX_FILESYSTEM_IS_WINDOWS) && _GLIBCXX_RELEASE < 13
#include <codecvt>
#include <locale>
#include <string>

namespace std::filesystem {

template <>
inline auto path::_S_convert<char>(const char* first, const char* last) {
  codecvt_utf8_utf16<wchar_t> utf8;
  std::wstring result;
  if (__str_codecvt_in_all(first, last, result, utf8)) return result;
  result.clear();  // it is no UTF-8
  for (; first != last; ++first) result += static_cast<unsigned char>(*first);
  return result;
}

}  // namespace std::filesystem
#endif
