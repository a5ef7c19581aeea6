// A cache of parsed files. See parsed_files.h.
#include "project/parsed_files.h"

#include <optional>
#include <utility>

#include "dialects/dialect.h"
#include "text/characters.h"
#include "text/names.h"
#include "text/root_name.h"

namespace espalier::project {
namespace {

// The name in the last end tag, by which a root element is known whose start tag is misspelt.
std::string_view last_name(std::string_view bytes) {
  const std::size_t tag = bytes.rfind("</");
  if (tag == std::string_view::npos) return {};
  return bytes.substr(tag + 2, text::end_of_name(bytes, tag + 2) - tag - 2);
}

text::ScanOptions options_of(std::string_view bytes) {
  const std::optional<std::string> root = text::root_name(bytes);
  const dialects::Dialect* dialect = root ? dialects::find_owner(*root) : nullptr;
  if (root && dialect == nullptr) {
    const std::string_view last = last_name(bytes);
    if (!text::nearest(*root, {last}).empty()) dialect = dialects::find_owner(last);
  }
  return dialect == nullptr ? text::ScanOptions{} : dialect->scan;
}

}  // namespace

std::shared_ptr<const text::ParsedXml> ParsedFiles::parse(const std::string& path, std::string bytes) {
  {
    const std::lock_guard lock(mutex_);
    const auto known = by_path_.find(path);
    if (known != by_path_.end() && known->second->bytes == bytes) {
      files_.splice(files_.begin(), files_, known->second);
      return files_.front().parsed;
    }
    ++parse_count_;
  }
  std::shared_ptr<const text::ParsedXml> parsed = text::parse_xml(path, bytes, options_of(bytes));
  if (max_files_ == 0) return parsed;
  const std::lock_guard lock(mutex_);
  if (const auto known = by_path_.find(path); known != by_path_.end()) files_.erase(known->second);
  files_.push_front({path, std::move(bytes), parsed});
  by_path_[path] = files_.begin();
  if (files_.size() > max_files_) {
    by_path_.erase(files_.back().path);
    files_.pop_back();
  }
  return parsed;
}

std::uint64_t ParsedFiles::parse_count() const {
  const std::lock_guard lock(mutex_);
  return parse_count_;
}

}  // namespace espalier::project
