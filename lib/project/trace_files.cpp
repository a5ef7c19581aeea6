// Finds traces. See trace_files.h.
#include "project/trace_files.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>

#include "project/inside.h"
#include "text/names.h"

namespace espalier::project {

namespace fs = std::filesystem;

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
    const std::string name = entry->path().filename().string();
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
  if (failure) return fail("cannot read folder " + text::quote(path) + ": " + failure.message());
  if (traces.size() == before) return fail("no *.trace.jsonl in " + text::quote(path));
  std::sort(traces.begin() + static_cast<std::ptrdiff_t>(before), traces.end());
  return true;
}

}  // namespace espalier::project
