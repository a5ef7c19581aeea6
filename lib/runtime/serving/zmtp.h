// ZMTP 3.0 with the mechanism NULL, byte by byte: what both sides of a connection read and write. No state, no memory.
// https://rfc.zeromq.org/spec/23 has the protocol.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace espalier::zmtp {

inline constexpr std::size_t kGreetingBytes = 64;
inline constexpr unsigned kMore = 1;
inline constexpr unsigned kLong = 2;
inline constexpr unsigned kCommand = 4;
inline constexpr std::size_t kMostHeadBytes = 9;  // of a frame
inline constexpr std::size_t kMostReadyBytes = 64;

// What each side sends first.
std::string_view greeting();

enum class Greeting : std::uint8_t { partial, good, foreign, old_version, wants_login };
// What the peer sent first, or as much of it as is there.
Greeting read_greeting(std::string_view bytes);
// What is wrong with it, as a static string about the peer; null: nothing.
const char* fault_of(Greeting greeting);

struct Frame {
  unsigned flags = 0;
  std::size_t head_bytes = 0;
  std::uint64_t body_bytes = 0;
};
// The head of a frame, which may announce any size. False: it is not whole.
bool read_frame(std::string_view bytes, Frame* frame);
// Writes a head, and returns its size.
std::size_t write_frame(unsigned flags, std::uint64_t body_bytes, char* head);
// The same, always with 9 bytes, for a body whose size is not known before.
void write_long_frame(unsigned flags, std::uint64_t body_bytes, char* head);

// The command READY of a socket of this type ("REP"), with its head; returns its size, at most kMostReadyBytes.
std::size_t write_ready(std::string_view socket, char* bytes);
// Is a command's body that of this one?
bool is_command(std::string_view body, std::string_view name);
// The type of the peer's socket, of the body of READY; empty: it does not say so.
std::string_view socket_type(std::string_view ready);

}  // namespace espalier::zmtp
