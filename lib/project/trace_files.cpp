// Finds traces. See trace_files.h.
#include "project/trace_files.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>
#include <utility>

#include "project/files.h"
#include "project/inside.h"
#include "system/filesystem.h"
#include "system/reason.h"
#include "text/names.h"

namespace espalier::project {

namespace fs = system::filesystem;

bool find_traces(const std::string& path, std::vector<std::string>& traces, std::string* error) {
  std::error_code failure;
  if (!fs::is_directory(path, failure)) {
    traces.push_back(path);
    return true;
  }
  const auto fail = [&](std::string message) {
    *error = std::move(message);
    return false;
  };
  const std::size_t before = traces.size();
  fs::recursive_directory_iterator entry(path, failure);
  for (const fs::recursive_directory_iterator end; !failure && entry != end; entry.increment(failure)) {
    const std::string name = entry->path().filename().generic_string();
    std::error_code unknown;
    const bool is_folder = entry->is_directory(unknown);
    if (name.front() == '.' && is_folder) entry.disable_recursion_pending();
    if (name.front() == '.' || is_folder || !name.ends_with(kTraceSuffix)) continue;
    // Reading a pipe or device would block forever; a broken link is reported when it is opened.
    if (entry->exists(unknown) && !entry->is_regular_file(unknown)) continue;
    const std::string trace = entry->path().lexically_normal().generic_string();
    if (!is_inside(trace, path)) return fail(text::quote(trace) + " is a link that leads out of " + text::quote(path));
    traces.push_back(trace);
  }
  if (failure) return fail("cannot read folder " + text::quote(path) + ": " + system::reason_of(failure));
  if (traces.size() == before) return fail("no *.trace.jsonl in " + text::quote(path));
  std::sort(traces.begin() + static_cast<std::ptrdiff_t>(before), traces.end());
  return true;
}

std::unique_ptr<std::istream> open_trace(const std::string& path, bool is_kept, std::string* error) {
  std::error_code failure;
  std::string reason;
  if (is_kept && !fs::is_regular_file(path, failure)) {
    std::string bytes;
    if (read_bytes(path, kMaxKeptTraceBytes, bytes, reason, Readable::named) && bytes.size() <= kMaxKeptTraceBytes) {
      return std::make_unique<std::istringstream>(std::move(bytes));
    }
    *error = "cannot read the trace " + text::quote(path) + ": " +
             (reason.empty() ? "it is longer than 256 MiB; use -v, which reads it only once" : reason);
    return nullptr;
  }
  if (path == "-") return std::make_unique<std::istream>(std::cin.rdbuf());
  if (may_read(path, reason)) {
    errno = 0;
    auto file = std::make_unique<std::ifstream>(system::native(path), std::ios::binary);
    if (*file) return file;
    reason = system::reason_of(errno);
  }
  *error = "cannot read the trace " + text::quote(path) + ": " + reason;
  return nullptr;
}

std::string TraceNames::next(std::string_view name) {
  constexpr std::size_t kMaxBytes = 100;
  std::string file;
  for (const char letter : name.substr(0, kMaxBytes)) {
    const bool is_plain = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                          (letter >= 'A' && letter <= 'Z') || letter == '_' || letter == '.';
    if (is_plain && !(letter == '.' && file.empty())) {
      file += letter;
    } else if (!file.empty() && file.back() != '-') {
      file += '-';
    }
  }
  while (!file.empty() && file.back() == '-') file.pop_back();
  if (file.empty()) file = "trace";
  std::string stem = file;
  for (std::uint32_t number = 2; !taken_.insert(text::lower_case(stem)).second; ++number)
    stem = file + '-' + std::to_string(number);
  return (fs::path(folder_) / (stem + kTraceSuffix)).lexically_normal().generic_string();
}

}  // namespace espalier::project
