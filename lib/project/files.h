// The files that a project is read from: files on disk, overlaid by texts that are not saved yet.
#pragma once
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "project/content_hash.h"
#include "system/read_file.h"

namespace espalier::project {

using system::kStandardInput;
using system::may_read;
using system::read_bytes;
using system::Readable;

inline constexpr const char* kStandardInputName = "<stdin>";

// The questions that were asked of the disk, and the answers: what a result depends on. Safe to use from several
// threads. The latest answer to a question counts.
class ReadLog {
 public:
  void add(const char* question, const std::string& path, std::string_view answer);
  // Of all questions and answers, in whatever order they came.
  ContentHash hash() const;
  // What was asked about, sorted.
  std::set<std::string> paths() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, ContentHash> answers_;  // by path and question
};

// An unsaved text replaces what the disk has. The file need not exist on disk, but its folder must; "-" is standard
// input, which can be read once only. The const functions are safe to call from several threads.
class Files {
 public:
  void set_text(const std::string& path, std::string bytes);
  // Uses the file on disk again.
  void drop_text(const std::string& path);
  // From now on adds all that is read to the log, which must outlive this. Null: to none.
  void log_reads(ReadLog* log) { log_ = log; }

  bool is_file(const std::string& path) const;
  bool exists(const std::string& path) const;
  // Reads a whole file, or `limit_bytes` + 1 bytes of one that is longer. False: `error` is the system's reason.
  [[nodiscard]] bool read(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error,
                          Readable readable = Readable::regular_file) const;
  // The names of the unsaved files in a folder, which is absolute and without links.
  std::vector<std::string> unsaved_in(const std::string& folder) const;

 private:
  const std::string* find(const std::string& path) const;
  bool answer(const char* question, const std::string& path, bool is_so) const;
  std::map<std::string, std::string> unsaved_;  // by path, absolute and without links
  ReadLog* log_ = nullptr;
};

}  // namespace espalier::project
