// The traces that a command line names. See trace_paths.h.
#include "cli/trace_paths.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/cli.h"
#include "project/trace_files.h"
#include "text/names.h"

namespace espalier::cli {

int find_traces(std::vector<std::string>& traces, std::vector<std::string>& paths) {
  std::vector<std::string> words = std::exchange(traces, {});
  const auto first = std::stable_partition(paths.begin(), paths.end(),
                                           [](const std::string& path) { return !path.ends_with(".jsonl"); });
  words.insert(words.end(), first, paths.end());
  paths.erase(first, paths.end());
  for (const std::string& word : words) {
    const std::string extension = std::filesystem::path(word).extension().string();
    if (extension == ".xml" || extension == ".debt" || extension == ".espb") {
      return fail(text::quote(word) + " is not a trace", "--trace takes a trace or a folder of traces");
    }
    std::string error;
    if (!project::find_traces(word, traces, &error)) return fail(error);
  }
  return kOk;
}

}  // namespace espalier::cli
