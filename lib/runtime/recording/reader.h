// Reads the events of a recording, whose bytes may be anything.
#pragma once
#include <espalier/recording.h>

#include "recording/format.h"

namespace espalier::recording {

// A place in a recording: the byte, and how many its segment has from there on.
using Position = std::uint64_t;

class Reader {
 public:
  Reader() = default;
  // From the first segment, at `begin`, up to `end`, where a segment ends.
  Reader(const unsigned char* bytes, std::size_t begin, std::size_t end)
      : bytes_(bytes), at_(begin), segment_end_(begin), end_(end) {}

  // Something was read that is not there.
  bool is_done() const { return is_done_; }
  bool is_at_end() const { return at_ == end_ || is_done_; }
  Position position() const { return Position{at_} << 17 | (segment_end_ - at_); }
  void go_to(Position position) {
    at_ = static_cast<std::size_t>(position >> 17);
    segment_end_ = at_ + static_cast<std::size_t>(position & 0x1FFFF);
    is_done_ = false;
  }

  unsigned byte() {
    while (at_ == segment_end_) {
      if (at_ == end_ || is_done_) {
        is_done_ = true;
        return 0;
      }
      Segment segment;
      std::memcpy(&segment, bytes_ + at_, sizeof segment);
      at_ += sizeof segment + 1;
      segment_end_ = at_ + segment.payload_bytes - 1;
    }
    return bytes_[at_++];
  }
  std::uint64_t number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const unsigned each = byte();
      number |= std::uint64_t{each & 0x7F} << shift;
      if (each < 0x80) return number;
    }
    is_done_ = true;
    return number;
  }
  void read(void* bytes, std::size_t size_bytes) {
    auto* const each = static_cast<unsigned char*>(bytes);
    for (std::size_t i = 0; i < size_bytes && !is_done_; ++i) each[i] = static_cast<unsigned char>(byte());
  }
  void skip(std::uint64_t size_bytes) {
    for (; size_bytes > 0 && !is_done_; --size_bytes) byte();
  }

 private:
  const unsigned char* bytes_ = nullptr;
  std::size_t at_ = 0;
  std::size_t segment_end_ = 0;
  std::size_t end_ = 0;
  bool is_done_ = false;
};

// The parts of a file.
struct File {
  Facts facts = {};
  const unsigned char* asset = nullptr;  // null: not included
  std::size_t first_segment = 0;         // its place
  std::size_t end = 0;                   // of the last segment that ends a frame, before any that is damaged
  std::uint64_t frame_count = 0;         // until there
  bool has_compressed = false;           // a Reader does not read it
};
// ESPALIER_OK, or why it is no recording.
espalier_status open_file(const void* bytes, std::size_t size_bytes, File* file, espalier_fault* fault);

// What a playback needs memory for.
struct Needs {
  std::uint32_t shared_count = 0;
  std::uint32_t group_count = 0;
  std::uint32_t shared_bytes = 0;  // of the largest
  std::uint32_t group_bytes = 0;
};
// Reads all events, without what they mean. False: they are malformed at `*at`.
bool find_needs(const unsigned char* bytes, const File& file, Needs* needs, std::size_t* at);

}  // namespace espalier::recording
