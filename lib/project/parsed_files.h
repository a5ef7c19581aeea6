// Parsed files, kept from one snapshot to the next.
#pragma once
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "text/xml.h"

namespace espalier::project {

inline constexpr std::size_t kMaxKeptFiles = 10'000;

// Keeps the latest parse of each path, for a limited number of files; the least recently used one is dropped. Safe to
// use from several threads.
class ParsedFiles {
 public:
  explicit ParsedFiles(std::size_t max_files = kMaxKeptFiles) : max_files_(max_files) {}

  // Like text::parse_xml() with what the dialect of the file's root element accepts, but returns the kept object if the
  // last call for this path had the same bytes.
  std::shared_ptr<const text::ParsedXml> parse(const std::string& path, std::string bytes);
  // How many files were parsed so far.
  std::uint64_t parse_count() const;

 private:
  struct Kept {
    std::string path;
    std::string bytes;
    std::shared_ptr<const text::ParsedXml> parsed;
  };
  const std::size_t max_files_;
  mutable std::mutex mutex_;
  std::uint64_t parse_count_ = 0;
  std::list<Kept> files_;  // most recently used first
  std::map<std::string, std::list<Kept>::iterator> by_path_;
};

}  // namespace espalier::project
