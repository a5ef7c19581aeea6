// Files of traces: those that a path of the command line names, and those that are written.
#pragma once
#include <cstddef>
#include <istream>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::project {

inline constexpr const char* kTraceSuffix = ".trace.jsonl";
// A trace that is read from a pipe, or rewritten, is kept in memory.
inline constexpr std::size_t kMaxKeptTraceBytes = std::size_t{256} << 20;

// Appends the path of a file; for a folder all *.trace.jsonl below it, sorted, without hidden files and folders,
// linked folders, pipes and devices. False, with `error`: the folder has none, cannot be read, or has a link that leads
// out of it.
[[nodiscard]] bool find_traces(const std::string& path, std::vector<std::string>& traces, std::string* error);

// A trace as a stream; "-" is standard input. If `is_kept`, it can be read twice: one that is no file, such as a pipe,
// is kept in memory, as far as that is reasonable. Null: it cannot be read, and `error` says why.
[[nodiscard]] std::unique_ptr<std::istream> open_trace(const std::string& path, bool is_kept, std::string* error);

// Names of traces in a folder.
class TraceNames {
 public:
  explicit TraceNames(std::string folder) : folder_(std::move(folder)) {}

  const std::string& folder() const { return folder_; }
  // The path of the next one, made from `name`: letters, digits, '-', '_' and '.', and a number if there is another one
  // of this name.
  std::string next(std::string_view name);

 private:
  std::string folder_;
  std::set<std::string> taken_;  // in small letters: names that differ only in case are one file on some systems
};

}  // namespace espalier::project
