// Files on disk and unsaved texts. See files.h.
#include "project/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "text/system_error.h"

namespace espalier::project {
namespace {

namespace fs = std::filesystem;

std::string without_links(const std::string& path) {
  if (path == kStandardInput) return path;
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(path, error), error).string();
}

std::string why_not(const struct stat& file) {
  return S_ISDIR(file.st_mode) ? text::system_reason(EISDIR) : "it is not a regular file";
}

// Does the path, or the link that it is, name a descriptor of this process, or nothing?
bool is_handed_over(const std::string& path) {
  constexpr int kMaxLinks = 40;
  const std::string own = "/proc/" + std::to_string(getpid()) + "/fd/";
  std::error_code error;
  fs::path at = fs::absolute(path, error).lexically_normal();
  for (int i = 0; i < kMaxLinks && !error; ++i) {
    const std::string name = at.generic_string();
    for (const std::string_view folder :
         {std::string_view("/dev/fd/"), std::string_view("/proc/self/fd/"), std::string_view(own)}) {
      if (name.starts_with(folder)) return true;
    }
    if (name == "/dev/stdin" || name == "/dev/null") return true;
    const fs::path target = fs::read_symlink(at, error);
    at = (at.parent_path() / target).lexically_normal();
  }
  return false;
}

// Null: `error` says why. Opening a pipe for reading waits for a writer unless told not to.
std::FILE* open_file(const std::string& path, Readable readable, std::string& error) {
  const bool may_wait = readable == Readable::named && is_handed_over(path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (may_wait ? 0 : O_NONBLOCK));
  if (descriptor == -1) {
    error = errno == ENXIO ? "it is not a regular file" : text::system_reason(errno);  // a socket
    return nullptr;
  }
  struct stat found = {};
  if (!may_wait && fstat(descriptor, &found) == 0 && !S_ISREG(found.st_mode)) {
    error = why_not(found);
    ::close(descriptor);
    return nullptr;
  }
  std::FILE* const file = fdopen(descriptor, "rb");
  if (file == nullptr) ::close(descriptor);
  return file;
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
    if (file.parent_path() == folder) names.push_back(file.filename().string());
  }
  return names;
}

bool read_bytes(const std::string& path, std::size_t limit_bytes, std::string& bytes, std::string& error,
                Readable readable) {
  const bool is_standard_input = path == kStandardInput;
  std::FILE* file = is_standard_input ? stdin : open_file(path, readable, error);
  if (file == nullptr) return false;
  // One byte more than the reported size, so that the end is reached without growing the buffer.
  std::error_code unknown_size;
  const std::uintmax_t size_bytes = is_standard_input ? 0 : fs::file_size(path, unknown_size);
  std::size_t room = unknown_size ? 0 : static_cast<std::size_t>(std::min<std::uintmax_t>(size_bytes, limit_bytes));
  std::size_t used = 0;
  do {
    room = std::min(std::max(room + 1, used * 2), limit_bytes + 1);
    bytes.resize(room);
    used += std::fread(bytes.data() + used, 1, room - used, file);
  } while (used == room && used <= limit_bytes);
  bytes.resize(used);
  const bool has_failed = std::ferror(file) != 0;
  if (has_failed) error = text::system_reason(errno);
  if (!is_standard_input) std::fclose(file);
  return !has_failed;
}

bool may_read(const std::string& path, std::string& error) {
  struct stat found = {};
  if (path == kStandardInput || ::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return true;
  if (!S_ISDIR(found.st_mode) && is_handed_over(path)) return true;
  error = why_not(found);
  return false;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count == -1 && errno != EINTR) return false;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace espalier::project
