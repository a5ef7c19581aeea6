// Source files and places in them. A file's text is UTF-8 whatever its encoding on disk was (decode.h); every place is
// a byte offset into that text.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
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

// May reports show lines of a file? Not if a project names the file and it is outside of the project: a project from
// elsewhere must not make a report show files that only its reader can read.
enum class Excerpts : std::uint8_t { shown, withheld };

// One file: its path as findings show it (relative, with '/') and its text. Immutable.
class Source {
 public:
  // `text` may be a part of the file that begins with its line `first_line`.
  Source(std::string path, std::string text, Excerpts excerpts = Excerpts::shown, std::uint32_t first_line = 1);
  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  bool shows_excerpts() const { return excerpts_ == Excerpts::shown; }
  // The position of a byte offset; offsets past the end give the end.
  Position position(std::uint32_t offset) const;
  // Line `line` (from 1) without its line ending ("\n", "\r\n" or "\r"); empty past the last.
  std::string_view line(std::uint32_t line) const;

 private:
  std::string path_;
  std::string text_;
  Excerpts excerpts_;
  std::uint32_t first_line_;
  const std::vector<std::uint32_t>& line_begins() const;
  mutable std::once_flag has_lines_;
  mutable std::vector<std::uint32_t> line_begins_;  // found when they are asked for: few files have findings
};

// The files of one run, numbered in the order in which they were added. A copy shares the same files.
class Sources {
 public:
  FileId add(std::shared_ptr<const Source> source);
  FileId add(std::string path, std::string text, Excerpts excerpts = Excerpts::shown);
  // Adds all files of other sources, and takes their site if there is none. Returns the new id of the first of them.
  FileId append(const Sources& other);
  const Source& operator[](FileId file) const { return *files_[file]; }
  void replace(FileId file, std::shared_ptr<const Source> source) { files_[file] = std::move(source); }
  // Sets the path shown to people for a file, as given on the command line. The default is the file's path.
  void show_as(const std::string& path, std::string given);
  // All files as they are by default.
  void show_plainly() { given_.clear(); }
  const std::string& shown(FileId file) const;
  // Where the project publishes the pages of rules; empty: nowhere that it says.
  const std::string& site() const { return site_; }
  void set_site(std::string site) { site_ = std::move(site); }
  std::uint32_t size() const { return static_cast<std::uint32_t>(files_.size()); }

 private:
  std::vector<std::shared_ptr<const Source>> files_;
  std::map<std::string, std::string> given_;  // by path, if it differs
  std::string site_;
};

}  // namespace espalier::text
