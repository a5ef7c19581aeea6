// Connections. See connection.h.
#include "system/connection.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "text/system_error.h"

namespace espalier::system {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 16;
constexpr int kMostWaiting = 16;  // connections that nobody takes

void make_own(int descriptor) {
  static_cast<void>(fcntl(descriptor, F_SETFD, FD_CLOEXEC));
  static_cast<void>(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK));
}

}  // namespace

Connection::Connection(const std::string& host, std::uint16_t port) {
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found); error != 0) {
    close(gai_strerror(error));
    return;
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> addresses(found, freeaddrinfo);
  // Names of this machine have an address of each kind, and programs may listen on one of them alone.
  for (const addrinfo* address = found; address != nullptr && state_ == State::closed; address = address->ai_next) {
    descriptor_ = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
    if (descriptor_ < 0) {
      close(text::system_reason(errno));
      continue;
    }
    make_own(descriptor_);
    const int at_once = 1;
    static_cast<void>(setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once));
    state_ = State::connecting;
    const int result = connect(descriptor_, address->ai_addr, address->ai_addrlen);
    if (result == 0) {
      state_ = State::open;
    } else if (errno != EINPROGRESS) {
      close(text::system_reason(errno));
    } else if (address->ai_next != nullptr) {
      wait_for(std::vector<Connection*>{this}, 200);
    }
  }
}

Connection::~Connection() { close({}); }

void Connection::close(std::string why) {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  state_ = State::closed;
  error_ = std::move(why);
}

void Connection::send(std::string_view bytes) {
  output_ += bytes;
  if (state_ == State::open) write();
}

std::string Connection::take() { return std::exchange(input_, {}); }

void Connection::finish_connecting() {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(descriptor_, SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  if (error != 0) return close(text::system_reason(error));
  state_ = State::open;
  write();
}

void Connection::write() {
  while (!output_.empty() && state_ == State::open) {
    const ssize_t count = ::send(descriptor_, output_.data(), output_.size(), MSG_NOSIGNAL);
    if (count > 0) {
      output_.erase(0, static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) close(text::system_reason(errno));
      return;
    }
  }
}

void Connection::read() {
  std::vector<char> buffer(kReadAtOnce);
  while (input_.size() < most_input_bytes_) {
    const ssize_t count = recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (count > 0) {
      input_.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0) {
      return close("the other side has closed the connection");
    } else if (errno != EINTR) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) close(text::system_reason(errno));
      return;
    }
  }
}

// ---- Listening

Listener::Listener(std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  socklen_t size = sizeof address;
  auto* const place = reinterpret_cast<sockaddr*>(&address);
  const int at_once = 1;
  descriptor_ = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor_ < 0) {
    error_ = text::system_reason(errno);
    return;
  }
  make_own(descriptor_);
  static_cast<void>(setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &at_once, sizeof at_once));
  if (bind(descriptor_, place, size) != 0 || listen(descriptor_, kMostWaiting) != 0 ||
      getsockname(descriptor_, place, &size) != 0) {
    error_ = text::system_reason(errno);
  }
  port_ = ntohs(address.sin_port);
}

Listener::~Listener() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::unique_ptr<Connection> Listener::take(std::size_t most_input_bytes) {
  const int descriptor = accept(descriptor_, nullptr, nullptr);
  if (descriptor < 0) return nullptr;
  make_own(descriptor);
  return std::unique_ptr<Connection>(new Connection(descriptor, most_input_bytes));
}

void wait_for(std::span<Connection* const> connections, const Listener* listener, int milliseconds) {
  std::vector<pollfd> waited;
  std::vector<Connection*> own;
  for (Connection* const each : connections) {
    if (each->state_ == Connection::State::closed) continue;
    const bool writes = each->state_ == Connection::State::connecting || !each->output_.empty();
    waited.push_back({each->descriptor_, static_cast<short>(POLLIN | (writes ? POLLOUT : 0)), 0});
    own.push_back(each);
  }
  if (listener != nullptr) waited.push_back({listener->descriptor_, POLLIN, 0});
  if (poll(waited.data(), static_cast<nfds_t>(waited.size()), milliseconds) <= 0) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (waited[i].revents == 0) continue;
    if (own[i]->state_ == Connection::State::connecting) own[i]->finish_connecting();
    if (own[i]->state_ == Connection::State::open) own[i]->write();
    if (own[i]->state_ == Connection::State::open) own[i]->read();
  }
}

}  // namespace espalier::system
