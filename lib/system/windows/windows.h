// Windows' own header, and text as it wants it: paths and words are UTF-8 everywhere else.
#pragma once
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
// It comes first, as others need it.
#include <shellapi.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace espalier::system {

// What is no valid text becomes U+FFFD.
std::wstring wide(std::string_view text);
std::string narrow(std::wstring_view text);
// The same for a path: absolute ones that are too long for most functions get the prefix that lets them pass.
std::wstring wide_path(std::string_view path);

inline std::error_code last_error() { return {static_cast<int>(GetLastError()), std::system_category()}; }

// A handle that is closed at the end of its scope.
class Handle {
 public:
  explicit Handle(HANDLE handle) : handle_(handle == INVALID_HANDLE_VALUE ? nullptr : handle) {}
  ~Handle() { close(); }
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  explicit operator bool() const { return handle_ != nullptr; }
  HANDLE get() const { return handle_; }
  HANDLE release() { return std::exchange(handle_, nullptr); }
  void close() {
    if (handle_ != nullptr) CloseHandle(std::exchange(handle_, nullptr));
  }

 private:
  HANDLE handle_;
};

}  // namespace espalier::system
