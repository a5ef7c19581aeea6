// The codec. See zmtp.h; https://rfc.zeromq.org/spec/23 has the protocol.
#include "live/publisher/zmtp.h"

#include <cstdint>
#include <utility>

namespace espalier::live {
namespace {

constexpr std::size_t kGreetingBytes = 64;
constexpr std::size_t kSignatureBytes = 10;
constexpr std::size_t kMechanismAt = 12;
constexpr std::size_t kMechanismBytes = 20;
constexpr unsigned kMore = 1;
constexpr unsigned kLong = 2;
constexpr unsigned kCommand = 4;
constexpr std::size_t kMostShortBytes = 255;
constexpr std::size_t kMostParts = 16;

std::string greeting() {
  std::string bytes = "\xFF";
  bytes.append(8, '\0').append("\x7F\x03").append(1, '\0');
  bytes.append("NULL").resize(kMechanismAt + kMechanismBytes);
  bytes.resize(kGreetingBytes);
  return bytes;
}

void put_big_endian(std::uint64_t number, unsigned size, std::string& bytes) {
  for (unsigned i = size; i-- > 0;) bytes.push_back(static_cast<char>(number >> 8 * i & 0xFF));
}

}  // namespace

Zmtp::Zmtp(std::string_view socket) : socket_(socket), output_(greeting()) {}

bool Zmtp::fail(std::string why) {
  stage_ = Stage::failed;
  error_ = std::move(why);
  input_.clear();
  return false;
}

std::string Zmtp::take_output() { return std::exchange(output_, {}); }

void Zmtp::put_frame(unsigned flags, std::string_view body, std::string& bytes) const {
  const bool is_long = body.size() > kMostShortBytes;
  bytes.push_back(static_cast<char>(flags | (is_long ? kLong : 0)));
  put_big_endian(body.size(), is_long ? 8 : 1, bytes);
  bytes.append(body);
}

void Zmtp::send(const Message& message) {
  std::string& bytes = stage_ == Stage::open ? output_ : waiting_;
  if (socket_ == "REQ") put_frame(kMore, {}, bytes);
  for (std::size_t i = 0; i < message.size(); ++i) put_frame(i + 1 < message.size() ? kMore : 0, message[i], bytes);
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
  const bool is_other =
      (!input_.empty() && input_[0] != '\xFF') || (input_.size() >= kSignatureBytes && input_[9] != '\x7F');
  if (is_other) return fail("it does not speak ZeroMQ's protocol");
  if (input_.size() > kSignatureBytes && static_cast<unsigned char>(input_[kSignatureBytes]) < 3)
    return fail("it speaks an old version of ZeroMQ's protocol");
  if (input_.size() < kGreetingBytes) return false;
  const std::string_view mechanism = std::string_view(input_).substr(kMechanismAt, kMechanismBytes);
  if (mechanism.substr(0, mechanism.find('\0')) != "NULL") return fail("it wants a login");
  input_.erase(0, kGreetingBytes);
  stage_ = Stage::handshake;
  std::string ready = "\x05READY\x0BSocket-Type";
  put_big_endian(socket_.size(), 4, ready);
  put_frame(kCommand, ready + socket_, output_);
  return true;
}

bool Zmtp::read_frame(bool* was_whole) {
  *was_whole = false;
  if (input_.empty()) return true;
  const auto flags = static_cast<unsigned char>(input_[0]);
  const std::size_t size_bytes = (flags & kLong) != 0 ? 8 : 1;
  if (input_.size() < 1 + size_bytes) return true;
  std::uint64_t size = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) size = size << 8 | static_cast<unsigned char>(input_[1 + i]);
  if (size + part_bytes_ > kMaxMessageBytes) return fail("it sent more than 64 MiB at once");
  const std::size_t begin = 1 + size_bytes;
  if (input_.size() - begin < size) return true;
  const std::string body = input_.substr(begin, static_cast<std::size_t>(size));
  input_.erase(0, begin + static_cast<std::size_t>(size));
  *was_whole = true;
  return take_frame(flags, body);
}

bool Zmtp::take_frame(unsigned flags, std::string_view body) {
  if ((flags & kCommand) != 0) {
    constexpr std::string_view kReady = "\x05READY";
    constexpr std::string_view kError =
        "\x05"
        "ERROR";
    if (body.starts_with(kError)) return fail("it refused the connection");
    if (stage_ == Stage::handshake && body.starts_with(kReady)) {
      stage_ = Stage::open;
      output_ += std::exchange(waiting_, {});
    }
    return true;
  }
  if (stage_ != Stage::open) return fail("it does not speak ZeroMQ's protocol");
  part_bytes_ += body.size();
  if (!body.empty() || !parts_.empty()) parts_.emplace_back(body);
  if (parts_.size() > kMostParts) return fail("it sent a message of too many parts");
  if ((flags & kMore) != 0) return true;
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
