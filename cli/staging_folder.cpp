// The folder for unfinished outputs. See staging_folder.h.
#include "cli/staging_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "project/files.h"
#include "text/system_error.h"

namespace espalier::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStagingPrefix = ".espalier-";
constexpr std::string_view kStagingPattern = "XXXXXX";
constexpr int kMaxAttempts = 100;  // to create a folder that no other process removes as left over

// Does the path still lead to the open folder, or was that removed?
bool is_still_at(int descriptor, const std::string& path) {
  struct stat opened = {};
  struct stat found = {};
  return fstat(descriptor, &opened) == 0 && lstat(path.c_str(), &found) == 0 && opened.st_dev == found.st_dev &&
         opened.st_ino == found.st_ino;
}

int open_folder(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// If it can be locked, the process that created it is gone. Where the file system has no locks, nothing is removed.
void remove_if_left_behind(const std::string& path) {
  const int descriptor = open_folder(path);
  if (descriptor == -1) return;
  std::error_code ignored;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_still_at(descriptor, path)) fs::remove_all(path, ignored);
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

// Between creation and locking, another process may remove it as left over.
StagingFolder::StagingFolder(const std::string& folder) {
  remove_left_behind(folder);
  for (int attempt = 0; attempt < kMaxAttempts && lock_ == -1; ++attempt) {
    std::string path = folder + '/' + std::string(kStagingPrefix) + std::string(kStagingPattern);
    if (mkdtemp(path.data()) == nullptr) {
      reason_ = text::system_reason(errno);
      return;
    }
    lock_ = open_folder(path);
    if (lock_ == -1) continue;
    static_cast<void>(flock(lock_, LOCK_EX));
    if (is_still_at(lock_, path)) {
      path_ = std::move(path);
      return;
    }
    ::close(std::exchange(lock_, -1));
  }
  reason_ = "no temporary folder could be created next to it";
}

StagingFolder::StagingFolder(StagingFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})), reason_(std::move(other.reason_)), lock_(std::exchange(other.lock_, -1)) {}

StagingFolder::~StagingFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
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

}  // namespace espalier::cli
