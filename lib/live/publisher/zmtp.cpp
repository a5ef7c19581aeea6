// The codec. See zmtp.h; https://rfc.zeromq.org/spec/23 has the protocol.
#include "live/publisher/zmtp.h"

#include <utility>

#include "runtime/serving/zmtp.h"

namespace espalier::live {
namespace {

constexpr std::size_t kMostParts = 16;

}  // namespace

Zmtp::Zmtp(std::string_view socket) : socket_(socket), output_(zmtp::greeting()) {}

bool Zmtp::fail(std::string why) {
  stage_ = Stage::failed;
  error_ = std::move(why);
  input_.clear();
  return false;
}

std::string Zmtp::take_output() { return std::exchange(output_, {}); }

void Zmtp::put_frame(unsigned flags, std::string_view body, std::string& bytes) const {
  char head[zmtp::kMostHeadBytes];
  bytes.append(head, zmtp::write_frame(flags, body.size(), head)).append(body);
}

void Zmtp::send(const Message& message) {
  std::string& bytes = stage_ == Stage::open ? output_ : waiting_;
  if (socket_ == "REQ") put_frame(zmtp::kMore, {}, bytes);
  for (std::size_t i = 0; i < message.size(); ++i)
    put_frame(i + 1 < message.size() ? zmtp::kMore : 0, message[i], bytes);
}

bool Zmtp::feed(std::string_view bytes) {
  if (stage_ == Stage::failed) return false;
  input_.append(bytes);
  if (stage_ == Stage::greeting && !read_greeting()) return stage_ != Stage::failed;
  bool was_whole = true;
  while (was_whole) {
    if (!read_frame(&was_whole)) return false;
  }
  return true;
}

// False: it is not whole yet, or is none.
bool Zmtp::read_greeting() {
  const zmtp::Greeting greeting = zmtp::read_greeting(input_);
  if (const char* const why = zmtp::fault_of(greeting)) return fail(why);
  if (greeting == zmtp::Greeting::partial) return false;
  input_.erase(0, zmtp::kGreetingBytes);
  stage_ = Stage::handshake;
  char ready[zmtp::kMostReadyBytes];
  output_.append(ready, zmtp::write_ready(socket_, ready));
  return true;
}

bool Zmtp::read_frame(bool* was_whole) {
  *was_whole = false;
  zmtp::Frame frame;
  if (!zmtp::read_frame(input_, &frame)) return true;
  if (frame.body_bytes > kMaxMessageBytes || frame.body_bytes + part_bytes_ > kMaxMessageBytes)
    return fail("it sent more than 64 MiB at once");
  if (input_.size() - frame.head_bytes < frame.body_bytes) return true;
  const std::string body = input_.substr(frame.head_bytes, static_cast<std::size_t>(frame.body_bytes));
  input_.erase(0, frame.head_bytes + body.size());
  *was_whole = true;
  return take_frame(frame.flags, body);
}

bool Zmtp::take_frame(unsigned flags, std::string_view body) {
  if ((flags & zmtp::kCommand) != 0) {
    if (zmtp::is_command(body, "ERROR")) return fail("it refused the connection");
    if (stage_ == Stage::handshake && zmtp::is_command(body, "READY")) {
      stage_ = Stage::open;
      output_ += std::exchange(waiting_, {});
    }
    return true;
  }
  if (stage_ != Stage::open) return fail("it does not speak ZeroMQ's protocol");
  part_bytes_ += body.size();
  if (!body.empty() || !parts_.empty()) parts_.emplace_back(body);
  if (parts_.size() > kMostParts) return fail("it sent a message of too many parts");
  if ((flags & zmtp::kMore) != 0) return true;
  messages_.push_back(std::exchange(parts_, {}));
  part_bytes_ = 0;
  return true;
}

std::optional<Message> Zmtp::take_message() {
  if (messages_.empty()) return std::nullopt;
  Message first = std::move(messages_.front());
  messages_.erase(messages_.begin());
  return first;
}

}  // namespace espalier::live
