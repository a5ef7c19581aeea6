// See zmtp.h.
#include "serving/zmtp.h"

#include <cstring>

#include "serving/text.h"

namespace espalier::zmtp {
namespace {

constexpr std::size_t kSignatureBytes = 10;
constexpr std::size_t kMechanismAt = 12;
constexpr std::size_t kMechanismBytes = 20;
constexpr std::size_t kMostShortBytes = 255;
constexpr std::string_view kReady = "\x05READY";
constexpr std::string_view kSocketType = "Socket-Type";

unsigned byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

std::uint64_t read_big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) number = number << 8 | byte_at(bytes, i);
  return number;
}

void write_big_endian(std::uint64_t number, unsigned size_bytes, char* bytes) {
  for (unsigned i = size_bytes; i-- > 0; number >>= 8) bytes[i] = static_cast<char>(number & 0xFF);
}

char* append(char* at, std::string_view text) {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

// Without case, as names of properties are compared.
bool is_same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

}  // namespace

std::string_view greeting() {
  static constexpr char kGreeting[kGreetingBytes] = {'\xFF', 0, 0, 0, 0, 0, 0, 0, 0, '\x7F', 3, 0, 'N', 'U', 'L', 'L'};
  return {kGreeting, kGreetingBytes};
}

Greeting read_greeting(std::string_view bytes) {
  const bool is_foreign = (!bytes.empty() && byte_at(bytes, 0) != 0xFF) ||
                          (bytes.size() >= kSignatureBytes && byte_at(bytes, kSignatureBytes - 1) != 0x7F);
  if (is_foreign) return Greeting::foreign;
  if (bytes.size() > kSignatureBytes && byte_at(bytes, kSignatureBytes) < 3) return Greeting::old_version;
  if (bytes.size() < kGreetingBytes) return Greeting::partial;
  const std::string_view mechanism = serving::part_of(bytes, kMechanismAt, kMechanismBytes);
  return serving::part_of(mechanism, 0, mechanism.find('\0')) == "NULL" ? Greeting::good : Greeting::wants_login;
}

const char* fault_of(Greeting greeting) {
  switch (greeting) {
    case Greeting::foreign:
      return "it does not speak ZeroMQ's protocol";
    case Greeting::old_version:
      return "it speaks an old version of ZeroMQ's protocol";
    case Greeting::wants_login:
      return "it wants a login";
    default:
      return nullptr;
  }
}

bool read_frame(std::string_view bytes, Frame* frame) {
  if (bytes.empty()) return false;
  frame->flags = byte_at(bytes, 0);
  const std::size_t size_bytes = (frame->flags & kLong) != 0 ? 8 : 1;
  if (bytes.size() < 1 + size_bytes) return false;
  frame->head_bytes = 1 + size_bytes;
  frame->body_bytes = read_big_endian(serving::part_of(bytes, 1, size_bytes));
  return true;
}

std::size_t write_frame(unsigned flags, std::uint64_t body_bytes, char* head) {
  if (body_bytes > kMostShortBytes) {
    write_long_frame(flags, body_bytes, head);
    return kMostHeadBytes;
  }
  head[0] = static_cast<char>(flags);
  head[1] = static_cast<char>(body_bytes);
  return 2;
}

void write_long_frame(unsigned flags, std::uint64_t body_bytes, char* head) {
  head[0] = static_cast<char>(flags | kLong);
  write_big_endian(body_bytes, 8, head + 1);
}

std::size_t write_ready(std::string_view socket, char* bytes) {
  const std::size_t body_bytes = kReady.size() + 1 + kSocketType.size() + 4 + socket.size();
  char* at = bytes + write_frame(kCommand, body_bytes, bytes);
  at = append(at, kReady);
  *at++ = static_cast<char>(kSocketType.size());
  at = append(at, kSocketType);
  write_big_endian(socket.size(), 4, at);
  at = append(at + 4, socket);
  return static_cast<std::size_t>(at - bytes);
}

bool is_command(std::string_view body, std::string_view name) {
  return !body.empty() && byte_at(body, 0) == name.size() && serving::part_of(body, 1, name.size()) == name;
}

std::string_view socket_type(std::string_view ready) {
  std::string_view rest = serving::part_of(ready, ready.size() < kReady.size() ? ready.size() : kReady.size());
  while (!rest.empty()) {
    const std::size_t name_bytes = byte_at(rest, 0);
    if (rest.size() < 1 + name_bytes + 4) return {};
    const std::string_view name = serving::part_of(rest, 1, name_bytes);
    const std::uint64_t value_bytes = read_big_endian(serving::part_of(rest, 1 + name_bytes, 4));
    rest.remove_prefix(1 + name_bytes + 4);
    if (rest.size() < value_bytes) return {};
    if (is_same_word(name, kSocketType)) return serving::part_of(rest, 0, static_cast<std::size_t>(value_bytes));
    rest.remove_prefix(static_cast<std::size_t>(value_bytes));
  }
  return {};
}

}  // namespace espalier::zmtp
