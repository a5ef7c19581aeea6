// The format of recordings, schemas/recording.md: a head, what the asset calls its functions, and segments of events.
// An event that is as predicted is only counted; the others are written, each after the number of those before it.
#pragma once
#include <cstdint>
#include <cstring>

#include "core/bytes.h"

namespace espalier::recording {

inline constexpr unsigned char kMagic[4] = {'E', 'S', 'P', 'R'};
inline constexpr std::uint16_t kMajor = 1;
inline constexpr std::uint16_t kMinor = 1;  // 0 has no compressed segments, and longer numbers

// The first bytes of a file; then its JSON, and Facts.
struct Head {
  unsigned char magic[4];
  std::uint16_t major;
  std::uint16_t minor;
  std::uint32_t json_bytes;
};
static_assert(sizeof(Head) == 12);

// Then the asset, if it is included, and segments.
struct Facts {
  std::uint64_t asset_hash;   // as its header has it
  std::uint64_t asset_bytes;  // of the asset, whether it is included or not
  std::uint32_t flags;        // ESPALIER_RECORD_..., kRedacted
  std::uint32_t agent_count;
  std::uint32_t behavior_count;
  std::uint32_t condition_count;
};
static_assert(sizeof(Facts) == 32);

// Of Facts::flags: values of entries were left out.
inline constexpr std::uint32_t kRedacted = 8;

struct Segment {
  std::uint32_t payload_bytes;  // at least 1: SegmentFlag, then events, which may go on in the next segment
  std::uint32_t crc;            // CRC-32C of the payload
  std::uint64_t frame;          // the number of frames at its end
  std::uint64_t clock_us;       // at its end
};
static_assert(sizeof(Segment) == 24);
inline constexpr std::uint32_t kMostPayloadBytes = 65536;
// Bits of the first byte of a payload: its last event ends a frame; its events are a frame of zstd, as tools write it.
inline constexpr unsigned kEndsFrame = 1;
inline constexpr unsigned kIsCompressed = 2;

// An event begins with the number of predicted ones before it, and then a byte: Op in its low four bits, then three
// bits of a small number; the last bit says that the next event follows at once, without the number of predicted ones.
inline constexpr unsigned kNumberShift = 4;
inline constexpr unsigned kMostNumber = 7;
inline constexpr unsigned kIsFollowed = 0x80;
enum class Op : std::uint8_t {
  none,      // ends the events of a segment
  answer,    // number: what a function has answered
  decision,  // the same, of a Decide: a real number; number: its ZeroBytes
  frame,     // signed: the clock less the predicted one
  clock,     // the same, without a frame
  update,    // agent, how many
  stop,      // agent
  signal,    // agent, signal; or none of them: number: 1 + the signal, of the predicted agent
  set,       // agent, variable; number: its value
  write,     // port, value; number: ValueForm, kNextPort
  entry,     // agent, entry, value
  stimulus,  // agent, stimulus; number: StimulusOp
  flags,     // agent, flags
  jump,      // agent, 1 + rule; 0: none
  inject,    // agent, slot, 1 + tree; number: is it immediate?
  more       // number: MoreOp
};
// How a write tells the value: in the low two bits of its number.
enum class ValueForm : std::uint8_t {
  whole,       // it follows
  predicted,   // it is the predicted one of this place
  difference,  // of whole numbers of one kind: signed, from the last one
  one_more     // the same, and it is 1
};
inline constexpr unsigned kFormBits = 3;
inline constexpr unsigned kNextPort = 4;  // with it the port is the predicted one, and does not follow
// Of `stimulus`. All but `clear` have a clock, less that of the event before; `set_for` also a timeout; then 1 + the
// size of the data, which follows.
enum class StimulusOp : std::uint8_t { set, set_for, clear };
enum class MoreOp : std::uint8_t {
  reset,      // clock, frame: predictions and agents are forgotten
  functions,  // FunctionBits of the host, of each behaviour, and of each condition: which are not null
  agent,      // agent, 1 + tree; 0: none; if there is one: 1 + shared block, its size, 1 + group block, its size
  patch,      // PatchTarget, its number, offset, size, bytes
  memory,     // size, bytes: of the behaviour's memory after a call, or of the decider block
  block,
  hash,  // 8 bytes: of all blocks
  name   // agent, size, name of an entry
};
enum class PatchTarget : std::uint8_t { agent, shared, group };

// Whose function is called: conditions have a table of their own, and may be called by `tick`, too.
enum class Table : std::uint8_t { behaviors, conditions, host };

// Functions of a behaviour or condition. A bit says that it has one: 1 << FunctionNumber.
enum FunctionNumber : unsigned {
  kEnter,
  kLeave,
  kTick,
  kInterrupt,
  kReset,
  kEvent,
  kAllow,
  kIsBound,
  kActivate,
  kDeactivate,
  kAsk,
  kDecide,
  kFunctionCount
};
// Those of the host itself; and whether it has the two tables.
enum HostBit : std::uint16_t { kScript = 1, kLog = 2, kQueue = 4, kTooDeep = 8, kBehaviors = 16, kConditions = 32 };

// Where the answers of one node's functions are in a byte: ticks have their own.
struct AnswerBits {
  unsigned shift;
  unsigned mask;
};
inline constexpr AnswerBits kNoAnswer = {0, 0};
inline constexpr AnswerBits kTickAnswer = {0, 7};
inline constexpr AnswerBits kAllowAnswer = {3, 1};
inline constexpr AnswerBits kBoundAnswer = {4, 1};
inline constexpr AnswerBits kActivateAnswer = {5, 1};
inline constexpr AnswerBits kAskAnswer = {6, 1};
inline constexpr AnswerBits kScriptAnswer = {0, 1};

inline std::uint64_t zigzag(std::int64_t number) {
  return static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
}
inline std::int64_t unzigzag(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1 ^ (std::uint64_t{0} - (number & 1)));
}

