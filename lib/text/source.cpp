// Source files and places in them. See source.h.
#include "text/source.h"

#include <algorithm>
#include <utility>

namespace espalier::text {

Source::Source(std::string path, std::string text, Excerpts excerpts, std::uint32_t first_line)
    : path_(std::move(path)), text_(std::move(text)), excerpts_(excerpts), first_line_(first_line) {}

const std::vector<std::uint32_t>& Source::line_begins() const {
  std::call_once(has_lines_, [this] {
    line_begins_.push_back(0);
    std::size_t feed = text_.find('\n');
    std::size_t carriage_return = text_.find('\r');
    while (std::min(feed, carriage_return) != std::string::npos) {
      const bool is_pair = carriage_return < feed && feed - carriage_return == 1;
      const std::size_t begin = std::min(feed, carriage_return) + (is_pair ? 2 : 1);
      line_begins_.push_back(static_cast<std::uint32_t>(begin));
      if (feed < begin) feed = text_.find('\n', begin);
      if (carriage_return < begin) carriage_return = text_.find('\r', begin);
    }
  });
  return line_begins_;
}

Position Source::position(std::uint32_t offset) const {
  const std::vector<std::uint32_t>& begins = line_begins();
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto next = std::upper_bound(begins.begin(), begins.end(), offset);
  return {static_cast<std::uint32_t>(next - begins.begin()) + first_line_ - 1, offset - *(next - 1) + 1};
}

std::string_view Source::line(std::uint32_t line) const {
  const std::vector<std::uint32_t>& begins = line_begins();
  if (line < first_line_ || line - first_line_ >= begins.size()) return {};
  line -= first_line_ - 1;
  const std::size_t begin = begins[line - 1];
  const std::size_t end = line < begins.size() ? begins[line] : text_.size();
  std::string_view result = text().substr(begin, end - begin);
  while (!result.empty() && (result.back() == '\n' || result.back() == '\r')) result.remove_suffix(1);
  return result;
}

FileId Sources::add(std::shared_ptr<const Source> source) {
  files_.push_back(std::move(source));
  return size() - 1;
}

FileId Sources::add(std::string path, std::string text, Excerpts excerpts) {
  return add(std::make_shared<Source>(std::move(path), std::move(text), excerpts));
}

FileId Sources::append(const Sources& other) {
  const FileId first = size();
  files_.insert(files_.end(), other.files_.begin(), other.files_.end());
  given_.insert(other.given_.begin(), other.given_.end());
  if (site_.empty()) site_ = other.site_;
  return first;
}

void Sources::show_as(const std::string& path, std::string given) {
  if (given != path) given_[path] = std::move(given);
}

const std::string& Sources::shown(FileId file) const {
  const std::string& path = files_[file]->path();
  const auto given = given_.find(path);
  return given == given_.end() ? path : given->second;
}

}  // namespace espalier::text
