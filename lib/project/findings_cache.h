// The findings of earlier runs, in files of the user's cache folder. A run whose files, configuration and options are
// those of an earlier one takes its findings from there, and parses nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "project/content_hash.h"
#include "text/finding.h"

namespace espalier::project {

// What is kept at most; the least recently used is removed.
inline constexpr std::size_t kMaxCachedRuns = 100;
inline constexpr std::size_t kMaxCachedBytes = std::size_t{256} << 20;

// Several runs, and several threads, may use one folder at once: each file is complete when it gets its name. A folder
// that cannot be used, and a file that is damaged, are as if nothing were kept.
class FindingsCache {
 public:
  // `folder` is created when something is first kept. `program` is different for programs that may find different
  // things.
  FindingsCache(std::string folder, std::string program) : folder_(std::move(folder)), program_(std::move(program)) {}

  const std::string& program() const { return program_; }
  // Nothing: not kept. `file_count`: findings of other files are refused.
  std::optional<std::vector<text::Finding>> find(const ContentHash& run, std::uint32_t file_count) const;
  void keep(const ContentHash& run, const std::vector<text::Finding>& findings) const;

 private:
  std::string folder_;
  std::string program_;
};

}  // namespace espalier::project
