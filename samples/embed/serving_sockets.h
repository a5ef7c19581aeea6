// The sockets of a program whose agent can be watched: what espalier/serving.h leaves to the program. For POSIX
// systems.
#pragma once
#include <arpa/inet.h>
#include <espalier/serving.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

class ServingSockets {
 public:
  static constexpr std::uint32_t kPeerCount = 8;

  ServingSockets() = default;
  ServingSockets(const ServingSockets&) = delete;
  ServingSockets& operator=(const ServingSockets&) = delete;
  ~ServingSockets() {
    for (const pollfd& each : sockets_) {
      if (each.fd >= 0) close(each.fd);
    }
  }

  // Listens on this port, for requests, and on the next one, for notices. Only programs on this machine can connect:
  // who reaches these ports can read all entries, and hold the agent.
  bool listen_on(std::uint16_t port) {
    for (std::uint16_t i = 0; i < kListenerCount; ++i) {
      const int made = sockets_[i].fd = socket(AF_INET, SOCK_STREAM, 0);
      const int is_on = 1;
      setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &is_on, sizeof is_on);
      sockaddr_in address = {};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      address.sin_port = htons(static_cast<std::uint16_t>(port + i));
      const auto* const named = reinterpret_cast<const sockaddr*>(&address);
      if (bind(made, named, sizeof address) != 0 || listen(made, kPeerCount) != 0) return false;
      sockets_[i].events = POLLIN;
    }
    return true;
  }

  // Accepts, receives and sends what there is. Waits at most so many milliseconds for clients.
  void move_bytes(espalier_server* server, int wait_ms) {
    for (std::uint32_t peer = 0; peer < kPeerCount; ++peer) {
      pollfd& each = sockets_[kListenerCount + peer];
      each.events = static_cast<short>(POLLIN | (fill(server, peer) ? POLLOUT : 0));
    }
    if (poll(sockets_, kListenerCount + kPeerCount, wait_ms) <= 0) return;
    for (std::uint32_t i = 0; i < kListenerCount; ++i) {
      if ((sockets_[i].revents & POLLIN) != 0) accept_one(server, sockets_[i].fd);
    }
    for (std::uint32_t peer = 0; peer < kPeerCount; ++peer) {
      const short happened = sockets_[kListenerCount + peer].revents;
      if (happened != 0 && !exchange(server, peer, happened)) drop(server, peer);
    }
  }

 private:
  static constexpr std::uint32_t kListenerCount = 2;

  // Is there something to send?
  bool fill(espalier_server* server, std::uint32_t peer) {
    char bytes[4096];
    if (sockets_[kListenerCount + peer].fd >= 0 && unsent_[peer].empty())
      unsent_[peer].assign(bytes, espalier_server_take(server, peer, bytes, sizeof bytes));
    return !unsent_[peer].empty();
  }

  void accept_one(espalier_server* server, int listener) {
    const int client = accept(listener, nullptr, nullptr);
    if (client < 0) return;
    for (std::uint32_t peer = 0; peer < kPeerCount; ++peer) {
      if (sockets_[kListenerCount + peer].fd >= 0) continue;
      const int is_on = 1;
      setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &is_on, sizeof is_on);
      fcntl(client, F_SETFL, O_NONBLOCK);
      sockets_[kListenerCount + peer] = {client, POLLIN, 0};
      return espalier_server_connect(server, peer);
    }
    close(client);  // there are enough
  }

  // False: the connection is over.
  bool exchange(espalier_server* server, std::uint32_t peer, short happened) {
    const int socket = sockets_[kListenerCount + peer].fd;
    if ((happened & POLLOUT) != 0) {
      const ssize_t sent = send(socket, unsent_[peer].data(), unsent_[peer].size(), MSG_NOSIGNAL);
      if (sent < 0) return false;
      unsent_[peer].erase(0, static_cast<std::size_t>(sent));
    }
    if ((happened & (POLLIN | POLLHUP | POLLERR)) == 0) return true;
    char bytes[4096];
    const ssize_t received = recv(socket, bytes, sizeof bytes, 0);
    return received > 0 && espalier_server_feed(server, peer, bytes, static_cast<std::size_t>(received)) == ESPALIER_OK;
  }

  void drop(espalier_server* server, std::uint32_t peer) {
    close(sockets_[kListenerCount + peer].fd);
    sockets_[kListenerCount + peer].fd = -1;
    unsent_[peer].clear();
    espalier_server_disconnect(server, peer);
  }

  // Listeners, then peers; poll() passes over those with -1.
  pollfd sockets_[kListenerCount + kPeerCount] = {{-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0},
                                                  {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}};
  std::string unsent_[kPeerCount];
};
