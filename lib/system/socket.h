// Sockets of the system, which never wait.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::system {

using Socket = std::intptr_t;
inline constexpr Socket kNoSocket = -1;

// Where a name leads: an address as the system writes it.
struct SocketAddress {
  int family = 0;
  std::string bytes = {};
};
// The addresses of a host, best first. None: `error` says why.
std::vector<SocketAddress> find_addresses(const std::string& host, std::uint16_t port, std::string& error);

// What a call has come to. An error has a reason.
struct SocketResult {
  enum class Kind : std::uint8_t { done, not_now, error };
  Kind kind = Kind::done;
  std::size_t count = 0;  // of bytes
  std::string reason = {};
};

// A socket that connects to the address: done, or not now. kNoSocket: an error.
Socket open_socket(const SocketAddress& address, SocketResult* result);
// Whether it has connected, after it was ready to write.
SocketResult finish_connecting(Socket socket);
void close_socket(Socket socket);
SocketResult send_some(Socket socket, std::string_view bytes);
// No bytes: the other side has closed the connection.
SocketResult receive_some(Socket socket, std::span<char> bytes);

// A socket that listens on 127.0.0.1; port 0 is any that is free, and is then replaced by it. kNoSocket: an error.
Socket open_listener(std::uint16_t* port, int most_waiting, std::string* error);
// The next connection that waits; kNoSocket: none does.
Socket take_connection(Socket listener);

struct WaitedSocket {
  Socket socket = kNoSocket;
  bool writes = false;    // waits until it can be written, too
  bool is_ready = false;  // the result
};
// Waits until one of them is ready, but no longer than this; a signal ends it. False: none is.
bool wait_for_sockets(std::span<WaitedSocket> sockets, int milliseconds);

}  // namespace espalier::system
