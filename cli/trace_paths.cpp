// The traces that a command line names. See trace_paths.h.
#include "cli/trace_paths.h"

#include <algorithm>
#include <utility>

#include "cli/cli.h"
#include "live/recorded.h"
#include "project/files.h"
#include "project/other_kinds.h"
#include "project/trace_files.h"
#include "system/filesystem.h"
#include "text/names.h"

namespace espalier::cli {

int find_traces(std::vector<std::string>& traces, std::vector<std::string>& paths) {
  std::vector<std::string> words = std::exchange(traces, {});
  const auto first = std::stable_partition(paths.begin(), paths.end(), [](const std::string& path) {
    return !path.ends_with(".jsonl") && !live::is_recording_path(path);
  });
  words.insert(words.end(), first, paths.end());
  paths.erase(first, paths.end());
  for (const std::string& word : words) {
    if (live::is_recording_path(word)) {
      traces.push_back(word);
      continue;
    }
    const std::string extension = system::filesystem::path(word).extension().generic_string();
    if (extension == ".xml" || extension == ".debt" || extension == ".espb") {
      return fail(text::quote(word) + " is not a trace", "--trace takes a trace or a folder of traces", word);
    }
    std::string bytes;
    std::string error;
    const bool is_file = word != "-" && project::read_bytes(word, project::kRecordingBytes, bytes, error);
    const std::string what = is_file && !bytes.starts_with('{') ? project::recording_of(word, bytes) : std::string();
    if (!what.empty()) {
      return fail(text::quote(word) + " is " + what + ", not a trace",
                  std::string(project::kNoReader) + "; traces are JSON Lines, *.trace.jsonl", word);
    }
    error.clear();
    if (!project::find_traces(word, traces, &error)) return fail(error);
  }
  return kOk;
}

}  // namespace espalier::cli
