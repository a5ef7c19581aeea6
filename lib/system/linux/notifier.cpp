// By inotify. See notifier.h.
#include "system/notifier.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "system/reason.h"

namespace espalier::system {
namespace {

constexpr int kSettle_ms = 20;
constexpr int kMaxSettles = 25;  // something may be written to all the time
constexpr int kLook_ms = 100;    // without a notifier

}  // namespace

struct Notifier::Watched {
  int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);  // it can be read after a change; -1: there is none

  Watched() = default;
  ~Watched() { close(); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  void close() {
    if (descriptor != -1) ::close(descriptor);
    descriptor = -1;
  }
};

Notifier::Notifier() : watched_(std::make_unique<Watched>()) {}
Notifier::~Notifier() = default;

void Notifier::add(const std::string& folder) {
  if (watched_->descriptor == -1) return;
  constexpr std::uint32_t kEvents =
      IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB;
  std::error_code error;
  if (inotify_add_watch(watched_->descriptor, folder.c_str(), kEvents) != -1) return;
  if (std::filesystem::exists(folder, error)) watched_->close();  // there are too many folders: the files are looked at
}

bool Notifier::sleep(std::string* reason) {
  const int notifier = watched_->descriptor;
  int wait_ms = notifier == -1 ? kLook_ms : -1;
  for (int settles = 0; settles < kMaxSettles;) {
    pollfd waited[] = {{STDOUT_FILENO, 0, 0}, {notifier, POLLIN, 0}};
    const int count = poll(waited, 2, wait_ms);
    if (count > 0 && (waited[0].revents & (POLLERR | POLLNVAL)) != 0) return false;
    if (count == 0) return true;
    if (count < 0 && errno != EINTR) {
      *reason = reason_of(errno);
      return false;
    }
    if (count < 0 || (waited[1].revents & POLLIN) == 0) continue;
    char events[4096];
    while (::read(notifier, events, sizeof events) > 0) {
    }
    wait_ms = kSettle_ms;
    ++settles;
  }
  return true;
}

}  // namespace espalier::system
