// Connections over TCP that never wait: bytes go out and come in as far as they can now.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "system/socket.h"

namespace espalier::system {

class Listener;

class Connection {
 public:
  // Begins to connect. `host`: a name or a number; what cannot be looked up, or is refused, is told by state().
  Connection(const std::string& host, std::uint16_t port);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  enum class State : std::uint8_t { connecting, open, closed };
  State state() const { return state_; }
  const std::string& error() const { return error_; }  // why it is closed

  // Sends what it can, at once or in later calls of wait_for().
  void send(std::string_view bytes);
  // Has all of it been sent?
  bool is_sent() const { return output_.empty(); }
  // What has come since the last call.
  std::string take();

 private:
  friend class Listener;
  friend void wait_for(std::span<Connection* const> connections, const Listener* listener, int milliseconds);
  Connection(Socket socket, std::size_t most_input_bytes)
      : socket_(socket), state_(State::open), most_input_bytes_(most_input_bytes) {}
  void close(std::string why);
  void finish_connecting();
  void write();
  void read();

  Socket socket_ = kNoSocket;
  State state_ = State::closed;
  std::string error_;
  std::string output_;
  std::string input_;
  std::size_t most_input_bytes_ = std::size_t{1} << 27;  // that nobody takes
};

// Takes connections of programs on this machine: it listens on 127.0.0.1 alone.
class Listener {
 public:
  // 0: any port that is free.
  explicit Listener(std::uint16_t port);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& error() const { return error_; }  // why it does not listen; empty: it does
  std::uint16_t port() const { return port_; }
  // The next one that waits; null: none does. It holds at most so many bytes that nobody takes, about.
  std::unique_ptr<Connection> take(std::size_t most_input_bytes);

 private:
  friend void wait_for(std::span<Connection* const> connections, const Listener* listener, int milliseconds);
  Socket socket_ = kNoSocket;
  std::uint16_t port_ = 0;
  std::string error_;
};

// Waits until one of them has something to read, or has changed its state, or the listener (null: none) has a
// connection, but no longer than this; a signal ends it.
void wait_for(std::span<Connection* const> connections, const Listener* listener, int milliseconds);
inline void wait_for(std::span<Connection* const> connections, int milliseconds) {
  wait_for(connections, nullptr, milliseconds);
}

}  // namespace espalier::system
