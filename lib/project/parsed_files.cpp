// A cache of parsed files. See parsed_files.h.
#include "project/parsed_files.h"

#include <optional>
#include <utility>

#include "dialects/dialect.h"
#include "text/root_name.h"

namespace espalier::project {
namespace {

text::ScanOptions options_of(std::string_view bytes) {
  const std::optional<std::string> root = text::root_name(bytes);
  const dialects::Dialect* const dialect = root ? dialects::find_owner(*root) : nullptr;
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
