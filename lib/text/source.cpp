// Source files and places in them. See source.h.
#include "text/source.h"

#include <algorithm>
#include <utility>

namespace espalier::text {

Source::Source(std::string path, std::string text, Excerpts excerpts, std::uint32_t first_line)
    : path_(std::move(path)), text_(std::move(text)), excerpts_(excerpts), first_line_(first_line) {
  line_begins_.push_back(0);
  const std::size_t size = text_.size();
  for (std::size_t i = 0; i < size; ++i) {
    const char c = text_[i];
    if (c != '\n' && c != '\r') continue;
    if (c == '\r' && i + 1 < size && text_[i + 1] == '\n') ++i;
    line_begins_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

Position Source::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
  return {static_cast<std::uint32_t>(next - line_begins_.begin()) + first_line_ - 1, offset - *(next - 1) + 1};
}

std::string_view Source::line(std::uint32_t line) const {
  if (line < first_line_ || line - first_line_ >= line_begins_.size()) return {};
  line -= first_line_ - 1;
  const std::size_t begin = line_begins_[line - 1];
  const std::size_t end = line < line_begins_.size() ? line_begins_[line] : text_.size();
  std::string_view result = text().substr(begin, end - begin);
  while (!result.empty() && (result.back() == '\n' || result.back() == '\r')) result.remove_suffix(1);
  return result;
}

FileId Sources::add(std::string path, std::string text, Excerpts excerpts, std::uint32_t first_line) {
  Source source(std::move(path), std::move(text), excerpts, first_line);  // finding the lines needs no lock
  const std::lock_guard lock(mutex_);
  if (const auto reserved = reserved_.find(source.path()); reserved != reserved_.end()) {
    const FileId file = reserved->second;
    reserved_.erase(reserved);
    files_[file] = std::move(source);
    return file;
  }
  files_.push_back(std::move(source));
  return static_cast<FileId>(files_.size() - 1);
}

std::vector<FileId> Sources::reserve(const std::vector<std::string>& paths) {
  const std::lock_guard lock(mutex_);
  std::vector<FileId> files;
  for (const std::string& path : paths) {
    const auto [reserved, is_new] = reserved_.try_emplace(path, static_cast<FileId>(files_.size()));
    files.push_back(reserved->second);
    if (is_new) files_.emplace_back(path, std::string());
  }
  return files;
}

const Source& Sources::operator[](FileId file) const {
  const std::lock_guard lock(mutex_);
  return files_[file];
}

void Sources::show_as(const std::string& path, std::string given) {
  const std::lock_guard lock(mutex_);
  if (given != path) given_[path] = std::move(given);
}

const std::string& Sources::shown(FileId file) const {
  const std::lock_guard lock(mutex_);
  const std::string& path = files_[file].path();
  const auto given = given_.find(path);
  return given == given_.end() ? path : given->second;
}

std::uint32_t Sources::size() const {
  const std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(files_.size());
}

}  // namespace espalier::text
