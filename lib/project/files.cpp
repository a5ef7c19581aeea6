// Files on disk and unsaved texts. See files.h.
#include "project/files.h"

#include <utility>

#include "system/filesystem.h"

namespace espalier::project {
namespace {

namespace fs = system::filesystem;

std::string without_links(const std::string& path) {
  if (path == kStandardInput) return path;
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error).generic_string();
}

}  // namespace

void ReadLog::add(const char* question, const std::string& path, std::string_view answer) {
  const ContentHash hash = content_hash(answer);
  const std::lock_guard lock(mutex_);
  answers_[{path, question}] = hash;
}

ContentHash ReadLog::hash() const {
  const std::lock_guard lock(mutex_);
  std::string all;
  for (const auto& [question, answer] : answers_) all += question.second + question.first + '\n' + text_of(answer);
  return content_hash(all);
}

std::set<std::string> ReadLog::paths() const {
  const std::lock_guard lock(mutex_);
  std::set<std::string> paths;
  for (const auto& [question, answer] : answers_) paths.insert(question.first);
  return paths;
}

void Files::set_text(const std::string& path, std::string bytes) { unsaved_[without_links(path)] = std::move(bytes); }

void Files::drop_text(const std::string& path) { unsaved_.erase(without_links(path)); }

const std::string* Files::find(const std::string& path) const {
  if (unsaved_.empty()) return nullptr;
  const auto found = unsaved_.find(without_links(path));
  return found == unsaved_.end() ? nullptr : &found->second;
}

bool Files::answer(const char* question, const std::string& path, bool is_so) const {
  if (log_ != nullptr) log_->add(question, path, is_so ? "yes" : "no");
  return is_so;
}

bool Files::is_file(const std::string& path) const {
  std::error_code error;
  return answer("is a file: ", path, find(path) != nullptr || fs::is_regular_file(path, error));
}

bool Files::exists(const std::string& path) const {
  std::error_code error;
  return answer("exists: ", path, find(path) != nullptr || fs::exists(path, error));
}

bool Files::read(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error,
                 Readable readable) const {
  const std::string* const text = find(path);
  if (text == nullptr) {
    if (!read_bytes(path, limit_bytes, bytes, error, readable)) return false;
  } else {
    bytes = text->substr(0, limit_bytes + 1);
  }
  if (log_ != nullptr) log_->add("content: ", path, bytes);
  return true;
}

std::vector<std::string> Files::unsaved_in(const std::string& folder) const {
  std::vector<std::string> names;
  for (const auto& [path, text] : unsaved_) {
    const fs::path file = path;
    if (file.parent_path() == folder) names.push_back(file.filename().generic_string());
  }
  return names;
}

}  // namespace espalier::project
