// Standard streams. See standard_streams.h.
#include "system/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "system/environment.h"
#include "system/own_program.h"
#include "system/posix/descriptors.h"

namespace espalier::system {

std::vector<std::string> begin_program(int count, const char* const* words) {
  std::signal(SIGPIPE, SIG_IGN);
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    if (::open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY) == -1) break;
  }
  std::vector<std::string> result(words, words + count);
  if (count > 0) note_own_program(result.front());
  return result;
}

bool is_terminal(Stream stream) { return isatty(descriptor_of(stream)) == 1; }

bool is_dumb_terminal() { return variable("TERM").value_or("dumb") == "dumb"; }

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool write_directly(Stream stream, std::string_view bytes) { return write_all(descriptor_of(stream), bytes); }

bool has_reader_left() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace espalier::system
