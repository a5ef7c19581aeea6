// The folder for unfinished outputs. See staging_folder.h.
#include "system/staging_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "project/files.h"
#include "text/system_error.h"

namespace espalier::system {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStagingPrefix = ".espalier-";
constexpr std::string_view kStagingPattern = "XXXXXX";
// A file in the folder. Only a folder that has it, with this content, is ours: a name alone proves nothing.
constexpr const char* kMark = "unfinished-outputs";
constexpr std::string_view kMarkText =
    "espalier writes its outputs here before it renames them. What is left here can be removed.\n";

int open_folder(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool write_mark(int folder) {
  const int descriptor = openat(folder, kMark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor == -1) return false;
  const bool is_written = project::write_all(descriptor, kMarkText);
  return ::close(descriptor) == 0 && is_written;
}

bool has_mark(int folder) {
  const int descriptor = openat(folder, kMark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor == -1) return false;
  std::array<char, kMarkText.size() + 1> text;
  const ssize_t size_bytes = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  return size_bytes > 0 && std::string_view(text.data(), static_cast<std::size_t>(size_bytes)) == kMarkText;
}

// Removes outputs, which have numbers for names, then the mark and the folder. Anything else is not ours: it stays, and
// so does the folder.
void remove_outputs(int folder, const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  const auto is_output = [](const std::string& name) {
    return name.find_first_not_of("0123456789") == std::string::npos;
  };
  bool has_others = false;
  for (const std::string& name : names) {
    if (is_output(name)) unlinkat(folder, name.c_str(), 0);
    has_others |= !is_output(name) && name != kMark;
  }
  if (has_others) return;
  unlinkat(folder, kMark, 0);
  ::rmdir(path.c_str());
}

// If it can be locked, the process that created it is gone. Where the file system has no locks, nothing is removed.
void remove_if_left_behind(const std::string& path) {
  const int descriptor = open_folder(path);
  if (descriptor == -1) return;
  if (has_mark(descriptor) && flock(descriptor, LOCK_EX | LOCK_NB) == 0) remove_outputs(descriptor, path);
  ::close(descriptor);
}

void remove_left_behind(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_ours =
        name.size() == kStagingPrefix.size() + kStagingPattern.size() && name.starts_with(kStagingPrefix);
    if (is_ours) remove_if_left_behind(entry->path().string());
  }
}

// Takes over permissions and, if allowed, the owner of the file that is replaced.
void take_permissions(int descriptor, const std::string& target) {
  struct stat found = {};
  struct stat own = {};
  if (::stat(target.c_str(), &found) != 0 || fstat(descriptor, &own) != 0) return;
  const bool is_of_other = found.st_uid != own.st_uid || found.st_gid != own.st_gid;
  if (is_of_other && fchown(descriptor, found.st_uid, found.st_gid) != 0) errno = 0;
  constexpr mode_t kPermissions = 07777;
  if (fchmod(descriptor, found.st_mode & kPermissions) != 0) errno = 0;
}

}  // namespace

// The mark comes after the lock, so that no other process takes the folder for one that was left behind.
StagingFolder::StagingFolder(const std::string& folder) {
  remove_left_behind(folder);
  std::string path = folder + '/' + std::string(kStagingPrefix) + std::string(kStagingPattern);
  if (mkdtemp(path.data()) == nullptr) {
    reason_ = text::system_reason(errno);
    return;
  }
  lock_ = open_folder(path);
  if (lock_ != -1) static_cast<void>(flock(lock_, LOCK_EX));
  if (lock_ != -1 && write_mark(lock_)) {
    path_ = std::move(path);
    return;
  }
  reason_ = text::system_reason(errno);
  if (lock_ != -1) remove_outputs(lock_, path);
}

StagingFolder::StagingFolder(StagingFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), reason_(std::move(other.reason_)), lock_(std::exchange(other.lock_, -1)) {}

StagingFolder::~StagingFolder() {
  if (!path_.empty()) remove_outputs(lock_, path_);
  if (lock_ != -1) ::close(lock_);
}

std::string StagingFolder::path_of(std::size_t number) const { return path_ + '/' + std::to_string(number); }

bool StagingFolder::write(std::size_t number, const std::string& target, std::string_view bytes, std::string* reason) {
  constexpr mode_t kNewFile = 0666;  // minus the umask
  const int descriptor = ::open(path_of(number).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFile);
  bool is_written = descriptor != -1 && project::write_all(descriptor, bytes);
  if (!is_written) *reason = text::system_reason(errno);
  if (descriptor == -1) return false;
  if (is_written) take_permissions(descriptor, target);
  if (::close(descriptor) != 0 && is_written) {
    *reason = text::system_reason(errno);
    is_written = false;
  }
  return is_written;
}

bool StagingFolder::publish(std::size_t number, const std::string& target, std::string* reason) {
  if (std::rename(path_of(number).c_str(), target.c_str()) == 0) return true;
  *reason = text::system_reason(errno);
  return false;
}

}  // namespace espalier::system
