// Files of POSIX. See file.h.
#include "system/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "system/device_name.h"
#include "system/posix/descriptors.h"
#include "system/reason.h"

namespace espalier::system {
namespace {

namespace fs = std::filesystem;

std::string why_not(const struct stat& file) {
  return S_ISDIR(file.st_mode) ? reason_of(EISDIR) : "it is not a regular file";
}

// Does the path, or the link that it is, name a descriptor of this process, or nothing?
bool is_handed_over(const std::string& path) {
  constexpr int kMostFollowed = 40;
  const std::string own = "/proc/" + std::to_string(getpid()) + "/fd/";
  std::error_code error;
  fs::path at = fs::absolute(path, error).lexically_normal();
  for (int i = 0; i < kMostFollowed && !error; ++i) {
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

std::error_code write_and_close(int descriptor, std::string_view bytes) {
  if (descriptor == -1) return last_error();
  const std::error_code error = write_all(descriptor, bytes) ? std::error_code() : last_error();
  return ::close(descriptor) != 0 && !error ? last_error() : error;
}

// Device and inode of one that exists, else the resolved path.
std::string identity_of(bool exists, const struct stat& found, const std::string& path) {
  if (exists) return std::to_string(found.st_dev) + ' ' + std::to_string(found.st_ino);
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(path, ignored), ignored).generic_string();
}

}  // namespace

// Opening a pipe for reading waits for a writer unless told not to.
std::FILE* open_file(const std::string& path, Readable readable, std::string& error) {
  const bool may_wait = readable == Readable::named && is_handed_over(path);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (may_wait ? 0 : O_NONBLOCK));
  if (descriptor == -1) {
    error = errno == ENXIO ? "it is not a regular file" : reason_of(errno);  // a socket
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

bool is_readable(const std::string& path, std::string& error) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0 || S_ISREG(found.st_mode)) return true;
  if (!S_ISDIR(found.st_mode) && is_handed_over(path)) return true;
  error = why_not(found);
  return false;
}

std::error_code write_new(const std::string& path, std::string_view bytes, Access access) {
  const mode_t mode = access == Access::own ? 0600 : 0666;  // minus the umask
  return write_and_close(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode), bytes);
}

std::error_code write_into(const std::string& path, std::string_view bytes) {
  return write_and_close(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), bytes);
}

void take_permissions(const std::string& path, const std::string& target) {
  struct stat found = {};
  struct stat own = {};
  if (::stat(target.c_str(), &found) != 0 || ::stat(path.c_str(), &own) != 0) return;
  const bool is_of_other = found.st_uid != own.st_uid || found.st_gid != own.st_gid;
  if (is_of_other && ::chown(path.c_str(), found.st_uid, found.st_gid) != 0) errno = 0;
  constexpr mode_t kPermissions = 07777;
  if (::chmod(path.c_str(), found.st_mode & kPermissions) != 0) errno = 0;
}

std::error_code rename_over(const std::string& path, const std::string& target) {
  return std::rename(path.c_str(), target.c_str()) == 0 ? std::error_code() : last_error();
}

std::error_code make_folder(const std::string& path) {
  return ::mkdir(path.c_str(), 0700) == 0 ? std::error_code() : last_error();
}

bool has_name_of_device(const std::string& /*path*/) { return false; }

std::string identity_of(const std::string& path) {
  struct stat found = {};
  const bool exists = ::stat(path.c_str(), &found) == 0;
  return exists && S_ISCHR(found.st_mode) ? std::string() : identity_of(exists, found, path);
}

std::string identity_of(Stream stream) {
  struct stat found = {};
  const int descriptor = descriptor_of(stream);
  const bool exists = fstat(descriptor, &found) == 0;
  if (exists && S_ISCHR(found.st_mode)) return "descriptor " + std::to_string(descriptor);
  return identity_of(exists, found, "-");
}

std::optional<FileStamp> file_stamp(const std::string& path) {
  std::error_code error;
  const fs::file_time_type time = fs::last_write_time(path, error);
  if (error || fs::is_directory(path, error)) return std::nullopt;
  const std::uintmax_t size_bytes = fs::file_size(path, error);
  return FileStamp{static_cast<std::int64_t>(time.time_since_epoch().count()), error ? 0 : size_bytes};
}

}  // namespace espalier::system
