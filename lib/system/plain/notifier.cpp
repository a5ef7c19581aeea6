// Nothing says what changes: the files are looked at. See notifier.h.
#include "system/notifier.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

#include "system/reason.h"

namespace espalier::system {

struct Notifier::Watched {};

Notifier::Notifier() = default;
Notifier::~Notifier() = default;

void Notifier::add(const std::string& /*folder*/) {}

bool Notifier::sleep(std::string* reason) {
  constexpr int kLook_ms = 100;
  pollfd output{STDOUT_FILENO, 0, 0};
  const int count = poll(&output, 1, kLook_ms);
  if (count < 0 && errno != EINTR) {
    *reason = reason_of(errno);
    return false;
  }
  return count <= 0 || (output.revents & (POLLERR | POLLNVAL)) == 0;
}

}  // namespace espalier::system