// In the first byte of a value, after its kind and 16 if it is a truth value: of a real one, the low bytes left out.
inline constexpr unsigned kZerosShift = 5;

// A number takes 7 bits a byte, the lowest first; all bytes but the last have the highest bit.
inline constexpr std::size_t kNumberBytes = 10;  // at most
// Returns how many bytes it took.
inline std::size_t put_number(unsigned char* bytes, std::uint64_t number) {
  std::size_t size_bytes = 0;
  for (; number >= 0x80; number >>= 7) bytes[size_bytes++] = static_cast<unsigned char>(number | 0x80);
  bytes[size_bytes++] = static_cast<unsigned char>(number);
  return size_bytes;
}

// Real numbers are written without their low bytes that are 0, since most are short in binary: up to kMostZeroBytes of
// them, or all 8, which is kAllZero.
inline constexpr unsigned kMostZeroBytes = 6;
inline constexpr unsigned kAllZero = 7;
inline unsigned zero_bytes_of(std::uint64_t bits) {
  if (bits == 0) return kAllZero;
  unsigned count = 0;
  while (count < kMostZeroBytes && (bits >> (8 * count) & 0xFF) == 0) ++count;
  return count;
}
inline unsigned bytes_with(unsigned zero_bytes) { return zero_bytes == kAllZero ? 0 : 8 - zero_bytes; }

// CRC-32C (Castagnoli) as of RFC 3720.
std::uint32_t crc32c(const unsigned char* bytes, std::size_t size_bytes);
// Of the bytes of blocks, 8 at a time.
std::uint64_t hash_of(const unsigned char* bytes, std::size_t size_bytes, std::uint64_t seed);

inline std::size_t round_up(std::size_t size_bytes) { return (size_bytes + 7) & ~std::size_t{7}; }

}  // namespace espalier::recording
