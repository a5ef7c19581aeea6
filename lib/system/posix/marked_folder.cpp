// A folder that is open and locked. See marked_folder.h.
#include "system/marked_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <utility>
#include <vector>

#include "system/posix/descriptors.h"

namespace espalier::system {

struct MarkedFolder::Held {
  std::string path;
  std::string mark;
  int descriptor = -1;

  Held(std::string path_of_it, const Mark& mark_of_it)
      : path(std::move(path_of_it)),
        mark(mark_of_it.name),
        descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) {}
  ~Held() {
    if (descriptor != -1) ::close(descriptor);
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
};

namespace {

bool write_mark(int folder, const Mark& mark) {
  const int descriptor = openat(folder, mark.name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor == -1) return false;
  const bool is_written = write_all(descriptor, mark.text);
  return ::close(descriptor) == 0 && is_written;
}

bool has_mark(int folder, const Mark& mark) {
  const int descriptor = openat(folder, mark.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor == -1) return false;
  std::vector<char> text(mark.text.size() + 1);
  const ssize_t size_bytes = ::read(descriptor, text.data(), text.size());
  ::close(descriptor);
  return size_bytes > 0 && std::string_view(text.data(), static_cast<std::size_t>(size_bytes)) == mark.text;
}

}  // namespace

MarkedFolder::MarkedFolder() = default;
MarkedFolder::~MarkedFolder() = default;
MarkedFolder::MarkedFolder(MarkedFolder&& other) noexcept = default;
MarkedFolder& MarkedFolder::operator=(MarkedFolder&& other) noexcept = default;

std::error_code MarkedFolder::hold(const std::string& path, const Mark& mark) {
  held_ = std::make_unique<Held>(path, mark);
  if (held_->descriptor == -1) return last_error();
  static_cast<void>(flock(held_->descriptor, LOCK_EX));
  return write_mark(held_->descriptor, mark) ? std::error_code() : last_error();
}

bool MarkedFolder::take_left_behind(const std::string& path, const Mark& mark) {
  held_ = std::make_unique<Held>(path, mark);
  return held_->descriptor != -1 && has_mark(held_->descriptor, mark) &&
         flock(held_->descriptor, LOCK_EX | LOCK_NB) == 0;
}

void MarkedFolder::remove_file(const std::string& name) const { unlinkat(held_->descriptor, name.c_str(), 0); }

void MarkedFolder::remove() {
  if (held_->descriptor != -1) remove_file(held_->mark);
  ::rmdir(held_->path.c_str());
}

}  // namespace espalier::system
