// Connections over TCP that never wait: bytes go out and come in as far as they can now.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace espalier::system {

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
  // What has come since the last call.
  std::string take();

 private:
  friend void wait_for(std::span<Connection* const> connections, int milliseconds);
  void close(std::string why);
  void finish_connecting();
  void write();
  void read();

  int descriptor_ = -1;
  State state_ = State::closed;
  std::string error_;
  std::string output_;
  std::string input_;
};

// Waits until one of them has something to read, or has changed its state, but no longer than this; a signal ends it.
void wait_for(std::span<Connection* const> connections, int milliseconds);

}  // namespace espalier::system
