// A connection: what a peer has sent and is not read yet, and what is to be sent to it.
#pragma once
#include "serving/output.h"
#include "serving/zmtp.h"

namespace espalier::serving {

inline constexpr std::uint32_t kMostSubscriptions = 16;
inline constexpr std::size_t kHeaderBytes = 6;    // of a request, and of a notice: what subscriptions are compared with
inline constexpr std::uint32_t kMostFrames = 32;  // of a message

// What messages begin with.
struct Subscription {
  unsigned char size_bytes = 0;  // at most kHeaderBytes
  char prefix[kHeaderBytes] = {};
};

// A message of a client. Its parts stay in the peer's input until it is answered.
struct Message {
  std::string_view envelope;  // the frames up to the empty one, with their heads
  std::string_view parts[kMostFrames];
  std::uint32_t part_count = 0;
};

enum class Stage : std::uint8_t { closed, greeting, handshake, requests, notices, failed };

class Peer {
 public:
  Peer() = default;
  // `input`, `output`: memory for so many bytes.
  Peer(char* input, std::size_t input_bytes, char* output, std::size_t output_bytes)
      : input_(input), input_capacity_(input_bytes), output_(output, output_bytes) {}

  void connect();
  void disconnect();
  Stage stage() const { return stage_; }
  const char* fault() const { return fault_; }

  // As much as there is room for; returns how much.
  std::size_t receive(std::string_view bytes);
  std::size_t take(char* bytes, std::size_t size_bytes);

  // Reads greetings, commands and subscriptions. True: `request` is the next one, to be answered into output(), and
  // then removed by end_request().
  bool next_request(Message* request);
  void end_request();
  Output& output() { return output_; }
  // What follows `output` from somebody else's memory.
  void set_tail(std::string_view tail) { tail_ = tail; }
  // Is everything taken?
  bool is_idle() const { return output_.used_bytes() == 0 && tail_.empty(); }

  // A message for subscribers. It is dropped where nobody subscribes to it, and where there is no room.
  void notify(std::string_view header, std::string_view body);

  void fail(const char* why);

 private:
  bool read_greeting();
  bool read_handshake();
  bool read_subscription();
  bool answer_command(std::string_view body);
  enum class Found : std::uint8_t { nothing, command, message };
  Found read_message(Message* message);
  void subscribe(std::string_view prefix, bool is_on);
  void consume(std::size_t size_bytes) { read_bytes_ += size_bytes; }
  std::string_view input() const { return {input_ + read_bytes_, input_bytes_ - read_bytes_}; }

  Stage stage_ = Stage::closed;
  const char* fault_ = nullptr;
  char* input_ = nullptr;
  std::size_t input_capacity_ = 0;
  std::size_t input_bytes_ = 0;
  std::size_t read_bytes_ = 0;     // of them; they make room when it is needed
  std::size_t message_bytes_ = 0;  // of the message that is read
  Output output_{nullptr, 0};
  std::size_t taken_bytes_ = 0;  // of the output
  std::string_view tail_;
  Subscription subscriptions_[kMostSubscriptions];
  std::uint32_t subscription_count_ = 0;
};

}  // namespace espalier::serving
