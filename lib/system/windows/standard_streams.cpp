// Standard streams. See standard_streams.h.
#include "system/standard_streams.h"

#include <fcntl.h>
#include <io.h>
#include <stdio.h>

#include <algorithm>
#include <cerrno>

#include "system/environment.h"
#include "system/windows/windows.h"

namespace espalier::system {
namespace {

HANDLE handle_of(Stream stream) {
  constexpr DWORD kHandles[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
  return GetStdHandle(kHandles[static_cast<std::size_t>(stream)]);
}

// Consoles show UTF-8 and colours only when they are asked to. They are left as they were found.
class Console {
 public:
  Console() {
    for (const Stream stream : {Stream::output, Stream::errors}) {
      DWORD mode = 0;
      if (GetConsoleMode(handle_of(stream), &mode) == 0) continue;
      SetConsoleMode(handle_of(stream), mode | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
      page_ = GetConsoleOutputCP();
    }
    if (page_ != 0) SetConsoleOutputCP(CP_UTF8);
  }
  ~Console() {
    if (page_ != 0) SetConsoleOutputCP(page_);
  }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

 private:
  UINT page_ = 0;  // 0: there is no console
};

}  // namespace

std::vector<std::string> begin_program(int count, const char* const* words) {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) _setmode(descriptor, _O_BINARY);
  static const Console console;
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOOPENFILEERRORBOX);
  std::vector<std::string> result;
  int wide_count = 0;
  LPWSTR* const wide_words = CommandLineToArgvW(GetCommandLineW(), &wide_count);
  if (wide_words == nullptr) return {words, words + count};
  for (int i = 0; i < wide_count; ++i) result.push_back(narrow(wide_words[i]));
  LocalFree(wide_words);
  return result;
}

bool is_terminal(Stream stream) {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(stream), &mode) != 0;
}

// Nobody has to set TERM. Old consoles do not take control sequences.
bool is_dumb_terminal() {
  DWORD mode = 0;
  const bool is_console =
      GetConsoleMode(handle_of(Stream::output), &mode) != 0 || GetConsoleMode(handle_of(Stream::errors), &mode) != 0;
  return variable("TERM") == "dumb" || (is_console && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) == 0);
}

std::size_t terminal_width() {
  CONSOLE_SCREEN_BUFFER_INFO console = {};
  if (GetConsoleScreenBufferInfo(handle_of(Stream::output), &console) == 0) return 0;
  return static_cast<std::size_t>(console.srWindow.Right - console.srWindow.Left + 1);
}

bool write_directly(Stream stream, std::string_view bytes) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  while (!bytes.empty()) {
    DWORD written = 0;
    const auto size = static_cast<DWORD>(std::min(bytes.size(), kAtOnce));
    if (WriteFile(handle_of(stream), bytes.data(), size, &written, nullptr) == 0) {
      errno = last_error().default_error_condition().value();
      return false;
    }
    bytes.remove_prefix(written);
  }
  return true;
}

bool has_reader_left() {
  const HANDLE output = handle_of(Stream::output);
  if (GetFileType(output) != FILE_TYPE_PIPE) return false;
  DWORD written = 0;
  if (WriteFile(output, "", 0, &written, nullptr) != 0) return false;
  return GetLastError() == ERROR_NO_DATA || GetLastError() == ERROR_BROKEN_PIPE;
}

}  // namespace espalier::system
