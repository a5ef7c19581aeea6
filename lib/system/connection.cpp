// Connections. See connection.h.
#include "system/connection.h"

#include <memory>
#include <utility>
#include <vector>

namespace espalier::system {
namespace {

constexpr std::size_t kReadAtOnce = std::size_t{1} << 16;
constexpr int kMostWaiting = 16;  // connections that nobody takes

using Kind = SocketResult::Kind;

}  // namespace

Connection::Connection(const std::string& host, std::uint16_t port) {
  const std::vector<SocketAddress> addresses = find_addresses(host, port, error_);
  // Names of this machine have an address of each kind, and programs may listen on one of them alone.
  for (std::size_t i = 0; i < addresses.size() && state_ == State::closed; ++i) {
    SocketResult result;
    socket_ = open_socket(addresses[i], &result);
    state_ = State::connecting;
    if (result.kind == Kind::error) {
      close(std::move(result.reason));
    } else if (result.kind == Kind::done) {
      state_ = State::open;
    } else if (i + 1 < addresses.size()) {
      wait_for(std::vector<Connection*>{this}, 200);
    }
  }
}

Connection::~Connection() { close({}); }

void Connection::close(std::string why) {
  if (socket_ != kNoSocket) close_socket(socket_);
  socket_ = kNoSocket;
  state_ = State::closed;
  error_ = std::move(why);
}

void Connection::send(std::string_view bytes) {
  output_ += bytes;
  if (state_ == State::open) write();
}

std::string Connection::take() { return std::exchange(input_, {}); }

void Connection::finish_connecting() {
  SocketResult result = system::finish_connecting(socket_);
  if (result.kind == Kind::error) return close(std::move(result.reason));
  state_ = State::open;
  write();
}

void Connection::write() {
  while (!output_.empty() && state_ == State::open) {
    SocketResult result = send_some(socket_, output_);
    if (result.kind == Kind::error) close(std::move(result.reason));
    if (result.kind != Kind::done || result.count == 0) return;
    output_.erase(0, result.count);
  }
}

void Connection::read() {
  std::vector<char> buffer(kReadAtOnce);
  while (input_.size() < most_input_bytes_) {
    SocketResult result = receive_some(socket_, buffer);
    if (result.kind == Kind::error) return close(std::move(result.reason));
    if (result.kind == Kind::not_now) return;
    if (result.count == 0) return close("the other side has closed the connection");
    input_.append(buffer.data(), result.count);
  }
}

// ---- Listening

Listener::Listener(std::uint16_t port) : port_(port) { socket_ = open_listener(&port_, kMostWaiting, &error_); }

Listener::~Listener() {
  if (socket_ != kNoSocket) close_socket(socket_);
}

std::unique_ptr<Connection> Listener::take(std::size_t most_input_bytes) {
  const Socket socket = take_connection(socket_);
  return socket == kNoSocket ? nullptr : std::unique_ptr<Connection>(new Connection(socket, most_input_bytes));
}

void wait_for(std::span<Connection* const> connections, const Listener* listener, int milliseconds) {
  std::vector<WaitedSocket> waited;
  std::vector<Connection*> own;
  for (Connection* const each : connections) {
    if (each->state_ == Connection::State::closed) continue;
    waited.push_back({each->socket_, each->state_ == Connection::State::connecting || !each->output_.empty()});
    own.push_back(each);
  }
  if (listener != nullptr) waited.push_back({listener->socket_});
  if (!wait_for_sockets(waited, milliseconds)) return;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!waited[i].is_ready) continue;
    if (own[i]->state_ == Connection::State::connecting) own[i]->finish_connecting();
    if (own[i]->state_ == Connection::State::open) own[i]->write();
    if (own[i]->state_ == Connection::State::open) own[i]->read();
  }
}

}  // namespace espalier::system
