// Sockets of Windows. See socket.h.
#include "system/socket.h"

#include <winsock2.h>
#include <ws2tcpip.h>

#include <algorithm>
#include <memory>

#include "system/windows/windows.h"

namespace espalier::system {
namespace {

using Kind = SocketResult::Kind;

SOCKET handle_of(Socket socket) { return static_cast<SOCKET>(socket); }

// Before the first call.
void begin_sockets() {
  static const int begun = [] {
    WSADATA found = {};
    return WSAStartup(MAKEWORD(2, 2), &found);
  }();
  static_cast<void>(begun);
}

// The C library has no words for them.
std::string reason_of_socket(int error) {
  switch (error) {
    case WSAECONNREFUSED:
      return "Connection refused";
    case WSAECONNRESET:
    case WSAECONNABORTED:
      return "Connection reset by peer";
    case WSAETIMEDOUT:
      return "Connection timed out";
    case WSAEADDRINUSE:
      return "Address already in use";
    case WSAEACCES:
      return "Permission denied";
    case WSAEHOSTUNREACH:
    case WSAENETUNREACH:
      return "No route to host";
    default:
      return "error " + std::to_string(error) + " of the network";
  }
}

SocketResult result_of(int error) {
  const bool is_later = error == WSAEWOULDBLOCK || error == WSAEINPROGRESS;
  return is_later ? SocketResult{Kind::not_now} : SocketResult{Kind::error, 0, reason_of_socket(error)};
}

void make_own(SOCKET handle) {
  u_long is_on = 1;
  ioctlsocket(handle, static_cast<long>(FIONBIO), &is_on);
  SetHandleInformation(reinterpret_cast<HANDLE>(handle), HANDLE_FLAG_INHERIT, 0);
}

int size_at_once(std::size_t size) { return static_cast<int>(std::min(size, std::size_t{1} << 20)); }

SocketResult counted(int count) {
  return count >= 0 ? SocketResult{Kind::done, static_cast<std::size_t>(count)} : result_of(WSAGetLastError());
}

}  // namespace

std::vector<SocketAddress> find_addresses(const std::string& host, std::uint16_t port, std::string& error) {
  begin_sockets();
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found) != 0) {
    error = "Name or service not known";
    return {};
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(found, [](addrinfo* each) { freeaddrinfo(each); });
  std::vector<SocketAddress> addresses;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    addresses.push_back({each->ai_family, {reinterpret_cast<const char*>(each->ai_addr), each->ai_addrlen}});
  }
  return addresses;
}

Socket open_socket(const SocketAddress& address, SocketResult* result) {
  const SOCKET handle = socket(address.family, SOCK_STREAM, IPPROTO_TCP);
  if (handle == INVALID_SOCKET) {
    *result = result_of(WSAGetLastError());
    return kNoSocket;
  }
  make_own(handle);
  const char at_once = 1;
  setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
  const auto* const place = reinterpret_cast<const sockaddr*>(address.bytes.data());
  *result = connect(handle, place, static_cast<int>(address.bytes.size())) == 0 ? SocketResult()
                                                                                : result_of(WSAGetLastError());
  if (result->kind != Kind::error) return static_cast<Socket>(handle);
  closesocket(handle);
  return kNoSocket;
}

SocketResult finish_connecting(Socket socket) {
  int error = 0;
  int size = sizeof error;
  if (getsockopt(handle_of(socket), SOL_SOCKET, SO_ERROR, reinterpret_cast<char*>(&error), &size) != 0)
    error = WSAGetLastError();
  return error == 0 ? SocketResult() : result_of(error);
}

void close_socket(Socket socket) { closesocket(handle_of(socket)); }

SocketResult send_some(Socket socket, std::string_view bytes) {
  return counted(::send(handle_of(socket), bytes.data(), size_at_once(bytes.size()), 0));
}

SocketResult receive_some(Socket socket, std::span<char> bytes) {
  return counted(::recv(handle_of(socket), bytes.data(), size_at_once(bytes.size()), 0));
}

Socket open_listener(std::uint16_t* port, int most_waiting, std::string* error) {
  begin_sockets();
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(*port);
  int size = sizeof address;
  auto* const place = reinterpret_cast<sockaddr*>(&address);
  const char is_on = 1;
  const SOCKET handle = socket(AF_INET, SOCK_STREAM, 0);
  if (handle == INVALID_SOCKET) {
    *error = reason_of_socket(WSAGetLastError());
    return kNoSocket;
  }
  make_own(handle);
  // Reusing an address would let another program take it.
  setsockopt(handle, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, &is_on, sizeof is_on);
  if (bind(handle, place, size) != 0 || listen(handle, most_waiting) != 0 || getsockname(handle, place, &size) != 0) {
    *error = reason_of_socket(WSAGetLastError());
    closesocket(handle);
    return kNoSocket;
  }
  *port = ntohs(address.sin_port);
  return static_cast<Socket>(handle);
}

Socket take_connection(Socket listener) {
  const SOCKET handle = accept(handle_of(listener), nullptr, nullptr);
  if (handle == INVALID_SOCKET) return kNoSocket;
  make_own(handle);
  return static_cast<Socket>(handle);
}

bool wait_for_sockets(std::span<WaitedSocket> sockets, int milliseconds) {
  if (sockets.empty()) {  // which WSAPoll refuses
    Sleep(static_cast<DWORD>(milliseconds));
    return false;
  }
  std::vector<WSAPOLLFD> waited;
  for (const WaitedSocket& each : sockets) {
    waited.push_back({handle_of(each.socket), static_cast<SHORT>(POLLRDNORM | (each.writes ? POLLWRNORM : 0)), 0});
  }
  if (WSAPoll(waited.data(), static_cast<ULONG>(waited.size()), milliseconds) <= 0) return false;
  for (std::size_t i = 0; i < waited.size(); ++i) sockets[i].is_ready = waited[i].revents != 0;
  return true;
}

}  // namespace espalier::system
