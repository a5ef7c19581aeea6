// ZMTP 3.0 with the mechanism NULL: what sockets of ZeroMQ say to each other. A codec of one connection, without a
// socket: whoever has one moves the bytes. What the peer sends may be anything.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace espalier::live {

// The parts of a message.
using Message = std::vector<std::string>;

inline constexpr std::size_t kMaxMessageBytes = std::size_t{1} << 26;

class Zmtp {
 public:
  // `socket`: what it is of ZeroMQ's kinds: "REQ".
  explicit Zmtp(std::string_view socket);

  // What is to be sent to the peer; it is empty from then on.
  std::string take_output();
  // The message goes out as soon as the peer has greeted.
  void send(const Message& message);
  // Bytes of the peer. False: it does not speak this, from then on nothing is read; see error().
  bool feed(std::string_view bytes);
  // The next whole message, without the empty parts before it that envelopes have. None: there is none yet.
  std::optional<Message> take_message();

  bool is_ready() const { return stage_ == Stage::open; }
  const std::string& error() const { return error_; }

 private:
  enum class Stage : std::uint8_t { greeting, handshake, open, failed };

  bool fail(std::string why);
  bool read_greeting();
  bool read_frame(bool* was_whole);
  bool take_frame(unsigned flags, std::string_view body);
  void put_frame(unsigned flags, std::string_view body, std::string& bytes) const;

  Stage stage_ = Stage::greeting;
  std::string socket_;
  std::string input_;
  std::string output_;
  std::string waiting_;  // for the end of the handshake
  Message parts_;        // of a message that is not whole
  std::size_t part_bytes_ = 0;
  std::vector<Message> messages_;
  std::string error_;
};

}  // namespace espalier::live
