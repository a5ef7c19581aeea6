// See peer.h.
#include "serving/peer.h"

#include "serving/text.h"

namespace espalier::serving {
namespace {

constexpr unsigned kFrameFlags = zmtp::kMore | zmtp::kLong | zmtp::kCommand;

struct SocketKind {
  std::string_view peer;
  std::string_view own;
  Stage stage;
};
// Which sockets can be connected to which.
constexpr SocketKind kSocketKinds[] = {{"REQ", "REP", Stage::requests},
                                       {"DEALER", "REP", Stage::requests},
                                       {"SUB", "PUB", Stage::notices},
                                       {"XSUB", "PUB", Stage::notices}};

}  // namespace

void Peer::connect() {
  disconnect();
  stage_ = Stage::greeting;
  output_.put(zmtp::greeting());
}

void Peer::disconnect() {
  stage_ = Stage::closed;
  fault_ = nullptr;
  input_bytes_ = read_bytes_ = message_bytes_ = taken_bytes_ = 0;
  output_.rewind(0);
  tail_ = {};
  subscription_count_ = 0;
}

void Peer::fail(const char* why) {
  disconnect();
  stage_ = Stage::failed;
  fault_ = why;
}

std::size_t Peer::receive(std::string_view bytes) {
  if (read_bytes_ > 0 && bytes.size() > input_capacity_ - input_bytes_) {
    input_bytes_ -= read_bytes_;
    std::memmove(input_, input_ + read_bytes_, input_bytes_);
    read_bytes_ = 0;
  }
  const std::size_t room = input_capacity_ - input_bytes_;
  const std::size_t size_bytes = bytes.size() < room ? bytes.size() : room;
  if (size_bytes > 0) std::memcpy(input_ + input_bytes_, bytes.data(), size_bytes);
  input_bytes_ += size_bytes;
  return size_bytes;
}

std::size_t Peer::take(char* bytes, std::size_t size_bytes) {
  std::size_t taken = 0;
  const auto copy = [&](std::string_view from) {
    const std::size_t count = from.size() < size_bytes - taken ? from.size() : size_bytes - taken;
    if (count > 0) std::memcpy(bytes + taken, from.data(), count);
    taken += count;
    return count;
  };
  taken_bytes_ += copy(part_of(output_.written(), taken_bytes_));
  if (taken_bytes_ < output_.used_bytes()) return taken;
  output_.rewind(0);
  taken_bytes_ = 0;
  tail_.remove_prefix(copy(tail_));
  return taken;
}

bool Peer::next_request(Message* request) {
  for (;;) {
    switch (stage_) {
      case Stage::greeting:
        if (!read_greeting()) return false;
        break;
      case Stage::handshake:
        if (!read_handshake()) return false;
        break;
      case Stage::notices:
        if (!read_subscription()) return false;
        break;
      case Stage::requests: {
        if (!is_idle()) return false;
        const Found found = read_message(request);
        if (found == Found::nothing) return false;
        // A message without an envelope is none that could be answered.
        if (found == Found::message && !request->envelope.empty() && request->part_count > 0) return true;
        consume(message_bytes_);
        break;
      }
      default:
        return false;
    }
  }
}

void Peer::end_request() { consume(message_bytes_); }

bool Peer::read_greeting() {
  const zmtp::Greeting greeting = zmtp::read_greeting(input());
  if (const char* const why = zmtp::fault_of(greeting)) fail(why);
  if (greeting != zmtp::Greeting::good) return false;
  consume(zmtp::kGreetingBytes);
  stage_ = Stage::handshake;
  return true;
}

// The peer's socket says what the connection is for.
bool Peer::read_handshake() {
  zmtp::Frame frame;
  if (!zmtp::read_frame(input(), &frame)) return false;
  if ((frame.flags & zmtp::kCommand) == 0 || frame.body_bytes > input_capacity_ - frame.head_bytes) {
    fail("it does not speak ZeroMQ's protocol");
    return false;
  }
  const auto body_bytes = static_cast<std::size_t>(frame.body_bytes);
  if (input().size() - frame.head_bytes < body_bytes) return false;
  const std::string_view body = part_of(input(), frame.head_bytes, body_bytes);
  const std::string_view type = zmtp::is_command(body, "READY") ? zmtp::socket_type(body) : std::string_view();
  for (const SocketKind& kind : kSocketKinds) {
    if (kind.peer != type) continue;
    if (char* const ready = output_.room(zmtp::kMostReadyBytes))
      output_.rewind(output_.used_bytes() - zmtp::kMostReadyBytes + zmtp::write_ready(kind.own, ready));
    consume(frame.head_bytes + body_bytes);
    stage_ = kind.stage;
    return true;
  }
  fail("its socket is none of REQ, DEALER, SUB and XSUB");
  return false;
}

Peer::Found Peer::read_message(Message* message) {
  *message = {};
  std::size_t at = 0;
  for (std::uint32_t frame_count = 0;; ++frame_count) {
    zmtp::Frame frame;
    if (!zmtp::read_frame(part_of(input(), at), &frame)) return Found::nothing;
    const bool is_command = (frame.flags & zmtp::kCommand) != 0;
    if ((frame.flags & ~kFrameFlags) != 0 || (is_command && at != 0)) {
      fail("it does not speak ZeroMQ's protocol");
      return Found::nothing;
    }
    if (frame.body_bytes > input_capacity_ - at - frame.head_bytes || frame_count == kMostFrames) {
      fail("its message is larger than this program takes");
      return Found::nothing;
    }
    const auto body_bytes = static_cast<std::size_t>(frame.body_bytes);
    at += frame.head_bytes;
    if (input().size() - at < body_bytes) return Found::nothing;
    const std::string_view body = part_of(input(), at, body_bytes);
    at += body_bytes;
    message_bytes_ = at;
    if (is_command) return answer_command(body) ? Found::command : Found::nothing;
    if (body.empty() && message->envelope.empty()) {
      message->envelope = part_of(input(), 0, at);
      message->part_count = 0;
    } else {
      message->parts[message->part_count++] = body;
    }
    if ((frame.flags & zmtp::kMore) == 0) return Found::message;
  }
}

// A peer that wants to know whether we live gets back what it says after the time to live.
bool Peer::answer_command(std::string_view body) {
  constexpr std::size_t kPingBytes = 7;
  constexpr std::size_t kMostContextBytes = 16;
  if (zmtp::is_command(body, "ERROR")) {
    fail("it refused the connection");
    return false;
  }
  if (!zmtp::is_command(body, "PING") || body.size() < kPingBytes || body.size() > kPingBytes + kMostContextBytes)
    return true;
  constexpr std::string_view kPong = "\x04PONG";
  char head[zmtp::kMostHeadBytes];
  const std::string_view context = part_of(body, kPingBytes);
  const std::size_t head_bytes = zmtp::write_frame(zmtp::kCommand, kPong.size() + context.size(), head);
  const std::size_t before = output_.used_bytes();
  output_.put({head, head_bytes});
  output_.put(kPong);
  output_.put(context);
  if (!output_.is_whole()) output_.rewind(before);
  return true;
}

bool Peer::read_subscription() {
  Message message;
  const Found found = read_message(&message);
  if (found == Found::nothing) return false;
  const std::string_view first = message.part_count > 0 ? message.parts[0] : std::string_view();
  if (found == Found::message && !first.empty()) subscribe(part_of(first, 1), first.front() == 1);
  if (stage_ != Stage::notices) return false;
  consume(message_bytes_);
  return true;
}

// One that is longer than a header fits no message.
void Peer::subscribe(std::string_view prefix, bool is_on) {
  if (prefix.size() > kHeaderBytes) return;
  if (is_on) {
    if (subscription_count_ == kMostSubscriptions) return fail("it has more subscriptions than this program takes");
    Subscription& added = subscriptions_[subscription_count_++];
    added.size_bytes = static_cast<unsigned char>(prefix.size());
    if (!prefix.empty()) std::memcpy(added.prefix, prefix.data(), prefix.size());
    return;
  }
  for (std::uint32_t i = 0; i < subscription_count_; ++i) {
    if (std::string_view(subscriptions_[i].prefix, subscriptions_[i].size_bytes) != prefix) continue;
    subscriptions_[i] = subscriptions_[--subscription_count_];
    return;
  }
}

void Peer::notify(std::string_view header, std::string_view body) {
  if (stage_ != Stage::notices) return;
  bool is_wanted = false;
  for (std::uint32_t i = 0; i < subscription_count_; ++i) {
    const Subscription& each = subscriptions_[i];
    is_wanted = is_wanted || part_of(header, 0, each.size_bytes) == std::string_view(each.prefix, each.size_bytes);
  }
  if (!is_wanted) return;
  const std::size_t before = output_.used_bytes();
  char head[zmtp::kMostHeadBytes];
  output_.put({head, zmtp::write_frame(zmtp::kMore, header.size(), head)});
  output_.put(header);
  output_.put({head, zmtp::write_frame(0, body.size(), head)});
  output_.put(body);
  if (!output_.is_whole()) output_.rewind(before);
}

}  // namespace espalier::serving
