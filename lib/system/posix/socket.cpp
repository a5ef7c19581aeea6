// Sockets of POSIX. See socket.h.
#include "system/socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "system/reason.h"

namespace espalier::system {
namespace {

using Kind = SocketResult::Kind;

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0;
#endif

int descriptor_of(Socket socket) { return static_cast<int>(socket); }

void make_own(int descriptor) {
  static_cast<void>(fcntl(descriptor, F_SETFD, FD_CLOEXEC));
  static_cast<void>(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK));
}

SocketResult result_of(int error) {
  const bool is_later = error == EAGAIN || error == EWOULDBLOCK || error == EINPROGRESS;
  return is_later ? SocketResult{Kind::not_now} : SocketResult{Kind::error, 0, reason_of(error)};
}

template <typename Call>
SocketResult uninterrupted(const Call& call) {
  for (;;) {
    const ssize_t count = call();
    if (count >= 0) return {Kind::done, static_cast<std::size_t>(count)};
    if (errno != EINTR) return result_of(errno);
  }
}

}  // namespace

std::vector<SocketAddress> find_addresses(const std::string& host, std::uint16_t port, std::string& error) {
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int fault = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found); fault != 0) {
    error = gai_strerror(fault);
    return {};
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, freeaddrinfo);
  std::vector<SocketAddress> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    addresses.push_back({each->ai_family, {reinterpret_cast<const char*>(each->ai_addr), each->ai_addrlen}});
  }
  return addresses;
}

Socket open_socket(const SocketAddress& address, SocketResult* result) {
  const int descriptor = socket(address.family, SOCK_STREAM, IPPROTO_TCP);
  if (descriptor < 0) {
    *result = result_of(errno);
    return kNoSocket;
  }
  make_own(descriptor);
  const int at_once = 1;
  static_cast<void>(setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once));
  const auto* const place = reinterpret_cast<const sockaddr*>(address.bytes.data());
  *result =
      connect(descriptor, place, static_cast<socklen_t>(address.bytes.size())) == 0 ? SocketResult() : result_of(errno);
  if (result->kind != Kind::error) return descriptor;
  ::close(descriptor);
  return kNoSocket;
}

SocketResult finish_connecting(Socket socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(descriptor_of(socket), SOL_SOCKET, SO_ERROR, &error, &size) != 0) error = errno;
  return error == 0 ? SocketResult() : result_of(error);
}

void close_socket(Socket socket) { ::close(descriptor_of(socket)); }

SocketResult send_some(Socket socket, std::string_view bytes) {
  return uninterrupted([&] { return ::send(descriptor_of(socket), bytes.data(), bytes.size(), kSendFlags); });
}

SocketResult receive_some(Socket socket, std::span<char> bytes) {
  return uninterrupted([&] { return ::recv(descriptor_of(socket), bytes.data(), bytes.size(), 0); });
}

Socket open_listener(std::uint16_t* port, int most_waiting, std::string* error) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(*port);
  socklen_t size = sizeof address;
  auto* const place = reinterpret_cast<sockaddr*>(&address);
  const int at_once = 1;
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) {
    *error = reason_of(errno);
    return kNoSocket;
  }
  make_own(descriptor);
  static_cast<void>(setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &at_once, sizeof at_once));
  if (bind(descriptor, place, size) != 0 || listen(descriptor, most_waiting) != 0 ||
      getsockname(descriptor, place, &size) != 0) {
    *error = reason_of(errno);
    ::close(descriptor);
    return kNoSocket;
  }
  *port = ntohs(address.sin_port);
  return descriptor;
}

Socket take_connection(Socket listener) {
  const int descriptor = accept(descriptor_of(listener), nullptr, nullptr);
  if (descriptor < 0) return kNoSocket;
  make_own(descriptor);
  return descriptor;
}

bool wait_for_sockets(std::span<WaitedSocket> sockets, int milliseconds) {
  std::vector<pollfd> waited;
  for (const WaitedSocket& each : sockets) {
    waited.push_back({descriptor_of(each.socket), static_cast<short>(POLLIN | (each.writes ? POLLOUT : 0)), 0});
  }
  if (poll(waited.data(), static_cast<nfds_t>(waited.size()), milliseconds) <= 0) return false;
  for (std::size_t i = 0; i < waited.size(); ++i) sockets[i].is_ready = waited[i].revents != 0;
  return true;
}

}  // namespace espalier::system
