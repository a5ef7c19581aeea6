// See segments.h, and schemas/recording.md.
#include "live/segments.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "live/formats/readers.h"
#include "runtime/recording/reader.h"

namespace espalier::live {
namespace {

using recording::Segment;

constexpr std::size_t kMostEventsBytes = recording::kMostPayloadBytes - 1;
// Of the events that are compressed together.
constexpr std::size_t kGroupBytes = std::size_t{1} << 18;

// Some events, which end a frame or not.
struct Events {
  std::string bytes = {};
  std::uint64_t frame = 0;
  std::uint64_t clock_us = 0;
  bool ends_frame = false;
};

void add_segment(const Events& events, std::string_view bytes, unsigned flags, std::string* out) {
  std::string payload(1, static_cast<char>(flags));
  payload += bytes;
  const auto size = static_cast<std::uint32_t>(payload.size());
  const auto* const first = reinterpret_cast<const unsigned char*>(payload.data());
  const Segment segment = {size, recording::crc32c(first, size), events.frame, events.clock_us};
  out->append(reinterpret_cast<const char*>(&segment), sizeof segment);
  *out += payload;
}

void add_plain(const Events& events, std::string* out) {
  std::string_view left = events.bytes;
  do {
    const std::string_view piece = left.substr(0, kMostEventsBytes);
    left.remove_prefix(piece.size());
    add_segment(events, piece, left.empty() && events.ends_frame ? recording::kEndsFrame : 0u, out);
  } while (!left.empty());
}

// All segments up to the last whole frame, unpacked.
bool read_segments(std::string_view bytes, const recording::File& file, std::vector<Events>* all, std::string* error) {
  std::size_t all_bytes = 0;
  for (std::size_t at = file.first_segment; at < file.end;) {
    Segment segment;
    std::memcpy(&segment, bytes.data() + at, sizeof segment);
    const std::string_view payload = bytes.substr(at + sizeof segment, segment.payload_bytes);
    const auto flags = static_cast<unsigned char>(payload.front());
    const std::string_view events = payload.substr(1);
    Events& own = all->emplace_back(Events{{}, segment.frame, segment.clock_us, (flags & recording::kEndsFrame) != 0});
    if ((flags & recording::kIsCompressed) == 0) {
      own.bytes = events;
    } else if (!unpack_zstd(events, &own.bytes, error)) {
      return false;
    }
    all_bytes += own.bytes.size();
    if (all_bytes > kMaxLogBytes) {
      *error = "it is larger than 1 GiB";
      return false;
    }
    at += sizeof segment + segment.payload_bytes;
  }
  return true;
}

// Compresses these together, or in halves if that does not fit a segment.
bool add_packed(std::vector<Events>::const_iterator begin, std::vector<Events>::const_iterator end, std::string* out) {
  const Events& last = *(end - 1);
  std::string bytes;
  for (auto each = begin; each != end; ++each) bytes += each->bytes;
  std::string packed;
  if (!pack_zstd(bytes, &packed)) return false;
  const bool fits = packed.size() <= kMostEventsBytes;
  if (fits && packed.size() < bytes.size()) {
    add_segment(last, packed, recording::kIsCompressed | (last.ends_frame ? recording::kEndsFrame : 0u), out);
    return true;
  }
  if (end - begin > 1 && !fits) {
    const auto middle = begin + (end - begin) / 2;
    return add_packed(begin, middle, out) && add_packed(middle, end, out);
  }
  for (auto each = begin; each != end; ++each) add_plain(*each, out);
  return true;
}

// Reads a recording, and writes all that is before its segments.
bool begin(std::string_view bytes, std::string* out, std::vector<Events>* events, std::string* error) {
  recording::File file;
  Fault fault;
  if (recording::open_file(bytes.data(), bytes.size(), &file, &fault) != ESPALIER_OK) {
    *error = std::string(fault.reason) + " (byte " + std::to_string(fault.offset_bytes) + ")";
    return false;
  }
  *out = bytes.substr(0, file.first_segment);
  return read_segments(bytes, file, events, error);
}

}  // namespace

bool pack_segments(std::string_view recording, std::string* packed, std::string* error) {
  std::vector<Events> events;
  if (!begin(recording, packed, &events, error)) return false;
  for (auto first = events.cbegin(); first != events.cend();) {
    std::size_t size = 0;
    auto end = first;
    while (end != events.cend() && (end == first || size + end->bytes.size() <= kGroupBytes))
      size += (end++)->bytes.size();
    if (!add_packed(first, end, packed)) {
      *error = "this espalier was built without zstd";
      return false;
    }
    first = end;
  }
  return true;
}

bool unpack_segments(std::string_view recording, std::string* plain, std::string* error) {
  std::vector<Events> events;
  if (!begin(recording, plain, &events, error)) return false;
  for (const Events& each : events) add_plain(each, plain);
  return true;
}

}  // namespace espalier::live
