// Source files and places in them. A file's text is UTF-8 whatever its encoding on disk was (decode.h);
// every place in the project is a byte offset into that text.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::text {

using FileId = std::uint32_t;  // index into Sources

// Half-open range of byte offsets into one file's UTF-8 text. An empty range is a place between two bytes.
struct Span {
  FileId file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
  friend auto operator<=>(const Span&, const Span&) = default;
};

// Lines and columns count from 1; columns count UTF-8 bytes.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

// One file: its path as findings show it (relative, with '/') and its text. Immutable.
class Source {
 public:
  Source(std::string path, std::string text);
  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  // The position of a byte offset; offsets past the end give the end.
  Position position(std::uint32_t offset) const;
  // Line `line` (from 1) without its line ending ("\n", "\r\n" or "\r"); empty past the last.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_begins_;
};

// All files of one run. Adding is safe from several threads; references stay valid for ever.
class Sources {
 public:
  FileId add(std::string path, std::string text);
  // Gives files that will be added later their ids now, in this order, so that ids do not depend on which thread is
  // first.
  void reserve(const std::vector<std::string>& paths);
  const Source& operator[](FileId file) const;
  std::uint32_t size() const;

 private:
  mutable std::mutex mutex_;
  std::deque<Source> files_;
  std::map<std::string, FileId> reserved_;  // and not added yet
};

}  // namespace espalier::text
